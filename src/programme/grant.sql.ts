/** Statements that make grants and change their status. They write the events of what they do. */
import { Prisma } from '../generated/prisma/client.ts'
import { newIdAt } from '../kit/database/session.sql.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { type EventKind, emit } from '../kit/streams/events.ts'
import type { UserId } from '../kit/user-id.ts'
import { grantExpired, grantFailed, grantReady, grantRevoked } from './grant.events.ts'

const columns = columnsOf('RewardGrant', 'g')

/**
 * The data of an event about a grant `g` of a user `u` and a reward `r`, with the moment under a name of its own. Only for
 * users who are locked, so that no erasure misses the event.
 */
export const announced = (moment: string, now: Date, more = Prisma.empty): Prisma.Sql => Prisma.sql`
  json_strip_nulls(json_build_object('grantId', g.id, 'userId', u.external_id, 'rewardId', r.id,
    'reward', r.slug, 'rewardName', r.name, 'rewardKind', r.kind, 'points', coalesce(g.points, 0),
    'price', g.price, 'source', g.source_kind, 'reference', g.reference, ${more} ${moment}::text, ${now.toISOString()}::text))`

/**
 * Always true. Next to a condition on the ids of grants `g`, it makes a scan of an empty table cost more than the index, so
 * that a plan cached on a new database stays good for a large one.
 */
export const grantsByKey = Prisma.sql`g.reward_no >= 1 AND g.round >= 1
  AND g.reward_no < 1000000000 AND g.round < 1000000000`

/** The user `u` and the reward `r` of a grant `g`, each looked up by its key. */
export const userAndReward = Prisma.sql`
  CROSS JOIN LATERAL (SELECT * FROM end_user WHERE id = g.user_id LIMIT 1) u
  CROSS JOIN LATERAL (SELECT * FROM reward WHERE id = g.reward_id LIMIT 1) r`

/** The source of an event about the grants of a part of the statement, each of which has its `data`. */
export const eventRows = (
  now: Date,
  part: 'changed' | 'failed' = 'changed',
): Prisma.Sql => Prisma.sql`
  SELECT ${newIdAt(now)} AS id, partner_id, environment, data, ${now}::timestamptz AS occurred_at
  FROM ${Prisma.raw(part)}`

/** Why a grant has failed, for its event. */
export const failure = Prisma.sql`'failure', g.failure,`

const claimExpiresAt = Prisma.sql`'claimExpiresAt',
  to_char(g.claim_expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),`

/** Locks grants of users, who are locked. Returns them as they are after the lock. */
export const lockGrants = lockStatement(
  'lock_grants',
  returnsModel('RewardGrant'),
  (ids: string[], userIds: UserId[]) => Prisma.sql`
    SELECT ${columns} FROM reward_grant g
    WHERE g.id = ANY (${ids}::uuid[]) AND g.user_id = ANY (${userIds}::uuid[]) AND ${grantsByKey}
    ORDER BY g.id FOR NO KEY UPDATE`,
)

/** The grants for which something is due and that are not deferred, the longest due first, without those of some users. */
export const findDueGrants = statement(
  'find_due_grants',
  returns({ id: 'uuid', userId: 'uuid' }),
  (now: Date, without: UserId[], limit: number) => Prisma.sql`
    SELECT id, user_id AS "userId" FROM (
      (SELECT id, user_id, due_at FROM reward_grant
        WHERE due_at <= ${now}::timestamptz AND deferred_until IS NULL AND user_id <> ALL (${without}::uuid[])
        ORDER BY due_at, id LIMIT ${limit}::int)
      UNION ALL
      (SELECT id, user_id, due_at FROM reward_grant
        WHERE deferred_until <= ${now}::timestamptz AND due_at <= ${now}::timestamptz
          AND user_id <> ALL (${without}::uuid[])
        ORDER BY deferred_until, id LIMIT ${limit}::int)) g
    ORDER BY due_at, id LIMIT ${limit}::int`,
)

const grantRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  userId: 'uuid',
  rewardId: 'uuid',
  sourceKind: 'GrantSource',
  sourceId: 'text',
  goalId: 'uuid?',
  rewardNo: 'int',
  round: 'int',
  needsClaim: 'boolean',
  heldUntil: 'timestamptz?',
  claimExpiresAt: 'timestamptz?',
  reference: 'text?',
  note: 'text?',
  memberId: 'uuid?',
  apiKeyId: 'uuid?',
  price: 'int?',
  purchaseEntryId: 'uuid?',
})

/** A grant to make. */
export type NewGrant = ItemsOf<typeof grantRows>[number]

/** Whether what a grant `g` gave is used: an item that was handed out, a code that was shown, a free play that was played. */
const wasUsed = Prisma.sql`(g.status = 'FULFILLED' OR g.free_plays_left < g.free_plays)`

/**
 * Makes grants of rewards and for users who are locked, in the order of the list. Each takes one of the stock of its
 * reward; without one it has failed. In a later round, nothing is made of what was used in an earlier one.
 */
export const insertGrants = statement(
  'make_grants',
  both(returns({ n: 'int' }), returnsModel('RewardGrant')),
  (grants: NewGrant[], now: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT i.*, r.points, r.game_type, r.free_plays, r.valid_days, coalesce(r.grant_count + row_number()
        OVER (PARTITION BY i.reward_id ORDER BY i.n) <= r.stock, true) AS is_in_stock
      FROM ${grantRows(grants)} JOIN reward r ON r.id = i.reward_id
      WHERE i.round = 1 OR NOT EXISTS (SELECT FROM reward_grant g
        WHERE (g.partner_id, g.environment, g.source_kind, g.source_id, g.reward_no)
          = (i.partner_id, i.environment, i.source_kind, i.source_id, i.reward_no)
          AND g.round < i.round AND ${grantsByKey} AND ${wasUsed})
    ), counted AS (
      UPDATE reward r SET grant_count = r.grant_count + c.more
      FROM (SELECT reward_id, count(*)::int AS more FROM input WHERE is_in_stock GROUP BY 1) c
      WHERE r.id = c.reward_id
    ), made AS MATERIALIZED (
      INSERT INTO reward_grant AS g (id, partner_id, environment, user_id, reward_id, status, points, price, game_type,
        free_plays, valid_days, source_kind, source_id, goal_id, reward_no, round, needs_claim, held_until, ready_at,
        claim_expires_at, failure, failed_at, failure_times, is_counted, reference, note, member_id, api_key_id, purchase_entry_id,
        created_at)
      SELECT id, partner_id, environment, user_id, reward_id, CASE WHEN NOT is_in_stock THEN 'FAILED'
          WHEN held_until > ${now}::timestamptz THEN 'HELD' ELSE 'READY' END::"GrantStatus",
        points, price, game_type, free_plays, valid_days, source_kind, source_id, goal_id, reward_no, round,
        needs_claim, held_until,
        CASE WHEN is_in_stock AND (held_until > ${now}::timestamptz) IS NOT TRUE
          THEN ${now}::timestamptz END,
        claim_expires_at, CASE WHEN NOT is_in_stock THEN 'OUT_OF_STOCK'::"GrantFailure" END,
        CASE WHEN NOT is_in_stock THEN ${now}::timestamptz END,
        CASE WHEN is_in_stock THEN '{}' ELSE ARRAY[${now}::timestamptz] END, is_in_stock,
        reference, note, member_id, api_key_id, purchase_entry_id, ${now}::timestamptz
      FROM input ORDER BY partner_id, environment, source_kind, source_id, reward_no, round
      RETURNING g.*
    ), changed AS (
      SELECT g.*, ${announced('readyAt', now, claimExpiresAt)} AS data
      FROM made g ${userAndReward}
      WHERE g.status = 'READY' AND g.needs_claim
    ), event AS (${emit(grantReady, eventRows(now))}
    ), failed AS (
      SELECT g.*, ${announced('failedAt', now, failure)} AS data
      FROM made g ${userAndReward} WHERE g.status = 'FAILED'
    ), failed_event AS (${emit(grantFailed, eventRows(now, 'failed'))})
    SELECT i.n, ${columns} FROM made g JOIN input i USING (id) ORDER BY i.n`,
)

/**
 * A statement that changes the status of grants, which are locked and whose users are, and announces it. Grants that
 * the condition on `g` excludes stay as they are. The message is what their users read.
 */
export const changeOfStatus = (
  name: string,
  part: (
    now: Date,
    message: string | null,
  ) => {
    set: Prisma.Sql
    where: Prisma.Sql
    data: Prisma.Sql
    kind: EventKind
    isAnnounced?: Prisma.Sql
  },
) =>
  statement(name, returns({ id: 'uuid' }), (ids: string[], now: Date, message?: string | null) => {
    const { set, where, data, kind, isAnnounced = Prisma.sql`true` } = part(now, message ?? null)
    return Prisma.sql`
    WITH moved AS MATERIALIZED (
      UPDATE reward_grant g SET ${set} WHERE g.id = ANY (${ids}::uuid[]) AND ${grantsByKey} AND ${where}
      RETURNING g.*
    ), changed AS (
      SELECT g.*, ${data} AS data
      FROM moved g ${userAndReward}
      WHERE ${isAnnounced}
    ), event AS (${emit(kind, eventRows(now))})
    SELECT id FROM moved`
  })

/** Makes grants ready whose hold has ended. */
export const makeGrantsReady = changeOfStatus('make_grants_ready', (now) => ({
  set: Prisma.sql`status = 'READY', ready_at = ${now}::timestamptz`,
  where: Prisma.sql`g.status = 'HELD' AND g.held_until <= ${now}::timestamptz`,
  data: announced('readyAt', now, claimExpiresAt),
  kind: grantReady,
  isAnnounced: Prisma.sql`g.needs_claim`,
}))

/** Expires grants that nobody claimed in time. */
export const expireGrants = changeOfStatus('expire_grants', (now) => ({
  set: Prisma.sql`status = 'EXPIRED', expired_at = ${now}::timestamptz`,
  where: Prisma.sql`g.status = 'READY' AND g.claimed_at IS NULL AND g.claim_expires_at <= ${now}::timestamptz`,
  data: announced('expiredAt', now),
  kind: grantExpired,
}))

/** An assignment: none of the free plays of a grant `g` are left. Null if none was used: `wasUsed` tells them apart. */
export const noFreePlays = Prisma.sql`free_plays_left = CASE WHEN g.free_plays_left < g.free_plays THEN 0 END`

/** Revokes grants. What was issued is due to be taken back afterwards. */
export const revokeGrants = changeOfStatus('revoke_grants', (now) => ({
  set: Prisma.sql`status = 'REVOKED', revoked_at = ${now}::timestamptz, ${noFreePlays}`,
  where: Prisma.sql`g.status IN ('HELD', 'READY', 'ISSUED', 'FAILED')`,
  data: announced('revokedAt', now, Prisma.sql`'wasIssued', g.issued_at IS NOT NULL,`),
  kind: grantRevoked,
}))

/**
 * Tries failed grants again, which are locked as their rewards are. One that could not be fulfilled is issued again; one
 * that found no stock takes one of it. Returns those that had not failed for want of stock, or now have it.
 */
export const retryGrants = statement(
  'retry_grants',
  returns({ id: 'uuid' }),
  (ids: string[], now: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT g.id, g.reward_id, g.is_counted FROM (
        SELECT g.*, count(*) FILTER (WHERE NOT is_counted) OVER (PARTITION BY reward_id ORDER BY id) AS nth
        FROM reward_grant g
        WHERE g.id = ANY (${ids}::uuid[]) AND g.status = 'FAILED') g
      JOIN reward r ON r.id = g.reward_id AND (g.is_counted OR coalesce(r.grant_count + g.nth <= r.stock, true))
    ), counted AS (
      UPDATE reward r SET grant_count = r.grant_count + c.more
      FROM (SELECT reward_id, count(*)::int AS more FROM input WHERE NOT is_counted GROUP BY 1) c
      WHERE r.id = c.reward_id
    ), moved AS MATERIALIZED (
      UPDATE reward_grant g SET failure = NULL, failed_at = NULL, message = NULL, is_counted = true,
        status = CASE WHEN g.issued_at IS NOT NULL THEN 'ISSUED' WHEN g.held_until > ${now}::timestamptz THEN 'HELD'
          ELSE 'READY' END::"GrantStatus",
        ready_at = CASE WHEN g.issued_at IS NOT NULL THEN g.ready_at
          WHEN (g.held_until > ${now}::timestamptz) IS NOT TRUE THEN ${now}::timestamptz END
      FROM input i WHERE g.id = i.id AND g.id = ANY (${ids}::uuid[])
      RETURNING g.*
    ), changed AS (
      SELECT g.*, ${announced('readyAt', now, claimExpiresAt)} AS data
      FROM moved g ${userAndReward}
      WHERE g.status = 'READY' AND g.needs_claim
    ), event AS (${emit(grantReady, eventRows(now))})
    SELECT id FROM moved`,
)

