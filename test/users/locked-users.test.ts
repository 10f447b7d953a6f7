/**
 * Users that a transaction could not lock. The embedded database runs one transaction at a time. Neighbours that were
 * looked for: both functions that lock users by their names.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/kit/database/db.ts'
import { findUsers, lockOrMakeSome, lockUsers } from '../../src/users/end-user.ts'
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
