/** Row 6: the leaderboard and ranks of very many users. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Bench, ownDatabase, startTessera, tempFolder } from '../bench.ts'
import { httpRequest } from '../load.ts'
import { compare, type Result } from '../report.ts'
import { alternate, httpContender } from '../rounds.ts'

/** Users of the short leaderboard, which is in LIVE. */
const few = 1_000
/** Users of the long one, in TEST; `BENCH_USERS=100000` for a quick run. */
const many = Number(process.env.BENCH_USERS ?? 10_000_000)

const documents = {
  'leaderboard, page 1': () => '{ leaderboard(first: 10) { nodes { rank user { externalId } } } }',
  'rank of a random user': (users: number) =>
    `{ user(by: { externalId: "player-${1 + Math.floor(Math.random() * users)}" }) { rank } }`,
}

/** Users with unevenly distributed scores: a quarter of them has less than 400 points, and many have the same score. */
const seedUsers = async (
  client: pg.Client,
  { partnerId, environment, users }: { partnerId: string; environment: string; users: number },
) => {
  const chunk = 500_000
  for (let from = 1; from <= users; from += chunk) {
    const to = Math.min(users, from + chunk - 1)
    await client.query(
      `INSERT INTO end_user (id, partner_id, environment, external_id, lifetime_points, score_reached_at)
      SELECT gen_random_uuid(), $1::uuid, $2::"Environment", 'player-' || n, score, now() - random() * interval '1 year'
      FROM (SELECT n, (100000 * random() ^ 4)::int AS score FROM generate_series($3::int, $4::int) n) s`,
      [partnerId, environment, from, to],
    )
    if (users > chunk) console.error(`  ${to.toLocaleString('en')}`)
  }
  await client.query(
    `INSERT INTO counter (partner_id, environment, name, shard, value)
    VALUES ($1, $2, 'users', 99, $3)`,
    [partnerId, environment, users],
  )
}

export const leaderboardRow = async (bench: Bench): Promise<Result[]> => {
  const url = await ownDatabase(bench, 'leaderboard')
  const dataDir = tempFolder()
  const { port, stop } = await startTessera(dataDir, url)
  const { partnerId, keys } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // an interrupted run drops the database
  await client.connect()
  await client.query("SET session_replication_role = 'replica'")
  console.error(`Making ${many.toLocaleString('en')} users …`)
  await seedUsers(client, { partnerId, environment: 'LIVE', users: few })
  await seedUsers(client, { partnerId, environment: 'TEST', users: many })
  await client.query('VACUUM ANALYZE end_user')
  console.error('Waiting for the job that counts them …')
  const marks = 'SELECT FROM leaderboard_mark LIMIT 1'
  while (many > 10_000 && !(await client.query(marks)).rowCount) await sleep(1_000)
  const results: Result[] = []
  for (const [what, documentFor] of Object.entries(documents)) {
    const contender = (users: number, secret: string) =>
      httpContender(`${what}, ${users.toLocaleString('en')} users`, {
        port,
        connections: 4,
        request: () =>
          httpRequest(
            'POST /graphql',
            { 'x-api-secret': secret },
            JSON.stringify({ query: documentFor(users) }),
          ),
      })
    const [ours, rival] = (await alternate(
      [contender(many, keys.secretTest), contender(few, keys.secretLive)],
      async () => {},
    )) as [number, number]
    results.push(
      compare({
        row: '6',
        what: `${what}, ${many.toLocaleString('en')} users`,
        against: `the same with ${few.toLocaleString('en')} users`,
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
