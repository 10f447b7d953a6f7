/**
 * Each root field that names an environment, asked by callers of both environments, along every edge of the schema.
 * Neighbours that were looked for: every root field of the schema, and every edge from what it shows.
 */
import { isInputObjectType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { createWorld, type World } from '../world.ts'
import { rootFields, waysFrom } from './walk.ts'

const environments = ['TEST', 'LIVE'] as const
type Environment = (typeof environments)[number]

const userId = 'ann-of-the-secret-list'
let world: World
let args: { partnerSlug: string; slug: string }
type Asker = { name: string; headers: Record<string, string>; owns: Environment | null }
let askers: Asker[]

beforeAll(async () => {
  world = await createWorld()
  const { partner, runtime } = world
  const { partnerId } = partner
  for (const environment of environments) {
    const keys = environment === 'TEST' ? partner.test : partner.live
    const slug = await makeCampaign(
      world,
      'summer-sale',
      { slug: 'both' },
      { partnerId, environment },
    )
    const call = callsTo(world, keys.secret)
    await world.givePoints(userId, 1, 'signup', keys.secret)
    await world.givePoints('ben', 1, 'signup', keys.secret)
    for (let n = 0; n < 3; n++) await call.buy(slug, userId)
    await call.generate({ slug, batchSize: 2, pointsValue: 5 })
    const campaign = await runtime.db.campaign.findFirstOrThrow({
      where: { partnerId, environment, slug },
      include: { tiers: true },
    })
    const idOf = async (externalId: string) =>
      (await runtime.db.endUser.findFirstOrThrow({ where: { partnerId, environment, externalId } }))
        .id
    const tenant = { partnerId, environment }
    const id = crypto.randomUUID()
    const at = new Date()
    const rewards = { referrerReward: 1, refereeReward: 1, createdAt: at }
    const who = { referrerId: await idOf(userId), refereeId: await idOf('ben') }
    await runtime.db.referral.create({
      data: { ...tenant, id, campaignId: campaign.id, ...who, ...rewards },
    })
  }
  const { slug: partnerSlug } = await runtime.db.partner.findUniqueOrThrow({
    where: { id: partnerId },
  })
  args = { partnerSlug, slug: 'both' }
  const stranger = await world.createPartner()
  const [member, operator, foreign] = [
    await world.signInAs('OWNER'),
    await world.signInAs('OPERATOR', stranger.partnerId),
    await world.signInAs('OWNER', stranger.partnerId),
  ]
  const bearer = (token: string, environment: Environment) => ({
    authorization: `Bearer ${token}`,
    'x-environment': environment,
  })
  askers = environments.flatMap((environment): Asker[] => {
    const keys = environment === 'TEST' ? partner.test : partner.live
    return [
      {
        name: `a public key of ${environment}`,
        headers: { 'x-api-key': keys.public },
        owns: null,
      },
      {
        name: `a secret key of ${environment}`,
        headers: { 'x-api-secret': keys.secret },
        owns: environment,
      },
      {
        name: `a member in ${environment}`,
        headers: bearer(member, environment),
        owns: environment,
      },
      {
        name: `an operator in ${environment}`,
        headers: bearer(operator, environment),
        owns: environment,
      },
      {
        name: `a member of another partner in ${environment}`,
        headers: bearer(foreign, environment),
        owns: null,
      },
    ]
  })
}, 60_000)
afterAll(() => world.end())

const ask = async (document: string, headers: Record<string, string>) => {
  const { body, text, status } = await world.call('POST', '/graphql', {
    headers,
    body: { query: document },
  })
  expect(status, text).toBeLessThan(500)
  const codes = (body.errors ?? []).map(
    ({ extensions }: { extensions: { code: string } }) => extensions.code as string,
  )
  expect(codes, `${document}\n${text}`).not.toContain('INTERNAL')
  expect(codes, text).not.toContain('GRAPHQL_VALIDATION_FAILED')
  return { data: body.data, codes, text }
}

const named = (field: { args: readonly { name: string }[] }) =>
  field.args.some(({ name }) => name === 'environment')

test('these root fields name an environment; all others are about that of their caller', () => {
  const withArgument = (['query', 'mutation', 'subscription'] as const).flatMap((root) =>
    rootFields(root).flatMap((field) => {
      const inputs = field.args.flatMap(({ type }) => {
        const bare = 'ofType' in type ? type.ofType : type
        return isInputObjectType(bare) && 'environment' in bare.getFields() ? ['input'] : []
      })
      return named(field) || inputs.length > 0 ? [`${root} ${field.name}`] : []
    }),
  )
  expect(withArgument).toEqual(['query publicCampaign', 'mutation redeemPublicCode'])
})

test.each(environments)(
  'what is public of %s, and no more, is shown to those who do not work there',
  async (environment) => {
    for (const field of rootFields('query').filter(named)) {
      // Behind a list, the owner alone goes on.
      const ways = waysFrom('query', field, { [field.name]: { ...args, environment } }).filter(
        ({ edge }) => /^(query|Campaign(View)?\.|Campaign\w+Connection\.)/.test(edge),
      )
      expect(ways.length).toBeGreaterThan(10)
      let hidden = 0
      for (const way of ways) {
        const open = await ask(way.document(), {})
        for (const { name, headers, owns } of askers) {
          const { data, codes } = await ask(way.document(), headers)
          if (owns === environment) {
            if (JSON.stringify(data) !== JSON.stringify(open.data)) hidden += 1
          } else if (open.codes.length === 0)
            expect({ name, data, codes }, way.edge).toEqual({ name, data: open.data, codes: [] })
          else expect(JSON.stringify(data ?? null), `${name}: ${way.edge}`).not.toContain(userId)
        }
      }
      // The owner sees more.
      expect(hidden).toBeGreaterThan(5)
    }
  },
)

test('a member sees the winners of the environment in which they work', async () => {
  const leaves: Record<string, string> = {
    instantWins: 'points',
    events: 'eventType',
    referrals: 'referrerPoints',
    codeBatches: 'codeCount',
    participants: 'wins: __typename',
    leaderboard: 'rank',
  }
  const document = (environment: Environment) =>
    `{ publicCampaign(partnerSlug: "${args.partnerSlug}", slug: "both", environment: ${environment}) {
      __typename ... on Campaign {
        updatedAt creditsWallet instantWinStats { drawCount } codeStats { __typename }
        ${Object.entries(leaves)
          .map(([name, leaf]) => `${name}(first: 5) { nodes { ${leaf} } }`)
          .join(' ')} } } }`
  const { headers } = askers.find(({ name }) => name === 'a member in TEST') as Asker
  const own = (await ask(document('TEST'), headers)).data.publicCampaign
  const other = (await ask(document('LIVE'), headers)).data.publicCampaign
  expect(other).toEqual({ __typename: 'CampaignView' })
  expect(own.__typename).toBe('Campaign')
  for (const [name, value] of Object.entries(own))
    expect({ name, value }).not.toEqual({ name, value: null })
  for (const name of ['events', 'referrals', 'codeBatches', 'participants'])
    expect(own[name].nodes.length, name).toBeGreaterThan(0)
})

test('a campaign of the other environment is found by its id as everyone sees it, as long as it is public', async () => {
  const { db } = world.runtime
  for (const environment of environments) {
    const { id } = await db.campaign.findFirstOrThrow({
      where: { ...world.tenant, environment, slug: 'both' },
    })
    const node = Buffer.from(`Campaign:${id}`).toString('base64url')
    const document = `{ node(id: "${node}") { __typename id } }`
    const isOwnerOf = ({ name, owns }: Asker) =>
      owns === environment && !name.startsWith('an operator')
    for (const asker of askers) {
      const __typename = isOwnerOf(asker) ? 'Campaign' : 'CampaignView'
      const { data } = await ask(document, asker.headers)
      expect({ name: asker.name, ...data }).toEqual({
        name: asker.name,
        node: { __typename, id: node },
      })
    }
    await db.campaign.update({ where: { id }, data: { status: 'DRAFT' } })
    for (const asker of askers) {
      const { data } = await ask(document, asker.headers)
      const found = isOwnerOf(asker) ? { __typename: 'Campaign', id: node } : null
      expect({ name: asker.name, ...data }).toEqual({ name: asker.name, node: found })
    }
    await db.campaign.update({ where: { id }, data: { status: 'ACTIVE' } })
  }
})
