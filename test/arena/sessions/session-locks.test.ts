/**
 * Operations that lock the same game or the same wallets in turns. The embedded database runs one transaction at a
 * time. Neighbours that were looked for: all calls of several rows (test/kit/lock-order.test.ts), and everything that
 * moves points (test/survival/money-load.test.ts).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArenaSessions } from '../../../src/arena/sessions/opening.ts'
import { reportArenaResults } from '../../../src/arena/sessions/result.ts'
import { leaveArenaSessions } from '../../../src/arena/sessions/seat.ts'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { inTransaction } from '../../../src/kit/database/db.ts'
import { lockUsers, type UserKey } from '../../../src/users/end-user.ts'
import { countDeadlocks } from '../../postgres.ts'
import {
  createDatabase,
  createWorld,
  onPostgres,
  type TestDatabase,
  type World,
} from '../../world.ts'
import { createArena } from '../arena-world.ts'

describe.runIf(onPostgres)('sessions of one game', () => {
  let database: TestDatabase
  let world: World
  let arena: Awaited<ReturnType<typeof createArena>>
  beforeAll(async () => {
    database = await createDatabase()
    world = await createWorld({ database })
    arena = await createArena(world)
  })
  afterAll(async () => {
    expect(await audit(world.server.database.pool)).toBe(0)
    await world.end()
    expect(await countDeadlocks(database.databaseUrl as string)).toBe(0)
    await database.drop()
  })

  const countWaiting = async () => {
    const { rows } = await world.server.database.pool.query({
      text: `SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    })
    return rows[0].waiting
  }

  /** Starts calls that need the wallet of a user, one after the other, and lets them go on in this order. */
  const inTurns = async (
    user: UserKey,
    calls: (() => Promise<unknown[]>)[],
  ): Promise<unknown[]> => {
    const { started } = await inTransaction(world.runtime, async (work) => {
      await lockUsers(work, [user])
      const started: Promise<unknown[]>[] = []
      for (const call of calls) {
        started.push(call())
        await expect.poll(countWaiting).toBe(started.length)
      }
      // In an object, so that the transaction does not wait for it.
      return { started }
    })
    return (await Promise.all(started)).flat()
  }

  it.each(['a result', 'a player who leaves'] as const)(
    '%s and a new session go on',
    async (what) => {
      const { runtime } = world
      const maxPlayers = what === 'a result' ? 2 : 3
      const game = await arena.publish({ entryFee: 10, minPlayers: 2, maxPlayers })
      const { sessionId, seats } = await arena.play(game.id)
      const [{ userId, playerId: winnerId, sessionToken: token }] = seats as [
        (typeof seats)[number],
      ]
      const user = world.userKey(userId, { ...world.tenant, environment: 'LIVE' })
      const first =
        what === 'a result'
          ? () => reportArenaResults(runtime, [{ sessionId, winnerId, token }])
          : () => leaveArenaSessions(runtime, [{ ...user, sessionId }])
      const results = await inTurns(user, [
        first,
        () => createArenaSessions(runtime, [{ ...user, gameId: game.id }]),
      ])
      expect(results.filter((result) => result instanceof Error)).toEqual([])
    },
  )
})
