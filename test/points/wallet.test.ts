import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import type { ExternalId } from '../../src/kit/user-id.ts'
import { type Moved, type Movement, movePoints } from '../../src/points/wallet.ts'
import { findUsers, makeUsers } from '../../src/users/end-user.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const move = (externalId: ExternalId, points: number, eventType = 'test'): Movement => ({
  ...world.tenant,
  externalId,
  points,
  eventType,
  account: 'test:1',
  sourceId: '1',
})

const createUser = async () => {
  const user = world.userKey(randomUUID())
  await makeUsers(world.runtime, [user])
  return user.externalId
}

const read = async (externalId: ExternalId) =>
  (await findUsers(world.runtime, [{ ...world.tenant, externalId }]))[0]

test('movements apply in order; one that is too large is refused alone', async () => {
  const [ann, ben] = [await createUser(), await createUser()]
  const results = await movePoints(world.runtime, [
    move(ann, 100),
    move(ann, -70),
    move(ann, -31),
    move(ben, -1),
    move(ann, -30),
    move(world.userKey('nobody').externalId, 5),
  ])
  expect(results.map((r) => (r instanceof Error ? r.code : r.userBalance))).toEqual([
    100,
    30,
    'INSUFFICIENT_POINTS',
    'INSUFFICIENT_POINTS',
    0,
    'USER_NOT_FOUND',
  ])
  expect(await read(ann)).toMatchObject({ balance: 0n, lifetimePoints: 100n, entries: 3 })
  expect(await read(ben)).toMatchObject({ balance: 0n, entries: 0 })
})

test('a refund does not count as earned', async () => {
  const ann = await createUser()
  await movePoints(world.runtime, [move(ann, 10), move(ann, -10)])
  await movePoints(world.runtime, [move(ann, 10, 'session_refund')])
  expect(await read(ann)).toMatchObject({ balance: 10n, lifetimePoints: 10n, score: 10n })
})

test('a hundred concurrent payments spend no more than the balance', async () => {
  const ann = await createUser()
  await movePoints(world.runtime, [move(ann, 10)])
  const results = await Promise.all(
    Array.from({ length: 100 }, () => movePoints(world.runtime, [move(ann, -1)])),
  )
  expect(results.filter(([r]) => (r as Moved).ledgerId)).toHaveLength(10)
  expect(await read(ann)).toMatchObject({ balance: 0n })
  expect(await audit(world.server.database.pool)).toBe(0)
})
