/** A goal on two nodes, of which one is killed, by HTTP only. What it has to give follows from the pages of timelines. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sequence } from './sequence.ts'
import { startTwoNodes, type TwoNodes } from './two-nodes.ts'

const calls = 500
const callsOfFriday = 300
const callers = 64
const users = Array.from({ length: 8 }, (_, n) => `user-${n}`)
/** The user who only gets awards, so that reversals lead to 0. */
const awarded = users[0] as string
const target = 10
const [hourMs, dayMs] = [3_600_000, 86_400_000]
/** How long after its end facts of a week still count. */
const graceMs = 48 * hourMs

/** The next Friday at noon, in UTC. */
const friday = () => {
  const noon = Math.floor(Date.now() / dayMs) * dayMs + 12 * hourMs
  return noon + ((5 - new Date(noon).getUTCDay() + 7) % 7) * dayMs
}

let pair: TwoNodes
beforeAll(async () => {
  pair = await startTwoNodes(friday())
})
afterAll(() => pair?.end())

const pagesOf: TwoNodes['pagesOf'] = (...args) => pair.pagesOf(...args)
const graphql: TwoNodes['graphql'] = (...args) => pair.graphql(...args)

/** All grants of a user with a status, by REST. */
const grantsOf = async (userId: string, status: string) => {
  const grants: { grantId: string }[] = []
  for (let page = 1; ; page++) {
    const path = `/v1/users/${userId}/grants?status=${status}&limit=100&page=${page}`
    const { body } = await pair.call(path)
    grants.push(...body.data)
    if (page >= body.meta.totalPages) return grants
  }
}

type Call = { userId: string; isAward: boolean; amount: number; reference: string }

/**
 * 40 % of the amounts are below 20, and a tenth of the calls repeat an earlier one of the same day. In this sequence, a user
 * has all but the last of a multiple on Friday.
 */
const planCalls = (): Call[] => {
  const random = sequence(9)
  const below = (bound: number) => Math.floor(random() * bound)
  const planned: Call[] = []
  for (let n = 0; n < calls; n++) {
    const firstOfDay = n < callsOfFriday ? 0 : callsOfFriday
    const isRepeated = n % 10 === 9
    const userId = users[below(users.length)] as string
    const isAward = userId === awarded || below(2) === 0
    const amount = n % 5 < 2 ? below(20) : 20 + below(100)
    const earlier = planned[firstOfDay + below(n - firstOfDay)] as Call
    planned.push(isRepeated ? earlier : { userId, isAward, amount, reference: randomUUID() })
  }
  return planned
}

/** An award, or an activity, which can have happened before. */
const makeCall = async ({ userId, isAward, amount, reference }: Call, occurredAt?: string) => {
  const metadata = { amount }
  const eventType = 'purchase'
  const answer = isAward
    ? await pair.call('/v1/points/award', { userId, eventType, reference, metadata })
    : await pair.call('/v1/user-journeys/events', {
        externalId: userId,
        category: 'CUSTOM',
        ...{ eventType, reference, metadata, occurredAt },
      })
  const isRepeated = answer.body.errorCode === 'DUPLICATE_REFERENCE'
  if (answer.status >= 300 && !isRepeated) throw new Error(JSON.stringify(answer.body))
}

const makeCalls = (planned: Call[]) =>
  pair.runWithKill(
    planned.map((call) => () => makeCall(call)),
    callers,
  )

/** The Monday of the week, as a date. */
const weekOf = (at: number) => {
  const day = Math.floor(at / dayMs)
  // 1970-01-01 was a Thursday.
  return new Date((day - ((day + 3) % 7)) * dayMs).toISOString().slice(0, 10)
}

type Activity = {
  uuid: string
  fact: string | null
  eventType: string
  metadata: { amount?: number }
  occurredAt: string
  recordedAt: string
  reverses: { uuid: string } | null
}

/** How many facts count in each week of a user, from the pages of the timeline. */
const countsOf = async (userId: string): Promise<Map<string, number>> => {
  const fields = 'uuid fact eventType metadata occurredAt recordedAt reverses { uuid }'
  const all: Activity[] = await pagesOf(userId, 'activities', fields)
  const reversed = new Set(all.map(({ reverses }) => reverses?.uuid))
  const counts = new Map<string, number>()
  for (const { uuid, fact, eventType, metadata, ...item } of all) {
    if (fact !== 'POINTS_AWARDED' && fact !== 'ACTIVITY') continue
    if (eventType !== 'purchase' || (metadata.amount ?? 0) < 20) continue
    const week = weekOf(Date.parse(item.occurredAt))
    const isLate = Date.parse(item.recordedAt) > Date.parse(week) + 7 * dayMs + graceMs
    if (!reversed.has(uuid) && !isLate) counts.set(week, (counts.get(week) ?? 0) + 1)
  }
  return counts
}

/** The completions that have to be live: each with its week and number. */
const expectedOf = (counts: Map<string, number>) =>
  [...counts]
    .flatMap(([week, n]) =>
      Array.from({ length: Math.floor(n / target) }, (_, i) => `${week} ${i + 1}`),
    )
    .sort()

type Completion = { windowStart: string; number: number; revokedAt: string | null }

const completionsOf = async (userId: string): Promise<string[]> => {
  const all: Completion[] = await pagesOf(
    userId,
    'goalCompletions',
    'windowStart number revokedAt goal { slug }',
  )
  return all
    .filter(({ revokedAt }) => revokedAt === null)
    .map(({ windowStart, number }) => `${windowStart} ${number}`)
    .sort()
}

