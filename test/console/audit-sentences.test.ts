/** Changes of settings in people's words. */
import { expect, test } from 'vitest'
import { linesOf, summaryOf } from '../../console/history/changes.ts'

const change = (field: string, from: unknown, to: unknown, kind = 'campaign', uuid = 'a') => ({
  ...{ kind, uuid, field, from, to },
})

test.each([
  ['numbers', change('points', 10, 77_000), 'points 10 → 77,000'],
  ['flags', change('creditsWallet', true, false), 'points go to the wallet on → off'],
  ['shares', change('winsPerMillion', 250_000, null), 'share of events that win 25% → nothing'],
  ['enums', change('onReversal', 'KEEP', 'REVOKE'), 'when points are reversed Keep → Revoke'],
  [
    'types',
    change('recommendationType', null, 'win_back'),
    'recommendation type nothing → Win back',
  ],
  ['languages', change('language', null, 'DE', 'brand'), 'language nothing → German'],
  [
    'time zones',
    change('timeZone', 'UTC', 'Europe/Prague', 'partner'),
    'time zone UTC → Europe/Prague',
  ],
  ['event types', change('eventType', 'daily_login', 'visit'), 'event type daily_login → visit'],
  ['long texts', change('description', 'a', 'b'.repeat(50)), 'description changed'],
])('%s are read as words', (_, item, text) => {
  expect(summaryOf([item])).toBe(text)
})

test('a list says how many rows changed, and which in the lines', () => {
  const rows = (points: number) => [
    { eventType: 'visit', points: 1 },
    { eventType: 'purchase', points },
  ]
  const changes = [change('eventRules', rows(5), [...rows(1_000), { eventType: 'x', points: 1 }])]
  expect(summaryOf(changes)).toBe('event rules: 2 rows changed')
  expect(linesOf(changes)).toEqual([
    { label: 'event rules: purchase', from: 'points 5', to: 'points 1,000' },
    { label: 'event rules: x', from: '', to: 'points 1' },
  ])
})

test('a part is added and removed as a whole', () => {
  const part = (field: string, value: unknown) => change(field, null, value, 'prizeTier', 'p')
  const changes = [
    change('name', 'a', 'b'),
    ...[part('name', 'Hat'), part('points', 5), part('campaignId', 'c'), part('maxWins', 3)],
    change('points', 1, 2, 'campaignEventRule', 'r'),
  ]
  expect(summaryOf(changes)).toBe('name a → b, added prize Hat, and 1 more change')
  expect(linesOf(changes)).toEqual([
    { label: 'name', from: 'a', to: 'b' },
    { label: 'prize: Hat', from: '', to: 'points 5, stock 3' },
    { label: 'event rule: points', from: '1', to: '2' },
  ])
})

test('nested settings are compared field by field', () => {
  const rules = (max: number) => ({ main: { count: 2, min: 1, max }, potBaseCents: 100 * max })
  expect(linesOf([change('rules', rules(9), rules(19), 'lottery')])).toEqual([
    { label: 'main numbers: max', from: '9', to: '19' },
    { label: 'pot at the start', from: '$9.00', to: '$19.00' },
  ])
})
