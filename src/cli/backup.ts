/** `tessera backup`: writes the whole database into a file. */
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readConfig } from '../kit/config/config.ts'
import { runPostgresTool, writeBackup } from './backup-file.ts'
import { CommandError, createProgress, endProgress, readArguments, runCommand } from './command.ts'

const usage = `tessera backup FILE

Writes the whole database into a new file, which only its owner can read, while the server runs or not. PostgreSQL:
pg_dump. Embedded: an online backup, which is read again before the command ends. tessera restore FILE reads it.`

/** A file that nobody has written to for so long was left by a command that was killed. */
const abandonedMs = 24 * 3_600_000

const ending = /^[\w-]+\.partial$/

/**
 * A name under which only this process writes a file: the folder may be that of several containers, in which processes
 * have the same ids. Deletes what killed commands have left a day ago.
 * @throws CommandError if there is no folder for it
 */
const partialOf = (file: string): string => {
  const [folder, start] = [dirname(file), `${basename(file)}.`]
  if (!existsSync(folder))
    throw new CommandError(`There is no folder ${folder}; nothing was written.`)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start) || !ending.test(name.slice(start.length))) continue
    const path = join(folder, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > abandonedMs) rmSync(path, { force: true })
  }
  return `${file}.${randomUUID()}.partial`
}

await runCommand('backup', usage, async () => {
  const { positionals } = readArguments({}, ['FILE'])
  const file = positionals[0] as string
  const config = readConfig()
  if (existsSync(file)) throw new CommandError(`${file} exists already; nothing was written.`)
  const partial = partialOf(file)
  closeSync(openSync(partial, 'wx', 0o600))
  try {
    const url = config.databaseDirectUrl ?? config.databaseUrl
    if (url) {
      const options = ['--format=custom', '--no-owner', '--no-privileges', `--file=${partial}`]
      await runPostgresTool('pg_dump', url, options)
    } else {
      await writeBackup(config, partial, createProgress())
      endProgress()
    }
    renameSync(partial, file)
  } finally {
    rmSync(partial, { force: true })
  }
  console.log(
    `Wrote ${file}. It does not contain MASTER_KEY or MASTER_KEYS, without which nothing sealed can be read: keep them elsewhere. Nor does it contain what Redis has, which is only counts of rate limits.`,
  )
})
