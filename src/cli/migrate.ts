/**
 * `npm run migrate`: brings the configured database up to date. The server does the same at the start, unless
 * MIGRATE=off.
 */

import { systemClock } from '../kit/clock.ts'
import { type Config, readConfig } from '../kit/config/config.ts'
import { type Database, openDatabase } from '../kit/database/db.ts'
import { makeJobsSchema } from '../kit/database/jobs-schema.ts'
import { migrate } from '../kit/database/migrate.ts'
import { migrationNames, readMigrationState } from '../kit/database/migration-state.ts'
import { findChangedTriggers } from '../kit/database/triggers.ts'
import { dropExpiredMonths } from '../kit/jobs/expired-rows.ts'
import { retentionRules } from '../retention-rules.ts'
import { CommandError, onWait, readArguments, runCommand, UsageError } from './command.ts'

const usage = `npm run migrate                     apply what is missing
npm run migrate -- --status         what is applied, missing and running; changes nothing
npm run migrate -- --to NAME        apply up to this migration, and that included`

const readOptions = () => {
  const { values } = readArguments({ status: { type: 'boolean' }, to: { type: 'string' } })
  if (values.to !== undefined && !migrationNames().includes(values.to))
    throw new UsageError(`There is no migration ${values.to}. --status lists all.`)
  return values
}

const showStatus = async ({ db, pool }: Database) => {
  const { applied, pending, newer, compatibleFrom } = await readMigrationState(pool)
  for (const { name, finishedAt } of applied)
    console.log(
      `applied  ${name}  ${finishedAt.toISOString()}${newer.includes(name) ? '  (of a newer version)' : ''}`,
    )
  for (const name of pending) console.log(`missing  ${name}`)
  const changed = pending.length + newer.length === 0 ? await findChangedTriggers(pool) : []
  for (const { name } of changed) console.log(`changed  ${name}`)
  if (compatibleFrom) console.log(`Code must know ${compatibleFrom}.`)
  const backfills = compatibleFrom
    ? await db.backfill.findMany({ orderBy: { createdAt: 'asc' } })
    : []
  for (const { name, done, expected, finishedAt } of backfills)
    console.log(
      `backfill ${name}: ${done}${expected === null ? '' : ` of about ${expected}`} rows${finishedAt ? ', finished' : ''}`,
    )
}

const stopping = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
const log = {
  info: ({ step }: { step: string }) => console.log(`Applied ${step}`),
  warn: ({ step }: { step: string }) =>
    console.log(`${step}: waiting for a table that is in use …`),
}

const run = async (database: Database, config: Config, options: ReturnType<typeof readOptions>) => {
  const { pool } = database
  if (options.status) return showStatus(database)
  const { to } = options
  const applied = await migrate(pool, { log, signal: stopping.signal, ...(to && { to }) })
  await makeJobsSchema(pool)
  if (!to) await dropExpiredMonths({ ...database, clock: systemClock, config, log }, retentionRules)
  if (applied.length === 0) console.log('The database is up to date.')
}

await runCommand('migrate', usage, async () => {
  const options = readOptions()
  const config = readConfig()
  const { dataDir, databaseUrl, databaseDirectUrl } = config
  const place = { dataDir, databaseUrl: databaseDirectUrl ?? databaseUrl }
  try {
    const database = await openDatabase({ ...place, onWait, signal: stopping.signal })
    await run(database, config, options).finally(database.close)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    throw new CommandError('Stopped; the migration under way was taken back.')
  }
})
