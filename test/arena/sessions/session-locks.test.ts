/** Operations that lock the same game or the same wallets in turns. The embedded database runs one transaction at a time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../src/core/db/db.ts'
import { lockUsers } from '../../../src/users/end-user.ts'
import { audit } from '../../../tools/invariants.ts'
import { countDeadlocks } from '../../postgres.ts'
import {
  type Answer,
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
  const inTurns = (userId: string, calls: (() => Promise<Answer>)[]): Promise<Answer[]> =>
    inTransaction(world.runtime, async (work) => {
      const tenant = { partnerId: world.partner.partnerId, environment: 'LIVE' } as const
      await lockUsers(work, [world.userKey(userId, tenant)])
      const answers: Promise<Answer>[] = []
      for (const call of calls) {
        answers.push(call())
        await expect.poll(countWaiting).toBe(answers.length)
      }
      // In an object, so that the transaction does not wait for it.
      return { answers }
    }).then(({ answers }) => Promise.all(answers))

  it.each(['a result', 'a player who leaves'] as const)(
    '%s and a new session go on',
    async (what) => {
      const game = await arena.publish({
        entryFee: 10,
        minPlayers: 2,
        maxPlayers: what === 'a result' ? 2 : 3,
      })
      const { sessionId, seats } = await arena.play(game.id)
      const [{ userId, playerId, sessionToken }] = seats as [(typeof seats)[number]]
      const first =
        what === 'a result'
          ? () => arena.report(sessionId, { winnerId: playerId }, sessionToken)
          : () => arena.leave(sessionId, userId)
      const path = `/v1/arena/games/${game.id}/sessions`
      const answers = await inTurns(userId, [
        first,
        () => world.post(path, world.partner.live.secret, { userId }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    },
  )
})
