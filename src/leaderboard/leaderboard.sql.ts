/** Statements of the leaderboard of all users. */

import { Prisma } from '../generated/prisma/client.ts'
import { returns, statement } from '../kit/database/statement.ts'
import {
  hiddenStatement,
  isStale,
  listStatement,
  markStatement,
  rankStatement,
} from './marks.sql.ts'

const allUsers = {
  model: 'EndUser',
  score: 'score',
  reachedAt: 'score_reached_at',
  marks: 'leaderboard_mark',
  key: { partnerId: 'uuid', environment: 'Environment' },
  hidden: (alias: string) => ({
    isIndexed: `${alias}.block_reason = 'FRAUD'`,
    until: `${alias}.blocked_until`,
  }),
} as const

export const selectRanks = rankStatement('find_ranks', allUsers)
export const countHiddenUsers = hiddenStatement('count_hidden_users', allUsers)
export const listUsersBehind = listStatement('list_users_behind', allUsers, false)
export const listUsersAhead = listStatement('list_users_ahead', allUsers, true)
export const markLeaderboard = markStatement('mark_leaderboard', allUsers)

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
    WHERE ${isStale('l.users', 'm.counted_at', now, threshold)}`,
  { isPrepared: false },
)
