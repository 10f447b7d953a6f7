/** Row 15: how fast a year of statistics is answered. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Demo } from '../../src/demo/demo.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { packStatistics } from '../../src/statistics/statistics.jobs.ts'
import { type Bench, ownDatabase, startTessera, tempFolder } from '../bench.ts'
import { limit, type Result } from '../report.ts'
import { median } from '../rounds.ts'

const facts = 100_000_000
const partners = 10
const requests = 40

/** The hours of a year with eight event types each, as the triggers would write them; and other partners. */
const seedYear = `
  INSERT INTO statistic (partner_id, environment, metric, hour, key, shard, q1, q2, q3, q4)
  SELECT CASE WHEN p = 0 THEN $1::uuid ELSE md5('partner ' || p)::uuid END, 'LIVE', metric, hour, key, 0, n, n, n, n
  FROM generate_series(0, ${partners}) p,
    (VALUES ('POINTS_ISSUED', 8), ('POINTS_SPENT', 3), ('NEW_USERS', 1)) m (metric, keys),
    LATERAL (SELECT CASE WHEN metric = 'NEW_USERS' THEN '' ELSE 'type-' || k END AS key
      FROM generate_series(1, keys) k) k,
    generate_series($2::timestamptz, $3::timestamptz, interval '1 hour') hour,
    (SELECT ${Math.round(facts / 8760 / 8 / 4)} AS n) n`

/** The median response time in milliseconds. */
const timeQuery = async (port: number, secret: string, query: string): Promise<number> => {
  const times: number[] = []
  for (let n = 0; n < requests; n++) {
    const startedAt = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-secret': secret },
      body: JSON.stringify({ query }),
    })
    const text = await answer.text()
    if (!answer.ok || !text.includes('"value":') || text.includes('"errors"')) throw new Error(text)
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

export const yearRow = async (bench: Bench): Promise<Result[]> => {
  const url = await ownDatabase(bench, 'statistics')
  const dataDir = tempFolder()
  const { port, stop } = await startTessera(dataDir, url, undefined, { JOBS: 'off' })
  const { partnerId, keys } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const to = new Date('2026-01-01T00:00:00Z')
  const from = new Date('2025-01-01T00:00:00Z')
  console.log('Making a year of statistics …')
  await client.query(seedYear, [partnerId, from, to])
  console.log('Packing it …')
  const database = await openDatabase({ databaseUrl: url, dataDir })
  await packStatistics({ ...database, clock: () => new Date('2026-02-01T00:00:00Z') })
  await database.close()
  await client.query('VACUUM ANALYZE statistic, statistic_day')
  await client.end()
  const yearOf = (metrics: string, groupBy = '') =>
    `{ analytics(metrics: [${metrics}], from: "${from.toISOString()}", to: "${to.toISOString()}", interval: DAY, timeZone: "Europe/Paris"${groupBy}) { total buckets { startsAt value } } }`
  const month = `{ analytics(metrics: [POINTS_ISSUED], from: "2025-03-01T00:00:00Z", to: "2025-03-31T00:00:00Z", interval: DAY, groupBy: EVENT_TYPE) { total buckets { startsAt value } } }`
  const results: Result[] = []
  for (const [what, query] of [
    ['a year by day of one metric', yearOf('POINTS_ISSUED')],
    ['a year by day of three metrics', yearOf('POINTS_ISSUED, POINTS_SPENT, NEW_USERS')],
    ['a month by day of one metric by event type', month],
  ] as const) {
    const ours = await timeQuery(port, keys.secretLive, query)
    console.log(`  ${what}: ${ours.toFixed(1)} ms`)
    const whole = `${what}, ${facts.toLocaleString('en')} facts`
    results.push(limit({ row: '15', what: whole, ours, unit: 'ms', goal: 50 }))
  }
  await stop()
  return results
}
