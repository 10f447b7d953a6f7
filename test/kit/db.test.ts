import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { playGames } from '../../src/games/play.ts'
import { afterCommit, inTransaction, retrying } from '../../src/kit/database/db.ts'
import { isUnavailable, Outage, sqlState } from '../../src/kit/database/outage.ts'
import { awardPoints } from '../../src/points/points.ts'
import { isBackground } from '../count-statements.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const times = <T>(count: number, run: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => run(i))

/** The fewest of three tries, because the key of the caller may be looked up again. */
const fewest = async (count: () => Promise<number>) =>
  Math.min(await count(), await count(), await count())

/** Counts the statements of an action that opens no transaction. */
const statementsOf = async (act: () => Promise<unknown>): Promise<number> => {
  const { pool } = world.server.database
  const { query, connect } = pool
  const call = (method: unknown, args: unknown[]) =>
    (method as (...args: unknown[]) => never).apply(pool, args)
  let count = 0
  pool.query = (...args: unknown[]) => {
    const [first] = args as [string | { text: string }]
    if (!isBackground(first)) count++
    return call(query, args)
  }
  pool.connect = (...args: unknown[]) => {
    // A query of a pool takes its connection with a callback, a transaction with a promise.
    if (args.length === 0) throw new Error('the statements of a transaction are not counted')
    return call(connect, args)
  }
  try {
    await act()
  } finally {
    pool.query = query
    pool.connect = connect
  }
  return count
}

describe('the number of statements', () => {
  it('is counted completely', async () => {
    const { db } = world.runtime
    expect(await statementsOf(() => Promise.all([db.partner.count(), db.play.count()]))).toBe(2)
    const transaction = () => db.$transaction((tx) => tx.partner.count())
    await expect(statementsOf(transaction)).rejects.toThrow('not counted')
  })

  it('does not grow with the awards of a batch', async () => {
    const award = (count: number, prefix: string) =>
      statementsOf(async () => {
        const awards = times(count, (i) => ({
          ...world.userKey(`${prefix}-${i % 30}`),
          eventType: 'signup',
          reference: `${prefix}-${i % 90}`,
        }))
        const results = await awardPoints(world.runtime, awards)
        expect(results.filter((result) => result instanceof Error).length).toBe(
          Math.max(0, count - 90),
        )
      })
    expect([await award(1, 'one'), await award(100, 'many')]).toEqual([1, 1])
  })

  it('does not grow with the plays of a batch', async () => {
    await awardPoints(
      world.runtime,
      times(300, (i) => ({ ...world.userKey(`p${i % 30}`), eventType: 'signup' })),
    )
    const play = (count: number) =>
      statementsOf(async () => {
        const games = ['NEON_WHEEL', 'COSMIC_SLOTS', 'ENIGMA_BOXES'] as const
        const plays = times(count, (i) => ({
          ...world.userKey(`p${i % 31}`),
          gameType: games[i % 3] as (typeof games)[number],
        }))
        await playGames(world.runtime, plays)
      })
    expect([await play(1), await play(100)]).toEqual([3, 3])
  })

  it.each(['users/reader/history', 'users/reader/plays', 'leaderboard'])(
    'does not grow with the items of %s',
    async (path) => {
      await awardPoints(
        world.runtime,
        times(100, () => ({ ...world.userKey('reader'), eventType: 'signup' })),
      )
      await playGames(
        world.runtime,
        times(60, () => ({ ...world.userKey('reader'), gameType: 'ENIGMA_BOXES' })),
      )
      const key = path.endsWith('history') ? world.keys.secret : world.keys.public
      const read = (limit: number) =>
        statementsOf(async () => {
          const { body } = await world.get(`/v1/${path}?limit=${limit}`, key)
          expect(body.data.length).toBeGreaterThanOrEqual(Math.min(limit, 30))
        })
      await read(1) // the key is looked up now, and then remembered
      const item = await fewest(() => read(1))
      expect(await fewest(() => read(100))).toBe(item)
    },
  )
})

describe('lists in a list', () => {
  it('are read in one batch, each with the same result as alone', async () => {
    await awardPoints(
      world.runtime,
      times(120, (i) => ({ ...world.userKey(`leader-${i % 20}`), eventType: 'signup' })),
    )
    await playGames(
      world.runtime,
      times(60, (i) => ({
        ...world.userKey(`leader-${i % 20}`),
        gameType: 'ENIGMA_BOXES',
      })),
    )
    const lists = `newest: plays(first: 1) { nodes { uuid } }
      plays(last: 2) { nodes { uuid } pageInfo { hasNextPage } }
      ledgerEntries(first: 4) { nodes { uuid balanceAfter } pageInfo { endCursor } }`
    const read = async (first: number) => {
      const query = `{ leaderboard(first: ${first}) { nodes { user { externalId ... on User { ${lists} } } } } }`
      const { body } = await world.graphql(query)
      return body.data.leaderboard.nodes.map(({ user }: { user: { externalId: string } }) => user)
    }
    await read(1)
    const item = await fewest(() => statementsOf(() => read(1)))
    expect(await fewest(() => statementsOf(() => read(20)))).toBe(item)
    for (const user of await read(20)) {
      const query = `query ($userId: String!) { user(by: { externalId: $userId }) { externalId ${lists} } }`
      expect((await world.graphql(query, { userId: user.externalId })).body.data).toEqual({ user })
    }
  })
})

