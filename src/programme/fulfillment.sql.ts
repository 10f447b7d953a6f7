/** Statements that hand rewards out, and cancel grants. They write the events of what they do. */
import { Prisma } from '../generated/prisma/client.ts'
import { type ItemsOf, inputRows, returns, statement } from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import { postEntries } from '../points/wallet.sql.ts'
import { trackActivity } from '../users/activity.ts'
import { grantCancelled, grantFailed, grantFulfilled } from './grant.events.ts'
import {
  announced,
  changeOfStatus,
  eventRows,
  failure,
  grantsByKey,
  noFreePlays,
  userAndReward,
} from './grant.sql.ts'

/** Notes that grants were handed out. */
export const fulfillGrants = changeOfStatus('fulfill_grants', (now, text) => ({
  set: Prisma.sql`status = 'FULFILLED', fulfilled_at = ${now}::timestamptz, message = ${text}::text`,
  where: Prisma.sql`g.status = 'ISSUED'`,
  data: announced('fulfilledAt', now),
  kind: grantFulfilled,
}))

/** Notes that the codes of grants are shown to their users, which hands them out. */
export const showCodes = changeOfStatus('show_codes', (now) => ({
  set: Prisma.sql`status = 'FULFILLED', code_shown_at = ${now}::timestamptz,
    fulfilled_at = coalesce(g.fulfilled_at, ${now}::timestamptz)`,
  where: Prisma.sql`g.status IN ('ISSUED', 'FULFILLED') AND g.code_shown_at IS NULL
    AND (SELECT true FROM reward_code c WHERE c.grant_id = g.id LIMIT 1)`,
  data: announced('fulfilledAt', now),
  kind: grantFulfilled,
  isAnnounced: Prisma.sql`g.fulfilled_at = g.code_shown_at`,
}))

/** Notes that grants could not be handed out. */
export const failGrants = changeOfStatus('fail_grants', (now, text) => ({
  set: Prisma.sql`status = 'FAILED', failure = 'NOT_FULFILLED', failed_at = ${now}::timestamptz,
    failure_times = array_append(g.failure_times, ${now}::timestamptz), message = ${text}::text`,
  where: Prisma.sql`g.status = 'ISSUED'`,
  data: announced('failedAt', now, failure),
  kind: grantFailed,
}))

/** A grant, and the id of the ledger entry that gives its price back. */
const cancelledRows = inputRows({ id: 'uuid', lineId: 'uuid', message: 'text?' })

/**
 * Cancels grants: gives prices back to wallets, their stock to rewards, and frees codes. The users, the rewards and the
 * grants are locked. Grants that were handed out, revoked or have expired stay as they are.
 */
export const cancelGrants = statement(
  'cancel_grants',
  returns({ id: 'uuid' }),
  (cancelled: ItemsOf<typeof cancelledRows>, now: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT i.*, g.is_counted AS was_counted FROM ${cancelledRows(cancelled)}
      CROSS JOIN LATERAL (SELECT * FROM reward_grant x WHERE x.id = i.id LIMIT 1) g
      WHERE g.status IN ('HELD', 'READY', 'ISSUED', 'FAILED')
    ), moved AS MATERIALIZED (
      UPDATE reward_grant g SET status = 'CANCELLED', cancelled_at = ${now}::timestamptz, is_counted = false,
        message = i.message, refund_entry_id = CASE WHEN g.price IS NOT NULL THEN i.line_id END, ${noFreePlays}
      FROM input i WHERE g.id = i.id AND g.id = ANY (${cancelled.map(({ id }) => id)}::uuid[]) AND ${grantsByKey}
      RETURNING i.n, i.line_id, i.was_counted, g.*
    ), counted AS (
      UPDATE reward r SET grant_count = r.grant_count - c.fewer
      FROM (SELECT reward_id, count(*)::int AS fewer FROM moved WHERE was_counted GROUP BY 1) c
      WHERE r.id = c.reward_id
    ), freed AS (
      UPDATE reward_code c SET grant_id = NULL
      WHERE c.id = ANY (ARRAY (SELECT (SELECT x.id FROM reward_code x WHERE x.grant_id = m.id LIMIT 1) FROM moved m))
    ), paid AS MATERIALIZED (
      SELECT g.*, u.external_id, u.balance, json_build_object('reward', r.name) AS metadata
      FROM moved g ${userAndReward}
    ), ${postEntries(
      Prisma.sql`SELECT n, line_id AS id, partner_id, environment, external_id, 'purchase_refund' AS event_type,
        price AS points, 'rewards' AS account, NULL::text AS reference, id::text AS source_id, metadata
        FROM paid WHERE price IS NOT NULL`,
      { at: now },
    )}, activity AS (${trackActivity(
      'POINTS',
      Prisma.sql`SELECT id, partner_id, environment, user_id, event_type, source_id, points, metadata, occurred_at
        FROM posted`,
      { fact: null, earned: Prisma.sql`0`, isPublic: true, isCorrection: true },
    )}
    ), changed AS (
      SELECT g.*, ${announced(
        'cancelledAt',
        now,
        Prisma.sql`'ledgerId', g.refund_entry_id,
          'userBalance', coalesce(p.balance_after, w.balance, u.balance),`,
      )} AS data
      FROM paid g ${userAndReward} LEFT JOIN posted p ON p.n = g.n LEFT JOIN wallet w ON w.id = g.user_id
    ), event AS (${emit(grantCancelled, eventRows(now))})
    SELECT id FROM moved`,
)
