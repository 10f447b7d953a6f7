/** The ledger of all users: each filter, order and direction finds the right entries, once each. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerEntry } from '../../src/generated/prisma/client.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { type ListPage, pageFields, walkPages } from '../list-pages.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let entries: LedgerEntry[]

/** Entries of three users in four event types. Many have the same time, and some a reference. */
const plant = async (by: World['partner'], environment: 'TEST' | 'LIVE') => {
  const values = [by.partnerId, environment]
  await world.server.database.pool.query({
    text: `INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at, entries)
      SELECT gen_random_uuid(), $1::uuid, $2::"Environment", 'user-' || n, now(), 40
      FROM generate_series(1, 3) n`,
    values,
  })
  await world.server.database.pool.query({
    text: `INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
        balance_after, account, reference, created_at)
      SELECT gen_random_uuid(), u.partner_id, u.environment, u.id, n,
        (ARRAY['signup', 'game_play', 'Zeta', 'äther'])[1 + n % 4], n % 11 - 5, 100, 'planted',
        CASE WHEN n % 3 = 0 THEN u.external_id || '-' || n / 4 END,
        '2026-01-01T00:00:00Z'::timestamptz + n / 5 * interval '1 hour'
      FROM end_user u, generate_series(1, 40) n
      WHERE u.partner_id = $1::uuid AND u.environment = $2::"Environment"`,
    values,
  })
}

beforeAll(async () => {
  world = await createWorld()
  await plant(world.partner, 'TEST')
  await plant(world.partner, 'LIVE')
  await plant(await world.createPartner(), 'TEST')
  entries = await world.runtime.db.ledgerEntry.findMany({ where: world.tenant })
})
afterAll(() => world.end())

type Page = ListPage<{ uuid: string; user: { externalId: string } }>

const ask = async (args: string, variables: object = {}, by?: Parameters<World['graphql']>[2]) => {
  const { body } = await world.graphql(
    `query ($filter: LedgerEntryFilter${args.includes('$at') ? ', $at: String' : ''}) { ledgerEntries(filter: $filter, ${args}) {
      nodes { uuid user { externalId } } ${pageFields} } }`,
    variables as Record<string, unknown>,
    by,
  )
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.ledgerEntries as Page
}

const userOf = async (name: string) =>
  (
    await world.runtime.db.endUser.findFirstOrThrow({
      where: { ...world.tenant, externalId: name },
    })
  ).id

type Case = [name: string, filter: object, isIn: (entry: LedgerEntry, anna: string) => boolean]
const noon = new Date('2026-01-01T02:00:00Z')
const later = new Date('2026-01-01T05:00:00Z')
/** Ninety-two days that have all entries. */
const longest = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-04-03T00:00:00Z') }
const cases: Case[] = [
  ['nothing', {}, () => true],
  ['an event type', { eventTypes: ['Zeta'] }, (e) => e.eventType === 'Zeta'],
  ['no known event type', { eventTypes: ['unknown'] }, () => false],
  ['a reference', { reference: 'user-1-3' }, (e) => e.reference === 'user-1-3'],
  [
    'a reference of an event type',
    { reference: 'user-1-3', eventTypes: ['signup'] },
    (e) => e.reference === 'user-1-3' && e.eventType === 'signup',
  ],
  [
    'a period',
    { createdAt: { from: noon, to: later } },
    (e) => e.createdAt >= noon && e.createdAt < later,
  ],
  ['what was received', { points: { min: 1 }, createdAt: longest }, (e) => e.points > 0],
  ['what was spent', { points: { max: -1 }, createdAt: longest }, (e) => e.points < 0],
  [
    'a range of points in a period',
    { points: { min: -2, max: 3 }, createdAt: { from: noon, to: longest.to } },
    (e) => e.points >= -2 && e.points <= 3 && e.createdAt >= noon,
  ],
  [
    'a reference, and points that its entry does not have',
    { reference: 'user-1-3', points: { min: 1_000 } },
    () => false,
  ],
  ['a user', { user: { externalId: 'user-2' } }, (e, anna) => e.userId === anna],
  [
    'a user, an event type, a period and points',
    {
      user: { externalId: 'user-2' },
      eventTypes: ['game_play'],
      points: { max: 0 },
      createdAt: { to: later },
    },
    (e, anna) =>
      e.userId === anna && e.eventType === 'game_play' && e.points <= 0 && e.createdAt < later,
  ],
  ['no known user', { user: { externalId: 'nobody' } }, () => false],
]

