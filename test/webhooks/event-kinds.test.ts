import { globSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listEventKinds } from '../../src/kit/streams/events.ts'
import { eventTypes } from '../../src/webhooks/webhook.events.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

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
  // A field that names a user must be listed as personal.
  for (const key of ['userId', 'externalUserId', 'email', 'referrerId', 'refereeId'])
    expect(kind.personal.includes(key), `${kind.type}: ${key}`).toBe(text.includes(`"${key}"`))
})

test('the kinds that the API lists, and their groups, are those that an endpoint takes', async () => {
  const { body } = await world.graphql('{ eventKinds { type name group description } }')
  const kinds: Record<'type' | 'name' | 'group' | 'description', string>[] = body.data.eventKinds
  expect(kinds.map(({ name }) => name)).toEqual(eventTypes)
  for (const { type, name, group, description } of kinds) {
    expect(type).toBe(name.replace('.', '_').toUpperCase())
    expect(name.startsWith(group.replace('*', ''))).toBe(true)
    expect(description).not.toBe('')
  }
  const events = [...new Set(kinds.flatMap(({ name, group }) => [group, name]))]
  const made = await world.graphql(
    `mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) {
      ... on CreateWebhookEndpointPayload { webhookEndpoint { eventNames } } } }`,
    { input: { url: 'https://8.8.8.8/hook', eventNames: events } },
  )
  expect(made.body.data.createWebhookEndpoint.webhookEndpoint.eventNames).toEqual(events)
})
