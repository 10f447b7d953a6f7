/** Statements that count the marks of long leaderboards. */
import { returns, statement } from '../core/db/statement.ts'
import type { Tenant } from '../core/tenant.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Leaderboards with more users than `threshold`, or with marks, that were last counted long ago for their length. */
export const selectStaleLeaderboards = statement(
  'find_stale_leaderboards',
  returns({ partnerId: 'uuid', environment: 'Environment' }),
  (now: Date, threshold: number) => Prisma.sql`
    SELECT partner_id AS "partnerId", environment FROM (
      SELECT partner_id, environment, sum(value) AS users FROM counter WHERE name = 'users'
      GROUP BY partner_id, environment
    ) l FULL JOIN (
      SELECT partner_id, environment, min(counted_at) AS counted_at FROM leaderboard_mark
      GROUP BY partner_id, environment
    ) m USING (partner_id, environment)
    WHERE m.counted_at < ${now}::timestamptz - coalesce(l.users, 0)::float8 * interval '50 microseconds'
      OR (m.counted_at IS NULL AND l.users > ${threshold}::int)`,
  { isPrepared: false },
)

/** Counts a leaderboard: from the `first` user on, there is a mark at every so many. */
export const markLeaderboard = statement(
  'mark_leaderboard',
  returns({ marks: 'int' }),
  ({ partnerId, environment }: Tenant, now: Date, first: number, every: number) => Prisma.sql`
    WITH place AS MATERIALIZED (
      SELECT (nth / ${every}::int)::int AS no, score, score_reached_at, (rank - 1)::int AS ahead
      FROM (
        SELECT score, score_reached_at, row_number() OVER by_score AS nth,
          rank() OVER by_score AS rank
        FROM end_user
        WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
        WINDOW by_score AS (ORDER BY score DESC, score_reached_at)
      ) u WHERE nth >= ${first}::int AND nth % ${every}::int = 0
    ), marked AS (
      INSERT INTO leaderboard_mark
        (partner_id, environment, no, score, reached_at, ahead, counted_at)
      SELECT ${partnerId}::uuid, ${environment}::"Environment", *, ${now}::timestamptz FROM place
      ON CONFLICT (partner_id, environment, no) DO UPDATE SET score = excluded.score,
        reached_at = excluded.reached_at, ahead = excluded.ahead, counted_at = excluded.counted_at
    ), gone AS (
      DELETE FROM leaderboard_mark
      WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
        AND no > (SELECT coalesce(max(no), 0) FROM place)
    )
    SELECT count(*)::int AS marks FROM place`,
  { isPrepared: false },
)
