/** A database is migrated by one node at a time, and each migration is one transaction. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { EmbeddedPool } from './embedded-db.ts'
import type { Migration } from './migration-state.ts'
import { isUnavailable } from './outage.ts'

/** Any number that no other program on the same database takes. */
const lockId = 8_351_771_002
/** Who wants to change a table stands in the way of all who come later: so long, and no longer. */
const lockTimeoutMs = 2_000

/** Limits of the connection that migrates; a server whose client is gone breaks the statement off by itself. */
export const limits = (scope: 'LOCAL' | 'SESSION') => `SET ${scope} lock_timeout = ${lockTimeoutMs};
  SET ${scope} statement_timeout = 0; SET ${scope} idle_in_transaction_session_timeout = 0;
  SET ${scope} client_connection_check_interval = 1000`

/** One transaction while nobody else migrates this database; undefined when somebody does. */
export const inTurn = async <T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T | undefined> => {
  const client = await pool.connect()
  let isLost = false
  try {
    await client.query('BEGIN')
    const turn = 'SELECT pg_try_advisory_xact_lock($1) AS mine'
    const isMine = (await client.query({ text: turn, values: [lockId] })).rows[0].mine
    if (isMine && !(pool instanceof EmbeddedPool)) await client.query(limits('LOCAL'))
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

/** Runs something on a connection; when the signal comes, the database breaks the statement off. */
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

/** Notes that a migration is applied, as Prisma does. */
export const noteApplied = async (
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
