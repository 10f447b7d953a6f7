import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import {
  type Attempt,
  type ClaimedDelivery,
  claimDeliveries,
  createAttemptWriter,
} from '../../src/webhooks/delivery.ts'
import { createWorld, type World } from '../world.ts'
import { storeEndpoint } from './stored.ts'

let world: World
let endpointId: string
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  const { db } = world.runtime
  await db.webhookEndpoint.updateMany({ data: { status: 'DISABLED' } })
  endpointId = await storeEndpoint(world, { ...world.tenant, url: 'https://8.8.8.8/' })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const claim = () => claimDeliveries(world.runtime, { room: 100, failingRoom: 100, busy: new Map() })

const record = (...attempts: Attempt[]) =>
  createAttemptWriter(world.runtime.config)(world.runtime, attempts)

const attempt = (delivery: ClaimedDelivery, responseStatus: number): Attempt => ({
  delivery,
  startedAt: new Date(),
  durationMs: 5,
  responseStatus,
  retryAfterSeconds: null,
  responseBody: `said ${responseStatus}`,
  error: null,
})

/** An event, claimed by one attempt; then sent again by hand while that is under way, and claimed again. */
const claimTwice = async () => {
  await world.givePoints('ann', 1)
  const [first] = (await claim()) as [ClaimedDelivery]
  await world.post(`/v1/webhooks/deliveries/${first.id}/retry`, world.keys.secret)
  const [second] = (await claim()) as [ClaimedDelivery]
  expect(second.id).toBe(first.id)
  return { first, second }
}

const shown = async ({ id }: ClaimedDelivery) => {
  const { body } = await world.get(`/v1/webhooks/deliveries/${id}`, world.keys.secret)
  const { status, attempts, attemptLog } = body.data
  const log = attemptLog.map(({ number, responseStatus }: Record<string, number>) => [
    number,
    responseStatus,
  ])
  return { status, attempts, log }
}

test('two attempts of one delivery at the same time are both recorded, and the success counts', async () => {
  for (const [early, late] of [
    [500, 200],
    [200, 500],
  ] as const) {
    const { first, second } = await claimTwice()
    await record(attempt(first, early))
    await record(attempt(second, late))
    expect(await shown(first)).toEqual({
      status: 'DELIVERED',
      attempts: 2,
      log: [
        [2, late],
        [1, early],
      ],
    })
  }
})

test('they are both recorded when one statement writes them', async () => {
  for (const [early, late] of [
    [500, 200],
    [200, 500],
  ] as const) {
    const { first, second } = await claimTwice()
    await record(attempt(first, early), attempt(second, late))
    const { status, attempts, log } = await shown(first)
    expect([status, attempts]).toEqual(['DELIVERED', 2])
    expect(log.map(([number]: number[]) => number)).toEqual([2, 1])
    expect(log.map(([, status]: number[]) => status).sort()).toEqual([200, 500])
  }
})

test('a success after the delivery was given up counts', async () => {
  const { first, second } = await claimTwice()
  await record(attempt({ ...first, tries: 9 }, 500))
  expect(await shown(first)).toMatchObject({ status: 'FAILED', attempts: 1 })
  await record(attempt(second, 200))
  expect(await shown(first)).toMatchObject({ status: 'DELIVERED', attempts: 2 })
})

test('a failure after the success changes only the log', async () => {
  const { first, second } = await claimTwice()
  await record(attempt(second, 200))
  const before = await world.runtime.db.webhookDelivery.findUniqueOrThrow({
    where: { id: first.id },
  })
  await record(attempt(first, 503))
  const after = await world.runtime.db.webhookDelivery.findUniqueOrThrow({
    where: { id: first.id },
  })
  expect(after).toEqual({ ...before, attempts: 2 })
})

test('an attempt of a deleted delivery does not affect other attempts', async () => {
  await world.givePoints('ann', 3)
  const [gone, ...others] = (await claim()) as [ClaimedDelivery, ...ClaimedDelivery[]]
  expect(others).toHaveLength(2)
  await world.runtime.db.webhookDelivery.delete({ where: { id: gone.id } })
  await record(...[gone, ...others].map((delivery) => attempt(delivery, 200)))
  for (const delivery of others)
    expect(await shown(delivery)).toMatchObject({ status: 'DELIVERED', attempts: 1 })
  expect(
    await world.runtime.db.webhookDelivery.count({ where: { endpointId, status: 'DELIVERED' } }),
  ).toBe(2)
})
