/** Many tickets of one open draw, in the tables of a migrated database. */
import type pg from 'pg'
import type { LotteryDraw } from '../src/generated/prisma/client.ts'

/** Tickets per statement, with all rows that belong to a ticket. */
const chunk = 100_000

/**
 * Tickets of one line, six of 49 and one of ten, as `POST /v1/lotteries/entries` would have written
 * them: ten for each user. All numbers are possible in a line, though not all lines are.
 */
export const seedTickets = async (
  pool: pg.Pool,
  options: {
    draw: LotteryDraw
    partnerId: string
    tickets: number
    tell(text: string): void
  },
): Promise<void> => {
  const { draw, partnerId, tickets, tell } = options
  for (let from = 0; from < tickets; from += chunk) {
    const to = Math.min(from + chunk, tickets)
    await pool.query({
      text: `WITH picked AS MATERIALIZED (
          SELECT n, clock_timestamp() AS at, uuid_send(gen_random_uuid()) AS salt,
            ('01900000-' || substr(md5($1::text), 1, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id,
            'LX-2026-0101-' || lpad(upper(to_hex(n)), 6, '0') AS ref,
            'user-' || (n + 9) / 10 || '@example.com' AS email,
            ARRAY[1, 9, 17, 25, 33, 41] AS base, floor(random() * 8)::int AS a, floor(random() * 8)::int AS b,
            floor(random() * 8)::int AS c, floor(random() * 8)::int AS d, floor(random() * 8)::int AS e,
            floor(random() * 9)::int AS f, 1 + floor(random() * 10)::int AS bonus
          FROM generate_series($4::int + 1, $5::int) n
        ), line AS MATERIALIZED (
          SELECT *, ARRAY[1 + a, 9 + b, 17 + c, 25 + d, 33 + e, 41 + f] AS main,
            sha256(convert_to(E'tessera-holder-v1\\n' || encode(salt, 'hex') || E'\\n' || email, 'UTF8')) AS holder
          FROM picked
        ), ticket AS (
          INSERT INTO lottery_ticket (id, partner_id, environment, lottery_id, draw_id, ticket_no,
            entry_no, ticket_ref, email, entry_method, lines, line_count, masks, salt, holder, leaf,
            created_at)
          SELECT id, $2::uuid, 'TEST', $3::uuid, $1::uuid, n, n, ref, email, 'PARTNER_API',
            json_build_array(json_build_object('main', main, 'bonus', ARRAY[bonus])), 1,
            set_bit(set_bit(set_bit(set_bit(set_bit(set_bit(set_bit(repeat('0', 59)::varbit,
              main[1] - 1, 1), main[2] - 1, 1), main[3] - 1, 1), main[4] - 1, 1), main[5] - 1, 1),
              main[6] - 1, 1), 48 + bonus, 1),
            salt, holder, sha256('\\x00'::bytea || convert_to(ref || ' ' || id || ' '
              || encode(holder, 'hex') || ' ' || array_to_string(main, ',') || '+' || bonus || ' active', 'UTF8')),
            at FROM line
        ), event AS (
          INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
          SELECT id, $2::uuid, 'TEST', 'lottery.entry_created', json_build_object('id', id), at FROM line
        ), entrant AS (
          INSERT INTO lottery_entrant (partner_id, environment, draw_id, entrant, tickets, max_tickets)
          SELECT $2::uuid, 'TEST', $1::uuid, email, count(*), 10 FROM line GROUP BY email
        )
        UPDATE lottery_draw SET tickets = $5::int WHERE id = $1::uuid`,
      values: [draw.id, partnerId, draw.lotteryId, from, to],
    })
    tell(`${to.toLocaleString('en')} tickets made`)
  }
  await pool.query({
    text: `INSERT INTO lottery_account (partner_id, environment, lottery_id, entries)
      VALUES ($1::uuid, 'TEST', $2::uuid, $3::int)`,
    values: [partnerId, draw.lotteryId, tickets],
  })
  await pool.query('VACUUM ANALYZE lottery_ticket')
}
