/** The arithmetic of streaks with time zones, from moments to lengths, against a naive model that takes local dates from Intl. */
import { expect, test } from 'vitest'
import { type StreakRecord, streakOf } from '../../src/programme/streak.rules.ts'
import {
  dateOf,
  dayIn,
  dayMs,
  dayOf,
  hourMs,
  modelAt,
  move,
  numberOf,
  plan,
  randomOf,
  type Stay,
  skippedBy,
  start,
  zones,
} from './streak-model.ts'

test('the streaks of 2,000 histories with zones are those of a naive model', () => {
  const random = randomOf(7)
  const seen = { skipped: 0, broken: 0, moved: 0 }
  for (let n = 0; n < 2_000; n++) {
    const stays: Stay[] = [{ since: 0, zone: zones[random(zones.length)] as string, notBefore: '' }]
    const days = 5 + random(40)
    const facts: number[] = []
    const often = 15 + random(40)
    const record: StreakRecord & { [K in 'freezes' | 'pauses' | 'restores']: unknown[] } = {
      met: [],
      skipped: [],
      freezes: [],
      pauses: [],
      restores: [],
    }
    const first = dateOf(numberOf(dayIn('UTC', start)) - 2, 0)
    for (let now = start; now < start + days * dayMs; now += random(20) * hourMs) {
      if (random(100) < often) facts.push(now - random(12) * hourMs)
      const today = dayOf(stays, now)
      const todo = random(50)
      if (todo === 0 && (stays.at(-1) as Stay).since < now)
        move(stays, now, zones[random(zones.length)] as string)
      if (todo === 1) record.freezes.push({ on: today, count: 1 + random(2) })
      if (todo === 2)
        record.pauses.push({ from: today, until: dateOf(numberOf(today) + 1 + random(5), 0) })
      if (todo === 3)
        record.restores.push({
          brokenOn: dateOf(numberOf(today) - 1 - random(3), 0),
          restoredOn: today,
        })
    }
    const end = start + days * dayMs
    const today = dayOf(stays, end)
    const whole: StreakRecord = {
      ...record,
      met: [...new Set(facts.map((at) => dayOf(stays, at)))].filter((date) => date <= today),
      skipped: skippedBy(stays, end),
    }
    const { length, longest, freezes, brokenOn } = streakOf(plan, whole, today)
    const expected = modelAt(plan, whole, today, first)
    expect({ length, longest, freezes, brokenOn }, JSON.stringify({ stays, whole, today })).toEqual(
      expected,
    )
    seen.skipped += whole.skipped.length
    seen.broken += brokenOn !== null || length < longest ? 1 : 0
    seen.moved += stays.length - 1
  }
  expect(seen.skipped).toBeGreaterThan(20)
  expect(seen.broken).toBeGreaterThan(200)
  expect(seen.moved).toBeGreaterThan(1_000)
})
