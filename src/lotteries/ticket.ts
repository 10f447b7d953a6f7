/** Tickets: how they enter a draw, and how they leave it again. */
import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import { emit } from '../core/events.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { isStorable, reference } from '../core/validation.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { makeUsers } from '../users/end-user.ts'
import { type EntryDraw, findEntryDraws, lockEntryDraws } from './entry-draw.ts'
import {
  type Line,
  type LotteryRules,
  lineFaults,
  maskOf,
  quickPick,
  sortLine,
  ticketRefOf,
} from './lottery.rules.ts'
import { LotteryBy } from './lottery-key.ts'
import { holderOf, leafOf, ticketRecord } from './proof-format.ts'
import type { TicketView } from './ticket-view.ts'

/** Numbers of any size: whether they fit is for the rules of the lottery to say. GraphQL's Int would refuse them first. */
const numbers = () =>
  z.array(
    z
      .custom<number>((value) => typeof value === 'number', {
        error: (issue) => (issue.input == null ? 'is required' : 'must be a number'),
      })
      .meta({ graphql: 'Float' }),
    { error: (issue) => (issue.input == null ? 'is required' : 'must be a list of numbers') },
  )

/** What a partner's backend sends to enter a user (interface: POST /v1/lotteries/entries). */
export const EnterLottery = z
  .object({
    email: z
      .string({ error: (issue) => (issue.input == null ? 'is required' : 'must be a string') })
      .trim()
      .max(255, 'must be at most 255 characters')
      .refine(isStorable, 'must not contain NUL characters or lone surrogates')
      .pipe(z.email('must be an e-mail address'))
      .describe('Of the user; who they are, where no `externalId` is given.'),
    lottery: LotteryBy.describe('Which lottery.'),
    externalId: reference()
      .nullish()
      .describe("The partner's id of the user, who is made if absent."),
    lines: z
      .array(
        z
          .object(
            {
              main: numbers().describe('Main numbers.'),
              bonus: numbers().nullish().describe('Bonus numbers; only if the lottery has them.'),
            },
            'must be an object',
          )
          .meta({ graphql: 'LotteryLineInput' })
          .describe('Numbers of one line.'),
        { error: 'must be a list of lines' },
      )
      .nullish()
      .describe('1 to 10 lines; one random line when left out.'),
  })
  .describe('A ticket for the next draw of a lottery.')

/** `lotteryId` says which lottery, where two have the slug. */
type Entry = Tenant &
  Pick<z.output<typeof EnterLottery>, 'email' | 'lines'> & {
    lotterySlug: string
    lotteryId?: string | undefined
    userId?: string | null | undefined
  }

/** Who holds a ticket: the user id where given, else the e-mail address in lower case. */
export const entrantOf = ({
  externalUserId,
  email,
}: {
  externalUserId: string | null
  email: string
}): string => externalUserId ?? email.toLowerCase()

/** So often may the draws change under the entries; then a caller gets OVERLOADED, and nothing was written. */
const maxAttempts = 5

/**
 * Enters users into lotteries, each into the open draw that closes next. In the order of the list, in a
 * constant number of statements.
 *
 * In the place of a refused entry stands LOTTERY_NOT_FOUND, LOTTERY_NOT_ACTIVE, DRAW_NOT_AVAILABLE,
 * INVALID_NUMBER_LINES or MAX_TICKETS_EXCEEDED, in this order of checks; it makes no user. The rows of the draws are locked while
 * tickets are written, so none enters a draw that has closed.
 */
export const enterLotteries = async (
  work: Work,
  entries: Entry[],
): Promise<(TicketView | Error)[]> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const draws = await findEntryDraws(work, entries)
    const judged = entries.map((entry, n) => judge(work, entry, draws[n] as EntryDraw | Error))
    if (judged.every((result) => result instanceof Error)) return judged
    const results = await inTransaction(work.tx, (tx) => writeEntries({ ...work, tx }, judged))
    if (results) return results
  }
  return entries.map(() => new TesseraError('OVERLOADED'))
}

type Judged = { entry: Entry; draw: EntryDraw; lines: Line[] }

const judge = (work: Work, entry: Entry, draw: EntryDraw | Error): Judged | Error => {
  if (draw instanceof Error) return draw
  const sent = entry.lines?.map(({ main, bonus }) => ({ main, bonus: bonus ?? [] }))
  const errors = sent ? lineFaults(draw.rules, sent) : []
  if (errors.length > 0) return new TesseraError('INVALID_NUMBER_LINES', { errors })
  return { entry, draw, lines: sent?.map(sortLine) ?? [quickPick(draw.rules, work.random)] }
}

