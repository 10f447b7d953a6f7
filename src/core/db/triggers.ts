/**
 * Functions, views and triggers live with their domain, in `*.trigger.sql`. What differs from what the database has is
 * made anew after the migrations, in one transaction. What is alike is not touched: a function that changes takes no
 * lock on the table of its trigger.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { cancellable, inTurn } from './migration-turn.ts'

/** What one statement of a file makes: `function roll_up_activity`, `trigger user_activity_rolled_up`. */
export type Made = { name: string; sql: string; hash: string }

const sources = fileURLToPath(new URL('../..', import.meta.url))

const head = /^CREATE OR REPLACE (FUNCTION|VIEW|TRIGGER) "?(\w+)/

/** What a text makes, in its order. Comments before a statement are not part of it. */
const readText = (text: string): Made[] =>
  text.split(/^(?=CREATE )/m).flatMap((part) => {
    const [, kind, name] = head.exec(part) ?? []
    if (!kind) return []
    const sql = part.slice(0, part.lastIndexOf(';\n') + 1)
    const hash = createHash('sha256').update(sql).digest('hex')
    return { name: `${kind.toLowerCase()} ${name}`, sql, hash }
  })

/** What the files of a folder make. Triggers come last: a function of another file is there before them. */
export const readTriggerFiles = (folder = sources): Made[] => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.trigger.sql'))
    .sort()
  const all = files.flatMap((path) => readText(readFileSync(join(folder, path), 'utf8')))
  const isTrigger = ({ name }: Made) => name.startsWith('trigger ')
  return [...all.filter((made) => !isTrigger(made)), ...all.filter(isTrigger)]
}

/** What of the files of this version the database has not got, or has in another form. */
export const findChangedTriggers = async (
  pool: pg.Pool | pg.ClientBase,
  folder?: string,
): Promise<Made[]> => {
  const { rows } = await pool.query({ text: 'SELECT name, hash FROM applied_trigger' })
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]))
  return readTriggerFiles(folder).filter(({ name, hash }) => applied.get(name) !== hash)
}

const note = `INSERT INTO applied_trigger (name, hash) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, applied_at = now()`

/** Makes what has changed, and gives its names; undefined when another node has the turn. */
export const applyTriggers = (
  pool: pg.Pool,
  signal: AbortSignal | undefined,
  folder?: string,
): Promise<string[] | undefined> =>
  inTurn(pool, async (client) => {
    const changed = await findChangedTriggers(client, folder)
    for (const { name, sql, hash } of changed) {
      await cancellable(pool, client, signal, () => client.query(sql)).catch((error: Error) => {
        error.message = `${name}: ${error.message}`
        throw error
      })
      await client.query({ text: note, values: [name, hash] })
    }
    return changed.map(({ name }) => name)
  })
