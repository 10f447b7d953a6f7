/**
 * Exports a ledger of many entries on the server of `DATABASE_URL`, in the process of a server, so that its memory can
 * be measured. Prints its measurements as JSON; progress goes to stderr.
 */
import { randomUUID } from 'node:crypto'
import { setInterval } from 'node:timers'
import type pg from 'pg'
import { runExports } from '../src/exports/export.jobs.ts'
import { startExport } from '../src/exports/export.ts'
import { readConfig } from '../src/kit/config/config.ts'
import { ofTenant } from '../src/kit/database/tenant-client.ts'
import { createLog } from '../src/kit/observability/log.ts'
import { startServer } from '../src/server.ts'

export type ExportMeasured = {
  rowsPerSecond: number
  textMb: number
  /** After the first tenth, when the code is warm. */
  memoryBeforeMb: number
  memoryPeakMb: number
}

const users = 1_000
/** Entries per statement. */
const chunk = 500_000
const megabytes = () => process.memoryUsage().rss / 2 ** 20
const tell = (text: string) => process.stderr.write(`  ${text}\n`)

/** Users with the same number of entries each, written without triggers. */
const seedEntries = async (client: pg.PoolClient, partnerId: string, entries: number) => {
  const each = Math.floor(entries / users)
  await client.query("SET session_replication_role = 'replica'")
  await client.query(
    `INSERT INTO end_user (id, partner_id, environment, external_id, balance, lifetime_points, entries,
      score_reached_at)
    SELECT gen_random_uuid(), $1, 'TEST', 'export-' || n, $2::int, $2::int, $2::int, now()
    FROM generate_series(1, $3::int) n`,
    [partnerId, each, users],
  )
  // Ids are in the order of time, like UUIDv7: random ones would be spread over the whole index.
  for (let from = 1; from <= each; from += chunk / users) {
    const last = Math.min(each, from + chunk / users - 1)
    await client.query(
      `INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
        balance_after, account, reference, metadata, created_at)
      SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(n * $4::bigint + row_number() OVER ()), 12, '0'))::uuid,
        u.partner_id, 'TEST', u.id, n, 'purchase', 1, n, 'issuance', u.external_id || '-' || n,
        json_build_object('order', md5(n::text), 'shop', 'Main Street'), now()
      FROM generate_series($2::int, $3::int) n, end_user u
      WHERE u.partner_id = $1 AND u.environment = 'TEST' AND u.external_id LIKE 'export-%'`,
      [partnerId, from, last, 10 * chunk],
    )
    tell(`${(last * users).toLocaleString('en')} entries written`)
  }
  await client.query("SET session_replication_role = 'origin'")
  await client.query('VACUUM ANALYZE ledger_entry, end_user')
}

const main = async (entries: number): Promise<ExportMeasured> => {
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    JOBS: 'off',
    LOG_LEVEL: 'error',
    DEMO_PAST: 'off',
    DATABASE_URL: process.env.DATABASE_URL,
    DATABASE_STATEMENT_TIMEOUT_MS: '0',
  })
  const { runtime, database, stop } = await startServer(config, { log: createLog(config) })
  const slug = `export-${process.pid}`
  const { id: partnerId } = await runtime.db.partner.create({
    data: { id: randomUUID(), slug, name: slug },
  })
  const client = await database.pool.connect()
  await seedEntries(client, partnerId, entries)
  client.release()
  const tenant = { partnerId, environment: 'TEST' } as const
  const { id } = await startExport(runtime, {
    ...tenant,
    kind: 'LEDGER',
    format: 'JSONL',
    memberId: null,
    apiKeyId: null,
  })
  const find = () => ofTenant(runtime.db, tenant).dataExport.findUniqueOrThrow({ where: { id } })
  const start = performance.now()
  let [memoryBeforeMb, memoryPeakMb] = [0, 0]
  const sampler = setInterval(() => {
    memoryPeakMb = Math.max(memoryPeakMb, megabytes())
  }, 5)
  const teller = setInterval(async () => {
    const { rows } = await find()
    const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage()
    const sizes = { rss, heapTotal, heapUsed, external, arrayBuffers }
    const texts = Object.entries(sizes).map(([name, n]) => `${name} ${Math.round(n / 2 ** 20)}`)
    tell(
      `${Math.round((performance.now() - start) / 1000)} s: ${rows} rows, MB: ${texts.join(', ')}`,
    )
    if (memoryBeforeMb === 0 && rows >= entries / 10) memoryBeforeMb = megabytes()
  }, 500)
  await runExports(runtime)
  const seconds = (performance.now() - start) / 1000
  clearInterval(sampler)
  clearInterval(teller)
  const { rows, status, textBytes } = await find()
  if (status !== 'COMPLETED') throw new Error(`The export is ${status}`)
  await stop()
  const textMb = Number(textBytes) / 2 ** 20
  return { rowsPerSecond: Number(rows) / seconds, textMb, memoryBeforeMb, memoryPeakMb }
}

console.log(JSON.stringify(await main(Number(process.argv[2]))))
process.exit(0)
