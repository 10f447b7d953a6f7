/** The two ends of a move: a database on a server, or the embedded one of a folder. */

import { constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { readSettings } from '../kit/config/setting-files.ts'
import { defaultLimits } from '../kit/config/time-limits.ts'
import { readMigrationState } from '../kit/database/migration-state.ts'
import { openServerPool } from '../kit/database/server-pool.ts'
import { lockDataDir } from '../kit/embedded/data-dir.ts'
import { copyEmptyDatabase, EmbeddedPool } from '../kit/embedded/embedded-pool.ts'
import { CommandError, onWait, UsageError } from './command.ts'

export type Place = {
  pool: pg.Pool
  isEmbedded: boolean
  /** Makes the written data the database of the place. On a server, the commit has done so. */
  keep(): Promise<void>
  close(): Promise<void>
}

/** Opens a database of a server, without time limits for statements. */
const openServer = async (url: string, connections: number): Promise<Place> => {
  const limits = { ...defaultLimits, statementMs: 0, idleTransactionMs: 0 }
  const { pool } = await openServerPool(url, connections, limits)
  const close = () => pool.end()
  return { pool, isEmbedded: false, keep: async () => {}, close }
}

/** @param onKept called once the database is closed for good */
const openFolder = async (folder: string, onKept = () => {}): Promise<Place> => {
  const pool = await EmbeddedPool.open(folder)
  let isOpen = true
  const close = async () => {
    if (isOpen) await pool.end()
    isOpen = false
  }
  const keep = async () => {
    await close()
    onKept()
  }
  return { pool, isEmbedded: true, keep, close }
}

/**
 * Opens the database that is to be moved.
 * @param place a URL, or a DATA_DIR that no process serves from
 */
export const openSource = async (place: string): Promise<Place> => {
  // This command uses one connection, so every other connection belongs to a node.
  if (isUrl(place)) return openServer(place, 1)
  const folder = join(place, 'db')
  if (!existsSync(join(folder, 'PG_VERSION')))
    throw new CommandError(`${place} has no database; nothing was moved.`)
  const unlock = await lockDataDir(place, { onWait })
  try {
    const opened = await openFolder(folder)
    const close = async () => {
      await opened.close()
      unlock()
    }
    return { ...opened, close }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Opens the place where the database goes. A folder gets it when it is complete, by `keep`; what an interrupted move
 * has left there is deleted.
 * @param place a URL, or a DATA_DIR without a database
 */
export const openTarget = async (place: string): Promise<Place> => {
  if (isUrl(place)) return openServer(place, 4)
  const unlock = await lockDataDir(place, { onWait })
  const folder = join(place, 'db')
  const partial = join(place, 'db.moved')
  try {
    if (existsSync(folder))
      throw new CommandError(`${place} has a database already; nothing was moved.`)
    rmSync(partial, { recursive: true, force: true })
    copyEmptyDatabase(partial)
    const opened = await openFolder(partial, () => renameSync(partial, folder))
    const close = async () => {
      await opened.close()
      rmSync(partial, { recursive: true, force: true })
      unlock()
    }
    return { ...opened, close }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Copies the development keys of the demo with their file mode, unless the target has some. */
export const copyDemo = (from: string, to: string): void => {
  const [source, target] = [join(from, 'demo.json'), join(to, 'demo.json')]
  if (isUrl(to) || !existsSync(source) || existsSync(target)) return
  copyFileSync(source, target, constants.COPYFILE_EXCL)
}

const name = 'TARGET_DATABASE_URL'

const isUrl = (place: string): boolean => /^\w+:\/\//.test(place)

/** @throws UsageError if the setting cannot be used */
export const readTargetUrl = (): string | undefined => {
  const { settings, faults } = readSettings([name], process.env)
  const [fault] = faults
  if (fault) throw new UsageError(fault)
  const { [name]: url } = settings
  if (url !== undefined && !/^postgres(ql)?:\/\//.test(url))
    throw new UsageError(`${name} must be a URL like postgresql://user@host/database`)
  return url
}

/**
 * Refuses an address among the arguments without repeating it.
 * @param instead where it belongs
 * @throws UsageError
 */
export const refuseUrl = (option: string, value: string | undefined, instead = name): void => {
  if (value !== undefined && isUrl(value))
    throw new UsageError(
      `${option} takes no URL, because others can read arguments: set ${instead}, or name a file in ${instead}_FILE`,
    )
}

/** @throws CommandError when the database has been served, or belongs to another program */
export const refuseUsed = async (target: pg.ClientBase): Promise<void> => {
  const text = `SELECT EXISTS (SELECT FROM master_key_version) OR EXISTS (SELECT FROM partner)
    OR EXISTS (SELECT FROM member) AS used`
  if ((await target.query({ text })).rows[0].used)
    throw new CommandError(
      'The target is in use or has data: a server or a command has started on it. Nothing was moved; name an empty database.',
    )
}

/** @throws CommandError when the database has tables of another program */
export const refuseForeign = async (pool: pg.Pool): Promise<void> => {
  if ((await readMigrationState(pool)).applied.length > 0) return
  const text = `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p')
    AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations' LIMIT 1`
  const [table] = (await pool.query({ text })).rows
  if (table)
    throw new CommandError(
      `The target is not empty: it has a table ${table.name}. Nothing was moved.`,
    )
}
