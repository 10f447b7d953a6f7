/** Many ledger entries of a partner, written without the API. */
import type pg from 'pg'
import type { Tenant } from '../../src/kit/tenant.ts'

/**
 * One user with `entries` entries, and as many users with none, one or two each, so that pages begin and end at any of
 * them. Returns how many entries there are.
 */
export const plantEntries = async (
  pool: pg.Pool,
  { partnerId, environment }: Tenant,
  entries: number,
): Promise<number> => {
  const values = [partnerId, environment, entries]
  await pool.query({
    text: `INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at, balance,
        lifetime_points, entries)
      SELECT gen_random_uuid(), $1::uuid, $2::"Environment", 'many-' || n, now(), m, m, m
      FROM generate_series(0, $3::int) n, LATERAL (SELECT CASE n WHEN 0 THEN $3::int ELSE n % 3 END AS m) x`,
    values,
  })
  const { rowCount } = await pool.query({
    text: `INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
        balance_after, account, metadata, created_at)
      SELECT gen_random_uuid(), u.partner_id, u.environment, u.id, n, 'planted', 1, n, 'planted',
        json_build_object('note', repeat('x', 200)), now()
      FROM end_user u, generate_series(1, u.entries) n
      WHERE u.partner_id = $1::uuid AND u.environment = $2::"Environment" AND u.external_id LIKE 'many-%'
        AND u.entries <= $3::int`,
    values,
  })
  return Number(rowCount)
}
