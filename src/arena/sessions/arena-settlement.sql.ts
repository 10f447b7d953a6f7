/** Statements that record the results of sessions. */

import { Prisma } from '../../generated/prisma/client.ts'
import { type ItemsOf, inputRows, returnsNothing, statement } from '../../kit/database/statement.ts'
import { emit } from '../../kit/streams/events.ts'
import { sessionCompleted } from './arena-session.events.ts'

const scoreRows = inputRows({ id: 'uuid', score: 'int?', isWinner: 'boolean' })

export const updateScores = statement(
  'save_scores',
  returnsNothing,
  (players: ItemsOf<typeof scoreRows>) => Prisma.sql`
    UPDATE arena_player p SET score = i.score, is_winner = i.is_winner
    FROM ${scoreRows(players)}
    WHERE p.id = i.id AND p.id = ANY (${players.map(({ id }) => id)}::uuid[])`,
)

const playedRows = inputRows({ gameId: 'uuid', players: 'int', earned: 'int?' })

/** Adds sessions to the totals of their games. */
export const addToGames = statement(
  'count_for_games',
  returnsNothing,
  (sessions: ItemsOf<typeof playedRows>) => Prisma.sql`
    WITH played AS (
      SELECT game_id AS id, count(*) AS sessions, sum(players) AS players, sum(earned) AS earned
      FROM ${playedRows(sessions)} GROUP BY game_id
    ), locked AS MATERIALIZED (
      SELECT id FROM arena_game WHERE id IN (SELECT id FROM played) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE arena_game g SET total_sessions = g.total_sessions + p.sessions,
      total_players = g.total_players + p.players, total_earnings = g.total_earnings + p.earned
    FROM played p JOIN locked l ON l.id = p.id WHERE g.id = p.id`,
)

const eventRows = inputRows({ id: 'uuid', partnerId: 'uuid', data: 'json' })

export const insertSessionEvents = statement(
  'announce_sessions',
  returnsNothing,
  (events: ItemsOf<typeof eventRows>, occurredAt: Date) =>
    emit(
      sessionCompleted,
      Prisma.sql`SELECT *, 'LIVE'::"Environment" AS environment,
        ${occurredAt}::timestamptz AS occurred_at FROM ${eventRows(events)}`,
    ),
)
