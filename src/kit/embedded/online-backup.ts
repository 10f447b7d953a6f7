/**
 * The backup of an embedded database that is in use: PostgreSQL's own online backup. Its files are read while
 * statements change them, then the write-ahead log of that time, which makes a restored database consistent.
 */
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from '../observability/log.ts'
import type { EmbeddedPool } from './embedded-pool.ts'
import { type Entry, endOfArchive, entryHeaderOf, paddingOf } from './tar.ts'

/** Folders whose content a start recreates. They are archived empty. */
const emptied = new Set([
  'pg_wal',
  'pg_wal/archive_status',
  'pg_wal/summaries',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const omitted = /^(postmaster\.(pid|opts)|pg_internal\.init|backup_label|pgsql_tmp)/
/** Says where recovery would begin without a label, so it is read after all others. */
const control = 'global/pg_control'

const chunkBytes = 256 * 1024

const unlessGone = async <T>(read: Promise<T>): Promise<T | undefined> => {
  try {
    return await read
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** All entries below, folders before what they contain. */
async function* listEntries(root: string, folder = ''): AsyncGenerator<Entry> {
  for (const found of (await unlessGone(readdir(join(root, folder), { withFileTypes: true }))) ??
    []) {
    const name = folder ? `${folder}/${found.name}` : found.name
    if (omitted.test(found.name) || name === control) continue
    if (found.isDirectory()) {
      yield { name, isFolder: true, bytes: 0 }
      yield* listEntries(root, name)
    } else if (found.isFile() && !emptied.has(folder)) {
      const state = await unlessGone(stat(join(root, name)))
      if (state) yield { name, isFolder: false, bytes: state.size }
    }
  }
}

async function* readBytes(file: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  for (let missing = bytes; missing > 0; ) {
    const { bytesRead, buffer } = await file.read({
      buffer: Buffer.allocUnsafe(Math.min(missing, chunkBytes)),
    })
    // A table that has shrunk meanwhile. The log says that its last pages are gone.
    if (bytesRead === 0) return yield Buffer.alloc(missing)
    missing -= bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** A file with its current length; nothing if its table was dropped. */
async function* archiveFile(root: string, name: string): AsyncGenerator<Buffer> {
  const file = await unlessGone(open(join(root, name)))
  if (!file) return
  try {
    const { size: bytes } = await file.stat()
    yield entryHeaderOf({ name, isFolder: false, bytes })
    yield* readBytes(file, bytes)
    yield paddingOf(bytes)
  } finally {
    await file.close()
  }
}

function* archiveText(name: string, content: Buffer): Generator<Buffer> {
  yield entryHeaderOf({ name, isFolder: false, bytes: content.length })
  yield content
  yield paddingOf(content.length)
}

type Ended = { label: string; first: string; last: string }

const startText = `SELECT pg_walfile_name(pg_backup_start('tessera', true)) AS first`
const stopText = `SELECT labelfile AS label, pg_walfile_name(lsn) AS last FROM pg_backup_stop(false)`

/** The files, and then what was logged since `first`. */
async function* archive(
  root: string,
  first: string,
  stop: () => Promise<Omit<Ended, 'first'>>,
): AsyncGenerator<Buffer> {
  for await (const entry of listEntries(root))
    if (entry.isFolder) yield entryHeaderOf(entry)
    else yield* archiveFile(root, entry.name)
  // Read synchronously, so that no statement writes it meanwhile.
  yield* archiveText(control, readFileSync(join(root, control)))
  const { label, last } = await stop()
  const logs = (await readdir(join(root, 'pg_wal'))).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last,
  )
  for (const name of logs.sort()) yield* archiveFile(root, `pg_wal/${name}`)
  yield* archiveText('backup_label', Buffer.from(label))
  yield endOfArchive
}

/** The approximate size of a backup, in bytes. */
export const sizeOfBackup = async (root: string): Promise<number> => {
  let sum = 0
  for await (const { bytes } of listEntries(root)) sum += bytes
  return sum
}

/**
 * A backup as a tar archive. It has everything that was committed before it began, and no transaction in part. Keeps
 * less than a megabyte in memory. One at a time.
 * @param root the folder of the database that the pool has opened
 */
export async function* readBackup(pool: EmbeddedPool, root: string): AsyncGenerator<Buffer> {
  pool.keepsLog = true
  let isStopped = true
  const stop = async () => {
    isStopped = true
    return (await pool.query({ text: stopText })).rows[0]
  }
  try {
    const { first } = (await pool.query({ text: startText })).rows[0]
    isStopped = false
    yield* archive(root, first, stop)
  } finally {
    if (!isStopped) await stop()
    pool.keepsLog = false
  }
}

export const backupSocket = (dataDir: string): string => join(dataDir, 'backup.sock')

/** The first line of an answer. The archive follows unless there is an error. */
export type BackupHead = { bytes: number } | { error: string }

const lineOf = (head: BackupHead) => `${JSON.stringify(head)}\n`

/** A client that stops reading is disconnected after this time, because the write-ahead log grows during a backup. */
const silentMs = 60_000

/** Starts to serve backups. Returns the function that stops this and aborts a running backup. */
export const serveBackups = (
  pool: EmbeddedPool,
  dataDir: string,
  log: Logger,
): (() => Promise<void>) => {
  if (process.platform === 'win32') return async () => {} // has no sockets in folders
  const path = backupSocket(dataDir)
  const root = join(dataDir, 'db')
  const open = new Set<Socket>()
  let running: Promise<void> | undefined

  const give = async (socket: Socket) => {
    const startedAt = performance.now()
    try {
      socket.write(lineOf({ bytes: await sizeOfBackup(root) }))
      await pipeline(Readable.from(readBackup(pool, root)), socket)
      log.info({ ms: Math.round(performance.now() - startedAt) }, 'gave a backup')
    } catch (err) {
      log.warn({ err }, 'a backup was broken off')
      socket.destroy()
    }
  }

  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    socket.setTimeout(silentMs, () => socket.destroy())
    if (running)
      socket.end(lineOf({ error: 'Another backup is being made; wait until it has ended.' }))
    else running = give(socket).finally(() => (running = undefined))
  })
  rmSync(path, { force: true }) // left by a process that was killed
  server.on('error', (err) =>
    log.warn({ err }, 'backups are possible only while the server is stopped'),
  )
  server.listen(path, () => chmodSync(path, 0o600))
  return async () => {
    for (const socket of open) socket.destroy()
    await running
    await new Promise((resolve) => server.close(resolve))
  }
}
