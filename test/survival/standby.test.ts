/** Reads on a real standby: which ones go there, and when the primary answers instead. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { runExports } from '../../src/exports/export.jobs.ts'
import { exporting } from '../exports/exporting.ts'
import { awake } from '../timing.ts'
import { createWorld, type TestDatabase, type World } from '../world.ts'
import { copyCluster, startCluster } from './cluster.ts'

type Cluster = Awaited<ReturnType<typeof startCluster>>

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

let primary: Cluster
let standby: Cluster
let database: TestDatabase
beforeAll(async () => {
  primary = await startCluster()
  database = await primary.createDatabase('read')
  standby = await startCluster({ data: await copyCluster(primary.url()) })
})
afterAll(async () => {
  await standby?.end()
  await primary?.end()
  await database?.drop()
})

const start = async (databaseReadUrl = standby.url('read')) => {
  const node = await createWorld({ database, config: { databaseReadUrl } })
  ends.push(node.server.stop)
  return node
}

/** Why the standby is not read; undefined while it is. */
const reasonOf = async (node: World): Promise<string | undefined> =>
  (await node.get('/readyz?verbose')).body.degraded.find(
    ({ part }: { part: string }) => part === 'standby',
  )?.reason

const until = async (node: World, reason: RegExp) => {
  const end = awake() + 30_000
  while (!reason.test(String(await reasonOf(node)))) {
    expect(awake(), String(await reasonOf(node))).toBeLessThan(end)
    await sleep(50)
  }
}
const untilUsed = (node: World) => until(node, /^undefined$/)

