/** Statements that issue grants and take them back. The account of their ledger entries is `rewards`, the source the grant. */
import { Prisma } from '../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import type { UserId } from '../kit/user-id.ts'
import { postEntries } from '../points/wallet.sql.ts'
import { trackActivity } from '../users/activity.ts'
import { isNotBlocked } from '../users/block.sql.ts'
import { usersByKey } from '../users/end-user.sql.ts'
import { grantIssued } from './grant.events.ts'
import { announced, grantsByKey, userAndReward } from './grant.sql.ts'

/** A grant, and the id of the line of the timeline that says so, and of the ledger entry if it has points. */
const paymentRows = inputRows({ id: 'uuid', lineId: 'uuid' })

type Payments = ItemsOf<typeof paymentRows>

const idsOf = (payments: Payments) => payments.map(({ id }) => id)

/** The event type of a payment. */
const paymentType = Prisma.sql`CASE g.source_kind WHEN 'GOAL' THEN 'goal_reward'
  WHEN 'STREAK' THEN 'streak_reward' ELSE 'reward_given' END`

/** The entries of the grants of a relation that have `moved`: the points to add, or to take if negative. */
const entriesOf = (relation: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT n, line_id AS id, partner_id, environment, external_id, event_type, moved AS points,
    'rewards' AS account, NULL::text AS reference, id::text AS source_id, metadata
  FROM ${relation} WHERE moved <> 0`

/**
 * The parts of a statement that write timelines. A line is no activity of its user: nobody becomes active because of a
 * reward, no goal counts it, and no profile is locked after its grant.
 */
const timelineOf = (relation: Prisma.Sql, now: Date): Prisma.Sql => {
  const lines = (where: Prisma.Sql) => Prisma.sql`
    SELECT line_id AS id, partner_id, environment, user_id, event_type, id::text AS source_id, moved AS points,
      metadata, ${now}::timestamptz AS occurred_at
    FROM ${relation} WHERE ${where}`
  const options = { fact: null, isPublic: true, isCorrection: true }
  return Prisma.sql`line AS (${trackActivity('POINTS', lines(Prisma.sql`kind = 'POINTS' AND moved <> 0`), options)}
    ), other_line AS (${trackActivity('CUSTOM', lines(Prisma.sql`kind <> 'POINTS'`), options)}
    )`
}

/**
 * Gives each grant of `paid` that gives a code one that is free, the oldest first. There are as many as the stock says, but
 * for those that other transactions are taking.
 */
const assignCodes = Prisma.sql`
      UPDATE reward_code c SET grant_id = d.id
      FROM (SELECT id, reward_id, row_number() OVER (PARTITION BY reward_id ORDER BY n) AS nth
        FROM paid WHERE kind = 'CODE') d
      JOIN (SELECT f.id, f.reward_id, row_number() OVER (PARTITION BY f.reward_id ORDER BY f.id) AS nth
        FROM (SELECT reward_id, count(*) AS wanted FROM paid WHERE kind = 'CODE' GROUP BY 1) w
        CROSS JOIN LATERAL (SELECT x.id, x.reward_id FROM reward_code x
          WHERE x.reward_id = w.reward_id AND x.grant_id IS NULL
          ORDER BY x.id LIMIT w.wanted FOR NO KEY UPDATE SKIP LOCKED) f) f USING (reward_id, nth)
      WHERE c.id = f.id RETURNING c.grant_id`

/**
 * Issues grants that are ready and need no claim or have been claimed, and whose users are not blocked: credits their points, adds them to timelines and
 * announces them. They and their users are locked.
 */
export const issueGrants = statement(
  'issue_grants',
  returns({ id: 'uuid', userId: 'uuid', kind: 'RewardKind' }),
  (payments: Payments, now: Date) => Prisma.sql`
    WITH issued AS MATERIALIZED (
      UPDATE reward_grant g SET status = 'ISSUED', issued_at = ${now}::timestamptz,
        entry_id = CASE WHEN g.points IS NOT NULL THEN i.line_id END, free_plays_left = g.free_plays,
        playable_until = ${now}::timestamptz + g.valid_days * interval '1 day'
      FROM ${paymentRows(payments)}
      WHERE g.id = i.id AND g.id = ANY (${idsOf(payments)}::uuid[])
        AND ${grantsByKey} AND g.status = 'READY' AND (NOT g.needs_claim OR g.claimed_at IS NOT NULL)
        AND (SELECT ${isNotBlocked(now)} FROM end_user u WHERE u.id = g.user_id LIMIT 1)
      RETURNING i.n, i.line_id, g.*
    ), paid AS MATERIALIZED (
      SELECT g.*, u.external_id, u.balance, r.kind, ${paymentType} AS event_type,
        coalesce(g.points, 0) AS moved, json_build_object('reward', r.name) AS metadata
      FROM issued g ${userAndReward}
    ), code AS MATERIALIZED (${assignCodes}
    ), ${postEntries(entriesOf(Prisma.sql`paid`), { at: now })}, ${timelineOf(Prisma.sql`paid`, now)},
    changed AS (
      SELECT g.line_id AS id, g.partner_id, g.environment, ${now}::timestamptz AS occurred_at,
        ${announced('issuedAt', now, Prisma.sql`'ledgerId', g.entry_id, 'userBalance', coalesce(p.balance_after, w.balance, g.balance),`)} AS data
      FROM paid g ${userAndReward} LEFT JOIN posted p ON p.n = g.n LEFT JOIN wallet w ON w.id = g.user_id
    ), event AS (${emit(grantIssued, Prisma.sql`SELECT * FROM changed`)})
    SELECT id, user_id AS "userId", kind FROM paid
    -- Another transaction has taken a code and will give it back, or not.
    WHERE CASE WHEN kind = 'CODE' AND id NOT IN (SELECT grant_id FROM code) THEN must_retry() ELSE true END`,
)

/** Defers grants that are ready and whose users are blocked, until the blocks end. They and their users are locked. */
export const deferGrants = statement(
  'defer_grants',
  returnsNothing,
  (ids: string[], now: Date) => Prisma.sql`
    UPDATE reward_grant g SET deferred_until = u.blocked_until FROM end_user u
    WHERE g.id = ANY (${ids}::uuid[]) AND ${grantsByKey} AND g.status = 'READY'
      AND u.id = g.user_id AND u.blocked_until > ${now}::timestamptz`,
)

/** Notes until when users may have free plays, after grants were issued. The users are locked. */
export const noteFreePlays = statement(
  'note_free_plays',
  returnsNothing,
  (ids: string[], userIds: UserId[]) => Prisma.sql`
    UPDATE end_user u SET free_plays_until = greatest(u.free_plays_until,
      (SELECT max(coalesce(g.playable_until, '9999-01-01'::timestamptz)) FROM reward_grant g
        WHERE g.id = ANY (${ids}::uuid[]) AND g.user_id = u.id AND ${grantsByKey}))
    WHERE u.id = ANY (${userIds}::uuid[]) AND ${usersByKey}`,
)

/**
 * Takes back grants that were revoked after they were issued, as far as their users still have the points; what is
 * missing is their shortfall. They and their users are locked.
 */
export const takeBackGrants = statement(
  'take_back_grants',
  returns({ id: 'uuid' }),
  (payments: Payments, now: Date) => Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT g.*, i.n, i.line_id, u.balance - sum(coalesce(g.points, 0))
          OVER (PARTITION BY g.user_id ORDER BY i.n) + coalesce(g.points, 0) AS available
      FROM ${paymentRows(payments)}
      CROSS JOIN LATERAL (SELECT * FROM reward_grant WHERE id = i.id LIMIT 1) g ${userAndReward}
      WHERE g.status = 'REVOKED' AND g.issued_at IS NOT NULL AND g.taken_back_at IS NULL
    ), amount AS MATERIALIZED (
      SELECT id, n, line_id, coalesce(points, 0) AS points,
        least(coalesce(points, 0), greatest(available, 0))::int AS taken FROM due
    ), taken_back AS MATERIALIZED (
      UPDATE reward_grant g SET taken_back_at = ${now}::timestamptz, shortfall = a.points - a.taken,
        refund_entry_id = CASE WHEN a.taken > 0 THEN a.line_id END
      FROM amount a WHERE g.id = a.id AND g.id = ANY (${idsOf(payments)}::uuid[])
        AND ${grantsByKey} AND g.status = 'REVOKED' AND g.taken_back_at IS NULL
      RETURNING a.n, a.line_id, a.taken, g.*
    ), paid AS MATERIALIZED (
      SELECT g.*, u.external_id, r.kind, 'reward_refund' AS event_type, -g.taken AS moved,
        json_build_object('reward', r.name) AS metadata
      FROM taken_back g ${userAndReward}
    ), ${postEntries(entriesOf(Prisma.sql`paid`), { at: now })}, ${timelineOf(Prisma.sql`paid`, now)}
    SELECT id FROM taken_back`,
)
