/** The two ends of a move: a database on a server, or the embedded one of a folder. */
import { constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { defaultLimits } from '../kit/config/time-limits.ts'
import { openServerPool } from '../kit/database/server-pool.ts'
import { lockDataDir } from '../kit/embedded/data-dir.ts'
import { copyEmptyDatabase, EmbeddedPool } from '../kit/embedded/embedded-pool.ts'
import { CommandError, onWait } from './command.ts'
import { isUrl } from './target-url.ts'

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