/** Notes that users have claimed grants, which are locked. Returns those that could be claimed. */
export const claimReadyGrants = statement(
  'claim_grants',
  returns({ id: 'uuid' }),
  (ids: string[], now: Date) => Prisma.sql`
    UPDATE reward_grant g SET claimed_at = ${now}::timestamptz
    WHERE g.id = ANY (${ids}::uuid[]) AND g.status = 'READY' AND g.needs_claim AND g.claimed_at IS NULL
      AND (g.claim_expires_at <= ${now}::timestamptz) IS NOT TRUE
    RETURNING g.id`,
)

/** The next grants of an erased user that are not issued yet, or have a note, a message or a code. */
export const findGrantsToErase = statement(
  'find_grants_to_erase',
  returns({ id: 'uuid' }),
  (userId: UserId, limit: number) => Prisma.sql`
    SELECT g.id FROM reward_grant g WHERE g.user_id = ${userId}::uuid
      AND (g.note IS NOT NULL OR g.message IS NOT NULL OR g.status IN ('HELD', 'READY', 'FAILED')
        OR EXISTS (SELECT FROM reward_code c WHERE c.grant_id = g.id AND c.sealed_code IS NOT NULL))
    ORDER BY g.id LIMIT ${limit}::int`,
  { isPrepared: false },
)

