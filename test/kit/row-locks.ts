/** Rows that somebody else holds, to find in which order a call takes its locks. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect } from 'vitest'
import { awardPoints } from '../../src/points/points.ts'
import type { World } from '../world.ts'
import { good } from './stage.ts'

export type Row = { table: string; column?: string; id: string }
export type Case = {
  /** The row that is held, or a user who is being created. */
  first: Row | { newUser: string }
  last: Row
  call(): Promise<unknown>
}

export const lockedRows = (world: World) => {
  const query = (text: string, values: unknown[] = []) =>
    world.server.database.pool.query({ text, values })

  /** Writes a row anew, behind those that were written before. */
  const moveToEnd = async ({ table, column = 'id', id }: Row) => {
    await query(`UPDATE ${table} SET ${column} = ${column} WHERE ${column} = $1`, [id])
  }

  const hold = async (client: pg.Client, first: Case['first']) => {
    await client.query('BEGIN')
    if ('newUser' in first) {
      const { partnerId, environment } = world.tenant
      return client.query(
        `INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at, created_at)
          VALUES ($1, $2, $3, $4, now(), now())`,
        [randomUUID(), partnerId, environment, first.newUser],
      )
    }
    const { table, column = 'id', id } = first
    return client.query(`SELECT FROM ${table} WHERE ${column} = $1 FOR NO KEY UPDATE`, [id])
  }

  /** Calls while somebody else holds the first row. Returns whether the last one is free meanwhile. */
  const isLastFree = async ({ first, last, call }: Case): Promise<boolean> => {
    const client = new pg.Client(world.server.database.pool.options.connectionString)
    await client.connect()
    try {
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
      await hold(client, first)
      const called = call()
      // So that a call that does not wait fails the test, not the process.
      called.catch(() => {})
      const waiting = 'SELECT FROM pg_stat_activity WHERE $1::int = ANY (pg_blocking_pids(pid))'
      await expect.poll(async () => (await query(waiting, [rows[0].pid])).rowCount).toBe(1)
      const { table, column = 'id', id } = last
      const text = `SELECT FROM ${table} WHERE ${column} = $1 FOR NO KEY UPDATE SKIP LOCKED`
      const { rowCount } = await query(text, [id])
      await client.query('ROLLBACK')
      await called
      return rowCount === 1
    } finally {
      await client.end()
    }
  }

  /** Two rows, by their ids, the second of which was written first. */
  const twoOf = async (table: string, ids: string[]): Promise<[Row, Row]> => {
    const [first = '', last = ''] = ids.toSorted()
    await moveToEnd({ table, id: first })
    return [
      { table, id: first },
      { table, id: last },
    ]
  }

  let count = 0
  /** Users of the partner, with points. Their names are in the order of the letters. */
  const usersNamed = async (...letters: string[]) => {
    const prefix = `order-${++count}`
    const keyOf = (letter: string) => world.userKey(`${prefix}-${letter}`)
    const rows: Record<string, Row> = {}
    // The last is written first.
    for (const letter of letters.toReversed()) {
      const key = keyOf(letter)
      good(await awardPoints(world.runtime, [{ ...key, eventType: 'signup' }]))
      const { id } = await world.runtime.db.endUser.findFirstOrThrow({ where: key })
      rows[letter] = { table: 'end_user', id }
    }
    return { keyOf, rowOf: (letter: string) => rows[letter] as Row }
  }

  return { query, isLastFree, moveToEnd, twoOf, usersNamed }
}
