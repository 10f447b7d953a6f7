/** Rows 7 and 11: deep pages of long lists, and many events in one call. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Bench, ownDatabase, startTessera, tempFolder } from '../bench.ts'
import { httpRequest } from '../load.ts'
import { users } from '../loads.ts'
import { compare, type Result } from '../report.ts'
import { alternate, httpContender } from '../rounds.ts'
import { seedPast } from '../seed-past.ts'

const few = 10_000
/** Rows of the long lists; `BENCH_HISTORY_ROWS=100000` for a quick run. */
const many = Number(process.env.BENCH_HISTORY_ROWS ?? 10_000_000)
const pageSize = 10

const lists = {
  ledgerEntries: 'uuid eventType points balanceAfter reference metadata createdAt',
  activities: 'uuid category eventType points metadata occurredAt',
}

type ListName = keyof typeof lists
type Asked = { port: number; secret: string; user: string; list: ListName }

const bodyOf = (
  { user, list }: Asked,
  page: { first: number; after: string | null; fields: string },
) => {
  const query = `query ($after: String) { user(by: { externalId: "${user}" }) { ${list}(first: ${page.first}, after: $after) { nodes { ${page.fields} } pageInfo { hasNextPage endCursor } } } }`
  return JSON.stringify({ query, variables: { after: page.after } })
}

/** The cursor after `items` items of a list. Pages through the list, as a client does. */
const walk = async (requested: Asked, items: number): Promise<string | null> => {
  const step = 100
  let after: string | null = null
  for (let passed = 0; passed < items; passed += step) {
    const answer = await fetch(`http://127.0.0.1:${requested.port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-secret': requested.secret },
      body: bodyOf(requested, { first: Math.min(step, items - passed), after, fields: 'uuid' }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    const { data } = (await answer.json()) as {
      data: { user: Record<ListName, { pageInfo: { endCursor: string } }> }
    }
    after = data.user[requested.list].pageInfo.endCursor
  }
  return after
}

/** A request for the page of a list after `skipped` items. */
const pageRequest = async (requested: Asked, skipped: number): Promise<string> => {
  const after = await walk(requested, skipped)
  const body = bodyOf(requested, { first: pageSize, after, fields: lists[requested.list] })
  return httpRequest('POST /graphql', { 'x-api-secret': requested.secret }, body)
}

/** Deep pages of one long ledger, for the comparison of two commits. */
export const deepPages = async (name: string, { startOurs, postgres, demo }: Bench) => {
  const { partnerId, keys } = demo
  const user = 'many'
  await seedPast(postgres.client, { partnerId, user, rows: 200_000 })
  const { pid, port, stop } = await startOurs()
  const requests: string[] = []
  for (const list of ['ledgerEntries', 'activities'] as const)
    requests.push(await pageRequest({ port, secret: keys.secretTest, user, list }, 10_000))
  let n = 0
  const request = () => requests[n++ % requests.length] as string
  return { contender: httpContender(name, { pid, port, connections: 4, request }), end: stop }
}

export const pagesRow = async (bench: Bench): Promise<Result[]> => {
  const url = await ownDatabase(bench, 'history')
  const dataDir = tempFolder()
  const { port, stop } = await startTessera(dataDir, url)
  const { partnerId, keys } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // an interrupted run drops the database
  await client.connect()
  await seedPast(client, { partnerId, user: 'few', rows: few })
  console.error(`Making ${many.toLocaleString('en')} ledger entries and as many events …`)
  await seedPast(client, { partnerId, user: 'many', rows: many })
  const results: Result[] = []
  for (const list of Object.keys(lists) as ListName[])
    for (const page of [1, 1000]) {
      const contender = async (user: 'few' | 'many') => {
        const requested = { port, secret: keys.secretTest, user, list }
        const request = await pageRequest(requested, (page - 1) * pageSize)
        return httpContender(`${list}, page ${page}, of ${user}`, {
          port,
          connections: 4,
          request: () => request,
        })
      }
      const [ours, rival] = (await alternate(
        [await contender('many'), await contender('few')],
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
