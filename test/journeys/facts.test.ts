/** What the entries of each writer prove, by who sends the call. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type SetGame, setGameMechanic } from '../../src/games/mechanic.ts'
import { ActivityCategory, Fact } from '../../src/generated/prisma/enums.ts'
import { backfillJobs } from '../../src/kit/jobs/backfill.ts'
import { tokenCalls } from '../accounts/user-token-calls.ts'
import { createArena } from '../arena/arena-world.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { pointsByHand } from '../points/by-hand.ts'
import { createWorld, type World } from '../world.ts'
import { factCalls, root, secretHeader, tokenHeader } from './fact-calls.ts'

let world: World
let now = new Date('2026-06-15T12:00:00.000Z')
let call: ReturnType<typeof tokenCalls>
let { newUser, entriesOf, factsOf } = {} as ReturnType<typeof factCalls>

const reward = { tier: 'common', type: 'points', label: 'Points', weight: 1 } as const
const game = { description: '', segments: 8 } as const

beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  call = tokenCalls(world)
  ;({ newUser, entriesOf, factsOf } = factCalls(world))
  const games = [
    {
      ...game,
      gameType: 'NEON_WHEEL',
      name: 'Won',
      price: 50,
      rewards: [{ ...reward, value: 10 }],
    },
    {
      ...game,
      gameType: 'COSMIC_SLOTS',
      name: 'Lost',
      price: 30,
      rewards: [{ ...reward, type: 'xp', value: 0 }],
    },
    {
      ...game,
      gameType: 'ENIGMA_BOXES',
      name: 'Free',
      price: 0,
      rewards: [{ ...reward, type: 'xp', value: 0 }],
    },
  ] as SetGame[]
  for (const game of games) await setGameMechanic(world.runtime, { ...world.tenant, ...game })
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

/** Who may send a call that a public key may send: the headers for a user. */
const senders = {
  'a public key': async () => ({ 'x-api-key': world.keys.public }),
  'a public key with a token of the user': async (userId: string) => ({
    'x-api-key': world.keys.public,
    ...tokenHeader((await call.mint(userId)).token),
  }),
  'a public key beside a secret key': async () => ({
    'x-api-key': world.keys.public,
    ...secretHeader(world.keys.secret),
  }),
  'a secret key': async () => secretHeader(world.keys.secret),
  'a member beside a public key': async () => ({
    'x-api-key': world.keys.public,
    authorization: `Bearer ${await world.signInAs('OWNER')}`,
    'x-environment': 'TEST',
  }),
  'a member who may only read, beside a public key': async () => ({
    'x-api-key': world.keys.public,
    authorization: `Bearer ${await world.signInAs('ANALYST')}`,
    'x-environment': 'TEST',
  }),
} satisfies Record<string, (userId: string) => Promise<Record<string, string>>>

type SenderName = keyof typeof senders

/** Whether the call of a sender proves what the server sees, and what it is only told. */
const proofs: [SenderName, { seen: boolean; told: boolean }][] = [
  ['a public key', { seen: false, told: false }],
  ['a public key with a token of the user', { seen: true, told: false }],
  ['a public key beside a secret key', { seen: true, told: true }],
  ['a secret key', { seen: true, told: true }],
  ['a member beside a public key', { seen: true, told: true }],
  ['a member who may only read, beside a public key', { seen: false, told: false }],
]

const graphqlAs = async (name: SenderName, userId: string, query: string, variables: object) => {
  const { body } = await world.call('POST', '/graphql', {
    headers: await senders[name](userId),
    body: { query, variables },
  })
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data
}