/** Clears what was written about grants, and their codes. */
export const clearNotes = statement(
  'clear_notes_of_grants',
  returnsNothing,
  (ids: string[]) => Prisma.sql`
    WITH code AS (
      UPDATE reward_code SET sealed_code = NULL WHERE grant_id = ANY (${ids}::uuid[]) AND sealed_code IS NOT NULL
    )
    UPDATE reward_grant SET note = NULL, message = NULL
    WHERE id = ANY (${ids}::uuid[]) AND (note, message) IS DISTINCT FROM (NULL, NULL)`,
  { isPrepared: false },
)

const sourceRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  sourceKind: 'GrantSource',
  sourceId: 'text',
})

/** What grants follow from: a gift by its reference, a purchase, an offer, a win. */
export type GrantCause = ItemsOf<typeof sourceRows>[number]

/** The grants of causes that each have one reward. */
export const selectGrantsBySource = statement(
  'find_grants_by_source',
  returns({ n: 'int', id: 'uuid', userId: 'uuid', rewardId: 'uuid' }),
  (requested: ItemsOf<typeof sourceRows>) => Prisma.sql`
    SELECT k.n, g.id, g.user_id AS "userId", g.reward_id AS "rewardId"
    FROM ${sourceRows(requested, 'k')} CROSS JOIN LATERAL (SELECT * FROM reward_grant
      WHERE (partner_id, environment, source_kind, source_id, reward_no, round)
        = (k.partner_id, k.environment, k.source_kind, k.source_id, 1, 1) LIMIT 1) g`,
)

const roundRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  completionId: 'uuid',
  round: 'int',
})

/** The grants of completions of goals, each in one round and in the order of its rewards. */
export const selectGrantsOfRounds = statement(
  'find_grants_of_rounds',
  both(returns({ n: 'int' }), returnsModel('RewardGrant')),
  (requested: ItemsOf<typeof roundRows>) => Prisma.sql`
    SELECT k.n, ${columns} FROM ${roundRows(requested, 'k')} CROSS JOIN LATERAL (SELECT * FROM reward_grant
      WHERE (partner_id, environment, source_kind, source_id)
        = (k.partner_id, k.environment, 'GOAL', k.completion_id::text) AND round = k.round
      ORDER BY reward_no LIMIT 1000) g
    ORDER BY k.n, g.reward_no`,
)
