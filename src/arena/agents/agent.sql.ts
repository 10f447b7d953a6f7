/** Statements on agents of the arena. */

import { Prisma } from '../../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsNothing,
  statement,
} from '../../kit/database/statement.ts'

/** Locks agents in the order of their ids, as every transaction does. */
export const selectAgentsForUpdate = lockStatement(
  'lock_agents',
  returns({ id: 'uuid' }),
  (ids: string[]) => Prisma.sql`
    SELECT id FROM arena_agent WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
)

/** The Elo ratings of agents before and after each of their newest ranked matches, oldest first. */
export const selectRatingTrends = statement(
  'read_rating_trends',
  returns({ id: 'uuid', trend: 'int[]' }),
  (agentIds: string[], matches: number) => Prisma.sql`
    SELECT a.id, (array_agg(r.elo_before ORDER BY r.number))[1]
      || array_agg(r.elo_after ORDER BY r.number) AS trend
    FROM (SELECT DISTINCT unnest(${agentIds}::uuid[]) AS id) a
    CROSS JOIN LATERAL (
      SELECT number, elo_before, elo_after FROM arena_rating WHERE agent_id = a.id
      ORDER BY number DESC LIMIT ${matches}::int) r
    GROUP BY a.id`,
)

const ratingRows = inputRows({
  id: 'uuid',
  number: 'int',
  before: 'int',
  after: 'int',
  won: 'int',
  lost: 'int',
  drawn: 'int',
  rating: 'float8',
  deviation: 'float8',
  volatility: 'float8',
})

/** Writes the ratings of agents after a match, and counts the match. */
export const insertRatings = statement(
  'rate_match',
  returnsNothing,
  (matchId: string, ratings: ItemsOf<typeof ratingRows>, ratedAt: Date) => Prisma.sql`
    WITH rated AS (
      SELECT * FROM ${ratingRows(ratings, 'r')}
    ), agent AS (
      UPDATE arena_agent a SET elo_rating = r.after, glicko_rating = r.rating,
        rating_deviation = r.deviation, rating_volatility = r.volatility,
        total_matches = a.total_matches + 1, wins = a.wins + r.won, losses = a.losses + r.lost,
        draws = a.draws + r.drawn, last_match_at = ${ratedAt}::timestamptz
      FROM rated r WHERE a.id = r.id
    )
    INSERT INTO arena_rating (agent_id, number, match_id, elo_before, elo_after, glicko_rating,
      rating_deviation, rated_at)
    SELECT id, number, ${matchId}::uuid, before, after, rating, deviation, ${ratedAt}::timestamptz
    FROM rated`,
)
