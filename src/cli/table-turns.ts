/** Changes to tables that are in use, a table at a time, so that nobody else waits for long. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** A waiting table change blocks all later users of the table, so it gives way soon. */
const lockTimeoutMs = 1_000
const longestWaitMs = 300_000

/** Runs statements in one transaction that never makes others wait for long. */
export const inShortTurns = async (client: pg.ClientBase, statements: string[]): Promise<void> => {
  for (const end = performance.now() + longestWaitMs; ; ) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}`)
      for (const statement of statements) await client.query(statement)
      await client.query('COMMIT')
      return
    } catch (error) {
      await client.query('ROLLBACK')
      const cause = (error as { cause?: { code?: string } }).cause
      const isBusy = [(error as { code?: string }).code, cause?.code].includes('55P03')
      if (!isBusy || performance.now() > end) throw error
      await sleep(200)
    }
  }
}

const triggersOf = `SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS text FROM pg_trigger
  WHERE tgname = ANY ($1::text[]) AND tgparentid = 0 ORDER BY tgrelid::regclass::text`

/** Removes the triggers of these names from all tables. */
export const dropTriggers = async (client: pg.ClientBase, names: string[]): Promise<void> => {
  const { rows } = await client.query({ text: triggersOf, values: [names] })
  for (const { text } of rows) await inShortTurns(client, [text])
}
