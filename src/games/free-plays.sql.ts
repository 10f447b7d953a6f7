/** Statements about plays that grants of rewards pay for. */
import { Prisma } from '../generated/prisma/client.ts'
import { returns, statement } from '../kit/database/statement.ts'

/** Whether free plays of a grant `g` can be used at a moment. */
export const isPlayable = (now: Date) => Prisma.sql`g.free_plays_left > 0 AND g.status = 'ISSUED'
  AND (g.playable_until > ${now}::timestamptz) IS NOT FALSE`

/** The free plays of users, those that end first first. Bounded: more than 100 grants of a user wait. */
export const findFreePlays = statement(
  'find_free_plays',
  returns({
    userId: 'uuid',
    grantId: 'uuid',
    gameType: 'GameType?',
    left: 'int',
    endsAt: 'timestamptz?',
  }),
  (userIds: string[], now: Date) => Prisma.sql`
    SELECT g.user_id AS "userId", g.id AS "grantId", g.game_type AS "gameType", coalesce(g.free_plays_left, 0) AS "left",
      g.playable_until AS "endsAt"
    FROM (SELECT DISTINCT unnest(${userIds}::uuid[]) AS id) u
    CROSS JOIN LATERAL (SELECT * FROM reward_grant g WHERE g.user_id = u.id AND ${isPlayable(now)}
      ORDER BY g.playable_until, g.id LIMIT 100) g`,
)

/** The free plays of a grant that are left. */
export type FreePlays = Awaited<ReturnType<typeof findFreePlays>>[number]
