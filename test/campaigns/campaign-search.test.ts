/** Campaigns by phase and date, and the lists of a campaign by user and time. */
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { phaseOf } from '../../src/campaigns/campaign-phase.rules.ts'
import type { Campaign } from '../../src/generated/prisma/client.ts'
import { CampaignStatus } from '../../src/generated/prisma/enums.ts'
import type { UserId } from '../../src/kit/user-id.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

const now = new Date('2026-06-15T12:00:00Z')
const moments = [
  null,
  new Date('2026-06-01T00:00:00Z'),
  now,
  new Date(+now + 1),
  new Date('2026-07-01T00:00:00Z'),
]

let world: World
let campaigns: Campaign[]

beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  const { db } = world.runtime
  const schedules = Object.values(CampaignStatus).flatMap((status) =>
    moments.flatMap((startsAt) => moments.map((endsAt) => ({ status, startsAt, endsAt }))),
  )
  const isPossible = ({ startsAt, endsAt }: (typeof schedules)[number]) =>
    !startsAt || !endsAt || startsAt < endsAt
  await db.campaign.createMany({
    data: schedules.filter(isPossible).map((schedule, n) => ({
      id: uuid(),
      ...world.tenant,
      slug: `scheduled-${n}`,
      name: `Scheduled ${n}`,
      ...schedule,
    })),
  })
  campaigns = await db.campaign.findMany({ where: world.tenant })
})
afterAll(() => world.end())

type Page = {
  nodes: { uuid: string; phase: string }[]
  pageInfo: Record<string, string | boolean | null>
  totalCount: { value: number }
}

