/** Statements that award points. */

import { Prisma } from '../generated/prisma/client.ts'
import { addToCounter } from '../kit/database/counters.ts'
import {
  both,
  type ItemsOf,
  inputRows,
  orNulls,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import { trackActivity } from '../users/activity.ts'
import { userByKey, userColumns, userLockOrder, usersByKey } from '../users/end-user.sql.ts'
import { pointsAwarded } from './points.events.ts'

const awardRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  eventType: 'text',
  displayName: 'text?',
  email: 'text?',
  metadata: 'json?',
  reference: 'text?',
  showsUser: 'boolean',
})

/**
 * Writes awards: wallets, ledger, timelines, events. Returns a row for each award. `points` is null without a reward
 * rule. `duplicateOf` is the entry that already has the reference; then nothing else is set. The columns of the user are null if `showsUser` is false.
 */
export const insertAwards = statement(
  'award_points',
  both(
    returns({
      n: 'int',
      points: 'int?',
      duplicateOf: 'uuid?',
      entryNo: 'int?',
      balanceAfter: 'bigint?',
      userId: 'uuid?',
    }),
    orNulls(returnsModel('EndUser')),
  ),
  // Long: one statement.
  (awards: ItemsOf<typeof awardRows>, createdAt: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${awardRows(awards)}
    ), judged AS MATERIALIZED (
      -- The entry that has the reference already: in the ledger, or earlier in this list.
      SELECT *, points IS NOT NULL AND duplicate_of IS NULL AS is_accepted FROM (
        SELECT i.*, r.points, CASE WHEN i.reference IS NOT NULL THEN coalesce(
            (SELECT l.id FROM ledger_entry l
              WHERE (l.partner_id, l.environment, l.event_type, l.reference)
                = (i.partner_id, i.environment, i.event_type, i.reference)),
            nullif(first_value(i.id) OVER (PARTITION BY i.partner_id, i.environment, i.event_type,
              i.reference ORDER BY i.n), i.id)) END AS duplicate_of
        FROM input i LEFT JOIN reward_rule r USING (partner_id, environment, event_type)) j
    ), award AS MATERIALIZED (
      SELECT *, row_number() OVER so_far AS nth, sum(points) OVER so_far AS earned,
        count(*) OVER in_all AS awards, sum(points) OVER in_all AS total
      FROM judged WHERE is_accepted
      WINDOW in_all AS (PARTITION BY partner_id, environment, external_id),
        so_far AS (in_all ORDER BY n)
    ), share AS MATERIALIZED (
      SELECT partner_id, environment, external_id,
        (array_agg(display_name ORDER BY n DESC) FILTER (WHERE display_name IS NOT NULL))[1] AS display_name,
        (array_agg(email ORDER BY n DESC) FILTER (WHERE email IS NOT NULL))[1] AS email,
        bool_or(display_name IS NOT NULL) AS is_named, bool_or(email IS NOT NULL) AS has_email,
        sum(points)::bigint AS earned, count(*)::int AS awards
      -- The condition is always true. It makes the planner expect few users and look them up by key, even on an empty database.
      FROM award WHERE duplicate_of IS NULL GROUP BY ${userLockOrder} ORDER BY ${userLockOrder}
    ), missing AS MATERIALIZED (
      SELECT FROM share k WHERE ${userByKey(Prisma.sql`u.id`)} IS NULL LIMIT 1
    ), known AS (
      -- An update by key costs less than an upsert, which looks for the key twice.
      UPDATE end_user u SET
        display_name = coalesce(s.display_name, u.display_name), email = coalesce(s.email, u.email),
        display_name_by_secret = u.display_name_by_secret OR s.is_named,
        email_by_secret = u.email_by_secret OR s.has_email,
        balance = u.balance + s.earned, lifetime_points = u.lifetime_points + s.earned,
        entries = u.entries + s.awards, score_reached_at = ${createdAt}::timestamptz
      FROM share s
      WHERE (u.partner_id, u.environment, u.external_id)
        = (s.partner_id, s.environment, s.external_id) AND ${usersByKey}
        AND NOT EXISTS (SELECT FROM missing)
      RETURNING u.*
    ), made AS (
      -- If one is to be created: each is created or locked before the next, in the order in which everybody does it.
      INSERT INTO end_user AS u (id, partner_id, environment, external_id, display_name, email,
        display_name_by_secret, email_by_secret, balance, lifetime_points, entries,
        score_reached_at, created_at)
      SELECT gen_random_uuid(), partner_id, environment, external_id, display_name, email, is_named,
        has_email, earned, earned, awards, ${createdAt}::timestamptz, ${createdAt}::timestamptz
      FROM share s WHERE EXISTS (SELECT FROM missing)
      ON CONFLICT (partner_id, environment, external_id) DO UPDATE SET
        display_name = coalesce(excluded.display_name, u.display_name),
        email = coalesce(excluded.email, u.email),
        display_name_by_secret = u.display_name_by_secret OR excluded.display_name_by_secret,
        email_by_secret = u.email_by_secret OR excluded.email_by_secret,
        balance = u.balance + excluded.balance,
        lifetime_points = u.lifetime_points + excluded.lifetime_points,
        entries = u.entries + excluded.entries,
        score_reached_at = excluded.score_reached_at
      RETURNING u.*, xmax = 0 AS made
    ), wallet AS (
      SELECT *, false AS made FROM known UNION ALL SELECT * FROM made
    ), posted AS MATERIALIZED (
      SELECT a.*, w.id AS user_id, w.entries - a.awards + a.nth AS entry_no,
        w.balance - a.total + a.earned AS balance_after, ${createdAt}::timestamptz AS occurred_at
      FROM award a JOIN wallet w USING (partner_id, environment, external_id)
    ), ledger AS (
      INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
        balance_after, account, reference, metadata, created_at)
      SELECT id, partner_id, environment, user_id, entry_no, event_type, points, balance_after,
        'issuance', reference, metadata, occurred_at
      FROM posted ORDER BY partner_id, environment, event_type, reference
    ), activity AS (${trackActivity(
      'POINTS',
      Prisma.sql`SELECT *, id::text AS source_id FROM posted`,
    )}
    ), event AS (${emit(
      pointsAwarded,
      Prisma.sql`SELECT *, json_strip_nulls(json_build_object('ledgerId', id,
        'userId', external_id, 'eventType', event_type, 'pointsAwarded', points,
        'userBalance', balance_after, 'reference', reference,
        'createdAt', ${createdAt.toISOString()}::text)) AS data FROM posted`,
    )}
    ), users AS (${addToCounter(
      'users',
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount FROM wallet WHERE made
        GROUP BY partner_id, environment`,
    )}
    )
    SELECT j.n, j.points, j.duplicate_of AS "duplicateOf", p.entry_no::int AS "entryNo",
      p.balance_after::bigint AS "balanceAfter", p.user_id AS "userId", ${userColumns}
    FROM judged j LEFT JOIN posted p USING (n)
    LEFT JOIN wallet u ON u.id = p.user_id AND j.shows_user
    -- A user was erased while the statement waited for the wallet.
    WHERE CASE WHEN j.is_accepted AND p.user_id IS NULL THEN must_retry() ELSE true END`,
)
