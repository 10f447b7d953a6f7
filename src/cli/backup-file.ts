/** The backup file of an embedded database: a compressed archive that is verified after it is written. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, open } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Config } from '../kit/config/config.ts'
import { openDatabase } from '../kit/database/db.ts'
import type { EmbeddedPool } from '../kit/embedded/embedded-pool.ts'
import {
  type BackupHead,
  backupSocket,
  readBackup,
  sizeOfBackup,
} from '../kit/embedded/online-backup.ts'
import { ArchiveError, type Entry, readArchive } from '../kit/embedded/tar.ts'
import { CommandError, onWait, type Progress } from './command.ts'

type Source = { bytes: number; archive: AsyncIterable<Buffer>; close(): Promise<void> }

/** Splits a stream into its first line and the rest. */
const readHead = async (source: AsyncIterable<Buffer>) => {
  const chunks = source[Symbol.asyncIterator]()
  let read = Buffer.alloc(0)
  while (!read.includes(10)) {
    const { done, value } = await chunks.next()
    if (done) throw new CommandError('The server ended; nothing was written.')
    read = Buffer.concat([read, value])
  }
  const end = read.indexOf(10)
  const rest = async function* () {
    yield read.subarray(end + 1)
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { head: JSON.parse(read.toString('utf8', 0, end)) as BackupHead, rest: rest() }
}

/** A backup from the process that serves from the folder; undefined if none does. */
const askServer = async (dataDir: string): Promise<Source | undefined> => {
  const socket = connect(backupSocket(dataDir))
  try {
    await once(socket, 'connect')
  } catch {
    return undefined
  }
  const { head, rest } = await readHead(socket)
  if ('error' in head) throw new CommandError(`${head.error} Nothing was written.`)
  return { bytes: head.bytes, archive: rest, close: async () => void socket.destroy() }
}

const openOwn = async (config: Config): Promise<Source> => {
  const root = join(config.dataDir, 'db')
  if (!existsSync(root)) throw new CommandError('DATA_DIR has no database; nothing was written.')
  const { pool, close } = await openDatabase({ ...config, onWait })
  const bytes = await sizeOfBackup(root)
  return { bytes, archive: readBackup(pool as EmbeddedPool, root), close }
}

/** Passes chunks through and reports the number of bytes so far. */
const counting = (onBytes: (sum: number) => void) => {
  let sum = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      sum += chunk.length
      onBytes(sum)
      done(null, chunk)
    },
  })
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)

/** Files that every backup has. */
const expected = ['PG_VERSION', 'global/pg_control']

/**
 * Reads a backup to its end.
 * @throws ArchiveError unless it is complete
 */
const readFile = async (
  file: string,
  onEntry: (entry: Entry) => Promise<(bytes: Buffer | null) => Promise<void>>,
): Promise<void> => {
  const missing = new Set(expected)
  const unpacked = createGunzip()
  const read = pipeline(createReadStream(file), unpacked)
  read.catch(() => {}) // the reader gets this error, too
  try {
    await readArchive(unpacked, (entry) => {
      missing.delete(entry.name)
      return onEntry(entry)
    })
    await read
  } catch (error) {
    unpacked.destroy()
    if (error instanceof ArchiveError) throw error
    const causes = [error, await read.catch((cause) => cause)] as NodeJS.ErrnoException[]
    // An error of the disk has a syscall. Otherwise the file does not unpack.
    throw causes.find((cause) => cause?.syscall) ?? new ArchiveError('it is cut off or damaged')
  }
  if (missing.size > 0) throw new ArchiveError('it has no database')
}

/** Writes the database of DATA_DIR into a new file, and reads the file again. A server may be using the database. */
export const writeBackup = async (
  config: Config,
  file: string,
  progress: Progress,
): Promise<void> => {
  const source = (await askServer(config.dataDir)) ?? (await openOwn(config))
  try {
    await pipeline(
      source.archive,
      counting((sum) => progress('Writing MB', megabytes(sum), megabytes(source.bytes))),
      createGzip({ level: 3 }),
      createWriteStream(file, { flags: 'r+' }),
    )
  } finally {
    await source.close()
  }
  const written = await open(file)
  await written.sync()
  await written.close()
  progress('Reading the file again')
  try {
    await readFile(file, async () => async () => {})
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw new CommandError(
      `The server ended before the backup was complete, or the disk failed (${error.message}); nothing was written.`,
    )
  }
}

/**
 * Writes the files of a backup into a folder.
 * @throws ArchiveError unless the backup is complete
 */
export const unpackBackup = async (
  file: string,
  folder: string,
  progress: Progress,
): Promise<void> => {
  let sum = 0
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await readFile(file, async ({ name, isFolder }) => {
    const path = join(folder, name)
    await mkdir(isFolder ? path : join(path, '..'), { recursive: true, mode: 0o700 })
    if (isFolder) {
      await chmod(path, 0o700)
      return async () => {}
    }
    const written = await open(path, 'wx', 0o600)
    return async (bytes) => {
      if (!bytes) return written.close()
      sum += bytes.length
      progress('Unpacking MB', megabytes(sum))
      await written.writeFile(bytes)
    }
  })
}

/** Takes the password out of a URL. Node cannot parse a URL with several hosts, so it is found by hand. */
export const withoutPassword = (url: string): { database: string; password: string } => {
  const [, user = '', first = ''] = /^\w+:\/\/([^/?#@:]*):([^/?#@]*)@/.exec(url) ?? []
  const [, last] = /[?&]password=([^&#]*)/.exec(url) ?? []
  const database = (first ? url.replace(`${user}:${first}@`, `${user}@`) : url)
    .replace(/([?&])password=[^&#]*&?/g, '$1')
    .replace(/[?&]$/, '')
  return { database, password: last ?? first } // libpq prefers the parameter, too
}

/**
 * Runs a program on the database of a URL. Does not pass the password as an argument, which others can read.
 * @throws CommandError with the output of the program
 */
export const runPostgresTool = async (
  program: 'pg_dump' | 'pg_restore',
  url: string,
  options: string[],
): Promise<void> => {
  const { database, password } = withoutPassword(url)
  const env = { ...process.env, ...(password && { PGPASSWORD: decodeURIComponent(password) }) }
  const child = spawn(program, [`--dbname=${database}`, ...options], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(0, 2_000)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve)
    child.on('error', reject)
  }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === 'ENOENT'
        ? `${program} is not installed: it comes with the client of PostgreSQL, such as apt install postgresql-client`
        : error.message,
    )
  })
  if (code !== 0) throw new CommandError(`${said.trim() || `${program} ended with ${code}`}`)
}
