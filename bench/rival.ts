/** The plain ledger of rival.sql with its users, and the check that it wrote what it should. */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { type Bench, ownDatabase } from './bench.ts'
import { atEnd } from './child.ts'
import { users } from './loads.ts'
import { runPgbench } from './pgbench.ts'
import type { Contender } from './rounds.ts'

export type Rival = {
  contender(script: string, clients: number): Contender
  /** @throws Error when the rival wrote less than a ledger, or wrong data */
  check(): Promise<void>
  settle(): Promise<unknown>
}

const tenant = '01900000-0000-7000-8000-000000000000'

/** The demo's rule of purchases and its wheel. Users have enough for any number of plays. */
const seed = `
  INSERT INTO reward_rule VALUES ('${tenant}', 'purchase', 50);
  INSERT INTO prize VALUES ('${tenant}', 0, 'epic', 0, 50), ('${tenant}', 1, 'rare', 200, 50),
    ('${tenant}', 2, 'rare', 0, 50), ('${tenant}', 3, 'common', 20, 50), ('${tenant}', 4, 'common', 0, 50);
  CREATE TEMPORARY TABLE wanted AS
    SELECT n, gen_random_uuid() AS user_id, 100000000 + floor(random() * 1000000)::int AS points,
      ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id, now() - interval '1 day' AS at
    FROM generate_series(1, ${users}) n;
  INSERT INTO users SELECT user_id, '${tenant}', 'user-' || n, 'User ' || n, points, points, points, 0, at FROM wanted;
  INSERT INTO ledger SELECT id, '${tenant}', user_id, 'signup', points, points, NULL, at FROM wanted;
  INSERT INTO timeline SELECT id, '${tenant}', user_id, 'POINTS', 'signup', id::text, points, NULL, at FROM wanted;
  INSERT INTO outbox (tenant_id, type, data, occurred_at)
    SELECT '${tenant}', 'points.awarded', json_build_object('ledgerId', id), at FROM wanted;`

/** Every balance is the sum of its entries, and every entry of an award or a play has a line and an event. */
const wrong = `
  SELECT (SELECT count(*) FROM users u WHERE balance <> (SELECT sum(points) FROM ledger l WHERE l.user_id = u.id))
    + abs((SELECT count(*) FROM ledger WHERE event_type <> 'game_reward') - (SELECT count(*) FROM timeline))
    + abs((SELECT count(*) FROM timeline) - (SELECT count(*) FROM outbox)) AS count`

/** Null where pgbench is not installed. */
export const prepareRival = async (bench: Bench): Promise<Rival | null> => {
  const { pgbench } = bench.postgres
  if (!pgbench) return null
  const url = await ownDatabase(bench, 'rival')
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  atEnd(() => client.end().catch(() => {}))
  await client.query(readFileSync(new URL('rival.sql', import.meta.url), 'utf8'))
  await client.query(seed)
  await client.query('VACUUM ANALYZE')
  return {
    contender: (script, clients) => ({
      name: `plain ledger, ${clients} clients`,
      measure: (seconds) =>
        runPgbench(pgbench, { url, script, clients, seconds, variables: { users, tenant } }),
    }),
    settle: () => client.query('CHECKPOINT'),
    check: async () => {
      const { rows } = await client.query<{ count: string }>(wrong)
      if (rows[0]?.count !== '0')
        throw new Error(`The plain ledger is wrong in ${rows[0]?.count} places`)
    },
  }
}
