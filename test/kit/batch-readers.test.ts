/**
 * Every reader that is called in batches is given items that repeat and come in any order: each item has
 * the answer that it gets alone. The operations below reach the readers; one that is not reached fails.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findKeys, findMembers } from '../../src/accounts/actor.ts'
import { createApiKey } from '../../src/accounts/api-key.ts'
import { writeUses } from '../../src/accounts/last-use.ts'
import { findApplications } from '../../src/accounts/partner.ts'
import { findGamesOf, findPlayers, findResults } from '../../src/arena/sessions/session.ts'
import { findActivities } from '../../src/journeys/activity.graphql.ts'
import { findOffers } from '../../src/journeys/offer.graphql.ts'
import { getProfilesById } from '../../src/journeys/profile.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import type { Work } from '../../src/kit/runtime.ts'
import { findTicketPositions } from '../../src/lotteries/proof.ts'
import { findWinners } from '../../src/lotteries/ticket-view.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { findGrants } from '../../src/programme/grant.ts'
import { createArena } from '../arena/arena-world.ts'
import { makeAgent, makeMatch, playAll } from '../arena/matches/arena.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { demoLotteries } from '../lotteries/lottery.ts'
import { pointsByHand } from '../points/by-hand.ts'
import { countAll } from '../programme/goals.ts'
import { programmeOf } from '../programme/programme.ts'
import { createWorld, type World } from '../world.ts'
import { batchedBy } from './batched.ts'
import { fillShop, ofShop } from './filled-shop.ts'
import { readManagement } from './read-management.ts'

type Reader = (work: Work, items: unknown[]) => Promise<unknown[]>

let world: World
/** The readers that ran during the operations, and their items. */
const read = new Map<string, { reader: Reader; items: Map<string, unknown> }>()

