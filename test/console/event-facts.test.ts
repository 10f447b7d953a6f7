/** The data of events, as the console shows it. */
import { expect, test } from 'vitest'
import { factsOf, mainFactsOf, valueText } from '../../console/parts/event-facts.ts'

const textsOf = (payload: unknown) =>
  factsOf(payload).map((fact) => `${fact.label}: ${valueText(fact)}`)

test('amounts are written for people: with separators, their unit and their currency', () => {
  const payload = {
    userId: 'user-12500',
    pointsAwarded: 12_500,
    userBalance: 1_234_567,
    winAmountCents: 125_000,
    score: 31_000,
    reward: { label: '12500 points', value: 12_500 },
    reference: 'order-12500',
    wonAt: '2026-01-31T20:00:00Z',
  }
  expect(textsOf(payload).slice(0, -1)).toEqual([
    'User: user-12500',
    'Points awarded: 12,500',
    'User balance: 1,234,567 points',
    'Win amount: $1,250.00',
    'Score: 31,000',
    'Reward label: 12,500 points',
    'Reward value: 12,500',
    'Reference: order-12500',
  ])
})

test('stages of users are written for people, and what partners name stays as it is', () => {
  expect(textsOf({ previousStage: 'new', stage: 'at_risk', eventType: 'daily_login' })).toEqual([
    'Previous stage: New',
    'Stage: At risk',
    'Event type: daily_login',
  ])
})

test('a list of numbers is one value, and years and references stay as they are', () => {
  expect(textsOf({ main: [3, 8, 15], bonus: [], title: 'Draw of 2026, order #12500' })).toEqual([
    'Main: 3, 8, 15',
    'Title: Draw of 2026, order #12500',
  ])
  expect(mainFactsOf({ lotterySlug: 'weekly', main: [3, 8], potCents: 300_000 })).toHaveLength(3)
})
