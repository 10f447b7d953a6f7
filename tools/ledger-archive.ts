/** `tessera ledger archive`: writes old entries of the ledger into a file, and replaces them with checkpoints. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import {
  CommandError,
  type CommandWork,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts'
import {
  type Foot,
  LedgerFileError,
  openLedgerFile,
  syncFolderOf,
  writeLedgerFile,
} from './ledger-file.ts'
import { ContradictionError, readOld, takeOver } from './ledger-rows.ts'
import { partialOf } from './partial-file.ts'
import { createProgress, endProgress, type Progress } from './progress.ts'

const usage = `tessera ledger archive MONTH FILE

Moves the ledger entries from before the end of MONTH, such as 2026-01 (UTC), out of the database while the server runs. They are
written into FILE, compressed lines of JSON, which only its owner can read. Once FILE is on the disk and was read again, the entries
of a few users at a time are deleted, and a checkpoint takes their place, so that balances stay the sum of what is there. References
still award once. Run it again with the same FILE to continue after an interruption. Keep FILE: it cannot be made again. Nodes
of earlier versions must have ended before.

MONTH must have ended RETENTION_EVENT_DAYS ago. With the embedded database, stop the server first.`

const dayMs = 86_400_000

/** The end of a month. Refuses a month that ended less than `eventDays` ago. */
const endOfMonth = (month: string, now: Date, eventDays: number): Date => {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (!year) throw new UsageError('MONTH must be a month such as 2026-01')
  const until = new Date(Date.UTC(Number(year), Number(number), 1))
  if (now.getTime() - until.getTime() < eventDays * dayMs)
    throw new CommandError(
      `${month} ended less than ${eventDays} days ago (RETENTION_EVENT_DAYS); nothing was archived.`,
    )
  return until
}

const countUsers = async (client: pg.ClientBase): Promise<number> => {
  const text = `SELECT coalesce(sum(value), 0)::float8 AS n FROM counter WHERE name = 'users'`
  return (await client.query({ text })).rows[0].n
}

/** @returns undefined if there is nothing to archive */
const writeFile = async (
  client: pg.ClientBase,
  file: string,
  until: Date,
  progress: Progress,
): Promise<Foot | undefined> => {
  const partial = partialOf(file)
  const total = await countUsers(client)
  progress('Writing entries of users')
  const onUsers = (users: number) => progress('Writing entries of users', users, total)
  try {
    const foot = await writeLedgerFile(partial, until, readOld(client, until, onUsers))
    if (foot.entries === 0) return undefined
    // Renaming would overwrite it.
    if (existsSync(file)) throw new CommandError(`${file} exists by now; nothing was deleted.`)
    renameSync(partial, file)
    await syncFolderOf(file)
    return foot
  } finally {
    rmSync(partial, { force: true })
  }
}

/** Reads a file to its end and proves it. Nothing is deleted before. */
const proveFile = async (file: string, until: Date, progress: Progress): Promise<Foot> => {
  try {
    const { until: found, segments, foot } = await openLedgerFile(file)
    if (found.getTime() !== until.getTime())
      throw new LedgerFileError(
        `is an archive up to ${found.toISOString()}, not of the month that you gave`,
      )
    let entries = 0
    for await (const { lines } of segments) {
      entries += lines.length
      progress('Reading the file again', entries)
    }
    return foot()
  } catch (error) {
    if (!(error instanceof LedgerFileError)) throw error
    throw new CommandError(`${file} ${error.message}. Nothing was deleted.`)
  }
}

/** Only one command archives at a time: the file of another would lack what this one deletes. */
const takeTurn = async (client: pg.ClientBase): Promise<boolean> => {
  const text = `SELECT pg_try_advisory_lock('ledger_checkpoint'::regclass::oid::int, 0) AS mine`
  return (await client.query<{ mine: boolean }>({ text })).rows[0]?.mine ?? false
}

const format = (count: number) => count.toLocaleString('en')

const archive = async (
  { direct, embedded }: CommandWork,
  file: string,
  until: Date,
): Promise<string> => {
  const progress = createProgress()
  const client = await direct.connect()
  try {
    if (!(await takeTurn(client))) throw new CommandError('Another command archives the ledger.')
    const isNew = !existsSync(file)
    if (isNew && !(await writeFile(client, file, until, progress)))
      return `There are no entries from before ${until.toISOString()}; nothing was archived.`
    const foot = await proveFile(file, until, progress)
    const { segments } = await openLedgerFile(file)
    let seen = 0
    const entries = await takeOver(client, segments, until, async (count, ms) => {
      seen += count
      progress('Deleting entries', seen, foot.entries)
      // Requests have at least half of the database's time.
      if (!embedded) await sleep(ms)
    })
    return `${isNew ? 'Wrote' : 'Continued'} ${file}: ${format(foot.entries)} entries of ${format(foot.users)} users, SHA-256 ${foot.sha256}. Deleted ${format(entries)} entries. Keep the file.`
  } finally {
    // Closing the connection releases its lock.
    client.release(true)
  }
}

await runCommand('ledger archive', usage, async () => {
  const { positionals } = readArguments({}, ['MONTH', 'FILE'])
  const [month, file] = positionals as [string, string]
  endOfMonth(month, new Date(8.64e15), 0)
  const result = await withDatabase(async (work) => {
    const until = endOfMonth(month, work.clock(), work.config.retention.eventDays)
    try {
      return await archive(work, file, until)
    } catch (error) {
      if (error instanceof ContradictionError) throw new CommandError(error.message)
      if (error instanceof LedgerFileError)
        throw new CommandError(`The database contradicts the archive: it ${error.message}.`)
      throw error
    } finally {
      endProgress()
    }
  })
  console.log(result)
})
