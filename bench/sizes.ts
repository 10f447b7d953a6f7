/**
 * Measures the size of each kind of thing on a PostgreSQL server, heap and indexes, for the tables of docs/sizes.md.
 * The argument is their number: `node bench/sizes.ts 100000`. The functions that requests call write everything.
 */
import { v7 as uuid } from 'uuid'
import { createPlayers } from '../src/arena/agents/player.ts'
import { createMatch } from '../src/arena/matches/match.ts'
import { playDueMatches } from '../src/arena/matches/runner.ts'
import { playGames } from '../src/games/play.ts'
import { readConfig } from '../src/kit/config/config.ts'
import { ofTenant } from '../src/kit/database/tenant-client.ts'
import { createLog } from '../src/kit/observability/log.ts'
import { externalId } from '../src/kit/user-id.ts'
import { awardPoints } from '../src/points/points.ts'
import { setRewardRule } from '../src/points/reward-rule.ts'
import { type Server, startServer } from '../src/server.ts'
import { tempFolder } from './bench.ts'
import { atEnd, runToEnd } from './child.ts'
import { startPostgres } from './postgres.ts'

const count = Number(process.argv[2] ?? 100_000)
/** Fewer, because a match takes long to play. */
const matches = Math.ceil(count / 500)
const callers = 128
const batch = 1_000
const partner = { environment: 'TEST' as const }

/** Bytes of each table: of its rows, and of its indexes. */
type Bytes = Map<string, { heap: number; index: number }>

const readBytes = async ({ database }: Server): Promise<Bytes> => {
  await database.direct.query('VACUUM ANALYZE')
  const { rows } = await database.direct.query(`SELECT coalesce(p.relname, c.relname) AS name,
      sum(pg_table_size(c.oid))::float8 AS heap, sum(pg_indexes_size(c.oid))::float8 AS index
    FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY 1`)
  return new Map(rows.map(({ name, heap, index }) => [name, { heap, index }]))
}

/** Runs `one` that many times, concurrently, as requests do. */
const many = async (times: number, item: (n: number) => Promise<unknown>): Promise<void> => {
  let next = 0
  const call = async () => {
    while (next < times) await item(next++)
  }
  await Promise.all(Array.from({ length: callers }, call))
}

const user = (n: number) => externalId().parse(`customer-${n % count}`)

type Stage = { what: string; times: number; run(server: Server, partnerId: string): Promise<void> }

const award =
  (eventType: string): Stage['run'] =>
  ({ runtime }, partnerId) =>
    many(count, (n) => {
      const reference = `${eventType}-${uuid()}`
      const key = { ...partner, partnerId, externalId: user(n) }
      return runtime.write(awardPoints, { ...key, eventType, reference })
    })

const play: Stage['run'] = ({ runtime }, partnerId) =>
  many(count, (n) =>
    runtime.write(playGames, {
      ...partner,
      partnerId,
      externalId: user(n),
      gameType: 'NEON_WHEEL' as const,
    }),
  )

/** An endpoint for all events: each award has a delivery, which succeeds at its first attempt. */
const deliver: Stage['run'] = async (server, partnerId) => {
  const { db } = server.runtime
  const { webhookEndpoint } = ofTenant(db, { ...partner, partnerId })
  const data = { id: uuid(), url: 'https://example.com/hooks' }
  await webhookEndpoint.create({ data: { ...data, events: ['*'], secret: Buffer.alloc(64) } })
  await award('delivered')(server, partnerId)
  for (let changed = batch; changed === batch; )
    changed = await db.$executeRaw`WITH sent AS (
        UPDATE webhook_delivery SET status = 'DELIVERED', attempts = 1, tries = 1, response_status = 200,
          finished_at = now() WHERE id IN (SELECT id FROM webhook_delivery WHERE status = 'PENDING' LIMIT ${batch}::int)
        RETURNING id)
      INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, response_status, response_body)
      SELECT id, 1, now(), 40, 200, 'ok' FROM sent`
  await webhookEndpoint.updateMany({ data: { deletedAt: new Date(), status: 'DISABLED' } })
}

const playMatches: Stage['run'] = async ({ runtime }, partnerId) => {
  const { db, clock } = runtime
  const now = clock()
  const [first, second] = await db.arenaAgent.createManyAndReturn({
    data: ['minimax', 'mixed'].map((modelId) => ({
      id: uuid(),
      partnerId,
      environment: 'LIVE' as const,
      name: uuid(),
      displayName: modelId,
      provider: 'BUILTIN' as const,
      modelId,
      status: 'ACTIVE' as const,
      validatedAt: now,
      createdAt: now,
      updatedAt: now,
    })),
  })
  if (!first || !second) throw new Error('there are no agents')
  const players = createPlayers(runtime)
  for (let n = 0; n < matches; n++) {
    const match = { agents: [first, second] as const, partnerId, bestOf: 3 as const }
    await createMatch(runtime, { ...match, matchType: 'FRIENDLY', gameType: 'CONNECT_FOUR' })
    if (n % 20 === 19 || n === matches - 1) while ((await playDueMatches(runtime, players)) > 0);
  }
  await players.close()
}

