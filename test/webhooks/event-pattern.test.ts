import { afterAll, beforeAll, expect, test } from 'vitest'
import { wantedTypes } from '../../src/webhooks/event-pattern.ts'
import { eventTypes } from '../../src/webhooks/webhook.events.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

test('a pattern means the same events in the feed and in deliveries', async () => {
  const rows = await world.runtime.db.$queryRaw<{ type: string; patterns: string[] }[]>`
    SELECT type, event_patterns(type) AS patterns FROM unnest(${eventTypes}::text[]) AS type`
  expect(rows).toHaveLength(eventTypes.length)
  for (const pattern of new Set(rows.flatMap(({ patterns }) => patterns))) {
    const delivered = rows.filter(({ patterns }) => patterns.includes(pattern))
    const inFeed = wantedTypes('types', [pattern]) ?? [...eventTypes]
    expect(inFeed.sort()).toEqual(delivered.map(({ type }) => type).sort())
  }
})