/** Writes entries whose lines are good. Null when a draw has closed since it was found; nothing is written then. */
const writeEntries = async (
  work: Work,
  judged: (Judged | Error)[],
): Promise<(TicketView | Error)[] | null> => {
  const wanted = judged.flatMap((one) => (one instanceof Error ? [] : [one]))
  const locked = await lockEntryDraws(
    work,
    wanted.map(({ entry, draw }) => ({
      ...tenantOf(entry),
      drawId: draw.id,
      entrant: entrantOf({ externalUserId: entry.userId ?? null, email: entry.email }),
    })),
  )
  if (!locked) return null
  const createdAt = work.clock()
  const rows: TicketRow[] = []
  const results = judged.map((one) => {
    if (one instanceof Error) return one
    const { entry, draw, lines } = one
    const tenant = tenantOf(entry)
    const externalUserId = entry.userId ?? null
    const entrant = entrantOf({ externalUserId, email: entry.email })
    const numbers = locked.next(tenant, draw, entrant)
    if (!numbers) {
      const limit = draw.rules.maxTicketsPerUser
      return new TesseraError('MAX_TICKETS_EXCEEDED', { limit, current: limit })
    }
    const salt = randomBytes(16)
    const ticket = {
      id: uuid(),
      ...tenant,
      lotteryId: draw.lotteryId,
      drawId: draw.id,
      ticketNo: numbers.ticketNo,
      entryNo: numbers.entryNo,
      ticketRef: ticketRefOf(numbers.lotteryTicketNo, createdAt),
      email: entry.email,
      externalUserId,
      entryMethod: 'PARTNER_API',
      lines,
      lineCount: lines.length,
      createdAt,
      cancelledAt: null,
      salt: new Uint8Array(salt),
      holder: new Uint8Array(holderOf(salt, entrant)),
    } as const
    const leaf = leafOf(ticketRecord({ ...ticket, cancelled: false }))
    const view: TicketView = {
      ...ticket,
      lines: ticket.lines,
      masks: masksOf(draw.rules, lines),
      leaf: new Uint8Array(leaf),
      draw: { status: 'OPEN', rules: draw.rulesText },
      lottery: { slug: draw.slug },
      wins: [],
    }
    rows.push({ view, entrant, maxTickets: draw.rules.maxTicketsPerUser })
    return view
  })
  if (rows.length === 0) return results
  const users = rows.flatMap(({ view }) =>
    view.externalUserId === null ? [] : [{ ...tenantOf(view), externalId: view.externalUserId }],
  )
  if (users.length > 0) await makeUsers(work, users)
  await insertTickets(work, rows)
  return results
}

const masksOf = (rules: LotteryRules, lines: Line[]): string =>
  lines
    .map((line) => {
      const { main, bonus } = maskOf(rules, line)
      return main + bonus
    })
    .join('')

type TicketRow = { view: TicketView; entrant: string; maxTickets: number }

const hex = (data: Uint8Array) => `\\x${Buffer.from(data).toString('hex')}`

/** The ticket as the interface shows it, for events. */
const ticketData = Prisma.sql`'id', id, 'ticketRef', ticket_ref, 'drawId', draw_id,
  'lotteryId', lottery_id, 'lotterySlug', slug, 'email', email, 'externalUserId', external_user_id,
  'status', 'ACTIVE', 'entryMethod', 'PARTNER_API', 'lines', lines`

const insertTickets = async ({ tx }: Work, rows: TicketRow[]): Promise<void> => {
  const createdAt = (rows[0] as TicketRow).view.createdAt
  const input = rows.map(({ view, entrant, maxTickets }) => ({
    id: view.id,
    partner_id: view.partnerId,
    environment: view.environment,
    lottery_id: view.lotteryId,
    draw_id: view.drawId,
    ticket_no: view.ticketNo,
    entry_no: view.entryNo,
    ticket_ref: view.ticketRef,
    email: view.email,
    external_user_id: view.externalUserId,
    lines: view.lines,
    line_count: view.lineCount,
    masks: view.masks,
    salt: hex(view.salt),
    holder: hex(view.holder),
    leaf: hex(view.leaf),
    slug: view.lottery.slug,
    entrant,
    max_tickets: maxTickets,
  }))
  await tx.$executeRaw`/* enter_lotteries */
    WITH input AS MATERIALIZED (
      SELECT *, ${createdAt}::timestamptz AS occurred_at
      FROM json_to_recordset(${JSON.stringify(input)}::json) AS i (id uuid,
        partner_id uuid, environment "Environment", lottery_id uuid, draw_id uuid, ticket_no int,
        entry_no int, ticket_ref text, email text, external_user_id text, lines json, line_count int,
        masks varbit, salt bytea, holder bytea, leaf bytea, slug text, entrant text, max_tickets int)
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
      UPDATE lottery_draw d SET tickets = d.tickets + i.n
      FROM (SELECT draw_id, count(*) AS n FROM input GROUP BY 1) i
      WHERE d.id = i.draw_id AND d.id = ANY (ARRAY(SELECT draw_id FROM input))
    ), lottery AS (
      UPDATE lottery l SET tickets = l.tickets + i.n
      FROM (SELECT lottery_id, count(*) AS n FROM input GROUP BY 1) i WHERE l.id = i.lottery_id
    )
    ${emit(
      'lottery.entry_created',
      Prisma.sql`SELECT *, json_strip_nulls(json_build_object(${ticketData},
        'createdAt', ${createdAt.toISOString()}::text)) AS data FROM input`,
    )}`
}