describe.each(proofs)('what %s sends', (name, { seen, told }) => {
  it(`proves plays that cost points, and ${seen ? '' : 'not '}claims`, async () => {
    const userId = await newUser()
    const play = (gameType: string) =>
      graphqlAs(
        name,
        userId,
        `mutation ($input: PlayGameInput!) { playGame(input: $input) { __typename } }`,
        { input: { user: { externalId: userId }, gameType } },
      )
    for (const gameType of ['NEON_WHEEL', 'COSMIC_SLOTS', 'ENIGMA_BOXES'])
      expect(await play(gameType)).toEqual({ playGame: { __typename: 'PlayGamePayload' } })
    for (const creditsPoints of [true, false]) {
      const offer = { offerType: 'welcome_bonus', pointsValue: 5, creditsPoints }
      const path = `${root}/users/${userId}/offers`
      const { id } = (await world.post(path, world.keys.secret, offer)).body.data.offer
      const nodeId = Buffer.from(`Offer:${id}`).toString('base64')
      const claimed = await graphqlAs(
        name,
        userId,
        `mutation ($input: ClaimOfferInput!) { claimOffer(input: $input) { __typename } }`,
        { input: { user: { externalId: userId }, offerId: nodeId } },
      )
      expect(claimed).toEqual({ claimOffer: { __typename: 'ClaimOfferPayload' } })
    }
    const proven = (fact: string) => (seen ? fact : null)
    expect(await factsOf(userId)).toEqual([
      ['game_play', 'GAME_WON'],
      ['game_play', 'GAME_PLAYED'],
      ['game_play', null],
      ['offer_claimed', proven('OFFER_CLAIMED')],
      ['offer_claimed', proven('OFFER_CLAIMED')],
    ])
  })

  it(`${told ? 'is' : 'is not'} a fact, whatever its category, type and fields`, async () => {
    const userId = await newUser(1)
    const types = ['checkout', 'game_play', 'signup', 'offer_claimed', 'code_redeemed', 'reversal']
    const fields = {
      sourceId: randomUUID(),
      points: 1_000,
      metadata: { fact: 'ACTIVITY', isTrusted: true, earned: 1_000, amount: 5 },
      occurredAt: '2026-06-01T00:00:00.000Z',
    }
    const activities = Object.values(ActivityCategory).flatMap((category) =>
      types.flatMap((eventType) => [
        { user: { externalId: userId }, category, eventType },
        { user: { externalId: userId }, category, eventType, ...fields },
        { user: { externalId: userId }, category, eventType, reference: randomUUID() },
      ]),
    )
    const { trackActivities } = await graphqlAs(
      name,
      userId,
      `mutation ($activities: [ActivityInput!]!) { trackActivities(input: { activities: $activities }) {
        ... on TrackActivitiesPayload { results { ... on TrackActivityPayload { isDuplicate activity { fact recordedAt reverses { id } } } } } } }`,
      { activities },
    )
    const fact = told ? 'ACTIVITY' : null
    const recordedAt = now.toISOString()
    expect(trackActivities.results).toEqual(
      activities.map(() => ({
        isDuplicate: false,
        activity: { fact, recordedAt, reverses: null },
      })),
    )
    const { trackActivity } = await graphqlAs(
      name,
      userId,
      `mutation ($input: TrackActivityInput!) { trackActivity(input: $input) {
        ... on TrackActivityPayload { activity { fact } } } }`,
      { input: { user: { externalId: userId }, category: 'CUSTOM', eventType: 'x' } },
    )
    expect(trackActivity).toEqual({ activity: { fact } })
    const stored = (await entriesOf(userId)).filter(({ fact }) => fact !== 'POINTS_AWARDED')
    expect(stored).toHaveLength(activities.length + 1)
    for (const item of stored)
      expect(item).toMatchObject({
        fact,
        metadataIsPublic: !told,
        reversesId: null,
        recordedAt: now,
      })
  })
})

