/** A user with a long past: many rows of ledger and timeline, written without triggers. */
import type pg from 'pg'

const idOf = (rows: number, n: number) =>
  `01900000-0000-7000-8${String(String(rows).length).padStart(3, '0')}-${n.toString(16).padStart(12, '0')}`

/**
 * Row n happened n seconds after the beginning, the last row now. In chunks, so that progress is
 * visible.
 */
export const seedPast = async (
  client: pg.Client,
  { partnerId, user, rows }: { partnerId: string; user: string; rows: number },
): Promise<void> => {
  const beginning = Date.now() - rows * 1000
  const userId = idOf(rows, 0)
  const prefix = userId.slice(0, 24)
  await client.query("SET session_replication_role = 'replica'")
  await client.query(
    `INSERT INTO end_user (id, partner_id, environment, external_id, balance, lifetime_points, entries,
      score_reached_at) VALUES ($1, $2, 'TEST', $3, $4::int, $4::int, $4::int, now())`,
    [userId, partnerId, user, rows],
  )
  const chunk = 500_000
  for (let from = 1; from <= rows; from += chunk) {
    const values = [from, Math.min(rows, from + chunk - 1), beginning, userId, partnerId, prefix]
    const series = `SELECT ($6 || lpad(to_hex(n), 12, '0'))::uuid AS id, n,
      to_timestamp($3::bigint / 1000.0 + n) AS at, $4::uuid AS user_id, $5::uuid AS partner_id
      FROM generate_series($1::int, $2::int) n`
    await client.query(
      `INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
        balance_after, account, created_at)
      SELECT id, partner_id, 'TEST', user_id, n, 'bench', 1, n, 'bench', at FROM (${series}) s`,
      values,
    )
    await client.query(
      `INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, points,
        occurred_at)
      SELECT id, partner_id, 'TEST', user_id, 'GAME_PLAY', 'bench', 1, at FROM (${series}) s`,
      values,
    )
    if (rows > chunk) console.error(`  ${(values[1] as number).toLocaleString('en')}`)
  }
  await client.query(
    `INSERT INTO user_profile (user_id, partner_id, environment, events, plays, wins, first_event_at,
      last_event_at, user_created_at)
    SELECT user_id, $2::uuid, 'TEST', $3::int, $3::int, $3::int, min(occurred_at), max(occurred_at),
      (SELECT created_at FROM end_user WHERE id = $1)
    FROM user_activity WHERE user_id = $1 GROUP BY 1`,
    [userId, partnerId, rows],
  )
  await client.query(
    `INSERT INTO user_hour (user_id, hour, partner_id, environment, plays, points_earned)
    SELECT user_id, date_bin('1 hour', occurred_at, 'epoch'), partner_id, environment, count(*),
      sum(points) FROM user_activity WHERE user_id = $1 GROUP BY 1, 2, 3, 4`,
    [userId],
  )
  await client.query("SET session_replication_role = 'origin'")
  await client.query(
    'VACUUM ANALYZE ledger_entry, user_activity, user_hour, user_profile, end_user',
  )
}
