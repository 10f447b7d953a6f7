/** Statements about blocks of users, and the conditions by which other statements leave blocked users out. */
import { Prisma } from '../generated/prisma/client.ts'
import { newIdAt } from '../kit/database/session.sql.ts'
import {
  columnsOf,
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import { userBlocked, userUnblocked } from './block.events.ts'
import { userByKey, userLockOrder } from './end-user.sql.ts'

/** Whether a user `u` may act. */
export const isNotBlocked = (now: Date): Prisma.Sql =>
  Prisma.sql`(u.blocked_until > ${now}::timestamptz) IS NOT TRUE`

/** Whether a user `u` is blocked for fraud. The first condition is that of the index of these users. */
export const isFraud = (now: Date): Prisma.Sql =>
  Prisma.sql`u.block_reason = 'FRAUD' AND u.blocked_until > ${now}::timestamptz`

/** The time in the form of events. */
const iso = (column: string): Prisma.Sql =>
  Prisma.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/** Ends the blocks of a user that are not over. */
const endBlocks = (userId: string, now: Date): Prisma.Sql => Prisma.sql`
  UPDATE user_block b SET ended_at = ${now}::timestamptz
  WHERE b.user_id = ${userId}::uuid AND b.ended_at IS NULL AND (b.until <= ${now}::timestamptz) IS NOT TRUE`

const blockRows = inputRows({
  id: 'uuid',
  userId: 'uuid',
  reason: 'BlockReason',
  note: 'text?',
  until: 'timestamptz?',
  blockedUntil: 'timestamptz',
})

export type NewBlock = ItemsOf<typeof blockRows>[number]

/** Blocks a user, who is locked, ends the block before, and announces it. */
export const insertBlock = statement(
  'block_user',
  returnsNothing,
  (block: NewBlock, now: Date) => Prisma.sql`
    WITH ended AS (${endBlocks(block.userId, now)}
    ), changed AS MATERIALIZED (
      UPDATE end_user u SET block_reason = i.reason, blocked_until = i.blocked_until
      FROM ${blockRows([block])} WHERE u.id = i.user_id AND u.id = ${block.userId}::uuid
      RETURNING i.id, u.partner_id, u.environment, u.external_id, u.id AS user_id, i.reason, i.note, i.until
    ), event AS (${emit(
      userBlocked,
      Prisma.sql`SELECT *, ${now}::timestamptz AS occurred_at, json_strip_nulls(json_build_object('userId', external_id,
        'reason', reason, 'until', ${iso('until')}, 'blockedAt', ${now.toISOString()}::text)) AS data FROM changed`,
    )})
    INSERT INTO user_block (id, partner_id, environment, user_id, reason, note, blocked_at, until)
    SELECT id, partner_id, environment, user_id, reason, note, ${now}::timestamptz, until FROM changed`,
)

/** Ends the block of a user, who is locked, and announces it. */
export const endBlock = statement(
  'unblock_user',
  returnsNothing,
  (userId: string, now: Date) => Prisma.sql`
    WITH ended AS MATERIALIZED (${endBlocks(userId, now)} RETURNING b.*
    ), event AS (${emit(
      userUnblocked,
      Prisma.sql`SELECT ${newIdAt(now)} AS id, e.partner_id, e.environment, ${now}::timestamptz AS occurred_at,
        json_strip_nulls(json_build_object('userId', u.external_id, 'reason', e.reason, 'until', ${iso('e.until')},
          'unblockedAt', ${now.toISOString()}::text)) AS data
        FROM ended e JOIN end_user u ON u.id = e.user_id AND u.id = ${userId}::uuid`,
    )})
    UPDATE end_user SET block_reason = NULL, blocked_until = NULL WHERE id = ${userId}::uuid`,
)

const userIds = inputRows({ userId: 'uuid' })

/** The newest block of each user. */
export const selectLastBlocks = statement(
  'find_last_blocks',
  returnsModel('UserBlock'),
  (users: ItemsOf<typeof userIds>) => Prisma.sql`
    SELECT ${columnsOf('UserBlock', 'b')} FROM ${userIds(users, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM user_block WHERE user_id = k.user_id
      ORDER BY user_id, blocked_at DESC, id DESC LIMIT 1) b`,
)

const keyRows = inputRows({ partnerId: 'uuid', environment: 'Environment', externalId: 'text?' })

/**
 * The users who are blocked, by the index of their key in the list. Nobody is blocked or erased until the transaction ends,
 * and movements of points do not wait.
 */
export const selectBlockedUsers = lockStatement(
  'find_blocked_users',
  returns({ n: 'int' }),
  (keys: ItemsOf<typeof keyRows>, now: Date) => Prisma.sql`
    SELECT n FROM (
      SELECT k.n, u.blocked_until FROM (SELECT * FROM ${keyRows(keys, 'k')} ORDER BY ${userLockOrder}) k
      CROSS JOIN LATERAL ${userByKey(Prisma.sql`u.blocked_until`, Prisma.sql`FOR KEY SHARE`)} u OFFSET 0) f
    WHERE f.blocked_until > ${now}::timestamptz`,
)