const ask = async (args: string, variables: Record<string, unknown>) => {
  const { body, text } = await world.graphql(
    `query ($filter: CampaignFilter${args.includes('$at') ? ', $at: String' : ''}) {
      campaigns(filter: $filter, ${args}) {
        nodes { uuid phase } totalCount { value }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    variables,
  )
  if (body.errors) throw new Error(text)
  return body.data.campaigns as Page
}

/** The ids of all pages, forward or backward. */
const walk = async (order: string, filter: object, backward = false) => {
  const way = backward ? 'last: 7, before: $at' : 'first: 7, after: $at'
  let ids: string[] = []
  for (let at: unknown = null; ; ) {
    const { nodes, pageInfo } = await ask(`${way}, ${order}`, { filter, at })
    const found = nodes.map((node) => node.uuid)
    ids = backward ? [...found, ...ids] : [...ids, ...found]
    if (!pageInfo[backward ? 'hasPreviousPage' : 'hasNextPage']) return ids
    at = pageInfo[backward ? 'startCursor' : 'endCursor']
  }
}

describe('phases', () => {
  test.each([['DRAFT'], ['UPCOMING'], ['ACTIVE'], ['PAUSED'], ['ENDED']])(
    'the filter by %s finds the campaigns that show this phase',
    async (phase) => {
      const wanted = campaigns.filter((campaign) => phaseOf(campaign, now) === phase)
      expect(wanted.length).toBeGreaterThan(0)
      const { nodes, totalCount } = await ask('first: 100', { filter: { phases: [phase] } })
      expect(nodes.map((node) => node.uuid).sort()).toEqual(wanted.map(({ id }) => id).sort())
      expect(new Set(nodes.map((node) => node.phase))).toEqual(new Set([phase]))
      expect(totalCount.value).toBe(wanted.length)
    },
  )

  test('several are found together, none with an empty list, and a search narrows them', async () => {
    const count = async (filter: object) => (await ask('first: 1', { filter })).totalCount.value
    const of = (...phases: string[]) =>
      campaigns.filter((campaign) => phases.includes(phaseOf(campaign, now))).length
    expect(await count({ phases: ['ACTIVE', 'UPCOMING'] })).toBe(of('ACTIVE', 'UPCOMING'))
    expect(await count({ phases: [] })).toBe(0)
    expect(await count({ statuses: [] })).toBe(0)
    expect(await count({ phases: null, statuses: null })).toBe(campaigns.length)
    expect(await count({ phases: ['ENDED'], statuses: ['ACTIVE'] })).toBe(
      campaigns.filter(
        (campaign) => campaign.status === 'ACTIVE' && phaseOf(campaign, now) === 'ENDED',
      ).length,
    )
    expect(await count({ phases: ['DRAFT'], search: 'scheduled-0' })).toBe(1)
    expect(await count({ phases: ['ENDED'], search: 'scheduled-0' })).toBe(0)
  })
})

describe.each([
  ['STARTS_AT', 'startsAt', Number.NEGATIVE_INFINITY],
  ['ENDS_AT', 'endsAt', Number.POSITIVE_INFINITY],
] as const)('the order %s', (field, column, ofNone) => {
  const placeOf = (id: string) =>
    campaigns.find((campaign) => campaign.id === id)?.[column]?.getTime() ?? ofNone

  test.each(['ASC', 'DESC'])('%s has every campaign once, both ways', async (direction) => {
    const order = `orderBy: { field: ${field}, direction: ${direction} }`
    const ids = await walk(order, {})
    expect(ids.toSorted()).toEqual(campaigns.map(({ id }) => id).sort())
    const places = ids.map(placeOf)
    const sorted = places.toSorted((a, b) => (a === b ? 0 : a < b ? -1 : 1))
    expect(places).toEqual(direction === 'ASC' ? sorted : sorted.toReversed())
    expect(await walk(order, {}, true)).toEqual(ids)
  })
})

describe('the lists of a campaign', () => {
  let slug: string
  const day = 86_400_000
  const period = (from: number, to?: number) => ({
    from: new Date(from),
    ...(to !== undefined && { to: new Date(to) }),
  })

  beforeAll(async () => {
    // It has no prizes of its own, so that only these are won.
    slug = await makeCampaign(world, 'winter-archive', { status: 'ACTIVE' })
    const { buy } = callsTo(world)
    for (const user of ['ann', 'ben', 'cleo']) expect((await buy(slug, user)).status).toBe(200)
    const { db } = world.runtime
    const { participants, ...campaign } = await db.campaign.findFirstOrThrow({
      where: { ...world.tenant, slug },
      include: { participants: true },
    })
    const idOf = (name: string) =>
      participants.find(({ externalId }) => externalId === name)?.userId as UserId
    const tier = { name: 'Gold', points: 1, weight: 1, maxWins: 9, position: 0 }
    const { id: tierId } = await db.prizeTier.create({
      data: { id: uuid(), ...world.tenant, campaignId: campaign.id, ...tier },
    })
    const at = (days: number) => new Date(+now + days * day)
    const of = { ...world.tenant, campaignId: campaign.id }
    for (const [n, name] of ['ann', 'ben', 'ann'].entries()) {
      const win = { id: uuid(), userId: idOf(name), tierId, points: n, codeHash: Buffer.from([n]) }
      await db.instantWin.create({ data: { ...of, ...win, wonAt: at(n), expiresAt: at(9) } })
    }
    for (const [n, name] of ['ben', 'cleo'].entries()) {
      const pair = { id: uuid(), referrerId: idOf('ann'), refereeId: idOf(name) }
      const rewards = { referrerReward: n, refereeReward: 0, createdAt: at(n) }
      await db.referral.create({ data: { ...of, ...pair, ...rewards } })
    }
    for (const [n, name] of ['ann', 'ben', 'cleo'].entries())
      await db.campaignParticipant.updateMany({
        where: { campaignId: campaign.id, userId: idOf(name) },
        data: { joinedAt: at(n) },
      })
  })

  const listOf = async (list: string, type: string, filter: object, node: string) => {
    const { body, text } = await world.graphql(
      `query ($slug: String!, $filter: ${type}) { campaign(by: { slug: $slug }) {
        ${list}(filter: $filter) { totalCount { value } nodes { ${node} } } } }`,
      { slug, filter },
    )
    if (body.errors) throw new Error(text)
    const { nodes, totalCount } = body.data.campaign[list]
    expect(totalCount.value).toBe(nodes.length)
    return nodes.map((node: object) => Object.values(node)[0])
  }
  const user = (externalId: string) => ({ externalId })
  const start = +now

  test.each([
    [{}, ['cleo', 'ben', 'ann']],
    [{ user: user('ben') }, ['ben']],
    [{ user: user('nobody') }, []],
    [{ joinedAt: period(start, start + 2 * day) }, ['ben', 'ann']],
    [{ user: user('cleo'), joinedAt: period(start, start + day) }, []],
  ])('participants by %j', async (filter, wanted) => {
    const found = await listOf('participants', 'ParticipantFilter', filter, 'user { externalId }')
    expect(found.map((item: { externalId: string }) => item.externalId)).toEqual(wanted)
  })

  test.each([
    [{ user: user('ann') }, [2, 0]],
    [{ user: user('cleo') }, []],
    [{ wonAt: period(start + day) }, [2, 1]],
    [{ user: user('ann'), wonAt: period(start + 1) }, [2]],
  ])('wins by %j', async (filter, wanted) => {
    expect(await listOf('instantWins', 'InstantWinFilter', filter, 'points')).toEqual(wanted)
  })

  test.each([
    [{}, [1, 0]],
    [{ referrer: user('ann') }, [1, 0]],
    [{ referrer: user('ben') }, []],
    [{ referee: user('ben') }, [0]],
    [{ referrer: user('ann'), referee: user('cleo') }, [1]],
    [{ createdAt: period(start + day) }, [1]],
    [{ referee: user('nobody') }, []],
  ])('referrals by %j', async (filter, wanted) => {
    expect(await listOf('referrals', 'ReferralFilter', filter, 'referrerPoints')).toEqual(wanted)
  })
})
