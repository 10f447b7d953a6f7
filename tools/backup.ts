/** `tessera backup`: writes the whole database into a file. */
import { closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../src/core/config.ts'
import { openDatabase } from '../src/core/db/db.ts'
import type { EmbeddedPool } from '../src/core/db/embedded-db.ts'
import { CommandError, readArguments, runCommand } from './command.ts'
import { runPostgresTool } from './postgres-tool.ts'

const usage = `tessera backup FILE

Writes the whole database into a new file, which only its owner can read. PostgreSQL: pg_dump, while the nodes run.
Embedded: while the server is stopped. tessera restore FILE reads it.`

const dumpEmbedded = async (config: Config, file: string): Promise<void> => {
  if (!existsSync(join(config.dataDir, 'db')))
    throw new CommandError('DATA_DIR has no database; nothing was written.')
  const database = await openDatabase(config)
  try {
    const dump = await (database.pool as EmbeddedPool).dump()
    writeFileSync(file, new Uint8Array(await dump.arrayBuffer()))
  } finally {
    await database.close()
  }
}

await runCommand('backup', usage, async () => {
  const { positionals } = readArguments({}, ['FILE'])
  const file = positionals[0] as string
  const config = readConfig()
  if (existsSync(file)) throw new CommandError(`${file} exists already; nothing was written.`)
  const partial = `${file}.partial`
  closeSync(openSync(partial, 'wx', 0o600))
  try {
    const url = config.databaseDirectUrl ?? config.databaseUrl
    if (url) {
      const options = ['--format=custom', '--no-owner', '--no-privileges', `--file=${partial}`]
      await runPostgresTool('pg_dump', url, options)
    } else await dumpEmbedded(config, partial)
    renameSync(partial, file)
  } finally {
    rmSync(partial, { force: true })
  }
  console.log(
    `Wrote ${file}. It does not contain MASTER_KEY or MASTER_KEYS, without which nothing sealed can be read: keep them elsewhere. Nor does it contain what Redis has, which is only counts of rate limits.`,
  )
})
