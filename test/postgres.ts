/** The PostgreSQL server of a test run. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** TEST_DATABASE=postgres runs on PostgreSQL; otherwise a run is on the embedded database. */
export const onPostgres = process.env.TEST_DATABASE === 'postgres'
export const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgresql://postgres@127.0.0.1:5432'

/** Runs one statement on the maintenance database of the server and returns its rows. */
export const administer = async (sql: string): Promise<Record<string, string>[]> => {
  const client = new pg.Client({ connectionString: `${postgresUrl}/postgres` })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/**
 * How many deadlocks a database has had. Waits until all its clients have ended, because a connection reports them when
 * it ends.
 */
export const countDeadlocks = async (databaseUrl: string): Promise<number> => {
  const url = new URL(databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const query = (text: string) => client.query(text, [name])
  try {
    const clients = 'SELECT FROM pg_stat_activity WHERE datname = $1'
    while ((await query(clients)).rowCount !== 0) await sleep(50)
    const { rows } = await query('SELECT deadlocks::int FROM pg_stat_database WHERE datname = $1')
    return rows[0].deadlocks
  } finally {
    await client.end()
  }
}
