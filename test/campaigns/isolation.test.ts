import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/rest/routes.ts'
import { digestsOfOthers } from '../digests-of-others.ts'
import { operationsOf } from '../graphql/documents.ts'
import { type Answer, createWorld, type Keys, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

/** Part of every text of partner B and of LIVE. The TEST key of partner A must never see it. */
const mark = `mark${randomUUID().slice(0, 8)}`
const unknownId = '00000000-0000-7000-8000-000000000000'

type Names = {
  slug: string
  user: string
  other: string
  code: string
  winCode: string
  referralCode: string
  batchId: string
}

/** Names that belong to nothing. */
const nothing: Names = {
  slug: 'nothing',
  user: 'nobody',
  other: 'nobody-else',
  code: 'NOTH-AAAAAAAA',
  winCode: 'WIN-AAAA-AAAA-AAAA',
  referralCode: 'AAAAAAAA',
  batchId: unknownId,
}

let world: World
let foreign: { keys: Keys; names: Names; partnerId: string; environment: 'TEST' | 'LIVE' }[]

const fill = async (keys: Keys, partnerId: string, environment: 'TEST' | 'LIVE', i: number) => {
  const call = callsTo(world, keys.secret)
  const slug = await makeCampaign(
    world,
    'golden-ticket',
    {
      slug: `${mark}-${i}`,
      name: `${mark} name`,
      description: `${mark} description`,
      eventRules: [{ eventType: `${mark}-event`, points: 5 }],
      referralRules: { referrerPoints: 1, refereePoints: 2 },
    },
    { partnerId, environment },
  )
  const user = `${mark}-user`
  const won = await call.buy(slug, user)
  const referralCode = (await call.referralCode(slug, user)).body.data.referralCode
  await call.refer(slug, { referrerId: user, refereeId: `${mark}-friend`, referralCode })
  const made = await call.generate({ slug, batchSize: 2, pointsValue: 9, label: `${mark} label` })
  const { codes, batch } = made.body.data
  await call.redeem(slug, { code: codes[1], userId: user })
  const { winCode } = won.body.data.instantWin
  const names = {
    slug,
    user,
    other: `${mark}-new`,
    code: codes[0],
    winCode,
    referralCode,
    batchId: batch.id,
  }
  return { keys, names, partnerId, environment }
}

beforeAll(async () => {
  // The tests compare whole tables, in which nobody else may write.
  world = await createWorld({ isAlone: true })
  const other = await world.createPartner(`${mark}-partner`)
  foreign = [
    await fill(other.test, other.partnerId, 'TEST', 1),
    await fill(other.live, other.partnerId, 'LIVE', 2),
    await fill(world.partner.live, world.partner.partnerId, 'LIVE', 3),
  ]
  const mine = await makeCampaign(world, 'golden-ticket', { slug: 'mine' })
  await callsTo(world).buy(mine, 'ann')
})
afterAll(() => world.end())

/** An answer without the parts that differ between requests. */
const gist = ({ status, text }: Answer) => [
  status,
  text.replace(/"requestId":"[^"]+"/, '').replace(/"at":"[^"]+"/, ''),
]

const bodyFor = (names: Names) => ({
  slug: names.slug,
  userId: names.user,
  eventType: 'purchase',
  referrerId: names.user,
  refereeId: names.other,
  referralCode: names.referralCode,
  winCode: names.winCode,
  code: names.code,
  batchSize: 1,
  pointsValue: 1,
})

const campaignRoutes = routes.filter(({ path }) => path.startsWith('/v1/campaigns'))

describe("partner A's TEST key", () => {
  it('covers all routes', () => expect(campaignRoutes).toHaveLength(13))

  it.each(campaignRoutes)(
    'finds and changes nothing of others with $method $path',
    async (route) => {
      const { method, path } = route
      const call = (names: Names, key: string) => {
        const url = path
          .replace('{slug}', names.slug)
          .replace('{userId}', names.user)
          .replace('{batchId}', names.batchId)
        const query = path.includes('{') ? '' : `?slug=${names.slug}`
        return world.call(method, method === 'GET' ? url + query : url, {
          key,
          ...(method === 'POST' && { body: bodyFor(names) }),
        })
      }
      const before = await digestsOfOthers(world)
      for (const { names } of foreign) {
        const answer = await call(names, world.keys.secret)
        expect(answer.text).not.toContain(mark)
        expect(gist(answer)).toEqual(gist(await call(nothing, world.keys.secret)))
        // A foreign code in an own campaign.
        if (method === 'POST' && path.includes('redeem')) {
          const own = await call({ ...names, slug: 'mine', user: 'ann' }, world.keys.secret)
          expect([400, 429]).toContain(own.status)
        }
      }
      expect(await digestsOfOthers(world)).toEqual(before)
      // The owner has access, so the test can fail.
      const [owner] = foreign as [(typeof foreign)[number]]
      expect((await call(owner.names, owner.keys.secret)).status).toBe(200)
    },
  )

  it('sees nothing of others with any GraphQL query, node id or cursor', async () => {
    const { db } = world.runtime
    const where = { OR: foreign.map(({ partnerId, environment }) => ({ partnerId, environment })) }
    const select = { id: true } as const
    const ids = Object.entries({
      Campaign: await db.campaign.findMany({ where, select }),
      Participant: await db.campaignParticipant.findMany({ where, select }),
      CampaignEvent: await db.campaignEvent.findMany({ where, select }),
      InstantWin: await db.instantWin.findMany({ where, select }),
      Referral: await db.referral.findMany({ where, select }),
      CodeBatch: await db.codeBatch.findMany({ where, select }),
    }).flatMap(([type, rows]) => rows.map(({ id }) => ({ type, id })))
    expect(ids.length).toBeGreaterThan(10)
    const globalId = (type: string, id: string) =>
      Buffer.from(`${type}:${id}`).toString('base64url')
    const queries = operationsOf('query', 3).filter(({ name }) =>
      /campaign|code|^nodes?$/i.test(name),
    )
    expect(queries.length).toBeGreaterThan(7)
    for (const { name, document } of queries) {
      if (name === 'publicCampaign') continue // public on purpose
      const variables = (names: Names, id: string) => ({
        slug: names.slug,
        by: { slug: names.slug },
        userId: names.user,
        id,
        ids: [id],
        input: name.startsWith('simulate')
          ? { slug: names.slug, userId: names.user, eventType: 'purchase' }
          : { code: names.code },
      })
      // A campaign is public on purpose, too: by its id as by its slug.
      for (const { type, id } of name.startsWith('node')
        ? ids.filter((item) => item.type !== 'Campaign')
        : [{ type: 'Campaign', id: unknownId }]) {
        const sent = globalId(type, id)
        const nobody = globalId(type, unknownId)
        const names = foreign[0]?.names as Names
        const answer = await world.graphql(document, variables(names, sent))
        expect(answer.text).not.toContain(mark)
        const expected = await world.graphql(document, variables(nothing, nobody))
        expect(gist(answer)).toEqual(gist(expected))
      }
    }
    for (const { type, id } of ids.filter((item) => item.type === 'Campaign')) {
      const node = { id: globalId(type, id) }
      const document = `query ($id: ID!) { node(id: $id) { __typename ... on Campaign { updatedAt } } }`
      const { body } = await world.graphql(document, node)
      expect([null, { __typename: 'CampaignView' }]).toContainEqual(body.data.node)
    }
    const { body } = await world.graphql(
      '{ campaigns(first: 1) { pageInfo { endCursor } } codeBatches(first: 1) { pageInfo { endCursor } } }',
      {},
      foreign[0]?.keys,
    )
    for (const list of ['campaigns', 'codeBatches']) {
      const after = body.data[list].pageInfo.endCursor
      const document = `query ($after: String) { ${list}(after: $after) { totalCount { value } nodes { id } } }`
      const answer = await world.graphql(document, { after })
      expect(answer.body.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
    }
  })

  it('changes nothing of others with any mutation', async () => {
    const before = await digestsOfOthers(world)
    const names = (foreign[0] as (typeof foreign)[number]).names
    const body = bodyFor(names)
    const campaign = { slug: names.slug }
    const user = { externalId: names.user }
    const tries: [string, object][] = [
      ['updateCampaign', { campaign: { slug: names.slug }, name: 'taken' }],
      ['startCampaign', { campaign: { slug: names.slug } }],
      ['pauseCampaign', { campaign: { slug: names.slug } }],
      ['endCampaign', { campaign: { slug: names.slug } }],
      ['deleteCampaign', { campaign: { slug: names.slug } }],
      ['recordCampaignEvent', { campaign, user, eventType: 'purchase' }],
      ['redeemCode', { campaign, user, code: body.code }],
      ['redeemWinCode', { campaign, user, winCode: body.winCode }],
      ['createReferralCode', { campaign, user }],
      [
        'recordReferral',
        {
          campaign,
          referrer: user,
          referee: { externalId: 'x' },
          referralCode: names.referralCode,
        },
      ],
      ['createCodeBatch', { campaign: { slug: names.slug }, codeCount: 1, points: 1 }],
      ['revokeCodeBatch', { codeBatchId: names.batchId }],
      ['revokeCode', { campaignCode: { code: body.code } }],
    ]
    for (const [name, input] of tries) {
      const { document } = operationsOf('mutation', 1).find((item) => item.name === name) ?? {}
      const answer = await world.graphql(document ?? '', { input })
      expect(Object.values(answer.body.data)).toMatchObject([
        { __typename: expect.stringMatching(/(NotFound|NotActive|InvalidCode)Error$/) },
      ])
      expect(answer.text).not.toContain(mark)
    }
    expect(await digestsOfOthers(world)).toEqual(before)
  })
})
