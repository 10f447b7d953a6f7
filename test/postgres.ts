/** The PostgreSQL server of a test run. */
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
