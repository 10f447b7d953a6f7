/** Many users with a past, in the tables of a migrated database. */
import type pg from 'pg'

/** Users `user-1` … of a partner's sandbox, each with one award of a day ago, enough for any number of plays. */
export const seedUsers = async (
  client: pg.Client,
  {
    partnerId,
    users,
    analyze = true,
    first = 1,
    daysAgo = 1,
  }: { partnerId: string; users: number; analyze?: boolean; first?: number; daysAgo?: number },
): Promise<void> => {
  await client.query(
    `WITH wanted AS MATERIALIZED (
      SELECT n, gen_random_uuid() AS user_id, 100000000 + floor(random() * 1000000)::int AS points,
        ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id,
        $1::uuid AS partner_id, 'TEST'::"Environment" AS environment, now() - $4::int * interval '1 day' AS at
      FROM generate_series($3::int, $3::int + $2::int - 1) n
    ), wallet AS (
      INSERT INTO end_user (id, partner_id, environment, external_id, display_name, balance,
        lifetime_points, entries, score_reached_at, created_at)
      SELECT user_id, partner_id, environment, 'user-' || n, 'User ' || n, points, points, 1,
        at, at FROM wanted
    ), ledger AS (
      INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
        balance_after, account, created_at)
      SELECT id, partner_id, environment, user_id, 1, 'signup', points, points, 'issuance', at
      FROM wanted
    ), activity AS (
      INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type,
        source_id, points, occurred_at)
      SELECT id, partner_id, environment, user_id, 'POINTS', 'signup', id::text, points, at
      FROM wanted
    ), event AS (
      INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
      SELECT id, partner_id, environment, 'points.awarded', json_build_object('ledgerId', id), at
      FROM wanted
    )
    INSERT INTO counter AS c (partner_id, environment, name, shard, value)
    VALUES ($1::uuid, 'TEST', 'users', 0, $2::int)
    ON CONFLICT (partner_id, environment, name, shard) DO UPDATE SET value = c.value + excluded.value`,
    [partnerId, users, first, daysAgo],
  )
  if (analyze) await client.query('ANALYZE')
}
