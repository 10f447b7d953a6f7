/** Answers when a statement fails for a reason other than an outage. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
const root = '/v1/user-journeys'

beforeAll(async () => {
  world = await createWorld()
  await world.post(`${root}/users`, world.keys.public, { externalId: 'anna' })
  expect((await world.get(`${root}/users/anna/timeline`, world.keys.public)).status).toBe(200)
  await world.runtime.db.$executeRawUnsafe('drop schema public cascade')
})
afterAll(async () => {
  await world.end().catch(() => {})
  await world.database.drop()
})

const event = { externalId: 'anna', category: 'CUSTOM', eventType: 'x' }

it.each([
  ['POST', `${root}/users`, { externalId: 'anna' }, 'Failed to track user'],
  ['POST', `${root}/events`, event, 'Failed to track event'],
  ['GET', `${root}/users/anna/timeline`, undefined, 'Failed to fetch timeline'],
])('%s %s is 500 with its message', async (method, path, body, message) => {
  const answer = await world.call(method, path, { key: world.keys.public, body })
  expect(answer.status).toBe(500)
  expect(answer.body).toMatchObject({ message, code: 500, status: 'error' })
})

it('a fault in the lookup of the key is answered the same; an invalid body is still a client error', async () => {
  const unknown = world.keys.public.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
  const answer = await world.post(`${root}/events`, unknown, event)
  expect([answer.status, answer.body.message]).toEqual([500, 'Failed to track event'])
  const { status, body } = await world.post(`${root}/events`, world.keys.public, {})
  expect([status, body.message]).toEqual([400, 'Invalid request body'])
  expect((await world.post(`${root}/events`, undefined, event)).status).toBe(401)
})

it('a list of events gets one answer, because its outcome is unknown', async () => {
  const { status } = await world.post(`${root}/track`, world.keys.public, { events: [event] })
  expect(status).toBeGreaterThanOrEqual(500)
})
