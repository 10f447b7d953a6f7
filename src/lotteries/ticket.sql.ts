import { Prisma } from '../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import type { Tenant } from '../kit/tenant.ts'
import { entryCreated } from './lottery.events.ts'
import { statusOfTicket } from './ticket-status.sql.ts'

const ticketRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  lotteryId: 'uuid',
  drawId: 'uuid',
  ticketNo: 'int',
  entryNo: 'int',
  ticketRef: 'text',
  email: 'text',
  externalUserId: 'text?',
  lines: 'json',
  lineCount: 'int',
  masks: 'varbit',
  salt: 'bytea',
  holder: 'bytea',
  leaf: 'bytea',
  slug: 'text',
  entrant: 'text',
  maxTickets: 'int',
})

/** A ticket to write, with its holder and the slug of its lottery. */
export type TicketRow = ItemsOf<typeof ticketRows>[number]

/** A ticket in the form of the interface, for events. */
const ticketData = Prisma.sql`'id', id, 'ticketRef', ticket_ref, 'drawId', draw_id,
  'lotteryId', lottery_id, 'lotterySlug', slug, 'email', email, 'externalUserId', external_user_id,
  'status', 'ACTIVE', 'entryMethod', 'PARTNER_API', 'lines', lines`

/** Writes, announces and counts tickets. Their draws and lotteries are locked. */
export const insertTickets = statement(
  'enter_lotteries',
  returnsNothing,
  (tickets: TicketRow[], createdAt: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT *, ${createdAt}::timestamptz AS occurred_at FROM ${ticketRows(tickets)}
    ), ticket AS (
      INSERT INTO lottery_ticket (id, partner_id, environment, lottery_id, draw_id, ticket_no,
        entry_no, ticket_ref, email, external_user_id, entry_method, lines, line_count, masks, salt,
        holder, leaf, created_at)
      SELECT id, partner_id, environment, lottery_id, draw_id, ticket_no, entry_no, ticket_ref,
        email, external_user_id, 'PARTNER_API', lines, line_count, masks, salt, holder, leaf,
        occurred_at
      FROM input
    ), entrant AS (
      INSERT INTO lottery_entrant AS e (partner_id, environment, draw_id, entrant, tickets, max_tickets)
      SELECT partner_id, environment, draw_id, entrant, count(*), max(max_tickets)
      FROM input GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT (partner_id, environment, draw_id, entrant)
        DO UPDATE SET tickets = e.tickets + excluded.tickets
    ), account AS (
      INSERT INTO lottery_account AS a (partner_id, environment, lottery_id, entries)
      SELECT partner_id, environment, lottery_id, count(*) FROM input GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (partner_id, environment, lottery_id)
        DO UPDATE SET entries = a.entries + excluded.entries
    ), draw AS (
      UPDATE lottery_draw d SET tickets = d.tickets + i.more
      FROM (SELECT draw_id, count(*) AS more FROM input GROUP BY 1) i
      WHERE d.id = i.draw_id AND d.id = ANY (ARRAY(SELECT draw_id FROM input))
    ), lottery AS (
      UPDATE lottery l SET tickets = l.tickets + i.more
      FROM (SELECT lottery_id, count(*) AS more FROM input GROUP BY 1) i WHERE l.id = i.lottery_id
    )
    ${emit(
      entryCreated,
      Prisma.sql`SELECT *, json_strip_nulls(json_build_object(${ticketData},
        'createdAt', ${createdAt.toISOString()}::text)) AS data FROM input`,
    )}`,
)

/** A holder of tickets: the partner's id of the user, otherwise the e-mail address. */
export type Holder = Tenant & { externalId: string; email: string | null }

/** The tickets of a holder in the next twenty draws, until a time, without this address. Their draws are locked. */
export const lockTicketsOfHolder = lockStatement(
  'lock_tickets_of_holder',
  returns({ id: 'uuid', email: 'text' }),
  (
    { partnerId, environment, externalId, email }: Holder,
    { address, until }: { address: string; until: Date },
  ) => Prisma.sql`
    WITH held AS MATERIALIZED (
      SELECT id, draw_id, email FROM lottery_ticket
      WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
        AND coalesce(external_user_id, lower(email)) IN (${externalId}::text,
          lower(${externalId}::text), lower(${email}::text))
        AND coalesce(external_user_id, ${externalId}::text) = ${externalId}::text
        AND email <> ${address}::text AND created_at <= ${until}::timestamptz
    ), locked AS MATERIALIZED (
      SELECT id FROM lottery_draw
      WHERE id IN (SELECT DISTINCT draw_id FROM held ORDER BY draw_id LIMIT 20)
      ORDER BY lottery_id, id FOR NO KEY UPDATE
    )
    SELECT held.id, held.email FROM held JOIN locked ON locked.id = held.draw_id`,
)

/** A ticket of a holder. */
export type TicketOfHolder = Awaited<ReturnType<typeof lockTicketsOfHolder>>[number]

type NewNames = { pseudonym: string; address: string }

/**
 * Replaces a holder with a pseudonym and a meaningless address, in these tickets and their draws. Somebody else may have
 * the address of the holder as their id. Their tickets stay.
 */
export const renameHolder = statement(
  'rename_ticket_holder',
  returnsNothing,
  (
    { partnerId, environment, externalId }: Holder,
    ticketIds: string[],
    { pseudonym, address }: NewNames,
  ) => Prisma.sql`
    WITH forgotten AS MATERIALIZED (
      SELECT id, draw_id, cancelled_at, coalesce(external_user_id, lower(email)) AS entrant,
        CASE WHEN coalesce(external_user_id, lower(email))
          IN (${externalId}::text, lower(${externalId}::text))
          THEN ${pseudonym}::text ELSE ${address}::text END AS name
      FROM lottery_ticket WHERE id = ANY (${ticketIds}::uuid[])
    ), renamed AS (
      UPDATE lottery_ticket t SET email = ${address}::text,
        external_user_id = nullif(f.name, ${address}::text)
      FROM forgotten f WHERE t.id = f.id
    ), moved AS MATERIALIZED (
      SELECT e.*, m.name, m.tickets AS moved, EXISTS (
        SELECT FROM lottery_ticket o
        WHERE o.partner_id = e.partner_id AND o.environment = e.environment
          AND coalesce(o.external_user_id, lower(o.email)) = e.entrant
          AND o.draw_id = e.draw_id AND o.id <> ALL (${ticketIds}::uuid[])) AS is_shared
      FROM (SELECT draw_id, entrant, name, count(*) FILTER (WHERE cancelled_at IS NULL) AS tickets
        FROM forgotten GROUP BY 1, 2, 3) m
      JOIN lottery_entrant e ON (e.partner_id, e.environment, e.draw_id, e.entrant)
        = (${partnerId}::uuid, ${environment}::"Environment", m.draw_id, m.entrant)
      -- Who is erased again keeps the pseudonym.
      WHERE m.name <> m.entrant
    ), others AS (
      UPDATE lottery_entrant e SET tickets = e.tickets - m.moved FROM moved m
      WHERE (e.partner_id, e.environment, e.draw_id, e.entrant)
        = (m.partner_id, m.environment, m.draw_id, m.entrant) AND m.is_shared
    ), gone AS (
      DELETE FROM lottery_entrant e USING moved m
      WHERE (e.partner_id, e.environment, e.draw_id, e.entrant)
        = (m.partner_id, m.environment, m.draw_id, m.entrant) AND NOT m.is_shared
    )
    INSERT INTO lottery_entrant AS e (partner_id, environment, draw_id, entrant, tickets, max_tickets)
    SELECT partner_id, environment, draw_id, name, sum(moved), sum(max_tickets)
    FROM moved GROUP BY 1, 2, 3, 4
    -- Who is erased in several steps already has this name in the draw.
    ON CONFLICT (partner_id, environment, draw_id, entrant) DO UPDATE SET
      tickets = e.tickets + excluded.tickets, max_tickets = e.max_tickets + excluded.max_tickets`,
  { isPrepared: false },
)

const holders = inputRows({
  place: 'int',
  partnerId: 'uuid',
  environment: 'Environment',
  holder: 'text',
  isAddress: 'boolean',
  maxCount: 'int',
  statuses: 'text[]?',
})

/** Counts the tickets of each holder, of these statuses if there are any, up to a number. */
export const countHeldTickets = statement(
  'count_held_tickets',
  returns({ place: 'int', count: 'int' }),
  (items: ItemsOf<typeof holders>) => Prisma.sql`
    SELECT k.place, t.count FROM ${holders(items, 'k')}
    CROSS JOIN LATERAL (SELECT count(*)::int AS count FROM (SELECT FROM lottery_ticket h
      WHERE h.partner_id = k.partner_id AND h.environment = k.environment
        AND coalesce(h.external_user_id, lower(h.email)) = k.holder
        AND (h.external_user_id IS NULL) = k.is_address
        AND (k.statuses IS NULL OR ${statusOfTicket('h')} = ANY (k.statuses))
      LIMIT k.max_count) h) t`,
)
