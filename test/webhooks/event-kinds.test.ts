import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listEventKinds } from '../../src/core/events.ts'
import { eventTypes } from '../../src/webhooks/webhook.events.ts'

test('partners can subscribe to every type of event except `test`', async () => {
  for (const file of globSync('src/**/*.events.ts'))
    await import(/* @vite-ignore */ `../../${file}`)
  const names = listEventKinds().map(({ type }) => type)
  expect(eventTypes.length).toBeGreaterThan(10)
  expect(names.toSorted()).toEqual([...eventTypes, 'test'].toSorted())
})

test.each(listEventKinds())('the example of $type matches its schema', (kind) => {
  expect(kind.data.parse(kind.example)).toEqual(kind.example)
  const text = JSON.stringify(kind.data.shape)
  // Who names a user says that it is personal.
  for (const key of ['userId', 'externalUserId', 'email', 'referrerId', 'refereeId'])
    expect(kind.personal.includes(key), `${kind.type}: ${key}`).toBe(text.includes(`"${key}"`))
})
