/** Deadlines of streaks that change for all users of a goal: by the partner's time zone, or by the end of the goal. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideGoals } from '../../src/programme/decider.ts'
import { computeDeadlines } from '../../src/programme/streak-deadlines.ts'
import { createWorld, type World } from '../world.ts'
import { countAll } from './goals.ts'

let world: World
const now = new Date('2026-03-02T09:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now, isAlone: true })
})
afterAll(() => world.end())

const run = async (text: string) => {
  const { body } = await world.graphql(`${text} fragment Outcome on Error { code message }`, {})
  expect(JSON.stringify(body)).not.toMatch(/"errors"|"code"/)
}

/** A streak whose window of the next day has to be met. */
const startStreak = async (slug: string) => {
  await run(`mutation {
    createGoal(input: { slug: "${slug}", name: "${slug}", window: DAY, repeat: EACH_WINDOW, streak: {},
      tasks: [{ target: 1, measure: { facts: [POINTS_AWARDED] } }] }) { ...Outcome }
    startGoal(input: { goal: { slug: "${slug}" } }) { ...Outcome } }`)
  await countAll(world.runtime)
  await world.givePoints(`user of ${slug}`, 1)
  await decideGoals(world.runtime)
}

/** When something of the streak is announced, once all deadlines are computed. */
const dueAt = async (slug: string): Promise<Date | null> => {
  const { db } = world.runtime
  const goal = await db.goal.findFirstOrThrow({ where: { slug } })
  // On a server with other databases, their transactions delay it.
  do await computeDeadlines(world.runtime)
  while ((await db.goalStreak.count({ where: { dueAfterUserId: { not: null } } })) > 0)
  return (await db.streak.findFirstOrThrow({ where: { goalId: goal.id } })).dueAt
}

test('follow the time zone of the partner for users who have none', async () => {
  await startStreak('zone')
  expect(await dueAt('zone')).toEqual(new Date('2026-03-03T18:00:00Z'))
  // In Auckland, the 3rd ends at 11:00 UTC.
  await run(
    'mutation { setDefaultTimeZone(input: { timeZone: "Pacific/Auckland" }) { ...Outcome } }',
  )
  expect(await dueAt('zone')).toEqual(new Date('2026-03-03T05:00:00Z'))
  await run('mutation { setDefaultTimeZone(input: { timeZone: "UTC" }) { ...Outcome } }')
  expect(await dueAt('zone')).toEqual(new Date('2026-03-03T18:00:00Z'))
})

test('are at most the end of the goal', async () => {
  await startStreak('end')
  await run(
    `mutation { updateGoal(input: { goal: { slug: "end" }, endsAt: "2026-03-03T12:00:00Z" }) { ...Outcome } }`,
  )
  expect(await dueAt('end')).toEqual(new Date('2026-03-03T06:00:00Z'))
  await run(
    `mutation { updateGoal(input: { goal: { slug: "end" }, endsAt: "2026-03-02T20:00:00Z" }) { ...Outcome } }`,
  )
  expect(await dueAt('end')).toBeNull()
})
