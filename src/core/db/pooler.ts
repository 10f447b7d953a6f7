/**
 * What a pooler in front of PostgreSQL leaves of a session. In transaction mode each transaction may run on
 * another connection: nobody hears news there, and only some poolers keep prepared statements apart.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type pg from 'pg'

/** A reason not to start, in one sentence with what mends it. */
export class PoolerError extends Error {}

/** Two clients take turns, irregularly, so that a pooler that hands out its connections in order is found, too. */
const turns = [0, 0, 1, 0, 1, 1, 0, 0, 1] as const

/** `session`: all of it. `names`: statements keep their names. `nothing`: not even those. */
type Kept = 'session' | 'names' | 'nothing'

/** What two connections of a pool keep of a session. */
export const findKept = async (pool: pg.Pool): Promise<Kept> => {
  const statement = { name: `tessera_${randomUUID()}`, text: 'SELECT pg_backend_pid() AS pid' }
  const clients: pg.PoolClient[] = []
  const [pids, pairs] = [new Set<number>(), new Set<string>()]
  let kept: Kept = 'nothing'
  try {
    for (const _ of [0, 1]) clients.push(await pool.connect())
    for (const turn of turns) {
      const { rows } = await (clients[turn] as pg.PoolClient).query<{ pid: number }>(statement)
      const pid = rows[0]?.pid as number
      pids.add(pid)
      pairs.add(`${turn} ${pid}`)
    }
    kept = pids.size === 2 && pairs.size === 2 ? 'session' : 'names'
  } catch (error) {
    // The name is taken by the other client (42P05), or not known on this connection (26000).
    if (!['42P05', '26000'].includes((error as { code?: string }).code ?? '')) throw error
  } finally {
    for (const client of clients) client.release(kept !== 'session')
  }
  return kept
}

const longestNewsMs = 3_000

/** Whether a connection of one pool hears what is told through the other. */
const hears = async (direct: pg.Pool, pool: pg.Pool): Promise<boolean> => {
  const channel = `tessera_${randomUUID().replaceAll('-', '')}`
  const listener = await direct.connect()
  try {
    await listener.query(`LISTEN ${channel}`)
    const heard = once(listener, 'notification', { signal: AbortSignal.timeout(longestNewsMs) })
    const told = pool.query({ text: 'SELECT pg_notify($1, $2)', values: [channel, ''] })
    await Promise.all([told, heard])
    return true
  } catch (error) {
    if ((error as Error).name === 'AbortError') return false
    throw error
  } finally {
    listener.release(true)
  }
}

/**
 * Finds out whether statements may have names in the first pool. The second is where sessions must be kept;
 * it may be the same.
 * @throws PoolerError when news cannot be heard and migrations cannot be made
 */
export const checkPooler = async (
  pool: pg.Pool,
  direct: pg.Pool,
): Promise<{ keepsNames: boolean }> => {
  const kept = await findKept(pool)
  if (direct === pool && kept !== 'session')
    throw new PoolerError(
      'DATABASE_URL leads to a pooler in transaction mode, through which a node hears no news and cannot migrate: set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
    )
  if (direct !== pool && !(await hears(direct, pool)))
    throw new PoolerError(
      'DATABASE_DIRECT_URL does not hear what DATABASE_URL is told: it must be the address of PostgreSQL itself, with no pooler in transaction mode between, and of the same database.',
    )
  return { keepsNames: kept !== 'nothing' }
}