describe.each(cases)('filtered by %s', (_, filter, isIn) => {
  test.each(['ASC', 'DESC'])('all pages, %s', async (direction) => {
    const anna = await userOf('user-2')
    const wanted = entries.filter((entry) => isIn(entry, anna))
    const order = `orderBy: { field: CREATED_AT, direction: ${direction} }`
    const walked = await walkPages({
      readPage: (window, at) => ask(`${order}, ${window}`, { filter, at }),
      pageSize: 7,
      count: wanted.length,
    })
    const forward = walked.map(({ uuid }) => uuid)
    expect(forward.toSorted()).toEqual(wanted.map(({ id }) => id).sort())
    const byId = new Map(wanted.map((entry) => [entry.id, entry]))
    const times = forward.map((id) => byId.get(id)?.createdAt.getTime() ?? 0)
    const sorted = times.toSorted((a, b) => (direction === 'ASC' ? a - b : b - a))
    expect(times).toEqual(sorted)
  })
})

test('an entry has its user', async () => {
  const { nodes } = await ask('first: 5', { filter: { reference: 'user-3-3' } })
  expect(nodes.map(({ user }) => user.externalId)).toEqual(nodes.map(() => 'user-3'))
  expect(nodes.length).toBeGreaterThan(0)
})

test('a public key and a member without READ see none of it', async () => {
  const bearer = await world.signInAs('DEVELOPER')
  for (const by of [{ public: world.keys.public }, { bearer }])
    await expect(ask('first: 1', {}, by)).rejects.toThrow(/MISSING_API_SECRET|RIGHT_REQUIRED/)
  expect(
    (await ask('first: 1', {}, { bearer: await world.signInAs('ANALYST') })).nodes,
  ).toHaveLength(1)
})

test('an entry names the play, campaign, reward or offer that it comes from, and the types of a ledger are listed', async () => {
  const { partnerId, test: keys } = await world.createPartner()
  const slug = await makeCampaign(
    world,
    'summer-sale',
    { instantWinRules: null },
    { partnerId, environment: 'TEST' },
  )
  await world.givePoints('ann', 1, 'signup', keys.secret)
  await callsTo(world, keys.secret).buy(slug, 'ann')
  const user = { externalId: 'ann' }
  const { body: made } = await world.graphql(
    `mutation ($user: UserBy!) {
      createReward(input: { name: "Bonus", kind: POINTS, points: 5 }) { __typename }
      giveReward(input: { user: $user, reward: { slug: "bonus" } }) { __typename }
      createOffer(input: { user: $user, offerType: RETURN_BONUS, title: "For you", points: 7, creditsPoints: true }) {
        ... on CreateOfferPayload { offer { id } } }
      playGame(input: { user: $user, gameType: NEON_WHEEL }) { __typename } }`,
    { user },
    { secret: keys.secret },
  )
  await world.graphql(
    `mutation ($input: ClaimOfferInput!) { claimOffer(input: $input) { __typename } }`,
    { input: { user, offerId: made.data.createOffer.offer.id } },
    { secret: keys.secret },
  )
  const { body } = await world.graphql(
    `{ ledgerEventTypes ledgerEntries(first: 20) { nodes { eventType points
      play { gameType } campaign { slug } grant { reward { name } } offer { title } arenaSession { id } } } }`,
    {},
    { secret: keys.secret },
  )
  const none = { play: null, campaign: null, grant: null, offer: null, arenaSession: null }
  const { nodes } = body.data.ledgerEntries
  const sourceOf = (eventType: string) => {
    const { points: _, ...entry } = nodes.find(
      (node: { eventType: string }) => node.eventType === eventType,
    )
    return entry
  }
  expect(sourceOf('signup')).toEqual({ ...none, eventType: 'signup' })
  expect(sourceOf('campaign_event')).toMatchObject({ ...none, campaign: { slug } })
  expect(sourceOf('game_play')).toMatchObject({ ...none, play: { gameType: 'NEON_WHEEL' } })
  expect(sourceOf('reward_given')).toMatchObject({ ...none, grant: { reward: { name: 'Bonus' } } })
  expect(sourceOf('offer_claimed')).toMatchObject({ ...none, offer: { title: 'For you' } })
  const types = new Set(nodes.map(({ eventType }: { eventType: string }) => eventType))
  expect(body.data.ledgerEventTypes).toEqual([...types].sort())
})

test.each([
  [{ points: { min: 2 ** 31 } }],
  [{ points: { min: 1 } }],
  [{ points: { min: 1 }, createdAt: { to: longest.to } }],
  [{ points: { min: 1 }, createdAt: { ...longest, from: new Date('2025-12-31T23:59:59Z') } }],
  [{ eventTypes: [''] }],
  [{ reference: 'x\0' }],
  [{ user: {} }],
])('%j is refused', async (filter) => {
  await expect(ask('first: 1', { filter })).rejects.toThrow(/INVALID_PARAMETERS/)
})
