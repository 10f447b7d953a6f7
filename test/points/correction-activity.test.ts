/**
 * Corrections by hand are on the timeline and in the books, but they are no activity of the user. Neighbours that were
 * looked for: points added and taken, reversed awards and payments, refunds of sessions, offers by staff, late
 * activities, and erased users; and an ordinary event that is only called like a correction.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { journeyJobs } from '../../src/journeys/journey.jobs.ts'
import { dayMs } from '../../src/journeys/journey.rules.ts'
import { movePoints } from '../../src/points/wallet.ts'
import { createWorld, type Keys, type World } from '../world.ts'
import { pointsByHand } from './by-hand.ts'

const start = new Date('2026-06-15T12:00:00.000Z')
let now = start
let world: World
let hand: ReturnType<typeof pointsByHand>
let keys: Keys
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  hand = pointsByHand(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const classify = async () => {
  for (const { run } of journeyJobs) await run(world.runtime)
}

/** A user who was awarded 200 points, has played, and then did nothing for 40 days. */
const churnedUser = async () => {
  now = start
  keys = (await world.createPartner()).test
  const userId = randomUUID()
  await world.givePoints(userId, 2, 'signup', keys.secret)
  await world.post('/v1/games/play', keys.public, { userId, gameType: 'NEON_WHEEL' })
  await classify()
  now = new Date(start.getTime() + 40 * dayMs)
  await classify()
  return userId
}

/** All that follows from the activity of a user. */
const standing = async (userId: string) => {
  const { body } = await world.graphql(
    `query ($id: String!, $from: DateTime!, $to: DateTime!) {
      user(by: { externalId: $id }) {
        journey { firstSeenAt lastSeenAt stage engagementTier engagementScore
          pointsEarned7d pointsEarned30d activityCount averageSessionGapMinutes nextStageAt
          recommendations { type priority } }
        statistics(metrics: [POINTS_SPENT, ACTIVITIES], from: $from, to: $to, interval: DAY) { total }
      }
      analytics(metrics: [ACTIVE_USERS, POINTS_SPENT, STAGE_CHANGES], from: $from, to: $to, interval: DAY) {
        metric total }
    }`,
    { id: userId, from: start, to: new Date(start.getTime() + 60 * dayMs) },
    keys,
  )
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data
}

type Entry = { uuid: string; eventType: string }
const entriesOf = async (userId: string) => hand.history(userId, keys)
const timelineOf = async (userId: string) =>
  (await world.get(`/v1/user-journeys/users/${userId}/timeline`, keys.public)).body.data.events

const corrections = {
  'points that are added': (userId: string) => hand.adjust(userId, 500, {}, keys),
  'points that are taken': (userId: string) => hand.adjust(userId, -20, {}, keys),
  'a reversed award': async (userId: string) => {
    const award = (await entriesOf(userId)).find(({ eventType }: Entry) => eventType === 'signup')
    return hand.reverse(award.uuid, 'x', keys)
  },
  'a reversed payment': async (userId: string) => {
    const paid = (await entriesOf(userId)).find(({ eventType }: Entry) => eventType === 'game_play')
    return hand.reverse(paid.uuid, 'x', keys)
  },
}

test.each(Object.entries(corrections))(
  '%s leave stage, score, last seen and points spent as they were',
  async (_, correct) => {
    const userId = await churnedUser()
    const before = await standing(userId)
    expect(before.user.journey).toMatchObject({ stage: 'CHURNED' })
    const lines = (await timelineOf(userId)).length
    const { ledgerEntry } = await correct(userId)
    expect(ledgerEntry.uuid).toEqual(expect.any(String))
    await classify()
    expect(await standing(userId)).toEqual(before)
    expect(await timelineOf(userId)).toHaveLength(lines + 1)
  },
)

test('a new user stays new, however many corrections there are', async () => {
  now = start
  keys = (await world.createPartner()).test
  const userId = randomUUID()
  await world.givePoints(userId, 1, 'signup', keys.secret)
  await classify()
  const before = await standing(userId)
  expect(before.user.journey).toMatchObject({ stage: 'NEW', activityCount: 1 })
  for (let n = 0; n < 5; n++) await hand.adjust(userId, 1, {}, keys)
  await classify()
  expect(await standing(userId)).toEqual(before)
})

test('an activity after a correction counts its pause from the activity before', async () => {
  const userId = await churnedUser()
  await hand.adjust(userId, 5, {}, keys)
  now = new Date(now.getTime() + 3_600_000)
  await world.givePoints(userId, 1, 'signup', keys.secret)
  await classify()
  const { journey } = (await standing(userId)).user
  expect(journey).toMatchObject({
    stage: 'ACTIVE',
    averageSessionGapMinutes: 40 * 24 * 60 + 60,
    pointsEarned7d: 100,
    lastSeenAt: now.toISOString(),
  })
})

test('an activity that arrives late fits between its neighbors, whatever corrections are between', async () => {
  const userId = await churnedUser()
  await hand.adjust(userId, 5, {}, keys)
  const track = (occurredAt: Date) =>
    world.post('/v1/user-journeys/track', keys.public, {
      events: [{ externalId: userId, category: 'CUSTOM', eventType: 'visit', occurredAt }],
    })
  await track(now)
  await track(new Date(now.getTime() - 10 * dayMs))
  expect((await standing(userId)).user.journey).toMatchObject({
    averageSessionGapMinutes: 20 * 24 * 60,
  })
})

test.each([
  ['an award of a rule that is called adjustment', 'award'],
  ['an event called adjustment that a caller tracks', 'track'],
])('%s is an activity', async (_, kind) => {
  const userId = await churnedUser()
  const rule = `mutation { setRewardRule(input: { eventType: "adjustment", points: 10 }) { __typename } }`
  await world.graphql(rule, {}, keys)
  if (kind === 'award') await world.givePoints(userId, 1, 'adjustment', keys.secret)
  else
    await world.post('/v1/user-journeys/track', keys.public, {
      events: [{ externalId: userId, category: 'POINTS', eventType: 'adjustment' }],
    })
  await classify()
  expect((await standing(userId)).user.journey).toMatchObject({
    stage: 'ACTIVE',
    lastSeenAt: now.toISOString(),
  })
})

test('a refund of a session and an offer made by staff are no activity either', async () => {
  const userId = await churnedUser()
  const before = await standing(userId)
  const { partnerId, environment } = await world.runtime.db.endUser.findFirstOrThrow({
    where: { externalId: userId },
  })
  await movePoints(world.runtime, [
    {
      ...world.userKey(userId),
      partnerId,
      environment,
      points: 5,
      eventType: 'session_refund',
      account: `offers:${randomUUID()}`,
      sourceId: '1',
    },
  ])
  await world.post(`/v1/user-journeys/users/${userId}/offers`, keys.secret, {
    offerType: 'win_back_play',
    title: 'Come back',
    pointsValue: 5,
  })
  await classify()
  expect(await standing(userId)).toEqual(before)
})

test('an erased user with corrections has the totals of what is left of the timeline', async () => {
  const userId = await churnedUser()
  await hand.adjust(userId, 5, {}, keys)
  const { body } = await world.graphql(
    `mutation { eraseUser(input: { user: { externalId: "${userId}" } }) { __typename } }`,
    {},
    keys,
  )
  expect(body.data.eraseUser).toEqual({ __typename: 'EraseUserPayload' })
})
