/** `tessera cell create`: prepares the database of another cell, to which partners of this one can move. */
import { migrate } from '../src/core/db/migrate.ts'
import { inMigrationTurn } from '../src/core/db/migration-turn.ts'
import { CommandError, readArguments, runCommand, withDatabase } from './command.ts'
import { refuseForeign, refuseUsed } from './empty-target.ts'
import { openServer } from './move-place.ts'
import { requireTargetUrl } from './target-url.ts'

const usage = `TARGET_DATABASE_URL_FILE=FILE tessera cell create

Prepares the empty database at TARGET_DATABASE_URL for another cell: creates the tables, and copies the secret of the database of the
settings. Start the nodes of the other cell with the same MASTER_KEY, a CELL and a PUBLIC_URL of its own.`

await runCommand('cell create', usage, async () => {
  const { values } = readArguments({ to: { type: 'string' } })
  const to = requireTargetUrl(values.to)
  await withDatabase(async ({ db, config }) => {
    if (!config.databaseUrl)
      throw new CommandError(
        'Cells need a PostgreSQL server; move the embedded database to one before.',
      )
    const versions = await db.masterKeyVersion.findMany()
    const target = await openServer(to, 4)
    try {
      await refuseForeign(target.pool)
      await migrate(target.pool)
      const done = await inMigrationTurn(target.pool, async (client) => {
        await refuseUsed(client)
        for (const { version, createdAt, pepper } of versions)
          await client.query({
            text: 'INSERT INTO master_key_version (version, created_at, pepper) VALUES ($1, $2, $3)',
            values: [version, createdAt, pepper],
          })
        return true
      })
      if (!done) throw new CommandError('The database is being migrated by a node.')
    } finally {
      await target.close()
    }
  })
  console.log('The database is ready. Start nodes there with the same MASTER_KEY, and with a CELL.')
})
