/**
 * Detects the mode of a pooler in front of PostgreSQL. In transaction mode each transaction may run on another
 * connection, so LISTEN does not work, and only some poolers support prepared statements.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type pg from 'pg'

/** A problem that prevents the start. The message is one sentence that says how to solve it. */
export class PoolerError extends Error {}

/**
 * Two clients take turns irregularly, which also detects a pooler that assigns its connections in order. There are many
 * turns, because a busy pooler may give each of two clients its own connection for a while.
 */
const turns = [0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0] as const

/** `session`: everything. `names`: only prepared statements. `nothing`: not even those. */
type Kept = 'session' | 'names' | 'nothing'

type Row = { pid: number; isNamedSo: boolean }

/** What connections of a pool keep of a session between transactions. */
export const findSessionState = async (pool: pg.Pool): Promise<Kept> => {
  const name = `tessera_${randomUUID()}`
  const statement = {
    name,
    text: `SELECT pg_backend_pid() AS pid,
      EXISTS (SELECT FROM pg_prepared_statements WHERE name = '${name}') AS "isNamedSo"`,
  }
  const clients: pg.PoolClient[] = []
  const [pids, pairs] = [new Set<number>(), new Set<string>()]
  let isRenamed = false
  let kept: Kept = 'nothing'
  try {
    for (const _ of [0, 1]) clients.push(await pool.connect())
    for (const turn of turns) {
      const { rows } = await (clients[turn] as pg.PoolClient).query<Row>(statement)
      const { pid, isNamedSo } = rows[0] as Row
      // A pooler that preserves names gives each connection names of its own.
      isRenamed ||= !isNamedSo
      pids.add(pid)
      pairs.add(`${turn} ${pid}`)
    }
    if (pids.size === 2 && pairs.size === 2) kept = 'session'
    else if (isRenamed) kept = 'names'
  } catch (error) {
    // The other client has taken the name (42P05), or this connection does not know it (26000).
    if (!['42P05', '26000'].includes((error as { code?: string }).code ?? '')) throw error
  } finally {
    for (const client of clients) client.release(kept !== 'session')
  }
  return kept
}

const notificationTimeoutMs = 3_000

/** Whether a connection of one pool receives notifications sent through the other. */
const receivesNotifications = async (direct: pg.Pool, pool: pg.Pool): Promise<boolean> => {
  const channel = `tessera_${randomUUID().replaceAll('-', '')}`
  const listener = await direct.connect()
  try {
    await listener.query(`LISTEN ${channel}`)
    const received = once(listener, 'notification', {
      signal: AbortSignal.timeout(notificationTimeoutMs),
    })
    const sent = pool.query({ text: 'SELECT pg_notify($1, $2)', values: [channel, ''] })
    await Promise.all([sent, received])
    return true
  } catch (error) {
    if ((error as Error).name === 'AbortError') return false
    throw error
  } finally {
    listener.release(true)
  }
}

/**
 * Finds out whether the first pool supports prepared statements. The second pool, which may be the same, must keep
 * sessions.
 * @throws PoolerError when notifications or migrations would not work
 */
export const checkPooler = async (
  pool: pg.Pool,
  direct: pg.Pool,
): Promise<{ keepsNames: boolean }> => {
  const kept = await findSessionState(pool)
  if (direct === pool && kept !== 'session')
    throw new PoolerError(
      'DATABASE_URL leads to a pooler in transaction mode, which supports neither notifications nor migrations: set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
    )
  if (direct !== pool && !(await receivesNotifications(direct, pool)))
    throw new PoolerError(
      'DATABASE_DIRECT_URL does not receive the notifications of DATABASE_URL: it must be the address of PostgreSQL itself, without a pooler in transaction mode, and lead to the same database.',
    )
  return { keepsNames: kept !== 'nothing' }
}
