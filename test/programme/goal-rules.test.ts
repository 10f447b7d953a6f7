/** What becomes of completions, and what a goal is to a user: pure functions. */
import { describe, expect, it } from 'vitest'
import { decide } from '../../src/programme/decision.rules.ts'
import {
  canJoin,
  type Facts,
  nextActionOf,
  nextWindowOf,
  stateOf,
} from '../../src/programme/goal-state.rules.ts'

const completion = (k: number) => ({ id: `${k}`, k, round: 1, rewardIds: [] })
const situation = {
  steps: 0,
  live: 0,
  made: 0,
  isElsewhere: false,
  isEligible: true,
  beyond: [],
  within: [],
}
const nothing = { revoke: [], renew: [], complete: [], isBlocked: false, isUnfinished: false }

describe('decide', () => {
  it('completes what is missing, and nothing twice', () => {
    expect(decide({ ...situation, steps: 3, made: 1, live: 1 }, 100)).toEqual({
      ...nothing,
      complete: [2, 3],
    })
    expect(decide({ ...situation, steps: 3, made: 3, live: 3 }, 100)).toEqual(nothing)
  })

  it('takes back what the counters do not reach, also from who is not eligible', () => {
    const beyond = [completion(2), completion(3)]
    const fallen = { ...situation, steps: 1, made: 3, live: 3, beyond }
    expect(decide(fallen, 100)).toEqual({ ...nothing, revoke: beyond })
    expect(decide({ ...fallen, isEligible: false }, 100)).toEqual({ ...nothing, revoke: beyond })
  })

  it('renews before it completes, and only for those who may', () => {
    const within = [completion(1), completion(2)]
    const risen = { ...situation, steps: 3, made: 2, live: 0, within }
    expect(decide(risen, 100)).toEqual({ ...nothing, renew: within, complete: [3] })
    expect(decide({ ...risen, isEligible: false }, 100)).toEqual({ ...nothing, isBlocked: true })
  })

  it('leaves the rest of many to the next transaction', () => {
    expect(decide({ ...situation, steps: 5 }, 2)).toEqual({
      ...nothing,
      complete: [1, 2],
      isUnfinished: true,
    })
    const beyond = [1, 2, 3].map(completion)
    expect(decide({ ...situation, made: 3, live: 3, beyond }, 2)).toMatchObject({
      revoke: beyond.slice(0, 2),
      isUnfinished: true,
    })
  })

  it('does not complete in a second window what is completed only once', () => {
    expect(decide({ ...situation, steps: 1, isElsewhere: true }, 100)).toEqual(nothing)
  })
})

const now = new Date('2026-03-05T12:00:00Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)
const daily: Facts = {
  status: 'ACTIVE',
  repeat: 'EACH_WINDOW',
  joinMode: 'AUTO',
  maxCompletions: 1,
  startedAt: hours(-48),
  goalEndsAt: null,
  windowEndsAt: hours(12),
  hasWindows: true,
  joinedAt: null,
  live: 0,
  ever: 0,
  hasProgress: false,
  isEligible: true,
  isClaimable: false,
}
const optIn: Facts = { ...daily, joinMode: 'OPT_IN', hasWindows: false, windowEndsAt: null }
const once: Facts = { ...daily, repeat: 'ONCE' }
const unlimited: Facts = { ...daily, repeat: 'UNLIMITED', maxCompletions: null }

describe('a goal of a user', () => {
  it.each<[string, Facts, string, string]>([
    ['daily', daily, 'AVAILABLE', 'NONE'],
    ['daily, begun', { ...daily, hasProgress: true }, 'IN_PROGRESS', 'NONE'],
    ['daily, done today', { ...daily, live: 1, ever: 1 }, 'COMPLETED', 'WAIT'],
    ['daily, done yesterday', { ...daily, ever: 1 }, 'AVAILABLE', 'NONE'],
    [
      'daily, with a reward to claim',
      { ...daily, live: 1, ever: 1, isClaimable: true },
      'COMPLETED',
      'CLAIM',
    ],
    ['not started', { ...daily, startedAt: hours(1) }, 'LOCKED', 'WAIT'],
    ['not eligible', { ...daily, isEligible: false, hasProgress: true }, 'LOCKED', 'WAIT'],
    ['paused', { ...daily, status: 'PAUSED', hasProgress: true }, 'IN_PROGRESS', 'WAIT'],
    ['ended, unmet', { ...daily, status: 'ENDED' }, 'MISSED', 'NONE'],
    ['past its end, unmet', { ...daily, goalEndsAt: hours(-1) }, 'MISSED', 'NONE'],
    ['ended, met', { ...daily, status: 'ENDED', live: 1, ever: 1 }, 'COMPLETED', 'NONE'],
    [
      'on its last day, done',
      { ...daily, live: 1, ever: 1, goalEndsAt: hours(6) },
      'COMPLETED',
      'NONE',
    ],
    ['once, done in another window', { ...once, ever: 1 }, 'COMPLETED', 'NONE'],
    [
      'unlimited, done before',
      { ...unlimited, live: 3, ever: 3, hasProgress: true },
      'IN_PROGRESS',
      'NONE',
    ],
    [
      'unlimited, up to its limit',
      { ...unlimited, maxCompletions: 3, live: 3, ever: 3 },
      'COMPLETED',
      'WAIT',
    ],
    ['opt-in, not joined', optIn, 'AVAILABLE', 'JOIN'],
    [
      'opt-in, joined',
      { ...optIn, joinedAt: hours(-1), windowEndsAt: hours(1) },
      'IN_PROGRESS',
      'NONE',
    ],
    [
      'opt-in, missed',
      { ...optIn, joinedAt: hours(-3), windowEndsAt: hours(-1) },
      'MISSED',
      'JOIN',
    ],
    [
      'opt-in once, missed',
      { ...optIn, repeat: 'ONCE', joinedAt: hours(-3), windowEndsAt: hours(-1) },
      'MISSED',
      'NONE',
    ],
    ['opt-in, not eligible', { ...optIn, isEligible: false }, 'LOCKED', 'WAIT'],
  ])('%s', (_, facts, state, action) => {
    expect([stateOf(facts, now), nextActionOf(facts, now)]).toEqual([state, action])
  })

  it('can be joined only while it is active and with opt-in', () => {
    expect(canJoin(optIn, now)).toBe(true)
    expect(canJoin(daily, now)).toBe(false)
    expect(canJoin({ ...optIn, status: 'PAUSED' }, now)).toBe(false)
    expect(canJoin({ ...optIn, goalEndsAt: hours(0) }, now)).toBe(false)
    expect(canJoin({ ...optIn, startedAt: hours(1) }, now)).toBe(false)
  })

  it('has a next window unless it ends before, or is completed for good', () => {
    expect(nextWindowOf(daily)).toEqual(hours(12))
    expect(nextWindowOf({ ...daily, goalEndsAt: hours(12) })).toBe(null)
    expect(nextWindowOf({ ...daily, goalEndsAt: hours(13) })).toEqual(hours(12))
    expect(nextWindowOf({ ...once, ever: 1 })).toBe(null)
    expect(nextWindowOf(optIn)).toBe(null)
  })
})
