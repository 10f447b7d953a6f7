/** Streaks as a pure function, by hand and against a naive model. */
import { describe, expect, it } from 'vitest'
import {
  type GivenMilestone,
  nextWindow,
  type StreakPlan,
  type StreakRecord,
  settleMilestones,
  streakOf,
  streakStateOf,
} from '../../src/programme/streak.rules.ts'
import { dateOf, model, randomOf } from './streak-model.ts'

const plan: StreakPlan = {
  window: 'DAY',
  freezes: { initial: 0, max: 5, everyWindows: null },
  weekdays: [],
  milestones: [3, 7],
}
const nothing: StreakRecord = { met: [], skipped: [], freezes: [], pauses: [], restores: [] }

/** Dates of June 2026, which begins on a Monday. */
const june = (...days: number[]) => days.map((day) => `2026-06-${`${day}`.padStart(2, '0')}`)
const day = (n: number) => june(n)[0] as string

const statuses = (...args: Parameters<typeof streakOf>) =>
  streakOf(...args)
    .history.map(({ status }) => status)
    .join(' ')

describe('streakOf', () => {
  it('is empty before the first met window', () => {
    const streak = streakOf(plan, nothing, day(9))
    expect(streak).toMatchObject({ length: 0, longest: 0, run: null, runs: [], brokenOn: null })
  })

  it('counts met windows in a row, and does not miss the present one', () => {
    expect(streakOf(plan, { ...nothing, met: june(1, 2, 3) }, day(4)).length).toBe(3)
    const broken = streakOf(plan, { ...nothing, met: june(1, 2, 3) }, day(5))
    expect(broken).toMatchObject({ length: 0, longest: 3, brokenOn: day(4) })
  })

  it('begins again after a break', () => {
    const streak = streakOf(plan, { ...nothing, met: june(1, 2, 5) }, day(5))
    expect(streak).toMatchObject({ length: 1, longest: 2, brokenOn: null })
    expect(streak.runs.map(({ length }) => length)).toEqual([2, 1])
  })

  it('covers missed windows with freezes, which add nothing', () => {
    const freezes = { initial: 1, max: 2, everyWindows: 3 }
    const met = june(1, 3, 4, 7)
    // One at the beginning, used on the 2nd; one after three windows, used on the 5th; none for the 6th.
    expect(statuses({ ...plan, freezes }, { ...nothing, met }, day(7))).toBe(
      'MET FROZEN MET MET FROZEN MISSED MET',
    )
  })

  it('keeps no more freezes than the most', () => {
    const freezes = { initial: 2, max: 3, everyWindows: 1 }
    const given = [{ on: day(1), count: 9 }]
    const record = { ...nothing, met: june(1, 2, 3), freezes: given }
    expect(streakOf({ ...plan, freezes }, record, day(3)).freezes).toBe(3)
  })

  it('uses a freeze that was given in time, and none that came later', () => {
    const given = (on: number) => ({
      ...nothing,
      met: june(1),
      freezes: [{ on: day(on), count: 1 }],
    })
    expect(statuses(plan, given(2), day(3))).toBe('MET FROZEN OPEN')
    expect(statuses(plan, given(3), day(3))).toBe('MET MISSED OPEN')
  })

  it('is kept alive by pauses, and counts what is met meanwhile', () => {
    const pauses = [{ from: day(2), until: day(5) }]
    const streak = streakOf(plan, { ...nothing, met: june(1, 3, 5), pauses }, day(5))
    expect(streak.length).toBe(3)
    expect(
      statuses(plan, { ...nothing, met: june(1), pauses: [{ from: day(2), until: null }] }, day(9)),
    ).toBe(`MET${' PAUSED'.repeat(8)}`)
  })

  it('requires only its weekdays, and no date that the user never had', () => {
    const weekdays = [1, 2, 3, 4, 5]
    const met = june(4, 5, 8)
    expect(statuses({ ...plan, weekdays }, { ...nothing, met }, day(9))).toBe(
      'MET MET NOT_REQUIRED NOT_REQUIRED MET OPEN',
    )
    expect(statuses(plan, { ...nothing, met: june(1, 3), skipped: june(2) }, day(3))).toBe(
      'MET NOT_REQUIRED MET',
    )
  })

  it('continues with the broken length after a restore', () => {
    const restores = [{ brokenOn: day(3), restoredOn: day(5) }]
    const streak = streakOf(plan, { ...nothing, met: june(1, 2, 5), restores }, day(5))
    expect(streak.length).toBe(3)
    expect(statuses(plan, { ...nothing, met: june(1, 2, 5), restores }, day(5))).toBe(
      'MET MET RESTORED RESTORED MET',
    )
  })

  it('takes no freeze for a window that was restored', () => {
    const restores = [{ brokenOn: day(2), restoredOn: day(3) }]
    const freezes = [{ on: day(3), count: 1 }]
    expect(streakOf(plan, { ...nothing, met: june(1), restores, freezes }, day(4)).freezes).toBe(0)
    expect(statuses(plan, { ...nothing, met: june(1), restores, freezes }, day(4))).toBe(
      'MET RESTORED FROZEN OPEN',
    )
  })

  it('follows weeks and months of the calendar', () => {
    expect(nextWindow('WEEK', '2026-12-28')).toBe('2027-01-04')
    expect(nextWindow('MONTH', '2026-12-01')).toBe('2027-01-01')
    const months = { ...nothing, met: ['2026-11-01', '2026-12-01', '2027-01-01'] }
    expect(streakOf({ ...plan, window: 'MONTH' }, months, '2027-02-01').length).toBe(3)
  })
})