describe('entries that only the server writes', () => {
  it('say what they prove, and when they were written', async () => {
    const [ann, ben] = [await newUser(2), await newUser(2)]
    const campaign = callsTo(world)
    const prizeTiers = [{ name: 'Gold', points: 5, weight: 1, maxWins: 3 }]
    const instantWinRules = { winRate: 1, prizeTiers }
    const slug = await makeCampaign(world, 'summer-sale', { instantWinRules })
    const bought = await campaign.buy(slug, ann)
    const { winCode } = bought.body.data.instantWin
    expect((await campaign.redeemWin(slug, { userId: ann, winCode })).status).toBe(200)
    const { codes } = (await campaign.generate({ slug, pointsValue: 5, batchSize: 1 })).body.data
    expect((await campaign.redeem(slug, { userId: ann, code: codes[0] })).status).toBe(200)
    const code = (await campaign.referralCode(slug, ann)).body.data.referralCode
    const referral = { referrerId: ann, refereeId: ben, referralCode: code }
    expect((await campaign.refer(slug, referral)).status).toBe(200)
    await pointsByHand(world).adjust(ann, 5)
    expect(await factsOf(ann)).toEqual([
      ['purchase', 'CAMPAIGN_EVENT'],
      ['instant_win_redeemed', 'CODE_REDEEMED'],
      ['code_redeemed', 'CODE_REDEEMED'],
      ['referral', 'REFERRAL_MADE'],
      ['adjustment', null],
    ])
    expect(await factsOf(ben)).toEqual([['referred', null]])
    const all = await entriesOf(ann)
    expect(all.filter(({ fact }) => fact === 'POINTS_AWARDED')).toHaveLength(2)
    for (const { recordedAt } of all) expect(recordedAt).toEqual(now)
  })

  it('show that a prize of a session was won, but not entries and refunds', async () => {
    const arena = await createArena(world)
    const { id } = await arena.publish({ entryFee: 500 })
    const { sessionId, seats } = await arena.play(id)
    const [winner, loser] = seats
    const { status } = await arena.report(
      sessionId,
      { winnerId: winner.playerId },
      winner.sessionToken,
    )
    expect(status).toBe(200)
    expect(await factsOf(winner.userId)).toEqual([
      ['session_entry', null],
      ['session_prize', 'SESSION_WON'],
    ])
    expect(await factsOf(loser.userId)).toEqual([['session_entry', null]])
    const session = await arena.openSession(id)
    const guest = await arena.createUser(10)
    await arena.join(session.id, guest)
    await arena.leave(session.id, guest)
    expect(await factsOf(guest)).toEqual([
      ['session_entry', null],
      ['session_refund', null],
    ])
  })

  it('count a code that is typed on a page only with a token of the user', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    const { codes } = (
      await callsTo(world).generate({
        slug,
        pointsValue: 5,
        batchSize: 2,
      })
    ).body.data
    const { slug: partnerSlug } = await world.runtime.db.partner.findUniqueOrThrow({
      where: { id: world.partner.partnerId },
    })
    const [ann, ben] = [await newUser(1), await newUser(1)]
    const redeem = async (externalId: string, code: string, userToken?: string) => {
      const input = { partnerSlug, slug, environment: 'TEST', externalId, code, userToken }
      const { body } = await world.graphql(
        `mutation ($input: RedeemPublicCodeInput!) { redeemPublicCode(input: $input) { __typename } }`,
        { input },
        {},
      )
      expect(body).toMatchObject({
        data: { redeemPublicCode: { __typename: 'RedeemPublicCodePayload' } },
      })
    }
    await redeem(ann, codes[0])
    await redeem(ben, codes[1], (await call.mint(ben)).token)
    expect(await factsOf(ann)).toEqual([['code_redeemed', null]])
    expect(await factsOf(ben)).toEqual([['code_redeemed', 'CODE_REDEEMED']])
  })
})

describe('a reversal', () => {
  it('names the award or the campaign credit on the timeline, and nothing for other entries', async () => {
    const ann = await newUser(5)
    const hand = pointsByHand(world)
    const slug = await makeCampaign(world, 'summer-sale', { creditsWallet: true })
    await callsTo(world).buy(slug, ann)
    await call.play(ann, world.keys.public)
    const taken = await hand.adjust(ann, 7)
    expect(taken.ledgerEntry.points).toBe(7)
    const before = await entriesOf(ann)
    const reversed: (string | null)[] = []
    const expected: (string | null)[] = []
    for (const entry of await hand.history(ann)) {
      await hand.reverse(entry.uuid)
      const last = (await entriesOf(ann)).at(-1)
      expect(last).toMatchObject({ eventType: 'reversal', fact: null, isCorrection: true })
      reversed.push(last?.reversesId ?? null)
      const { eventType } = entry
      if (eventType === 'signup') expected.push(entry.uuid)
      else if (eventType === 'campaign_event')
        expected.push(before.find(({ fact }) => fact === 'CAMPAIGN_EVENT')?.id as string)
      else expected.push(null)
    }
    expect(reversed).toEqual(expected)
    expect(new Set(reversed)).toHaveLength(7)
    const { body } = await world.graphql(
      `query ($id: String!) { user(by: { externalId: $id }) { activities(first: 50) { nodes {
        eventType fact reverses { eventType fact } } } } }`,
      { id: ann },
    )
    const nodes = body.data.user.activities.nodes as {
      eventType: string
      reverses: { eventType: string; fact: string } | null
    }[]
    expect(nodes.filter(({ reverses }) => reverses).map(({ reverses }) => reverses)).toEqual(
      expect.arrayContaining([
        { eventType: 'signup', fact: 'POINTS_AWARDED' },
        { eventType: 'purchase', fact: 'CAMPAIGN_EVENT' },
      ]),
    )
  })
})

