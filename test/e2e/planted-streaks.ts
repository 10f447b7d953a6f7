/** Two weeks of the streaks of some users, up to the present day. */
import { expect } from 'vitest'
import { decideGoals } from '../../src/programme/decider.ts'
import { settleDueStreaks } from '../../src/programme/streak-settling.ts'
import { countAll } from '../programme/goals.ts'
import { programmeOf } from '../programme/programme.ts'
import type { World } from '../world.ts'

const dayMs = 24 * 3_600_000

/** A clock that stands in the past until it is let go. */
export const pastClock = () => {
  let fixed: Date | null = new Date()
  return {
    now: () => fixed ?? new Date(),
    set: (moment: Date | null) => {
      fixed = moment
    },
  }
}

export const settleStreaksOf = async ({ runtime }: World): Promise<void> => {
  await countAll(runtime)
  await decideGoals(runtime)
  await settleDueStreaks(runtime)
}

/** What users do on the last days, today last: `x` for a visit. */
const visits: Record<string, string> = {
  anna: 'xxxxxxxxxxxxxxx',
  bruno: '.......xxxxxxxx',
  clara: '........xxxxx..',
  dario: 'xxxxxxxxxxxxx..',
  elena: '............x..',
  fritz: '.............xx',
  greta: '.....xxxxxxx...',
  hugo: '..............x',
  ines: '.........xx.xx.',
}

/** Makes a goal that is a streak, and its users. Returns its id. */
export const plantStreaks = async (
  world: World,
  clock: ReturnType<typeof pastClock>,
): Promise<string> => {
  const today = new Date()
  today.setUTCHours(0, 0, 0, 0)
  const days = 15
  const momentOf = (day: number, hour: number) =>
    new Date(today.getTime() - (days - 1 - day) * dayMs + hour * 3_600_000)
  clock.set(momentOf(0, 0))
  const { mutate, createReward } = programmeOf(world)
  await createReward({ name: 'A week in a row', kind: 'POINTS', points: 70 })
  const { goal } = await mutate('createGoal', 'goal { id }', {
    ...{ slug: 'daily-visit', name: 'Come by every day', window: 'DAY', repeat: 'EACH_WINDOW' },
    description: 'Drop in once a day, and keep the flame alive.',
    tasks: [{ target: 1, measure: { facts: ['ACTIVITY'], eventTypes: ['visit'] } }],
    streak: {
      freezes: { initial: 0, max: 3, everyDays: 14 },
      restoreDays: 5,
      milestones: [{ length: 7, reward: { slug: 'a-week-in-a-row' } }],
    },
  })
  await mutate('startGoal', 'goal { id }', { goal: { id: goal.id } })
  for (let day = 0; day < days; day++) {
    // The present day has begun already, maybe just now.
    const moment = day === days - 1 ? new Date() : momentOf(day, 10)
    clock.set(moment)
    for (const [externalId, pattern] of Object.entries(visits)) {
      if (pattern[day] !== 'x') continue
      const body = { externalId, eventType: 'visit', category: 'CUSTOM' }
      const { status } = await world.post('/v1/user-journeys/events', world.keys.secret, body)
      expect(status).toBe(200)
    }
    await settleStreaksOf(world)
  }
  clock.set(null)
  await settleStreaksOf(world)
  return goal.id
}