const signInMembers: Stage['run'] = async ({ runtime: { db, clock } }, partnerId) => {
  const { id: memberId } = await db.member.findFirstOrThrow({ where: { partnerId } })
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
  for (let n = 0; n < count; n += batch)
    await db.signIn.createMany({
      data: Array.from({ length: batch }, () => ({
        id: uuid(),
        memberId,
        userAgent: agent,
        network: '192.0.2.0/24',
        createdAt: clock(),
        expiresAt: new Date(clock().getTime() + 30 * 86_400_000),
        origin: Buffer.from(uuid()).toString('base64url'),
      })),
    })
}

const audit: Stage['run'] = async ({ runtime: { db } }, partnerId) => {
  const change = { table: 'reward_rule', id: uuid(), field: 'points', from: 100, to: 200 }
  const changes = JSON.stringify([change, { ...change, field: 'eventType' }])
  for (let n = 0; n < count; n += batch)
    await db.$executeRaw`INSERT INTO audit_entry (id, partner_id, environment, at, actor_kind, actor_id,
        actor_name, address, user_agent, request_id, action, target_type, target_id, changes)
      SELECT gen_random_uuid(), ${partnerId}::uuid, 'TEST', now(), 'MEMBER', ${partnerId}::uuid,
        'somebody@example.com', '192.0.2.17', repeat('Mozilla/5.0 ', 9), gen_random_uuid()::text,
        'setRewardRule', 'RewardRule', gen_random_uuid(), ${changes}::json
      FROM generate_series(1, ${batch}::int)`
}

const stages: Stage[] = [
  { what: 'a new user with a first award', times: count, run: award('seed') },
  { what: 'an award', times: count, run: award('purchase') },
  { what: 'a play', times: count, run: play },
  { what: 'an award that is delivered to an endpoint', times: count, run: deliver },
  { what: 'a match: three games of four in a row', times: matches, run: playMatches },
  { what: 'a sign-in', times: count, run: signInMembers },
  { what: 'an entry of the audit log', times: count, run: audit },
]

const cells = (...texts: (string | number)[]) => console.log(`| ${texts.join(' | ')} |`)

/** Prints the growth by a stage, in total and by table. */
const print = ({ what, times }: Stage, before: Bytes, after: Bytes): void => {
  const added = [...after].map(([name, { heap, index }]) => {
    const was = before.get(name) ?? { heap: 0, index: 0 }
    return { name, heap: (heap - was.heap) / times, index: (index - was.index) / times }
  })
  const sum = (of: 'heap' | 'index') => added.reduce((all, table) => all + table[of], 0)
  const parts = added
    .filter(({ heap, index }) => heap + index >= 5)
    .sort((a, b) => b.heap + b.index - a.heap - a.index)
    .map(({ name, heap, index }) => `${name} ${Math.round(heap)} + ${Math.round(index)}`)
  const [heap, index] = [sum('heap'), sum('index')]
  cells(what, Math.round(heap + index), Math.round(heap), Math.round(index), parts.join(', '))
}

const main = async (): Promise<boolean> => {
  const { url, version } = await startPostgres()
  const config = readConfig({
    DATABASE_URL: url,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    JOBS: 'off',
    ARENA_MATCHMAKER: 'off',
    DEMO_PAST: 'off',
    DATA_DIR: tempFolder(),
    ARENA_GAME_PAUSE_MS: '0',
    ARENA_MOVE_PAUSE_MS: '0',
  })
  const server = await startServer(config, { log: createLog(config) })
  atEnd(() => server.stop())
  const partnerId = server.demo?.partnerId as string
  for (const [eventType, points] of Object.entries({ seed: 1_000, delivered: 50 }))
    await setRewardRule(server.runtime, { ...partner, partnerId, eventType, points })
  console.log(`PostgreSQL ${version}, ${count.toLocaleString('en')} of each\n`)
  cells('', 'Bytes', 'Rows', 'Indexes', 'By table: rows + indexes')
  cells('---', '---:', '---:', '---:', '---')
  let before = await readBytes(server)
  for (const stage of stages) {
    await stage.run(server, partnerId)
    const after = await readBytes(server)
    print(stage, before, after)
    before = after
  }
  return true
}

await runToEnd(main)