describe('errors of the database', () => {
  it.each([
    ['SELECT 1 / 0', '22012'],
    ['SELECT * FROM nowhere', '42P01'],
    ["SELECT 'x'::int", '22P02'],
    ['UPDATE partner SET name = NULL', '23502'],
  ])('%s has its SQLSTATE', async (statement, state) => {
    const error = await world.runtime.db.$queryRawUnsafe(statement).catch((error) => error)
    expect(sqlState(error)).toBe(state)
    expect(isUnavailable(error)).toBe(false)
  })

  it('a taken unique key has its SQLSTATE, through Prisma and through raw statements', async () => {
    const partner = { id: world.partner.partnerId, slug: 'again', name: 'again' }
    const error = await world.runtime.db.partner.create({ data: partner }).catch((error) => error)
    expect(sqlState(error)).toBe('23505')
  })

  it('other errors have none', () => {
    for (const error of [new Error('no'), null, undefined, 'text', {}])
      expect([sqlState(error), isUnavailable(error)]).toEqual([undefined, false])
    expect(isUnavailable(new Outage('unknown', 'Connection terminated'))).toBe(true)
    expect(isUnavailable({ code: 'P2024' })).toBe(true)
    expect(isUnavailable({ cause: { originalCode: '57P01' } })).toBe(true)
  })
})

describe('a transaction aborted by concurrent ones', () => {
  const refusal = (originalCode: string) => Object.assign(new Error(), { cause: { originalCode } })
  const failing = (times: number, error: Error) => {
    let runs = 0
    const run = async () => {
      if (runs++ < times) throw error
      return runs
    }
    return { run, runs: () => runs }
  }

  it.each(['40001', '40P01', '23505'])('with %s is retried, up to five attempts', async (state) => {
    expect(await retrying(failing(4, refusal(state)).run)).toBe(5)
    const hopeless = failing(9, refusal(state))
    await expect(retrying(hopeless.run)).rejects.toMatchObject({ cause: { originalCode: state } })
    expect(hopeless.runs()).toBe(5)
  })

  it.each(['40001', '40P01'])('with %s starts again, as a whole', async (state) => {
    const abort = `DO $$ BEGIN RAISE EXCEPTION 'aborted' USING ERRCODE = '${state}'; END $$`
    const tries = { outer: 0, inner: 0, effects: 0 }
    const run = (failures: number) =>
      inTransaction(world.runtime, (outer) => {
        tries.outer++
        return inTransaction(outer, async ({ tx }) => {
          afterCommit(tx, () => tries.effects++)
          if (tries.inner++ < failures) await tx.$executeRawUnsafe(abort)
        })
      })
    await run(4)
    expect(tries).toEqual({ outer: 5, inner: 5, effects: 1 })
    Object.assign(tries, { outer: 0, inner: 0, effects: 0 })
    // A batch does not multiply the attempts.
    await expect(retrying(() => run(9))).rejects.toThrow()
    expect(tries).toEqual({ outer: 5, inner: 5, effects: 0 })
  })

  it('is not retried for any other reason', async () => {
    for (const error of [refusal('23514'), refusal('57P01'), new Error('Connection terminated')]) {
      const { run, runs } = failing(1, error)
      await expect(retrying(run)).rejects.toBe(error)
      expect(runs()).toBe(1)
    }
  })
})

describe('an effect', () => {
  const effects: string[] = []

  it('waits for the commit of the outermost transaction', async () => {
    await inTransaction(world.runtime, async (outer) => {
      await inTransaction(outer, async ({ tx }) => afterCommit(tx, () => effects.push('done')))
      expect(effects).toEqual([])
    })
    expect(effects.splice(0)).toEqual(['done'])
  })

  it('does not happen if the transaction is rolled back', async () => {
    const undone = inTransaction(world.runtime, async ({ tx }) => {
      afterCommit(tx, () => effects.push('never'))
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect(effects).toEqual([])
  })

  it('happens at once without a transaction', () => {
    afterCommit(world.runtime.db, () => effects.push('now'))
    expect(effects).toEqual(['now'])
  })
})
