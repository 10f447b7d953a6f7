/**
 * Users that a transaction could not lock. The embedded database runs one transaction at a time. Neighbours that were
 * looked for: both functions that lock users by their names.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseUser } from '../../src/journeys/erasure.ts'
import { inTransaction, retrying } from '../../src/kit/database/db.ts'
import type { UserId } from '../../src/kit/user-id.ts'
import { awardPoints } from '../../src/points/points.ts'
import { findUsers, lockOrMakeSome, lockUsers, lockUsersById } from '../../src/users/end-user.ts'
import { createWorld, onPostgres, type World } from '../world.ts'

describe.runIf(onPostgres)('a user who was missing when a transaction locked its users', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world?.end())

  it.each(['lockUsers', 'lockOrMakeSome'] as const)(
    'is not found by it after %s, because nobody else would wait',
    async (way) => {
      const [known, late] = [world.userKey(`known-${way}`), world.userKey(`late-${way}`)]
      await world.givePoints(known.externalId, 1)
      await inTransaction(world.runtime, async (work) => {
        if (way === 'lockUsers') await lockUsers(work, [known, late])
        else
          await lockOrMakeSome(
            work,
            [known, late].map((key) => ({ ...key, isMade: false })),
          )
        // As after an erasure, when the id gets a new user.
        await world.givePoints(late.externalId, 1)
        expect((await findUsers(work, [known, late])).map((user) => user?.externalId)).toEqual([
          known.externalId,
          undefined,
        ])
      })
      expect(await findUsers(world.runtime, [late])).toMatchObject([late])
    },
  )
})

describe.runIf(onPostgres)('users whom a transaction locks by their ids', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld({ isAlone: true })
  })
  afterAll(() => world?.end())

  it('are waited for in no circle with a statement from before an erasure', async () => {
    const { runtime, server } = world
    const [max, zoe] = [world.userKey('max'), world.userKey('zoe')]
    for (const { externalId } of [max, zoe]) await world.givePoints(externalId, 1)
    const ids = (await findUsers(runtime, [max, zoe])).map((user) => user?.id as UserId)
    const waiting = async () => {
      const { rows } = await server.database.pool.query({
        text: `SELECT count(*)::int AS n FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      })
      return rows[0].n
    }
    const holder = await server.database.pool.connect()
    try {
      await holder.query({ text: 'BEGIN' })
      await holder.query({
        text: 'SELECT FROM end_user WHERE id = $1 FOR NO KEY UPDATE',
        values: [ids[0]],
      })
      // It sees zoe under the old name, behind max.
      const awards = [max, zoe].map((user) => ({ ...user, eventType: 'signup' }))
      const awarded = retrying(() => awardPoints(runtime, awards))
      await expect.poll(waiting).toBe(1)
      await eraseUser(runtime, zoe)
      const locked = inTransaction(runtime, (work) => lockUsersById(work, ids))
      await expect.poll(waiting).toBe(2)
      await holder.query({ text: 'COMMIT' })
      expect((await locked).size).toBe(2)
      expect((await awarded).filter((item) => item instanceof Error)).toEqual([])
    } finally {
      holder.release()
    }
    const { rows } = await server.database.pool.query({
      text: 'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()',
    })
    expect(rows[0].n).toBe(0)
  })

  it('aborts and begins again while somebody else has locked an erased one', async () => {
    const { runtime, server } = world
    const [ada, yan] = [world.userKey('ada'), world.userKey('yan')]
    for (const { externalId } of [ada, yan]) await world.givePoints(externalId, 1)
    const ids = (await findUsers(runtime, [ada, yan])).map((user) => user?.id as UserId)
    await eraseUser(runtime, yan)
    const holder = await server.database.pool.connect()
    try {
      await holder.query({ text: 'BEGIN' })
      await holder.query({
        text: 'SELECT FROM end_user WHERE id = $1 FOR NO KEY UPDATE',
        values: [ids[1]],
      })
      let attempts = 0
      const locked = inTransaction(runtime, (work) => {
        attempts++
        return lockUsersById(work, ids)
      })
      await expect.poll(() => attempts, { timeout: 5000 }).toBe(2)
      await holder.query({ text: 'COMMIT' })
      expect((await locked).size).toBe(2)
    } finally {
      holder.release()
    }
  })
})
