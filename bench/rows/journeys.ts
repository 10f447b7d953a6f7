/** Rows 7 and 11: deep pages of long lists, and many events in one call. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Bench, startTessera, tempFolder } from '../bench.ts'
import { atEnd } from '../child.ts'
import { httpRequest } from '../load.ts'
import { users } from '../loads.ts'
import { compare, type Result } from '../report.ts'
import { alternate, httpContender } from '../rounds.ts'
import { type Past, seedPast } from '../seed-past.ts'

const few = 10_000
/** Rows of the long lists; `BENCH_HISTORY_ROWS=100000` for a quick look. */
const many = Number(process.env.BENCH_HISTORY_ROWS ?? 10_000_000)
const pageSize = 10

/** A database of its own: what is written into it past all triggers must not be counted elsewhere. */
const ownDatabase = async ({ postgres }: Bench): Promise<string> => {
  const name = `tessera_history_${process.pid}`
  await postgres.client.query(`CREATE DATABASE ${name}`)
  atEnd(() => postgres.client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => {}))
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const lists = {
  history: 'uuid eventType points balanceAfter reference metadata createdAt',
  timeline: 'uuid category eventType points metadata occurredAt',
}

/** Asks for a page of a user's list, `skipped` items after its beginning. */
const pageRequest = (
  list: keyof typeof lists,
  { user, past, skipped, secret }: { user: string; past: Past; skipped: number; secret: string },
): string => {
  const after = skipped > 0 ? cursor(past[list](skipped)) : null
  const query = `query ($after: String) { user(by: { externalId: "${user}" }) { ${list}(first: ${pageSize}, after: $after) { nodes { ${lists[list]} } pageInfo { hasNextPage } } } }`
  const body = JSON.stringify({ query, variables: { after } })
  return httpRequest('POST /graphql', { 'x-api-secret': secret }, body)
}

/** Deep pages of one long ledger, for the comparison of two commits. */
export const deepPages = async (name: string, { startOurs, postgres, demo }: Bench) => {
  const { partnerId, keys } = demo
  const user = 'many'
  const past = await seedPast(postgres.client, { partnerId, user, rows: 200_000 })
  const { pid, port, stop } = await startOurs()
  const asked = { user, past, skipped: 10_000, secret: keys.secretTest }
  const requests = (['history', 'timeline'] as const).map((list) => pageRequest(list, asked))
  let n = 0
  const request = () => requests[n++ % requests.length] as string
  return { contender: httpContender(name, { pid, port, connections: 4, request }), end: stop }
}

export const pagesRow = async (bench: Bench): Promise<Result[]> => {
  const url = await ownDatabase(bench)
  const dataDir = tempFolder()
  const { port, stop } = await startTessera(dataDir, url)
  const { partnerId, keys } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // a run that was broken off drops the database
  await client.connect()
  const past = { few: await seedPast(client, { partnerId, user: 'few', rows: few }) }
  console.error(`Making ${many.toLocaleString('en')} ledger entries and as many events …`)
  const long = { ...past, many: await seedPast(client, { partnerId, user: 'many', rows: many }) }
  const results: Result[] = []
  for (const list of Object.keys(lists) as (keyof typeof lists)[])
    for (const page of [1, 1000]) {
      const contender = (user: 'few' | 'many') => {
        const asked = { user, past: long[user], skipped: (page - 1) * pageSize }
        const request = pageRequest(list, { ...asked, secret: keys.secretTest })
        return httpContender(`${list}, page ${page}, of ${user}`, {
          port,
          connections: 4,
          request: () => request,
        })
      }
      const [ours, rival] = (await alternate(
        [contender('many'), contender('few')],
        async () => {},
      )) as [number, number]
      results.push(
        compare({
          row: '7',
          what: `${list} of ${many.toLocaleString('en')} rows, page ${page} by cursor`,
          against: `the same of ${few.toLocaleString('en')} rows`,
          ours,
          rival,
          goal: 0.67, // at most 1.5 × the time
        }),
      )
    }
  await client.end()
  await stop()
  return results
}

const listSize = 500

/** Requests that track journey events of existing users, one by one or in lists. */
const trackRequests = ({ keys }: Bench['demo']) => {
  const headers = { 'x-api-key': keys.publicTest }
  let n = 0
  const run = process.pid
  const event = () =>
    `{"externalId":"user-${1 + Math.floor(Math.random() * users)}","category":"CUSTOM","eventType":"level_up","points":5,"reference":"${run}-${n++}"}`
  const list = () => `{"events":[${Array.from({ length: listSize }, event).join(',')}]}`
  return {
    lists: () => httpRequest('POST /v1/user-journeys/track', headers, list()),
    singles: () => httpRequest('POST /v1/user-journeys/events', headers, event()),
  }
}

/** Lists of events, for the comparison of two commits. */
export const trackedLists = async (name: string, { startOurs, demo }: Bench) => {
  const { pid, port, stop } = await startOurs()
  const request = trackRequests(demo).lists
  return { contender: httpContender(name, { pid, port, connections: 1, request }), end: stop }
}

export const trackRow = async (bench: Bench): Promise<Result[]> => {
  const { port, stop } = await bench.startOurs()
  const request = trackRequests(bench.demo)
  const [lists, singles] = (await alternate(
    [
      httpContender('lists of 500', {
        port,
        connections: 1,
        request: request.lists,
      }),
      httpContender('single events', {
        port,
        connections: 1,
        request: request.singles,
      }),
    ],
    bench.settle,
  )) as [number, number]
  await stop()
  return [
    compare({
      row: '11',
      what: 'events by POST /v1/user-journeys/track, 500 a call, one caller',
      against: 'the same by single calls',
      ours: lists * listSize,
      rival: singles,
      goal: 20,
    }),
  ]
}
