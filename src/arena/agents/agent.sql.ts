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

const partRows = inputRows({
  agentId: 'uuid',
  take: 'int',
  skip: 'int',
  amount: 'bigint?',
  userId: 'uuid?',
})

/**
 * Pages of the supporters of agents, largest amount first unless `isUp`. A page begins after `amount` and `userId`.
 * Returns rows with the index `n` of their page.
 */
export const selectSupporters = statement(
  'list_supporters',
  returns({ n: 'int', name: 'text', amount: 'bigint', userId: 'uuid', lastAt: 'timestamptz' }),
  (parts: ItemsOf<typeof partRows>, isUp: boolean) => {
    const amounts = Prisma.raw(isUp ? 'ASC' : 'DESC')
    const ids = Prisma.raw(isUp ? 'DESC' : 'ASC')
    const beyond = Prisma.raw(isUp ? '>' : '<')
    const beyondId = Prisma.raw(isUp ? '<' : '>')
    // The first condition on the amount makes the index usable.
    return Prisma.sql`
      SELECT p.n, s.* FROM ${partRows(parts, 'p')}
      CROSS JOIN LATERAL (
        SELECT coalesce(u.display_name, 'Anonymous') AS name, s.amount, s.user_id AS "userId",
          s.last_at AS "lastAt"
        FROM arena_supporter s JOIN end_user u ON u.id = s.user_id
        WHERE s.agent_id = p.agent_id AND (p.amount IS NULL OR s.amount ${beyond}= p.amount)
          AND (p.amount IS NULL OR s.amount ${beyond} p.amount OR s.user_id ${beyondId} p.user_id)
        ORDER BY s.amount ${amounts}, s.user_id ${ids} LIMIT p.take OFFSET p.skip) s
      ORDER BY p.n, s.amount ${amounts}, s."userId" ${ids}`
  },
)

const giftRows = inputRows({
  agentId: 'uuid',
  userId: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  amount: 'bigint',
})

/**
 * Adds gifts to supporters and to agents, which it locks. Returns the totals of each agent, and the users who
 * supported it for the first time.
 */
export const addGifts = statement(
  'support_agents',
  returns({ id: 'uuid', received: 'bigint', supporters: 'int', newcomers: 'uuid[]' }),
  (gifts: ItemsOf<typeof giftRows>, now: Date) => Prisma.sql`
    WITH given AS (
      SELECT agent_id, user_id, partner_id, environment, sum(amount)::bigint AS amount
      FROM ${giftRows(gifts, 'g')} GROUP BY 1, 2, 3, 4
    ), supporter AS (
      INSERT INTO arena_supporter AS s (agent_id, user_id, partner_id, environment, amount,
        first_at, last_at)
      SELECT agent_id, user_id, partner_id, environment, amount, ${now}::timestamptz,
        ${now}::timestamptz FROM given
      ON CONFLICT (agent_id, user_id) DO UPDATE
        SET amount = s.amount + excluded.amount, last_at = excluded.last_at
      RETURNING agent_id, user_id, (xmax = 0) AS is_new
    )
    UPDATE arena_agent a SET total_support_received = a.total_support_received + t.amount,
      total_supporters = a.total_supporters + cardinality(t.newcomers)
    FROM (SELECT agent_id, sum(amount)::bigint AS amount,
      ARRAY(SELECT s.user_id FROM supporter s WHERE s.agent_id = g.agent_id AND s.is_new)
        AS newcomers
      FROM given g GROUP BY agent_id) t
    WHERE a.id = t.agent_id
    RETURNING a.id, a.total_support_received AS received, a.total_supporters AS supporters,
      t.newcomers`,
)