describe('streakStateOf', () => {
  const deadline = new Date('2026-06-05T22:00:00Z')
  const stateAt = (record: Partial<StreakRecord>, present: number, hoursLeft = 10) =>
    streakStateOf(
      streakOf(
        { ...plan, freezes: { ...plan.freezes, initial: 1 } },
        { ...nothing, ...record },
        day(present),
      ),
      {
        now: new Date(deadline.getTime() - hoursLeft * 3_600_000),
        deadline,
        atRiskHours: 6,
      },
    )

  it('says what a streak is', () => {
    expect(stateAt({}, 1)).toBeNull()
    expect(stateAt({ met: june(1) }, 1, 1)).toBe('ALIVE')
    expect(stateAt({ met: june(1) }, 2)).toBe('ALIVE')
    expect(stateAt({ met: june(1) }, 2, 6)).toBe('AT_RISK')
    expect(stateAt({ met: june(1) }, 3)).toBe('FROZEN')
    expect(stateAt({ met: june(1) }, 3, 6)).toBe('AT_RISK')
    expect(stateAt({ met: june(1) }, 4)).toBe('BROKEN')
    const pauses = [{ from: day(2), until: null }]
    expect(stateAt({ met: june(1), pauses }, 4, 1)).toBe('PAUSED')
    expect(stateAt({ met: june(1, 4), pauses }, 4, 1)).toBe('ALIVE')
  })
})

describe('settleMilestones', () => {
  const given = (length: number, on: number, isRevoked = false): GivenMilestone => {
    return { id: `${length}/${on}`, length, reachedOn: day(on), isRevoked }
  }
  const settle = (met: string[], already: GivenMilestone[], keeps = false) =>
    settleMilestones(streakOf(plan, { ...nothing, met }, day(20)), already, keeps)

  it('gives each length once in a run', () => {
    const met = june(1, 2, 3, 4)
    expect(settle(met, []).give).toEqual([{ length: 3, reachedOn: day(3) }])
    expect(settle(met, [given(3, 3)])).toEqual({ give: [], renew: [], revoke: [] })
    expect(settle(june(1, 2, 3, 6, 7, 8), [given(3, 3)]).give).toEqual([
      { length: 3, reachedOn: day(8) },
    ])
  })

  it('gives nothing again when a late fact makes the run longer to the front', () => {
    expect(settle(june(1, 2, 3, 4, 5), [given(3, 4)]).give).toEqual([])
  })

  it('takes back what was given twice when two runs become one', () => {
    const both = [given(3, 7), given(3, 3)]
    expect(settle(june(1, 2, 3, 4, 5, 6, 7), both).revoke).toEqual([given(3, 7)])
    expect(settle(june(1, 2, 3, 4, 5, 6, 7), both, true).revoke).toEqual([])
    // The runs are apart again.
    expect(settle(june(1, 2, 3, 5, 6, 7), [given(3, 3), given(3, 7, true)]).renew).toEqual([
      given(3, 7, true),
    ])
  })

  it('takes back what no run reaches, and renews it', () => {
    expect(settle(june(1, 3), [given(3, 3)]).revoke).toEqual([given(3, 3)])
    expect(settle(june(1, 3), [given(3, 3)], true).revoke).toEqual([])
    expect(settle(june(1, 2, 3), [given(3, 3, true)])).toEqual({
      give: [],
      renew: [given(3, 3, true)],
      revoke: [],
    })
  })

  it('keeps what was given in a run that a reversal made shorter', () => {
    // The 2nd was reversed: what is left of the run reaches 3 on the 5th.
    expect(settle(june(1, 3, 4, 5), [given(3, 3)])).toEqual({ give: [], renew: [], revoke: [] })
  })
})

describe('streakOf and a naive model', () => {
  it('agree on 5,000 random histories', () => {
    const random = randomOf(20_261_130)
    const some = <T>(most: number, make: () => T) => Array.from({ length: random(most + 1) }, make)
    let alive = 0
    let begunLater = 0
    for (let i = 0; i < 5_000; i++) {
      const days = 1 + random(160)
      const date = () => dateOf(random(days))
      const period = () => {
        const from = random(days)
        return [dateOf(from), dateOf(from + 1 + random(9))] as const
      }
      const often = 50 + random(50)
      const own: StreakPlan = {
        ...plan,
        freezes: {
          initial: random(3),
          max: 1 + random(4),
          everyWindows: random(2) ? 1 + random(6) : null,
        },
        weekdays: random(3) ? [] : [1, 2, 3, 4, 5, 6, 7].filter(() => random(2)),
      }
      const record: StreakRecord = {
        met: Array.from({ length: days }, (_, n) => dateOf(n)).filter(() => random(100) < often),
        skipped: some(1, date),
        freezes: some(2, () => ({ on: date(), count: 1 + random(2) })),
        pauses: some(2, () => {
          const [from, until] = period()
          return { from, until: random(4) ? until : null }
        }),
        restores: some(2, () => {
          const [brokenOn, restoredOn] = period()
          return { brokenOn, restoredOn }
        }),
      }
      const { length, longest, freezes, brokenOn } = streakOf(own, record, dateOf(days - 1))
      expect({ length, longest, freezes, brokenOn }, JSON.stringify({ own, record, days })).toEqual(
        model(own, record, days),
      )
      // The same from a checkpoint of an earlier day.
      const { checkpoint } = streakOf(own, record, dateOf(random(days)))
      expect(streakOf(own, record, dateOf(days - 1), checkpoint)).toMatchObject({
        length,
        longest,
        freezes,
      })
      if (checkpoint) begunLater++
      if (length > 0) alive++
    }
    expect(begunLater).toBeGreaterThan(500)
    expect(alive).toBeGreaterThan(1_000)
    expect(alive).toBeLessThan(4_900)
  })
})
