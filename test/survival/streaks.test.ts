/**
 * Streaks on two nodes, of which one is killed every day, by HTTP only. Facts are late, missing and reversed, and streaks are
 * restored. Each milestone is given once in a run: what has to be given follows from the history of each streak.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sequence } from './sequence.ts'
import { startTwoNodes, type TwoNodes } from './two-nodes.ts'

const dayMs = 86_400_000
const days = 10
const callers = 16
const users = Array.from({ length: 30 }, (_, n) => `runner-${n}`)
const milestones = [2, 4]
const rewardOf = (length: number) => `after-${length}`

/** Noon of the first day. */
const firstNoon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2
const noonOf = (day: number) => firstNoon + day * dayMs
const dateOf = (day: number) => new Date(noonOf(day)).toISOString().slice(0, 10)

let pair: TwoNodes
beforeAll(async () => {
  pair = await startTwoNodes(noonOf(0))
})
afterAll(() => pair?.end())

const startStreak = async () => {
  const rewards = milestones.map(
    (length) =>
      `after${length}: createReward(input: { name: "${rewardOf(length)}", kind: POINTS, points: ${length} }) { ... on Error { message } }`,
  )
  const given = milestones.map(
    (length) => `{ length: ${length}, reward: { slug: "${rewardOf(length)}" } }`,
  )
  const data = await pair.graphql(`mutation { ${rewards.join('\n')}
    goal: createGoal(input: { slug: "run", name: "Run", window: DAY, repeat: EACH_WINDOW, onReversal: REVOKE,
      tasks: [{ target: 1, measure: { facts: [POINTS_AWARDED, ACTIVITY], eventTypes: ["purchase"] } }],
      streak: { freezes: { initial: 0, max: 1 }, restoreDays: 3, milestones: [${given.join(', ')}] } }) { ... on Error { message } }
    start: startGoal(input: { goal: { slug: "run" } }) { ... on StartGoalPayload { goal { status } } } }`)
  expect(data).toMatchObject({ goal: {}, start: { goal: { status: 'ACTIVE' } } })
}

const random = sequence(45)
const below = (bound: number) => Math.floor(random() * bound)

type Entry = { userId: string; reference: string }

/** What happens to a user on a day: nothing, an activity, or an award, and what comes late of the day before. */
const planDay = (day: number, awards: Entry[]) =>
  users.flatMap((userId) => {
    const actions: (() => Promise<unknown>)[] = []
    const activity = (on: number) =>
      pair.call('/v1/user-journeys/events', {
        externalId: userId,
        category: 'CUSTOM',
        eventType: 'purchase',
        reference: `${userId} ${on} late ${day}`,
        occurredAt: new Date(noonOf(on) - 60_000).toISOString(),
      })
    const kind = below(10)
    if (kind < 4) actions.push(() => activity(day))
    else if (kind < 8) {
      const reference = `${userId} ${day}`
      if (kind === 7) awards.push({ userId, reference })
      actions.push(() =>
        pair.call('/v1/points/award', { userId, eventType: 'purchase', reference }),
      )
    }
    // Of the day before, within grace.
    if (day > 0 && below(6) === 0) actions.push(() => activity(day - 1))
    if (day > 2 && below(5) === 0)
      actions.push(() =>
        pair.graphql(
          `mutation ($id: String!) { restoreStreak(input: { user: { externalId: $id }, goal: { slug: "run" } }) {
            __typename } }`,
          { id: userId },
        ),
      )
    return actions
  })

/** Reverses awards, of today or of long ago. */
const reverse = async ({ userId, reference }: Entry) => {
  const entries = await pair.pagesOf(userId, 'ledgerEntries', 'uuid reference')
  const entry = entries.find((entry) => entry.reference === reference)
  await pair.graphql(
    `mutation ($id: ID!) { reverseLedgerEntry(input: { ledgerEntryId: $id, reason: "returned" }) { __typename } }`,
    { id: entry.uuid },
  )
}

type Streak = {
  goal: { slug: string }
  length: number
  history: { windowStart: string; status: string }[]
}

/** The milestones that a history gives: each length once in each run. */
const milestonesOf = ({ history }: Streak): number[] => {
  let length = 0
  return history.flatMap(({ status }) => {
    if (status === 'MISSED') length = 0
    if (status !== 'MET') return []
    length++
    return milestones.includes(length) ? [length] : []
  })
}

type Grant = { uuid: string; source: string; status: string; reward: { name: string } }

/** Whether the live grants of a user, and what was paid of each, are those of the history. */
const stateOf = async (userId: string) => {
  const { user } = await pair.graphql(
    `query ($id: String!) { user(by: { externalId: $id }) { streaks(first: 20) { nodes { goal { slug } length history(last: 30) {
      windowStart status } } } } }`,
    { id: userId },
  )
  const streak = (user.streaks.nodes as Streak[]).find(({ goal }) => goal.slug === 'run')
  const grants: Grant[] = await pair.pagesOf(userId, 'grants', 'uuid source status reward { name }')
  const live = grants.filter(({ status, source }) => status === 'ISSUED' && source === 'STREAK')
  return {
    expected: streak ? milestonesOf(streak).map(rewardOf).sort() : [],
    given: live.map(({ reward }) => reward.name).sort(),
    live,
  }
}

const checkUser = async (userId: string): Promise<number> => {
  await expect
    .poll(
      async () => {
        const { expected, given } = await stateOf(userId)
        return JSON.stringify(given) === JSON.stringify(expected) ? 'alike' : { expected, given }
      },
      { timeout: 30_000, message: userId },
    )
    .toBe('alike')
  const { live } = await stateOf(userId)
  const entries = await pair.pagesOf(userId, 'ledgerEntries', 'eventType sourceId')
  const paid = entries.filter(({ eventType }) => eventType === 'streak_reward')
  for (const { uuid } of live)
    expect(paid.filter(({ sourceId }) => sourceId === uuid)).toHaveLength(1)
  return live.length
}

test('milestones are given once in a run, whatever is late, reversed or restored', async () => {
  await pair.endGoalsOfDemo()
  await startStreak()
  const awards: Entry[] = []
  for (let day = 0; day < days; day++) {
    pair.setClock(noonOf(day))
    await pair.runWithKill(planDay(day, awards), callers)
    // Within grace of today's awards, and after that of older ones.
    for (const award of awards.splice(0, day % 3)) await reverse(award)
  }
  let given = 0
  for (const userId of users) given += await checkUser(userId)
  const revoked = await pair.graphql(
    '{ grants(filter: { statuses: [REVOKED] }, first: 1) { totalCount { value } } }',
  )
  console.log(
    `${given} milestones, ${revoked.grants.totalCount.value} revoked, ${pair.seen.repeated} calls repeated, until ${dateOf(days - 1)}`,
  )
  expect(given).toBeGreaterThan(users.length)
  expect(revoked.grants.totalCount.value).toBeGreaterThan(0)
  await pair.checkAll()
})
