import { Prisma } from '../../generated/prisma/client.ts'
import {
  columnsOf,
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../../kit/database/statement.ts'
import { emit } from '../../kit/streams/events.ts'
import { sessionCompleted } from './session.events.ts'

const acceptanceKeys = inputRows({ partnerId: 'uuid', gameId: 'uuid' })

export const selectAcceptancesForUpdate = lockStatement(
  'lock_acceptances',
  returnsModel('ArenaAcceptance'),
  (keys: ItemsOf<typeof acceptanceKeys>) => Prisma.sql`
    SELECT ${columnsOf('ArenaAcceptance', 'a')}
    FROM arena_acceptance a WHERE (a.partner_id, a.game_id) IN (
      SELECT partner_id, game_id FROM ${acceptanceKeys(keys, 'w')})
    ORDER BY a.partner_id, a.game_id FOR NO KEY UPDATE`,
)

const flowKeys = inputRows({ partnerId: 'uuid', gameId: 'uuid', day: 'date' })

export const selectFlowsForUpdate = lockStatement(
  'lock_flows',
  returns({ partnerId: 'uuid', gameId: 'uuid', day: 'text', in: 'int', out: 'int' }),
  (keys: ItemsOf<typeof flowKeys>) => Prisma.sql`
    SELECT f.partner_id AS "partnerId", f.game_id AS "gameId", f.day::text AS day,
      f.points_in AS "in", f.points_out AS "out"
    FROM arena_flow f WHERE (f.partner_id, f.game_id, f.day) IN (
      SELECT partner_id, game_id, day FROM ${flowKeys(keys, 'w')})
    ORDER BY f.partner_id, f.game_id, f.day FOR NO KEY UPDATE`,
)

const flowColumns = {
  partnerId: 'uuid',
  gameId: 'uuid',
  day: 'date',
  pointsIn: 'int',
  pointsOut: 'int',
} as const
const reservationRows = inputRows({ ...flowColumns, maxIn: 'int', maxOut: 'int' })
const releaseRows = inputRows(flowColumns)

export const addReservations = statement(
  'reserve_flows',
  returnsNothing,
  (reservations: ItemsOf<typeof reservationRows>) => Prisma.sql`
    INSERT INTO arena_flow AS f (partner_id, environment, game_id, day, points_in, points_out,
      max_in, max_out)
    SELECT partner_id, 'LIVE', game_id, day, sum(points_in), sum(points_out), max_in, max_out
    FROM ${reservationRows(reservations)}
    GROUP BY partner_id, game_id, day, max_in, max_out ORDER BY partner_id, game_id, day
    ON CONFLICT (partner_id, game_id, day) DO UPDATE SET
      points_in = f.points_in + excluded.points_in,
      points_out = f.points_out + excluded.points_out,
      max_in = CASE WHEN excluded.points_in > 0 THEN excluded.max_in ELSE f.max_in END,
      max_out = CASE WHEN excluded.points_out > 0 THEN excluded.max_out ELSE f.max_out END`,
)

/** Adds changes. Releases are negative. */
export const addReleases = statement(
  'release_flows',
  returnsNothing,
  (changes: ItemsOf<typeof releaseRows>) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT partner_id, game_id, day, sum(points_in) AS points_in, sum(points_out) AS points_out
      FROM ${releaseRows(changes)} GROUP BY partner_id, game_id, day
    ), locked AS MATERIALIZED (
      SELECT f.partner_id, f.game_id, f.day FROM arena_flow f
      WHERE (f.partner_id, f.game_id, f.day) IN (SELECT partner_id, game_id, day FROM input)
      ORDER BY f.partner_id, f.game_id, f.day FOR NO KEY UPDATE
    )
    UPDATE arena_flow f SET points_in = f.points_in + i.points_in,
      points_out = f.points_out + i.points_out
    FROM input i JOIN locked USING (partner_id, game_id, day)
    WHERE (f.partner_id, f.game_id, f.day) = (i.partner_id, i.game_id, i.day)`,
)

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
