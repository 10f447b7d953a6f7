/**
 * Functions, views and triggers are in the folder of their domain, in `*.trigger.sql`. Those that differ from the
 * database are replaced after the migrations, in one transaction. The others are not touched. Replacing a function
 * takes no lock on the table of its trigger.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { cancellable, inMigrationTurn } from './migration-state.ts'

/** What one statement of a file creates: `function roll_up_activity`, `trigger user_activity_rolled_up`. */
export type Created = { name: string; sql: string; hash: string }

const sources = fileURLToPath(new URL('../..', import.meta.url))

const head = /^CREATE OR REPLACE (FUNCTION|VIEW|TRIGGER) "?(\w+)/

/** What the statements of a text create, in order. Comments before a statement are not part of it. */
const readText = (text: string): Created[] =>
  text.split(/^(?=CREATE )/m).flatMap((part) => {
    const [, kind, name] = head.exec(part) ?? []
    if (!kind) return []
    const sql = part.slice(0, part.lastIndexOf(';\n') + 1)
    const hash = createHash('sha256').update(sql).digest('hex')
    return { name: `${kind.toLowerCase()} ${name}`, sql, hash }
  })

/** The paths of all files below a folder, except the thousand that are generated. */
const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return join(folder, entry.name)
    return entry.name === 'generated' ? [] : pathsIn(join(folder, entry.name))
  })

/** What the files of a folder create. Triggers come last, because they may use functions of other files. */
export const readTriggerFiles = (folder = sources): Created[] => {
  const files = pathsIn(folder)
    .filter((path) => path.endsWith('.trigger.sql'))
    .sort()
  const all = files.flatMap((path) => readText(readFileSync(path, 'utf8')))
  const isTrigger = ({ name }: Created) => name.startsWith('trigger ')
  return [...all.filter((created) => !isTrigger(created)), ...all.filter(isTrigger)]
}

/** What the files of this version create that the database lacks or has in another form. */
export const findChangedTriggers = async (
  pool: pg.Pool | pg.ClientBase,
  folder?: string,
): Promise<Created[]> => {
  const { rows } = await pool.query({ text: 'SELECT name, hash FROM applied_trigger' })
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]))
  return readTriggerFiles(folder).filter(({ name, hash }) => applied.get(name) !== hash)
}

const recordTrigger = `INSERT INTO applied_trigger (name, hash) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, applied_at = now()`

/** Applies what has changed and returns the names. Undefined if another node is migrating. */
export const applyTriggers = (
  pool: pg.Pool,
  signal: AbortSignal | undefined,
  folder?: string,
): Promise<string[] | undefined> =>
  inMigrationTurn(pool, async (client) => {
    const changed = await findChangedTriggers(client, folder)
    // A function may call those of later files. They are all there before anything runs.
    await client.query('SET LOCAL check_function_bodies = off')
    for (const { name, sql, hash } of changed) {
      await cancellable(pool, client, signal, () => client.query(sql)).catch((error: Error) => {
        error.message = `${name}: ${error.message}`
        throw error
      })
      await client.query({ text: recordTrigger, values: [name, hash] })
    }
    return changed.map(({ name }) => name)
  })
