import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Activity,
  classify,
  dayMs,
  defaultRules,
  nextStageAt,
  playWinRateOf,
  sessionGapMinutes,
  watch,
} from '../../src/journeys/journey.rules.ts'
import { recommend } from '../../src/journeys/recommendation.rules.ts'
import { seed } from '../rest/junk.ts'

const now = new Date('2026-06-15T12:00:00.000Z')
const ago = (days: number, ms = 0) => new Date(now.getTime() - days * dayMs - ms)

const activity = (
  change: Partial<Activity> & { plays?: number; points?: number } = {},
): Activity => {
  const { plays = 0, points = 0, ...rest } = change
  return {
    firstSeenAt: ago(20),
    lastSeenAt: ago(1),
    totalEvents: 10,
    campaignsJoined: 0,
    recent: [{ from: ago(1), plays, points }],
    ...rest,
  }
}
const at = (change: Parameters<typeof activity>[0], moment = now) =>
  classify(activity(change), moment, defaultRules)

describe('the stage', () => {
  it.each([
    ['at 14 days less a millisecond', { lastSeenAt: ago(14, -1) }, 'active'],
    ['at 14 days', { lastSeenAt: ago(14) }, 'at_risk'],
    ['at 14 days and a millisecond', { lastSeenAt: ago(14, 1) }, 'at_risk'],
    ['at 30 days less a millisecond', { lastSeenAt: ago(30, -1) }, 'at_risk'],
    ['at 30 days', { lastSeenAt: ago(30) }, 'at_risk'],
    ['at 30 days and a millisecond', { lastSeenAt: ago(30, 1) }, 'churned'],
    [
      'first seen 7 days less a millisecond ago',
      { firstSeenAt: ago(7, -1), totalEvents: 3 },
      'new',
    ],
    ['first seen 7 days ago', { firstSeenAt: ago(7), totalEvents: 3 }, 'new'],
    [
      'first seen 7 days and a millisecond ago',
      { firstSeenAt: ago(7, 1), totalEvents: 3 },
      'active',
    ],
    ['with three events', { firstSeenAt: ago(1), totalEvents: 3 }, 'new'],
    ['with four events', { firstSeenAt: ago(1), totalEvents: 4 }, 'active'],
    ['idle for eight days', { lastSeenAt: ago(8) }, 'active'],
    ['with nine plays and a campaign', { plays: 9, campaignsJoined: 1 }, 'active'],
    ['with ten plays and a campaign', { plays: 10, campaignsJoined: 1 }, 'engaged'],
    ['with ten plays and none', { plays: 10 }, 'active'],
    ['with 30 plays and a low score', { plays: 30 }, 'active'],
    ['with 30 plays and a high score', { plays: 30, points: 1000 }, 'power_user'],
    ['with 29 plays and a high score', { plays: 29, points: 1000, campaignsJoined: 5 }, 'engaged'],
    ['a power user who stays away', { plays: 60, points: 9000, lastSeenAt: ago(14) }, 'at_risk'],
    [
      'a new user who plays much',
      { firstSeenAt: ago(1), totalEvents: 3, plays: 30, points: 1000 },
      'power_user',
    ],
    [
      'seen ahead of our clock',
      { firstSeenAt: ago(-0.003), lastSeenAt: ago(-0.003), totalEvents: 1 },
      'new',
    ],
  ] as const)('%s is right', (_, change, stage) => {
    expect(at(change).stage).toBe(stage)
  })

  it('has a reason', () => {
    expect(at({ lastSeenAt: ago(15) }).reason).toBe('last seen 15 days ago')
    expect(at({ plays: 12, campaignsJoined: 1 }).reason).toBe(
      '12 plays in 30 days and 1 campaign joined',
    )
  })
})

it.each([
  [0, 'casual'],
  [4, 'casual'],
  [5, 'regular'],
  [14, 'regular'],
  [15, 'power_user'],
  [50, 'power_user'],
  [51, 'whale'],
])('the tier with %i plays is %s', (plays, tier) => {
  expect(at({ plays }).tier).toBe(tier)
})

