/** `tessera restore`: restores a database from a file that `tessera backup` wrote. */

import { closeSync, existsSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readPepper } from '../kit/access/pepper.ts'
import { type Config, readConfig } from '../kit/config/config.ts'
import { type Database, openDatabase, openFolder } from '../kit/database/db.ts'
import { readMigrationState } from '../kit/database/migration-state.ts'
import { explain } from '../kit/database/startup-problem.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import { lockDataDir } from '../kit/embedded/data-dir.ts'
import { EmbeddedPool } from '../kit/embedded/embedded-pool.ts'
import { runPostgresTool, unpackBackup } from './backup-file.ts'
import {
  CommandError,
  createProgress,
  endProgress,
  onWait,
  readArguments,
  runCommand,
} from './command.ts'

const usage = `tessera restore FILE

Makes the database of a file that tessera backup wrote. Refuses if the database of the settings has partners. PostgreSQL
needs a database that is empty, and nodes that are stopped.`

type Kind = 'PostgreSQL' | 'embedded'

/** The kind of database in a file, from its first bytes. */
const kindOf = (file: string): Kind => {
  const head = Buffer.alloc(5)
  const open = () => {
    try {
      return openSync(file, 'r')
    } catch (error) {
      throw new CommandError((error as Error).message)
    }
  }
  const opened = open()
  readSync(opened, head)
  closeSync(opened)
  if (head.toString('latin1') === 'PGDMP') return 'PostgreSQL'
  if (head[0] === 0x1f && head[1] === 0x8b) return 'embedded'
  throw new CommandError(`${file} is no backup that tessera backup wrote.`)
}

/** @throws CommandError if the database has partners */
const refusePartners = async ({ db, pool }: Database): Promise<void> => {
  const { applied } = await readMigrationState(pool)
  if (applied.length > 0 && (await db.partner.count()) > 0)
    throw new CommandError('The database has partners; nothing was restored.')
}

const using = async <T>(
  opening: Promise<Database>,
  use: (database: Database) => Promise<T>,
): Promise<T> => {
  const database = await opening
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

const replaceFolder = async (folder: string, file: string): Promise<void> => {
  const partial = `${folder}.restored`
  try {
    rmSync(partial, { recursive: true, force: true })
    const progress = createProgress()
    await unpackBackup(file, partial, progress)
    // Applies the log that was written during the backup.
    progress('Opening the database')
    await (await EmbeddedPool.open(partial)).end()
    endProgress()
    rmSync(folder, { recursive: true, force: true })
    renameSync(partial, folder)
  } catch (error) {
    throw new CommandError(
      `${file} could not be restored: ${(error as Error).message}. Nothing was changed.`,
    )
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

/** Nobody can make partners between the check and the restore, because both have the same lock. */
const restoreEmbedded = async ({ dataDir }: Config, file: string): Promise<void> => {
  const unlock = await lockDataDir(dataDir, { onWait })
  try {
    const folder = join(dataDir, 'db')
    if (existsSync(folder)) await using(openFolder(folder), refusePartners)
    await replaceFolder(folder, file)
  } finally {
    unlock()
  }
}

const restoreServer = async (config: Config, url: string, file: string): Promise<void> => {
  await using(openDatabase(config), refusePartners)
  const options = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction']
  await runPostgresTool('pg_restore', url, [...options, '--clean', '--if-exists', file])
}

/** Describes what was restored, and whether the master key of the settings opens it. */
const describe = async ({ db }: Database, { masterKeys }: Config): Promise<string> => {
  const [partners, users] = [
    await db.partner.count(),
    await acrossTenants(db, 'OPERATOR').endUser.count(),
  ]
  const fits = await readPepper(db, masterKeys).then(
    () => 'The master key opens it.',
    (error) => explain(error) ?? String(error),
  )
  return `Restored ${partners} partners and ${users} users. ${fits} Start the server, which applies missing migrations.`
}

await runCommand('restore', usage, async () => {
  const { positionals } = readArguments({}, ['FILE'])
  const file = positionals[0] as string
  const kind = kindOf(file)
  const config = readConfig()
  const url = config.databaseDirectUrl ?? config.databaseUrl
  const own: Kind = url ? 'PostgreSQL' : 'embedded'
  if (kind !== own)
    throw new CommandError(
      `${file} is of another kind of database (${kind}) than the settings (${own}).`,
    )
  if (url) await restoreServer(config, url, file)
  else await restoreEmbedded(config, file)
  console.log(
    await using(openDatabase({ ...config, onWait }), (database) => describe(database, config)),
  )
})
