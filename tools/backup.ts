/** `tessera backup`: writes the whole database into a file. */
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { readConfig } from '../src/core/config.ts'
import { writeBackup } from './backup-file.ts'
import { CommandError, readArguments, runCommand } from './command.ts'
import { partialOf } from './partial-file.ts'
import { runPostgresTool } from './postgres-tool.ts'
import { createProgress, endProgress } from './progress.ts'

const usage = `tessera backup FILE

Writes the whole database into a new file, which only its owner can read, while the server runs or not. PostgreSQL:
pg_dump. Embedded: an online backup, which is read again before the command ends. tessera restore FILE reads it.`

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