it.each([
  [{ lastSeenAt: now }, 30],
  [{ lastSeenAt: ago(15) }, 15],
  [{ lastSeenAt: ago(45) }, 0],
  [{ lastSeenAt: now, plays: 15 }, 45],
  [{ lastSeenAt: now, plays: 99, points: 250, campaignsJoined: 2 }, 73],
  [{ lastSeenAt: now, plays: 30, points: 5000, campaignsJoined: 9 }, 100],
  [{ lastSeenAt: ago(1), points: 333 }, 35.7],
])('the score of %j is %d', (change, score) => {
  expect(at(change).score).toBe(score)
})

it('each stage has its two recommendations', () => {
  const names = Object.fromEntries(
    (['new', 'active', 'engaged', 'power_user', 'at_risk', 'churned'] as const).map((stage) => [
      stage,
      recommend(stage).map(({ name }) => name),
    ]),
  )
  expect(names).toEqual({
    new: ['Welcome Bonus Spin', 'First Action Reward'],
    active: ['Daily Streak Challenge', 'Daily Spin'],
    engaged: ['Referral Program', 'Weekly Leaderboard'],
    power_user: ['Ambassador Program', 'VIP Exclusive Rewards'],
    at_risk: ['Re-engagement Streak', 'Win-back Instant Prize'],
    churned: ['Win-back Reward', 'Fresh Start Bonus'],
  })
})

it('rates are shares and means, and null without data', () => {
  expect([playWinRateOf(0, 0), playWinRateOf(1, 3), playWinRateOf(3, 3)]).toEqual([null, 0.3333, 1])
  expect([sessionGapMinutes(0, 0), sessionGapMinutes(3, 100 * 60_000)]).toEqual([null, 33.3])
})

const moments = fc.double({ min: 0, max: 45, noNaN: true }).map((days) => ago(days))
const activities = fc
  .record({
    first: moments,
    last: moments,
    totalEvents: fc.integer({ min: 0, max: 200 }),
    campaignsJoined: fc.integer({ min: 0, max: 6 }),
    recent: fc.array(
      fc.record({
        from: moments,
        plays: fc.integer({ min: 0, max: 30 }),
        points: fc.integer({ min: 0, max: 900 }),
      }),
      { maxLength: 8 },
    ),
  })
  .map(
    ({ first, last, ...rest }): Activity => ({
      ...rest,
      firstSeenAt: new Date(Math.min(+first, +last)),
      lastSeenAt: new Date(Math.max(+first, +last)),
    }),
  )

it(`until nextStageAt nothing changes, and then it does (seed ${seed})`, () => {
  fc.assert(
    fc.property(activities, fc.double({ min: 0, max: 1, noNaN: true }), (item, part) => {
      const next = nextStageAt(item, now, defaultRules)
      const stage = classify(item, now, defaultRules).stage
      const stageAt = (ms: number) => classify(item, new Date(ms), defaultRules).stage
      if (next) {
        expect(stageAt(next.getTime())).not.toBe(stage)
        expect(stageAt(next.getTime() - 1)).toBe(stage)
      }
      const end = next ? next.getTime() - 1 : now.getTime() + 90 * dayMs
      expect(stageAt(Math.floor(now.getTime() + part * (end - now.getTime())))).toBe(stage)
    }),
    { seed, numRuns: 500 },
  )
})

it(`below its thresholds activity changes neither stage nor tier (seed ${seed})`, () => {
  const change = fc.record({
    events: fc.integer({ min: 1, max: 60 }),
    plays: fc.integer({ min: 0, max: 60 }),
    points: fc.integer({ min: 0, max: 5000 }),
  })
  fc.assert(
    fc.property(activities, change, (item, { events, plays, points }) => {
      const totalPlays = 1000
      const { eventsUntil, playsUntil } = watch({ ...item, totalPlays }, now, defaultRules)
      const more = {
        ...item,
        totalEvents: item.totalEvents + events,
        lastSeenAt: now,
        recent: [...item.recent, { from: now, plays, points }],
      }
      const inside = item.recent.filter(({ from }) => from >= ago(30))
      fc.pre(inside.length === item.recent.length)
      fc.pre(more.totalEvents < eventsUntil && totalPlays + plays < playsUntil)
      const { stage, tier } = classify(item, now, defaultRules)
      expect(classify(more, now, defaultRules)).toMatchObject({ stage, tier })
    }),
    { seed, numRuns: 500 },
  )
})
