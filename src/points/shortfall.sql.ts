/** Statements about points that reversals could not take. */
import { Prisma } from '../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import type { UserId } from '../kit/user-id.ts'
import { trackActivity } from '../users/activity.ts'
import { usersByKey } from '../users/end-user.sql.ts'
import { postEntries } from './wallet.sql.ts'

const owedRows = inputRows({ userId: 'uuid', points: 'int' })

type Owed = ItemsOf<typeof owedRows>

const changeShortfalls = (name: string, sign: Prisma.Sql) =>
  statement(
    name,
    returnsNothing,
    (owed: Owed) => Prisma.sql`
      UPDATE end_user u SET shortfall = u.shortfall ${sign} s.points
      FROM (SELECT user_id, sum(points)::bigint AS points FROM ${owedRows(owed)} GROUP BY 1) s
      WHERE u.id = s.user_id AND u.id = ANY (${owed.map(({ userId }) => userId)}::uuid[]) AND ${usersByKey}`,
  )

/** Adds to what users owe, who are locked. */
export const addShortfalls = changeShortfalls('add_shortfalls', Prisma.sql`+`)

/** Takes from what users owe, who are locked. */
export const reduceShortfalls = changeShortfalls('reduce_shortfalls', Prisma.sql`-`)

/** Users who owe points and have some, without some of them. */
export const findUsersWhoOwe = statement(
  'find_users_who_owe',
  returns({ userId: 'uuid' }),
  (without: UserId[], limit: number) => Prisma.sql`
    SELECT id AS "userId" FROM end_user
    WHERE shortfall > 0 AND balance > 0 AND id <> ALL (${without}::uuid[])
    ORDER BY id LIMIT ${limit}::int`,
)

const repaymentRows = inputRows({ userId: 'uuid', entryId: 'uuid' })

/** Takes what users owe and have from their wallets, which are locked, and adds it to timelines. Returns what was taken. */
export const repayShortfalls = statement(
  'repay_shortfalls',
  returns({ userId: 'uuid', points: 'int' }),
  (repayments: ItemsOf<typeof repaymentRows>, now: Date) => Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT i.n, i.entry_id, u.partner_id, u.environment, u.external_id,
        least(u.balance, u.shortfall, 2000000000)::int AS taken
      FROM ${repaymentRows(repayments)}
      CROSS JOIN LATERAL (SELECT * FROM end_user x WHERE x.id = i.user_id LIMIT 1) u
    ), ${postEntries(
      Prisma.sql`SELECT n, entry_id AS id, partner_id, environment, external_id, 'shortfall_repaid' AS event_type,
        -taken AS points, 'shortfalls' AS account, NULL::text AS reference, NULL::text AS source_id,
        NULL::json AS metadata FROM due WHERE taken > 0`,
      { at: now },
    )}, activity AS (${trackActivity(
      'POINTS',
      Prisma.sql`SELECT id, partner_id, environment, user_id, event_type, id::text AS source_id, points, metadata,
        occurred_at FROM posted`,
      { fact: null, earned: Prisma.sql`0`, isPublic: true, isCorrection: true },
    )})
    SELECT user_id AS "userId", -points AS points FROM posted`,
)
