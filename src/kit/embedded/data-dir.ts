/** The folder of the embedded database and the demo keys. Only its owner can read it. */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { Logger } from '../observability/log.ts'

/** The folder is in use, or its file system cannot lock files. */
export class DataDirLockError extends Error {}

/** The name of the file that is locked. It stays empty, and it stays: its lock is in the operating system only. */
const lockFileName = 'data.lock'

const patienceMs = 10_000
const retryMs = 50

/** Releases of Node.js 24 before the one of `npm ci` warn about this module, which nobody who starts a server can mend. */
const loadSqlite = () => {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/** A file that is garbage would lose its lock. */
const locked = new Set<DatabaseSync>()

const unusable = (path: string, error: unknown) =>
  new DataDirLockError(
    `${path} cannot be locked (${(error as Error).message}). It must be an empty file that this user may write, on a file system that can lock files.`,
  )

/** The lower byte of its error codes. */
const sqliteBusy = 5

/** Whether the lock was free. The transaction writes nothing, and its journal is in memory, so kill -9 leaves nothing. */
const tryLock = (file: DatabaseSync, path: string): boolean => {
  try {
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (Number((error as { errcode?: number }).errcode) % 256 === sqliteBusy) return false
    throw unusable(path, error)
  }
}

const openLockFile = (path: string): DatabaseSync => {
  const { DatabaseSync } = loadSqlite()
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // An existing file must not be opened here: closing it would end the lock that this process may have.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  try {
    return new DatabaseSync(path)
  } catch (error) {
    throw unusable(path, error)
  }
}

export type Waiting = {
  /** How long to wait for a process that is ending. Ten seconds by default. */
  waitMs?: number
  /** Called once if the folder is in use. */
  onWait?: (() => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Locks the folder for this process and returns the function that unlocks it. The operating system keeps the lock until
 * the process has ended, however it ends. Waits for a process that is ending, such as the previous version in a
 * deployment.
 * @throws DataDirLockError when another process keeps the lock, or the file system has no locks
 * @throws the reason of the signal
 */
export const lockDataDir = async (
  dataDir: string,
  { waitMs = patienceMs, onWait, signal }: Waiting = {},
): Promise<() => void> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, lockFileName)
  const file = openLockFile(path)
  try {
    const deadline = performance.now() + waitMs
    for (let isFirst = true; !tryLock(file, path); isFirst = false) {
      if (performance.now() >= deadline)
        throw new DataDirLockError(
          `${dataDir} is in use by another server or command of Tessera. Stop that one first, choose another DATA_DIR, or set DATABASE_URL to share a PostgreSQL server.`,
        )
      if (isFirst) onWait?.()
      await sleep(retryMs, undefined, { signal })
    }
  } catch (error) {
    file.close()
    signal?.throwIfAborted()
    throw error
  }
  locked.add(file)
  return () => {
    if (locked.delete(file)) file.close()
  }
}

/** The mode without the permissions of group and others. */
const ownerOnly = (mode: number) => mode & ~0o077

type NodeOps = {
  setattr(target: unknown, change: { mode?: number }): void
  mknod(parent: unknown, name: string, mode: number, device: number): unknown
}

/**
 * The files of the embedded engine. The engine creates them readable by everyone and sets their mode afterwards,
 * which bypasses the umask. So each mode is narrowed before it reaches the disk.
 */
export class PrivateFiles extends NodeFS {
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    super(folder)
  }

  override async init(...parts: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(...parts)
    const narrow = ({ NODEFS }: { NODEFS: unknown }) => {
      const { node_ops, stream_ops } = NODEFS as { node_ops: NodeOps; stream_ops: NodeOps }
      for (const ops of [node_ops, stream_ops]) {
        const { setattr } = ops
        ops.setattr = (target, { mode, ...change }) =>
          setattr(target, { ...change, ...(mode !== undefined && { mode: ownerOnly(mode) }) })
      }
      const { mknod } = node_ops
      node_ops.mknod = (parent, name, mode, device) => mknod(parent, name, ownerOnly(mode), device)
    }
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [narrow, ...(emscriptenOpts.preRun ?? [])] },
    }
  }
}

/** The folder and the files that Tessera created in it. Other files are not changed. */
const ownPaths = (dataDir: string): string[] => {
  const [database, ...files] = ['db', 'demo.json', lockFileName].map((name) => join(dataDir, name))
  const inside = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const below = join(path, entry.name)
      return entry.isDirectory() ? [below, ...inside(below)] : [below]
    })
  const found = [dataDir, database as string, ...files].filter((path) => existsSync(path))
  return found.includes(database as string) ? [...found, ...inside(database as string)] : found
}

/**
 * Removes permissions of group and others that a restored copy or a mistake has granted, and logs a warning, because
 * others may have read the files.
 */
export const repairDataDir = (dataDir: string, log: Logger): void => {
  if (process.platform === 'win32') return // file modes have no effect there
  const failed: string[] = []
  const open = ownPaths(dataDir).filter((path) => {
    const { mode } = lstatSync(path)
    if (mode === ownerOnly(mode)) return false
    try {
      chmodSync(path, ownerOnly(mode) & 0o7777)
    } catch {
      failed.push(path)
    }
    return true
  })
  const count = open.length
  if (failed.length > 0)
    log.warn({ path: failed[0] }, 'other users can read DATA_DIR; set its mode to 0700')
  else if (count > 0)
    log.warn({ path: open[0], count }, 'other users could read DATA_DIR; its modes are repaired')
}