it('entries of earlier versions get the facts that their writers would have written', async () => {
  const { db } = world.runtime
  const before = await db.userActivity.findMany()
  await db.$executeRaw`UPDATE user_activity SET fact = NULL, reverses_id = NULL, recorded_at = NULL`
  await db.backfill.update({ where: { name: 'facts' }, data: { finishedAt: null } })
  for (const { run } of backfillJobs) await run(world.runtime)
  const after = new Map((await db.userActivity.findMany()).map((item) => [item.id, item]))
  expect(before.filter(({ reversesId }) => reversesId)).not.toEqual([])
  const facts = new Set(before.map(({ fact }) => fact))
  expect(facts).toEqual(new Set([...Object.values(Fact), null]))
  // Who played or redeemed a code is not known any more, nor who wrote a claim that paid nothing.
  const isUnclear = ({ eventType, earned }: (typeof before)[number]) =>
    earned === null
      ? eventType === 'offer_claimed'
      : /^(game_play|code_redeemed|offer_claimed)$/.test(eventType)
  for (const entry of before) {
    const { fact, reversesId, recordedAt } = after.get(entry.id) as (typeof before)[number]
    if (!isUnclear(entry)) expect([fact, reversesId]).toEqual([entry.fact, entry.reversesId])
    if (entry.earned === null) expect(Date.now() - Number(recordedAt)).toBeLessThan(3_600_000)
    else expect(recordedAt).toEqual(entry.recordedAt)
  }
})

it('a late event keeps when it was written apart from when it happened', async () => {
  const userId = `user-${randomUUID()}`
  const occurredAt = '2026-06-01T00:00:00.000Z'
  now = new Date(now.getTime() + 60_000)
  await world.post(`${root}/events`, world.keys.secret, {
    externalId: userId,
    category: 'CUSTOM',
    eventType: 'late',
    occurredAt,
  })
  expect(await entriesOf(userId)).toMatchObject([
    { occurredAt: new Date(occurredAt), recordedAt: now, fact: 'ACTIVITY' },
  ])
})

it('the rule for plays counts a win as played only if it cost points', async () => {
  const covers = async (
    fact: string | null,
    requested: string,
    earned: number | null,
    points: number,
  ) => {
    const [row] = await world.runtime.db.$queryRaw<{ is: boolean }[]>`
      SELECT fact_covers(${fact}::"Fact", ${requested}::"Fact", ${earned}::int, ${points}::int) AS is`
    return row?.is
  }
  expect(await covers('GAME_WON', 'GAME_WON', 10, -40)).toBe(true)
  expect(await covers('GAME_WON', 'GAME_PLAYED', 10, -40)).toBe(true)
  expect(await covers('GAME_WON', 'GAME_PLAYED', 10, 10)).toBe(false)
  expect(await covers('GAME_PLAYED', 'GAME_PLAYED', 0, -30)).toBe(true)
  expect(await covers('GAME_PLAYED', 'GAME_WON', 0, -30)).toBe(false)
  expect(await covers('ACTIVITY', 'ACTIVITY', null, 5)).toBe(true)
  expect(await covers('ACTIVITY', 'GAME_PLAYED', null, -5)).toBe(false)
  expect(await covers(null, 'GAME_PLAYED', 0, -30)).toBe(false)
})