/** What a user has: live completions, a grant of each, and its own payment of each grant. */
const checkUser = async (userId: string, counts: Map<string, number>) => {
  const expected = expectedOf(counts)
  await expect.poll(() => completionsOf(userId), { timeout: 30_000 }).toEqual(expected)
  await expect
    .poll(async () => (await grantsOf(userId, 'ISSUED')).length, { timeout: 30_000 })
    .toBe(expected.length)
  return expected.length
}

const checkPayments = async (userId: string) => {
  const grants = await grantsOf(userId, 'ISSUED')
  const entries = await pagesOf(userId, 'ledgerEntries', 'eventType points sourceId')
  const paid = entries.filter(({ eventType }) => eventType === 'goal_reward')
  expect(paid.map(({ points, sourceId }) => `${points} ${sourceId}`).sort()).toEqual(
    grants.map(({ grantId }) => `200 ${grantId}`).sort(),
  )
}

const createGoal = async () => {
  const data = await graphql(
    `mutation ($goal: CreateGoalInput!) {
      reward: createReward(input: { name: "weekly", kind: POINTS, points: 200 }) { ... on Error { message } }
      goal: createGoal(input: $goal) { ... on Error { message } }
      start: startGoal(input: { goal: { slug: "ten-a-week" } }) { ... on Error { message } ... on StartGoalPayload { goal { status } } }
    }`,
    {
      goal: {
        slug: 'ten-a-week',
        name: 'Ten a week',
        window: 'WEEK',
        repeat: 'UNLIMITED',
        onReversal: 'REVOKE',
        rewards: [{ slug: 'weekly' }],
        tasks: [
          {
            target,
            measure: {
              facts: ['POINTS_AWARDED', 'ACTIVITY'],
              eventTypes: ['purchase'],
              where: [{ key: 'amount', test: 'AT_LEAST', number: 20 }],
            },
          },
        ],
      },
    },
  )
  expect(data).toEqual({ reward: {}, goal: {}, start: { goal: { status: 'ACTIVE' } } })
}

test('two nodes, of which one is killed twice, give what the timelines say, once', async () => {
  const startedAt = Date.now()
  await pair.endGoalsOfDemo()
  await createGoal()
  const planned = planCalls()
  const [onFriday, later] = [planned.slice(0, callsOfFriday), planned.slice(callsOfFriday)]
  await makeCalls(onFriday)
  const ofFriday = new Map<string, number>()
  for (const userId of users)
    ofFriday.set(
      userId,
      [...(await countsOf(userId)).values()].reduce((a, b) => a + b, 0),
    )

  // Monday, early: what happened thirty hours before was in the week before, and is the tenth there.
  const monday = friday() + 2 * dayMs + 17 * hourMs
  pair.setClock(monday)
  const [lateUser] =
    [...ofFriday].find(([userId, n]) => n % target === target - 1 && userId !== awarded) ?? []
  expect(lateUser).toBeDefined()
  const late = { isAward: false, amount: 20, reference: randomUUID() }
  await makeCall(
    { ...late, userId: lateUser as string },
    new Date(monday - 30 * hourMs).toISOString(),
  )
  await makeCalls(later.slice(1))

  let total = 0
  for (const userId of users) {
    const counts = await countsOf(userId)
    total += await checkUser(userId, counts)
    await checkPayments(userId)
    if (userId !== lateUser) continue
    const n = ofFriday.get(userId) as number
    expect(counts.get(weekOf(friday()))).toBe(n + 1)
  }
  console.log(
    `${total} completions, ${pair.seen.repeated} calls repeated, ${Date.now() - startedAt} ms`,
  )
  expect(total).toBeGreaterThan(users.length)
  expect(pair.seen.repeated).toBeGreaterThan(0)

  await reverseAndAward()
  for (const userId of users) await checkUser(userId, await countsOf(userId))
  await pair.checkAll()
  const seconds = (Date.now() - startedAt) / 1000
  console.log(`${seconds} s`)
  expect(seconds).toBeLessThan(180)
})

/** Reverses the awards of a user one by one, and awards up again. What is live is looked at after each. */
const reverseAndAward = async () => {
  const counts = await countsOf(awarded)
  const entries = await pagesOf(awarded, 'ledgerEntries', 'uuid eventType metadata createdAt')
  const counted = entries.filter(
    ({ eventType, metadata }) => eventType === 'purchase' && metadata.amount >= 20,
  )
  const reached = counted.length
  expect(reached).toBeGreaterThanOrEqual(2 * target)
  for (const { uuid, createdAt } of counted) {
    const { result } = await graphql(
      `mutation ($id: ID!) { result: reverseLedgerEntry(input: { ledgerEntryId: $id, reason: "returned" }) {
        __typename } }`,
      { id: uuid },
    )
    expect(result.__typename).toBe('ReverseLedgerEntryPayload')
    const week = weekOf(Date.parse(createdAt))
    counts.set(week, (counts.get(week) as number) - 1)
    await checkUser(awarded, counts)
  }
  expect([...counts.values()].every((n) => n === 0)).toBe(true)
  expect(await grantsOf(awarded, 'REVOKED')).not.toEqual([])
  expect(await countsOf(awarded)).toEqual(new Map())
  const week = weekOf(friday() + 4 * dayMs)
  for (let n = 1; n <= reached; n++) {
    await makeCall({ userId: awarded, isAward: true, amount: 20, reference: randomUUID() })
    await checkUser(awarded, new Map([[week, n]]))
  }
}
