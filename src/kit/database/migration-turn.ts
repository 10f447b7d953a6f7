/** Lets one node at a time migrate a database, with one transaction per migration. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { EmbeddedPool } from '../embedded/embedded-pool.ts'
import type { Migration } from './migration-state.ts'
import { isUnavailable } from './outage.ts'

/** An arbitrary number that no other program on the same database uses. */
const lockId = 8_351_771_002
/** A waiting table change blocks all later users of the table, so it must not wait longer than this. */
const lockTimeoutMs = 2_000

/** Settings of the connection that migrates. The server cancels a statement by itself if its client is gone. */
export const sessionLimits = (
  scope: 'LOCAL' | 'SESSION',
) => `SET ${scope} lock_timeout = ${lockTimeoutMs};
  SET ${scope} statement_timeout = 0; SET ${scope} idle_in_transaction_session_timeout = 0;
  SET ${scope} client_connection_check_interval = 1000`

/** Runs a transaction while no other node migrates this database. Undefined if another node does. */
export const inMigrationTurn = async <T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T | undefined> => {
  const client = await pool.connect()
  let isLost = false
  try {
    await client.query('BEGIN')
    const turn = 'SELECT pg_try_advisory_xact_lock($1) AS mine'
    const isMine = (await client.query({ text: turn, values: [lockId] })).rows[0].mine
    if (isMine && !(pool instanceof EmbeddedPool)) await client.query(sessionLimits('LOCAL'))
    const result = isMine ? await run(client) : undefined
    await client.query('COMMIT')
    return result
  } catch (error) {
    isLost = isUnavailable(error)
    if (!isLost) await client.query('ROLLBACK').catch(() => (isLost = true))
    throw error
  } finally {
    client.release(isLost)
  }
}

/** Runs statements on a connection. When the signal is aborted, the database cancels the current one. */
export const cancellable = async <T>(
  pool: pg.Pool,
  client: pg.PoolClient,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> => {
  if (!signal || pool instanceof EmbeddedPool) return run()
  const [{ pid }] = (await client.query({ text: 'SELECT pg_backend_pid() AS pid' })).rows
  const cancel = () =>
    void pool.query({ text: 'SELECT pg_cancel_backend($1)', values: [pid] }).catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    return await run()
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Records that a migration is applied, as Prisma does. */
export const recordApplied = async (
  client: pg.ClientBase,
  { name, sql }: Migration,
  startedAt: Date,
) => {
  const checksum = createHash('sha256').update(sql).digest('hex')
  await client.query({
    text: `INSERT INTO _prisma_migrations
        (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
      VALUES (gen_random_uuid(), $1, $2, $3, clock_timestamp(), 1)`,
    values: [checksum, name, startedAt.toISOString()],
  })
}
