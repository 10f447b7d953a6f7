/** `tessera move`: copies a whole database to another place, embedded or on a server, and verifies the copy. */
import { readConfig } from '../kit/config/config.ts'
import { migrate } from '../kit/database/migrate.ts'
import {
  inMigrationTurn,
  readMigrationState,
  refuseUnusable,
} from '../kit/database/migration-state.ts'
import { audit } from './audit/invariants.ts'
import {
  CommandError,
  createProgress,
  endProgress,
  type Progress,
  readArguments,
  runCommand,
  UsageError,
} from './command.ts'
import { copyDatabase, holdSource } from './copy-database.ts'
import {
  copyDemo,
  openSource,
  openTarget,
  type Place,
  readTargetUrl,
  refuseForeign,
  refuseUrl,
  refuseUsed,
} from './move-place.ts'

const usage = `tessera move --to FOLDER [--from FOLDER]
TARGET_DATABASE_URL_FILE=FILE tessera move [--from FOLDER]

Copies the whole database to an empty place: a DATA_DIR of the embedded database, or the one at TARGET_DATABASE_URL, such as
postgresql://user@host/database. The source is the database of the settings, or the DATA_DIR that --from names. Stop all
nodes before. The source is not changed. Addresses are no arguments, because others can read those.`

/** The place of the source, and the folder that may have the keys of its demo. */
const sourceOf = (from: string | undefined) => {
  refuseUrl('--from', from, 'DATABASE_URL')
  if (from) return { place: from, folder: from }
  const { databaseDirectUrl, databaseUrl, dataDir } = readConfig()
  return { place: databaseDirectUrl ?? databaseUrl ?? dataDir, folder: dataDir }
}

/** @throws UsageError unless exactly one is named */
const targetOf = (to: string | undefined): string => {
  refuseUrl('--to', to)
  const url = readTargetUrl()
  if (to && url) throw new UsageError('--to and TARGET_DATABASE_URL are two targets; name one')
  const place = to ?? url
  if (!place) throw new UsageError('--to or TARGET_DATABASE_URL is missing')
  return place
}

/** @throws CommandError when the source is not of this version, or is being served */
const refuseUnready = async ({ pool, isEmbedded }: Place): Promise<void> => {
  const state = await readMigrationState(pool)
  refuseUnusable(state)
  if (state.pending.length > 0 || state.newer.length > 0)
    throw new CommandError(
      'The source is not of this version. Nothing was moved; run tessera migrate of the newest version on it before.',
    )
  if (isEmbedded) return
  const text = `SELECT count(*)::int AS others FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = 'tessera' AND pid <> pg_backend_pid()`
  const { others } = (await pool.query({ text })).rows[0]
  if (others > 0)
    throw new CommandError(
      `The source has ${others} connections of nodes. Nothing was moved; stop all nodes before. A pooler keeps connections for a while.`,
    )
}

/** Copies in one transaction of the target, so that an interrupted move writes nothing. */
const move = async (source: Place, target: Place, progress: Progress): Promise<number> => {
  const reader = await source.pool.connect()
  try {
    await holdSource(reader)
    const moved = await inMigrationTurn(target.pool, async (writer) => {
      await refuseUsed(writer)
      const rows = await copyDatabase(reader, writer, { isEmbedded: target.isEmbedded, progress })
      progress('Checking the guarantees')
      const broken: string[] = []
      await audit(writer, (name, count) => void (count > 0 && broken.push(name)))
      if (broken.length > 0)
        throw new CommandError(
          `The source breaks ${broken.length} guarantees, which tessera audit shows; nothing was moved: ${broken[0]}`,
        )
      return rows
    })
    if (moved === undefined)
      throw new CommandError('The target is being migrated by a node; nothing was moved.')
    return moved
  } finally {
    await reader.query('ROLLBACK').catch(() => {})
    reader.release(true)
  }
}

await runCommand('move', usage, async () => {
  const { values } = readArguments({ to: { type: 'string' }, from: { type: 'string' } })
  const to = targetOf(values.to)
  const progress = createProgress()
  const startedAt = performance.now()
  const { place, folder } = sourceOf(values.from)
  const source = await openSource(place)
  try {
    await refuseUnready(source)
    const target = await openTarget(to)
    try {
      await refuseForeign(target.pool)
      await migrate(target.pool)
      const rows = await move(source, target, progress)
      await target.keep()
      copyDemo(folder, to)
      endProgress()
      const seconds = (performance.now() - startedAt) / 1000
      console.log(
        `Moved ${rows.toLocaleString('en')} rows in ${seconds.toFixed(1)} s. Counts and checksums of all tables are the same, and the audit found nothing broken. Start the server there with the same MASTER_KEY, and none on the source, which still has everything.`,
      )
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
})
