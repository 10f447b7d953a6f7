/** What the widgets of the shop and of rewards make of the answers of the API. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  availabilityOf,
  type Items,
  isOpen,
  isUpToDate,
  playsLeftOf,
  type RewardChange,
  type RewardGrant,
  type SoldReward,
  whenOf,
} from '../../packages/widgets/src/reward-data.ts'
import '../../packages/widgets/src/shop-texts.ts'
import { createSay } from '../../packages/widgets/src/texts.ts'

afterEach(() => vi.useRealTimers())

const reward = {
  uuid: 'r',
  name: 'Bottle',
  description: null,
  imageUrl: null,
  kind: 'ITEM',
  points: null,
}

const grantOf = (uuid: string, more: Partial<RewardGrant> = {}): RewardGrant => ({
  uuid,
  reward,
  status: 'ISSUED',
  needsClaim: false,
  goalCompletion: null,
  createdAt: '2026-11-01T00:00:00Z',
  ...{ points: null, price: null, heldUntil: null, claimExpiresAt: null, issuedAt: null },
  ...{ fulfilledAt: null, failure: null, message: null, code: null },
  ...{ gameType: null, freePlaysLeft: null, playableUntil: null },
  ...more,
})

describe('a time ahead is said as people do', () => {
  const now = new Date(2026, 10, 30, 15, 0)
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()

  test.each([
    [3, 'today at 6:00 PM'],
    [9, 'tomorrow at 12:00 AM'],
    [32, 'tomorrow at 11:00 PM'],
    [90, 'Friday 9:00 AM'],
    [24 * 7, 'Dec 7, 2026, 3:00 PM'],
  ])('in %i hours: %s', (hours, text) => {
    vi.useFakeTimers({ now })
    expect(whenOf(createSay('en'), inHours(hours)).replaceAll(/\s/g, ' ')).toBe(text)
  })

  test('also in another language', () => {
    vi.useFakeTimers({ now })
    const say = createSay('de', { dayAt: '{day} um {time}' })
    expect(whenOf(say, inHours(9))).toBe('morgen um 0:00')
  })
})

test('somebody whom nobody knows has no points, and a visitor is told nothing', () => {
  const sold: SoldReward = {
    ...reward,
    ...{ slug: 'bottle', price: 200, endsAt: null, freePlays: null, limit: null },
  }
  expect(availabilityOf(sold)).toBeUndefined()
  expect(availabilityOf({ ...sold, availability: null })).toMatchObject({
    canBuy: false,
    missingPoints: 200,
  })
})

test('what was not claimed in time is not open, nor are badges', () => {
  const ready = { status: 'READY', needsClaim: true }
  const past = '2020-01-01T00:00:00Z'
  expect(isOpen(grantOf('a', ready))).toBe(true)
  expect(isOpen(grantOf('b', { status: 'READY' }))).toBe(true)
  expect(isOpen(grantOf('c', { ...ready, claimExpiresAt: past }))).toBe(false)
  expect(isOpen(grantOf('d', { ...ready, reward: { ...reward, kind: 'BADGE' } }))).toBe(false)
})

test('free plays that have ended are not left', () => {
  expect(playsLeftOf(grantOf('a', { freePlaysLeft: 2 }))).toBe(2)
  expect(playsLeftOf(grantOf('b', { freePlaysLeft: 2, status: 'CANCELLED' }))).toBe(0)
  const playableUntil = '2020-01-01T00:00:00Z'
  expect(playsLeftOf(grantOf('c', { freePlaysLeft: 2, playableUntil }))).toBe(0)
})

describe('a state tells whether rewards have to be read again', () => {
  const shown = (ids: string[], after: string | null = null): Items<RewardGrant> => ({
    items: ids.map((uuid) => grantOf(uuid)),
    after,
  })
  const state = (ids: string[], hasNextPage = false, more: Partial<RewardChange> = {}) => ({
    nodes: ids.map((uuid) => ({ uuid, status: 'ISSUED', freePlaysLeft: null, ...more })),
    pageInfo: { hasNextPage },
  })

  test.each([
    [true, 'the same', shown(['b', 'a']), state(['b', 'a'])],
    [true, 'the first page of many', shown(['c', 'b'], 'cursor'), state(['c', 'b', 'a'])],
    [true, 'more than a state has', shown(['c', 'b', 'a']), state(['c', 'b'], true)],
    [true, 'open ones do not count', shown([]), state(['a'], false, { status: 'READY' })],
    [false, 'a new one', shown(['a']), state(['b', 'a'])],
    [false, 'one less', shown(['b', 'a']), state(['b'])],
    [false, 'another status', shown(['a']), state(['a'], false, { status: 'FULFILLED' })],
    [false, 'a play less', shown(['a']), state(['a'], false, { freePlaysLeft: 1 })],
  ])('%s: %s', (isSame, _, items, followed) => {
    expect(isUpToDate(items, followed)).toBe(isSame)
  })
})
