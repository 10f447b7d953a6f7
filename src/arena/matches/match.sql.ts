import { type ArenaMatch, Prisma } from '../../generated/prisma/client.ts'
import type { DeleteExpired } from '../../kit/database/expired-rows.sql.ts'
import { newIdAt } from '../../kit/database/session.sql.ts'
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
import { type EventKind, emit } from '../../kit/streams/events.ts'

export const selectMatchForUpdate = lockStatement(
  'lock_match',
  returns({ id: 'uuid' }),
  (id: string) => Prisma.sql`SELECT id FROM arena_match WHERE id = ${id}::uuid FOR NO KEY UPDATE`,
)

/** Open matches with a closed partner. */
export const selectMatchesOfClosed = statement(
  'matches_of_closed',
  returns({ id: 'uuid' }),
  () => Prisma.sql`
    SELECT m.id FROM partner p CROSS JOIN LATERAL (
      SELECT id FROM arena_match WHERE partner1_id = p.id AND due_at IS NOT NULL
      UNION SELECT id FROM arena_match WHERE partner2_id = p.id AND due_at IS NOT NULL) m
    WHERE p.closed_at IS NOT NULL`,
)

const heldRows = inputRows({ id: 'uuid', held: 'int' })

type Claim = {
  token: string
  now: Date
  leaseUntil: Date
  limit: number
  /** The maximum number of matches of one partner on a node. */
  limitOfPartner: number
}

/** Claims due matches without a valid lease. `held` counts the matches of each partner that the node plays. */
export const claimDueMatches = statement(
  'claim_matches',
  returns({ id: 'uuid' }),
  (
    { token, now, leaseUntil, limit, limitOfPartner }: Claim,
    held: ItemsOf<typeof heldRows>,
  ) => Prisma.sql`
    UPDATE arena_match SET lease_token = ${token}::uuid, lease_until = ${leaseUntil}::timestamptz
    WHERE id IN (
      SELECT id FROM arena_match WHERE due_at <= ${now}::timestamptz
        AND (lease_until IS NULL OR lease_until <= ${now}::timestamptz)
        AND id IN (
          SELECT d.id FROM (
            SELECT id, partner_id, row_number() OVER (PARTITION BY partner_id ORDER BY due_at) AS place
            FROM arena_match WHERE due_at <= ${now}::timestamptz
              AND (lease_until IS NULL OR lease_until <= ${now}::timestamptz)) d
          LEFT JOIN ${heldRows(held, 'p')} ON p.id = d.partner_id
          WHERE d.place <= ${limitOfPartner}::int - coalesce(p.held, 0))
      ORDER BY due_at LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`,
)

const matchRequestRows = inputRows({ agentId: 'uuid', gameTypes: 'text[]?' })

/** The newest public matches of each agent that have begun, of some games or of all. */
export const selectRecentMatches = statement(
  'recent_matches',
  returns({ n: 'int', id: 'uuid' }),
  (wishes: ItemsOf<typeof matchRequestRows>, limit: number) => {
    const isShown = Prisma.sql`is_public AND started_at IS NOT NULL
      AND (a.game_types IS NULL OR game_type = ANY (a.game_types))`
    return Prisma.sql`
      SELECT a.n, m.id FROM ${matchRequestRows(wishes, 'a')}
      CROSS JOIN LATERAL (
        (SELECT id FROM arena_match WHERE agent1_id = a.agent_id AND ${isShown}
          ORDER BY id DESC LIMIT ${limit}::int)
        UNION
        (SELECT id FROM arena_match WHERE agent2_id = a.agent_id AND ${isShown}
          ORDER BY id DESC LIMIT ${limit}::int)
        ORDER BY id DESC LIMIT ${limit}::int) m`
  },
)

/** Writes events of a match to its partners. */
export const insertMatchEvents = statement(
  'announce_match',
  returnsNothing,
  (
    kind: EventKind,
    { environment }: Pick<ArenaMatch, 'environment'>,
    { partnerIds, data, now }: { partnerIds: string[]; data: unknown; now: Date },
  ) =>
    emit(
      kind,
      Prisma.sql`SELECT ${newIdAt(now)} AS id, partner_id,
        ${environment}::"Environment" AS environment, ${JSON.stringify(data)}::json AS data,
        ${now}::timestamptz AS occurred_at
        FROM unnest(${partnerIds}::uuid[]) AS partner_id`,
    ),
)

const countRows = inputRows({ id: 'uuid', watching: 'int' })

/** Writes the counts of one node. Deletes counts of 0. */
export const writeCounts = statement(
  'write_audience',
  returnsNothing,
  (nodeId: string, counts: ItemsOf<typeof countRows>, expiresAt: Date) => Prisma.sql`
    WITH counted AS (
      SELECT * FROM ${countRows(counts, 'c')}
    ), gone AS (
      DELETE FROM arena_audience a USING counted c
      WHERE a.match_id = c.id AND a.node_id = ${nodeId}::uuid AND c.watching = 0
    )
    INSERT INTO arena_audience (match_id, node_id, watching, expires_at)
    SELECT id, ${nodeId}::uuid, watching, ${expiresAt}::timestamptz FROM counted WHERE watching > 0
    ORDER BY id
    ON CONFLICT (match_id, node_id) DO UPDATE
      SET watching = excluded.watching, expires_at = excluded.expires_at`,
)

/** The spectators of each match across all nodes. Matches without spectators have no row. */
export const sumSpectators = statement(
  'count_spectators',
  returns({ id: 'uuid', watching: 'int' }),
  (matchIds: string[], now: Date) => Prisma.sql`
    SELECT match_id AS id, sum(watching)::int AS watching FROM arena_audience
    WHERE match_id = ANY (${matchIds}::uuid[]) AND expires_at > ${now}::timestamptz
    GROUP BY match_id`,
)

const columns = columnsOf('ArenaMatchEvent', 'e')

/** Events of a match after a number, oldest first. */
export const selectLog = statement(
  'read_match_events',
  returnsModel('ArenaMatchEvent'),
  ({ matchId, after, take }: { matchId: string; after: number; take: number }) => Prisma.sql`
    SELECT ${columns} FROM arena_match_event e
    WHERE match_id = ${matchId}::uuid AND seq > ${after}::int ORDER BY seq LIMIT ${take}::int`,
)

const eventRows = inputRows({
  matchId: 'uuid',
  seq: 'int',
  kind: 'text',
  gameNumber: 'int?',
  data: 'json',
  occurredAt: 'timestamptz',
})

export const insertLog = statement(
  'write_match_events',
  returnsNothing,
  (events: ItemsOf<typeof eventRows>) => Prisma.sql`
    INSERT INTO arena_match_event (match_id, seq, kind, game_number, data, occurred_at)
    SELECT match_id, seq, kind, game_number, data, occurred_at FROM ${eventRows(events, 'e')}`,
)

/** Deletes all events but the last of matches that ended before a moment. Counts the matches. */
export const deleteExpiredLogs: DeleteExpired = statement(
  'forget_match_events',
  returnsNothing,
  (before: Date, most: number) => Prisma.sql`
    WITH old AS MATERIALIZED (
      SELECT id, seq FROM arena_match
      WHERE ended_at <= ${before}::timestamptz AND logged_from = 1 AND seq > 1
      ORDER BY ended_at LIMIT ${most}::int FOR NO KEY UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM arena_match_event e USING old WHERE e.match_id = old.id AND e.seq < old.seq
    )
    UPDATE arena_match m SET logged_from = old.seq FROM old
    WHERE m.id = old.id AND m.id = ANY (ARRAY(SELECT id FROM old))`,
)