const metric = async (node: World, name: string) => {
  const text = await node.runtime.metrics.registry.metrics()
  const line = text.split('\n').find((item) => item.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

const award = (node: World, userId = 'ann') =>
  node.post('/v1/points/award', node.keys.secret, {
    userId,
    eventType: 'signup',
    reference: randomUUID(),
  })
const balanceOf = async (node: World, userId = 'ann') => {
  const answer = await node.get(`/v1/users/${userId}/balance`, node.keys.secret)
  expect(answer.status).toBe(200)
  return Number(answer.body.data.totalPoints)
}
const ask = async (node: World, query: string) => {
  const { body } = await node.graphql(query)
  expect(body.errors).toBeUndefined()
  return body.data
}
/** The number of users on the leaderboard. */
const rankedOf = async (node: World): Promise<number> =>
  (await ask(node, '{ leaderboard { nodes { rank } } }')).leaderboard.nodes.length

const resume = () => standby.query('SELECT pg_wal_replay_resume()')
const pause = async () => {
  await standby.query('SELECT pg_wal_replay_pause()')
  // For the next test, if this one fails. A promoted standby replays nothing.
  ends.push(() => resume().catch(() => []))
}
/** Waits until the standby has replayed all that is written now. */
const untilReplayed = async () => {
  const [{ lsn }] = await primary.query('SELECT pg_current_wal_flush_lsn() AS lsn')
  const behind = `SELECT pg_wal_lsn_diff('${lsn}', pg_last_wal_replay_lsn()) > 0 AS is_behind`
  while ((await standby.query(behind))[0].is_behind) await sleep(20)
}

const day = 86_400_000
const from = new Date(Date.now() - day).toISOString()
const to = new Date(Date.now() + day).toISOString()

test('statistics, public lists and exports read the standby, balances and histories do not', async () => {
  const node = await start()
  const { db } = node.runtime
  const { start: startExport, read } = exporting(node)
  const campaign = {
    ...node.tenant,
    startsAt: new Date(from),
    endsAt: new Date(to),
    status: 'ACTIVE',
  } as const
  const addCampaign = async (slug: string) =>
    void (await db.campaign.create({ data: { ...campaign, id: randomUUID(), slug, name: slug } }))
  const { slug: partnerSlug } = await db.partner.findUniqueOrThrow({
    where: { id: node.partner.partnerId },
  })
  const seen = async () => {
    const { analytics, leaderboard, campaigns, ...pages } = await ask(
      node,
      `{ analytics(metrics: [POINTS_ISSUED], from: "${from}", to: "${to}", interval: DAY) { total }
        leaderboard { nodes { user { externalId } } } campaigns { nodes { slug } }
        first: publicCampaign(partnerSlug: "${partnerSlug}", slug: "first", environment: TEST) { slug }
        second: publicCampaign(partnerSlug: "${partnerSlug}", slug: "second", environment: TEST) { slug } }`,
    )
    return {
      total: analytics[0].total,
      users: leaderboard.nodes.length,
      campaigns: campaigns.nodes.length,
      pages: Object.values(pages).filter(Boolean).length,
    }
  }
  const own = async () => {
    const { user } = await ask(
      node,
      '{ user(by: { externalId: "ann" }) { balance ledgerEntries { nodes { points } } } }',
    )
    return [await balanceOf(node), user.balance, user.ledgerEntries.nodes.length]
  }
  expect((await award(node)).status).toBe(200)
  await addCampaign('first')
  const points = await balanceOf(node)
  const old = await startExport('LEDGER')
  await untilReplayed()
  await untilUsed(node)
  const before = { total: points, users: 1, campaigns: 1, pages: 1 }
  expect(await seen()).toEqual(before)

  await pause()
  expect((await award(node)).status).toBe(200)
  expect((await award(node, 'bob')).status).toBe(200)
  await addCampaign('second')
  const young = await startExport('LEDGER')
  expect(await seen()).toEqual(before)
  expect(await own()).toEqual([points * 2, points * 2, 2])
  await runExports(node.runtime)
  expect((await read(old.export.id)).rowCount).toBe(1)
  expect((await read(young.export.id)).rowCount).toBe(3)

  await resume()
  await untilReplayed()
  expect(await seen()).toEqual({ total: points * 3, users: 2, campaigns: 2, pages: 2 })
})

test('a standby of another database is not read', async () => {
  const node = await start(standby.url('postgres'))
  await until(node, /another database/)
  expect((await award(node)).status).toBe(200)
  expect(await rankedOf(node)).toBe(1)
  expect(await metric(node, 'tessera_standby_usable')).toBe(0)
})

test('a revoked key is refused while replay stands still', async () => {
  const node = await start()
  await untilUsed(node)
  expect(await rankedOf(node)).toBe(0)
  await pause()
  await node.runtime.db.apiKey.updateMany({
    where: { partnerId: node.partner.partnerId },
    data: { revokedAt: new Date() },
  })
  const revokedAt = awake()
  while ((await node.graphql('{ leaderboard { nodes { rank } } }')).status !== 403) {
    expect(awake() - revokedAt).toBeLessThan(5_000)
    await sleep(100)
  }
  await resume()
})

// The last one, because it promotes the standby.
test('a standby that is unreachable, too far behind or promoted is not read', async () => {
  const node = await start()
  await untilUsed(node)
  const usable = () => metric(node, 'tessera_standby_usable')
  expect(await usable()).toBe(1)
  expect((await award(node)).status).toBe(200)
  await untilReplayed()

  let isOver = false
  const statuses = new Set<number>()
  const list = async () => {
    while (!isOver) {
      statuses.add((await node.graphql('{ leaderboard { nodes { rank } } }')).status)
      await sleep(5)
    }
  }
  const listing = Promise.all([list(), list()])
  await standby.stop('immediate')
  await until(node, /unreachable/)
  expect(await usable()).toBe(0)
  expect(await rankedOf(node)).toBe(1)
  await standby.start()
  await untilUsed(node)

  standby.freeze()
  await until(node, /unreachable/)
  expect(await rankedOf(node)).toBe(1)
  standby.thaw()
  await untilUsed(node)

  await pause()
  expect((await award(node, 'bob')).status).toBe(200)
  expect(await rankedOf(node)).toBe(1)
  await until(node, /too far behind/)
  expect(await rankedOf(node)).toBe(2)
  expect(await metric(node, 'tessera_standby_lag_seconds')).toBeGreaterThan(10)
  await resume()
  await untilUsed(node)

  await standby.query('SELECT pg_promote()')
  await until(node, /leads to no standby/)
  expect((await award(node, 'eve')).status).toBe(200)
  expect(await rankedOf(node)).toBe(3)
  isOver = true
  await listing
  expect([...statuses]).toEqual([200])
  expect((await node.get('/readyz')).status).toBe(200)
})