const note = (reader: Reader, item: unknown) => {
  const known = read.get(reader.name) ?? { reader, items: new Map() }
  known.items.set(
    JSON.stringify(item, (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
    item,
  )
  read.set(reader.name, known)
}

/** Two users with different journeys, each with an offer of a rule, and in a segment. */
const fillJourneys = async () => {
  const { runtime, keys } = world
  const { db } = runtime
  for (const [userId, country, stage, timeZone] of [
    ['ann', 'DE', 'NEW', 'Europe/Berlin'],
    ['ben', 'FR', 'CHURNED', 'Europe/Paris'],
  ] as const) {
    const root = '/v1/user-journeys/users'
    await world.post(root, keys.public, { externalId: userId, country, timeZone })
    await world.post(`${root}/${userId}/offers`, keys.secret, { offerType: 'vip_play' })
    const made = await world.graphql(`mutation {
      createSegment(input: { name: "${country}", country: "${country}" }) { __typename }
      setOfferRule(input: { stage: ${stage}, offerType: VIP_PLAY }) {
        ... on SetOfferRulePayload { offerRule { uuid } } } }`)
    const ruleId: string = made.body.data.setOfferRule.offerRule.uuid
    const where = { profile: { user: { externalId: userId } } }
    await db.offer.updateMany({ where, data: { ruleId } })
  }
}

/** Two users with different histories, two endpoints, matches of three agents, two games with builds. */
const fill = async () => {
  const { runtime, keys, partner } = world
  for (const events of [['*'], ['points.*']])
    await world.post('/v1/webhooks', keys.secret, { url: 'https://8.8.8.8/hook', events })
  for (const [n, userId] of ['ann', 'ben', 'cid'].entries()) {
    await world.givePoints(userId, n + 2)
    for (let i = 0; i <= n; i++)
      await world.post('/v1/games/play', keys.public, {
        userId,
        gameType: n ? 'ENIGMA_BOXES' : 'NEON_WHEEL',
      })
  }
  for (const like of ['summer-sale', 'golden-ticket'] as const) {
    const referralRules = { referrerPoints: 1, refereePoints: 1 }
    const slug = await makeCampaign(world, like, { referralRules })
    const call = callsTo(world)
    for (const userId of ['ann', 'ben']) await call.buy(slug, userId)
    const made = await call.generate({ slug, batchSize: like.length, pointsValue: 1 })
    await call.redeem(slug, { userId: 'ann', code: made.body.data.codes[0] })
    const { body } = await call.referralCode(slug, 'ann')
    const { referralCode } = body.data
    await call.refer(slug, { referrerId: 'ann', refereeId: like, referralCode })
  }
  // These are the newest entries, which the test reads.
  const { applicationId } = partner
  for (const userId of ['ann', 'ben']) {
    const hand = pointsByHand(world)
    const newKey = { ...world.tenant, applicationId, kind: 'SECRET' } as const
    const by = { secret: (await createApiKey(runtime, newKey)).key }
    const award = (await hand.history(userId)).find(
      ({ eventType }: { eventType: string }) => eventType === 'signup',
    )
    await hand.reverse(award.uuid, userId, by)
    for (const points of [5, 7]) {
      const { ledgerEntry } = await hand.adjust(userId, points, { reason: userId }, by)
      if (points === 5) await hand.reverse(ledgerEntry.uuid, userId, by)
    }
  }
  await fillJourneys()
  await fillShop(world)
  const programme = programmeOf(world)
  for (const userId of ['ann', 'ben'])
    await programme.give(userId, await programme.pointsReward(userId === 'ann' ? 1 : 2))
  for (const userId of ['ann', 'ben']) {
    const rewards = `rewards: [{ slug: "${(await programme.pointsReward(3)).slug}" }]`
    const goal = `slug: "of-${userId}", name: "${userId}", window: EVER, repeat: ONCE, countFrom: EVER, ${rewards}`
    const measure = `{ facts: [POINTS_AWARDED] }`
    const made = await world.graphql(`mutation {
      createGoal(input: { ${goal}, tasks: [{ name: "${userId}", target: 3, measure: ${measure} }],
        requires: [${userId === 'ben' ? '{ slug: "of-ann" }' : ''}] }) { __typename }
      startGoal(input: { goal: { slug: "of-${userId}" } }) { __typename } }`)
    expect(made.text).not.toContain('Error')
  }
  for (const userId of ['ann', 'ben']) {
    const daily = `slug: "daily-${userId}", name: "${userId}", window: DAY, repeat: EACH_WINDOW, countFrom: EVER, streak: {}`
    const task = `{ target: ${userId === 'ann' ? 1 : 9}, measure: { facts: [POINTS_AWARDED] } }`
    const made = await world.graphql(`mutation {
      createGoal(input: { ${daily}, tasks: [${task}] }) { __typename }
      startGoal(input: { goal: { slug: "daily-${userId}" } }) { __typename }
      restoreStreaks(input: { goal: { slug: "daily-${userId}" }, brokenOn: "${new Date().toISOString().slice(0, 10)}" }) {
        __typename } }`)
    expect(made.text).not.toContain('Error')
  }
  await countAll(runtime)
  await decideGoals(runtime)
  await runtime.db.$executeRaw`UPDATE goal g SET segment_id = s.id
    FROM segment s WHERE g.name = CASE s.name WHEN 'DE' THEN 'ann' ELSE 'ben' END`
  await demoLotteries(world)
  for (const lotterySlug of ['weekly-draw', 'daily-pick'])
    await world.post('/v1/lotteries/entries', keys.secret, {
      lotterySlug,
      userId: 'ann',
      email: 'ann@x.example',
    })
  const agents = await Promise.all(
    (['minimax', 'random', 'random'] as const).map((strategy) =>
      makeAgent(runtime, partner.partnerId, strategy),
    ),
  )
  const [first, second, third] = agents as [never, never, never]
  for (const pair of [[first, second] as const, [third, first] as const])
    await makeMatch(runtime, pair, { bestOf: 1 })
  await playAll(runtime)
  await runtime.db.$executeRaw`INSERT INTO arena_audience (match_id, node_id, watching, expires_at)
    SELECT id, gen_random_uuid(), 3, now() + interval '1 hour' FROM arena_match
    ORDER BY id LIMIT 1`
  await runtime.db.$executeRaw`INSERT INTO arena_supporter
      (agent_id, user_id, partner_id, environment, amount, first_at, last_at)
    SELECT a.id, u.id, u.partner_id, u.environment, 5, now(), now()
    FROM (SELECT id FROM arena_agent ORDER BY id LIMIT 1) a, (SELECT * FROM end_user LIMIT 1) u`
}

const asPublic = `{
  ann: user(by: { externalId: "ann" }) { ...u } ben: user(by: { externalId: "ben" }) { ...u }
  first: leaderboard(first: 1) { nodes { rank } } all: leaderboard { nodes { rank } } last: leaderboard(last: 1) { nodes { rank } }
  wheel: game(gameType: NEON_WHEEL) { name } boxes: game(gameType: ENIGMA_BOXES) { name }
  arena { agents { nodes { partnerName ratingTrend supporters { nodes { name } }
    ratingChanges { nodes { match { status } } } recentMatches {
      agent1 { agentUuid } agent2 { agentUuid } spectatorCount rounds { roundNumber } } } } }
} fragment u on User { rank partner { slug } plays(first: 5) { nodes { uuid proof { clientSeed } } }
  journey { playCount stageChanges { nodes { stage } } }
  activities { nodes { eventType reverses { eventType } } } offers { nodes { title } } }`

const asBackend = (slugs: string[], userIds: string[], drawIds: string[] = []) => `{
  ${slugs
    .map((slug, i) => {
      const ranks = userIds.map(
        (id) =>
          `${id}: participant(by: { externalId: "${id}" }) { rank user { uuid } campaign { uuid } }`,
      )
      return `c${i}: campaign(by: { slug: "${slug}" }) { name pageUrl takesCodes needsUserToken participantCount
        leaderboard { nodes { rank } } ${ranks.join(' ')} codeStats { codeCount }
        statistics(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", interval: DAY) { total }
        participants { nodes { id } } events { nodes { id } } instantWins { nodes { id } }
        referrals { nodes { id } } codeBatches { nodes { codes(first: 1) { nodes { id } } redemptions { nodes { uuid } } } } }`
    })
    .join('\n')}
  ${userIds
    .map(
      (id) => `${id}: user(by: { externalId: "${id}" }) {
    statistics(from: "2020-01-01T00:00:00Z", to: "2040-01-01T00:00:00Z", interval: MONTH, metrics: [POINTS_ISSUED]) { total }
    timeZoneChange { timeZone } offers { nodes { rule { title } } } grants { nodes { reward { name } ledgerEntry { points } } } lotteryTickets { nodes { uuid } totalCount { value } } participants { nodes { id } } ledgerEntries { nodes { points play { uuid } correction { reason actor { __typename } } reversal { uuid } } } plays { nodes { ledgerEntry { uuid } gameVersion { version } } } }`,
    )
    .join('\n')}
  lotteries { nodes { openDraw { id } lastDraw { id } draws(first: 2) { nodes { tickets(first: 1) { nodes { id } } winners(first: 1) { nodes { tier } } } }
    tickets { nodes { user { id } } } } }
  lottery(by: { slug: "weekly-draw" }) {
    id ${drawIds.map((id, i) => `d${i}: draw(id: "${id}") { id }`).join(' ')} }
  segments { nodes { users { nodes { id } } } }
  games { versions { nodes { id } } }
  webhookDeliveries { nodes { attempts { number } event { payload } } }
  webhookEndpoints { nodes { statistics(from: "2026-01-01T00:00:00Z", to: "2026-12-01T00:00:00Z", interval: MONTH) { total } deliveries(first: 5) { nodes { endpoint { url } } } } }
  events { nodes { type payload } }
  things: events(filter: { names: ["lottery.entry_created", "campaign.code_redeemed", "campaign.referral_completed"] }) {
    nodes { data {
      ... on LotteryEntryCreatedEventData { ticket { id } }
      ... on CampaignCodeRedeemedEventData { redemption { uuid } }
      ... on CampaignReferralCompletedEventData { referral { id } } } } }
  apiKeys { nodes { application { name } } }
}`

const ofGoals = `{
  goals { nodes { completions { nodes { grants { status } } } tasks { name } rewards { name } requires { slug } segment { name } } }
  users { nodes { journey { recommendations { goal { state } offer { title } } } goals { nodes { state } } goalCompletions { nodes { goal { slug } } } } }
  grants { nodes { goalCompletion { number } } }
}`

const ofStreaks = `{
  ann: goal(by: { slug: "of-ann" }) { ...close } ben: goal(by: { slug: "daily-ben" }) { ...close }
  goals(first: 5) { nodes { funnel { startedCount { value } } streakLengths { userCount { value } }
    streaks { nodes { user { uuid } length } } streakRestorations { nodes { goal { slug } status } }
    streak { milestones { reward { name } } } } }
  users { nodes { streaks { nodes { length } } } }
} fragment close on Goal { closeUsers(first: 5) { users { user { uuid } rate } } }`

const asDeveloper = `{
  members { nodes { hasSecondFactor } }
  arenaGames { nodes { name acceptance { acceptedAt } builds { number } newestBuild { number }
    sessions(first: 3) { nodes { id players { slot } } } openSessions { id } } }
  arenaAcceptances { nodes { pointsInToday pointsOutToday } }
  auditLog(first: 100) { nodes { actor { __typename } target { id } } }
}`

const succeed = ({ body }: Awaited<ReturnType<World['graphql']>>) =>
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined()

beforeAll(async () => {
  world = await createWorld()
  await fill()
  const { runtime, keys } = world
  const other = await world.createPartner()
  const { read, readAll } = runtime
  runtime.read = (reader, item) => {
    note(reader as Reader, item)
    return read(reader, item)
  }
  runtime.readAll = (reader, items) => {
    for (const item of items) note(reader as Reader, item)
    return readAll(reader, items)
  }
  for (const userId of ['ann', 'ben']) {
    const token = `/v1/users/${userId}/token`
    await world.post(`${token}/revoke`, keys.secret)
    const sent = { 'x-user-token': (await world.post(token, keys.secret)).body.data.token }
    await world.get(`/v1/users/${userId}/sdk-balance`, keys.public, sent)
    const clientSeed = `of ${userId}`
    for (const body of [{ clientSeed }, {}])
      await world.post(`/v1/users/${userId}/play-seeds/rotate`, keys.public, body)
  }
  const slugs = (await runtime.db.campaign.findMany()).map(({ slug }) => slug)
  const arena = await createArena(world)
  const { developer, admin, submit, send, publish, accept, play, openSession } = arena
  for (const name of ['One', 'Two']) await submit({ name })
  const partners = [world.partner, other]
  await submit({ name: 'Three' }, await world.signInAs('OWNER', other.partnerId))
  for (const sessions of [2, 1]) {
    const { id } = await publish({ entryFee: 100, resultPolicy: 'QUORUM' })
    await accept(id, partners)
    for (let i = 0; i < sessions; i++) await play(id, 2, partners)
    for (let i = 0; i < sessions; i++) await openSession(id)
    if (sessions > 1) continue
    const { sessionId, seats } = await play(id, 2, partners)
    const result = { winnerId: seats[0]?.playerId, resultsJson: '{"rounds":3}' }
    for (const { sessionToken } of seats)
      expect((await arena.report(sessionId, result, sessionToken)).status).toBe(200)
  }
  // Of another partner, so that names and slugs of partners differ.
  await makeAgent(runtime, other.partnerId, 'random')
  const tenant = { partnerId: other.partnerId, environment: 'TEST' } as const
  const theirs = await makeCampaign(world, 'summer-sale', {}, tenant)
  succeed(await world.graphql(asPublic, {}, { public: keys.public }))
  const operator = await world.signInAs('OPERATOR')
  const [open] = await runtime.db.lotteryDraw.findMany({
    where: { status: 'OPEN', lottery: { slug: 'daily-pick' } },
    include: { lottery: true },
  })
  const execution = `/admin/lotteries/${open?.lottery.slug}/draws/${open?.id}/execute`
  expect((await world.call('POST', execution, { key: operator })).status).toBe(200)
  // Neighbours have different numbers of attempts.
  await world.server.database.pool.query({
    text: `INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms)
      SELECT d.id, n, now(), n FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM webhook_delivery) d
      CROSS JOIN LATERAL generate_series(1, 1 + d.place % 3) n
      ON CONFLICT DO NOTHING`,
  })
  const drawIds = (await runtime.db.lotteryDraw.findMany()).map(({ id }) => id)
  const backend = asBackend(slugs, ['ann', 'ben'], drawIds)
  succeed(await world.graphql(backend, {}, { secret: keys.secret }))
  succeed(await world.graphql(asBackend([theirs], []), {}, other.test))
  succeed(await world.graphql(ofGoals, {}, { secret: keys.secret }))
  succeed(await world.graphql(ofStreaks, {}, { secret: keys.secret }))
  succeed(await world.graphql(ofShop, {}, { secret: keys.secret }))
  // Without prizes, a campaign takes codes if it has a batch.
  for (const hasBatch of [true, false]) {
    const slug = await makeCampaign(world, 'summer-sale', { instantWinRules: null })
    if (hasBatch) await callsTo(world).generate({ slug, batchSize: 1, pointsValue: 1 })
  }
  const ofCampaigns = '{ campaigns { nodes { takesCodes } } }'
  succeed(await world.graphql(ofCampaigns, {}, { secret: keys.secret }))
  const events = await runtime.db.campaignEvent.findMany({ where: world.tenant })
  const ids = events.map(({ id }) => encodeNodeId('CampaignEvent', id))
  const ofEvents =
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on CampaignEvent { instantWin { uuid } } } }'
  succeed(await world.graphql(ofEvents, { ids }, { secret: keys.secret }))
  const { id: memberId, partnerId } = await runtime.db.member.findFirstOrThrow()
  const factor = { id: memberId, memberId, partnerId, secret: Buffer.from('x') }
  await runtime.db.secondFactor.create({ data: { ...factor, confirmedAt: new Date() } })
  for (const token of [developer, admin])
    succeed(await send('POST', '/graphql', token, { query: asDeveloper }))
  const sessions = (await runtime.db.arenaSession.findMany()).map(
    ({ id }, n) => `s${n}: session(id: "${id}") { game { name } }`,
  )
  const ofAll = `from: "2020-01-01T00:00:00Z", to: "2020-12-31T00:00:00Z", interval: MONTH`
  const asAdmin = `{ platform { arenaGames { nodes { partner { slug } } }
    statistics(metrics: [PLAYS, NEW_USERS], ${ofAll}) { total } } arena { ${sessions} } }`
  succeed(await send('POST', '/graphql', admin, { query: asAdmin }))
  for (const ticket of await runtime.db.lotteryTicket.findMany()) {
    const { partnerId, environment, lotteryId, drawId, ticketNo } = ticket
    const line = { drawId, ticketNo, lineNo: 0 }
    // The draw may have made it win already.
    await runtime.db.lotteryWin.upsert({
      where: { drawId_ticketNo_lineNo: line },
      create: { partnerId, environment, ...line, tierNo: 0 },
      update: { tierNo: 0 },
    })
    const part = { take: 5, skip: 0, from: null, backward: false, isUp: true }
    // Only a closed draw has a value.
    for (const ticketRef of [ticket.ticketRef, 'LX-2026-0101-AAAA'])
      note(findTicketPositions as Reader, { lotteryId, drawId, ticketRef })
    note(findWinners as Reader, { ...part, parent: [drawId, partnerId] })
  }
  const newest = await runtime.db.apiKey.findMany({ orderBy: { id: 'desc' }, take: 2 })
  const members = await runtime.db.member.findMany({ take: 2 })
  for (const [n, { id }] of newest.entries()) {
    note(findKeys as Reader, id)
    note(findMembers as Reader, members[n]?.id)
  }
  // Readers that only earnings, only claim events, only mutations and only subscriptions use.
  for (const { id } of await runtime.db.arenaSession.findMany({ orderBy: { status: 'asc' } })) {
    note(findGamesOf as Reader, id)
    note(findResults as Reader, id)
  }
  for (const { id } of await runtime.db.userActivity.findMany({ take: 5 }))
    note(findActivities as Reader, id)
  for (const { id } of await runtime.db.offer.findMany()) note(findOffers as Reader, id)
  for (const { id } of await runtime.db.arenaPlayer.findMany({ take: 5 }))
    note(findPlayers as Reader, id)
  for (const { id } of await runtime.db.rewardGrant.findMany()) note(findGrants as Reader, id)
  for (const { id } of await runtime.db.application.findMany()) note(findApplications as Reader, id)
  for (const { id } of await runtime.db.endUser.findMany()) note(getProfilesById as Reader, id)
  await readManagement(world, note)
  // Otherwise the uses of keys would be written while their rows are compared.
  await writeUses(runtime)
})
afterAll(() => world?.end())

test('the operations of this test reach every reader of the source', () => {
  expect(batchedBy('read').filter((name) => !read.has(name))).toEqual([])
})

/** Orders of a list in which items repeat. */
const orders = <T>(items: T[]): T[][] => [
  items.flatMap((item) => [item, item]),
  [...items, ...items],
  items.toReversed(),
  [...items.toReversed(), ...items],
]

const textOf = (answer: unknown): string =>
  answer instanceof Error
    ? answer.message
    : JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

describe.each(batchedBy('read'))('%s', (name) => {
  test('returns the same for each item of a list as for the item alone', async () => {
    const { reader, items } = read.get(name) as { reader: Reader; items: Map<string, unknown> }
    const now = new Date()
    const ask = async (list: unknown[]) =>
      (await reader({ ...world.runtime, clock: () => now }, list)).map(textOf)
    const requested = [...items.values()].slice(0, 8)
    const alone = await Promise.all(requested.map(async (item) => (await ask([item]))[0] as string))
    // Equal answers would prove nothing, unless all items are null.
    if (requested.some((item) => item !== null)) expect(new Set(alone).size).toBeGreaterThan(1)
    for (const list of orders(requested)) {
      const answers = await ask(list)
      expect(answers).toHaveLength(list.length)
      const misplaced = list.filter((item, n) => answers[n] !== alone[requested.indexOf(item)])
      expect(misplaced).toEqual([])
    }
  })
})
