import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { addToChanges } from '../kit/access/audit-entry.sql.ts'
import { inTransaction } from '../kit/database/db.ts'
import { ofTenant, type TenantClient } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { orLocked } from '../kit/group-commit/batch.ts'
import { orOverloaded } from '../kit/group-commit/coalesce.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'
import { storable } from '../kit/validation.ts'
import { userBlocked } from '../users/block.rules.ts'
import { findBlocked } from '../users/block.ts'
import { makeUsers, UserBy } from '../users/end-user.ts'
import {
  type EntryDraw,
  findEntryDraws,
  lockEntryDraws,
  lockOpenDraw,
  type TicketNumbers,
} from './entry-draw.ts'
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
import { holderOf, ticketLeafOf, ticketRecord } from './proof-format.ts'
import {
  type Holder,
  insertTickets,
  lockTicketsOfHolder,
  renameHolder,
  type TicketOfHolder,
  type TicketRow,
} from './ticket.sql.ts'
import { linesOf, type TicketView, ticketInclude } from './ticket-view.ts'
import { nodeOf } from './tree.ts'

/** Numbers of any size, as REST takes them: the rules of the lottery decide which are valid. */
const numbers = () =>
  z.array(
    z
      .custom<number>((value) => typeof value === 'number', {
        error: (issue) => (issue.input == null ? 'is required' : 'must be a number'),
      })
      .meta({ graphql: 'Int' }),
    { error: (issue) => (issue.input == null ? 'is required' : 'must be a list of numbers') },
  )

/** An entry of a user (interface: POST /v1/lotteries/entries). */
export const EnterLottery = z
  .object({
    email: storable(
      z
        .string({ error: (issue) => (issue.input == null ? 'is required' : 'must be a string') })
        .trim()
        .max(255, 'must be at most 255 characters'),
    )
      .pipe(z.email('must be an e-mail address'))
      .describe(
        'E-mail address of the user. Identifies the holder if `user` is omitted. Stored with the ticket, not with the user.',
      ),
    lottery: LotteryBy.describe('The lottery, by id or slug.'),
    user: UserBy.nullish().describe('The user. An unknown `externalId` creates a user.'),
    lines: z
      .array(
        z
          .object(
            {
              main: numbers().describe('The main numbers of the line.'),
              bonus: numbers().nullish().describe('Bonus numbers; only if the lottery has them.'),
            },
            'must be an object',
          )
          .meta({ graphql: 'LotteryLineInput' })
          .describe('The numbers of a line.'),
        { error: 'must be a list of lines' },
      )
      .nullish()
      .describe('1 to 10 lines. Defaults to one random line.'),
  })
  .describe('A ticket for the next draw of a lottery.')

/** `lotteryId` chooses between two lotteries with the same slug. */
type Entry = Tenant &
  Pick<z.output<typeof EnterLottery>, 'email' | 'lines'> & {
    lotterySlug: string
    lotteryId?: string | undefined
    externalId?: ExternalId | null | undefined
  }

/** The holder of a ticket: the user id if given, otherwise the e-mail address in lower case. */
export const entrantOf = ({
  externalUserId,
  email,
}: {
  externalUserId: string | null
  email: string
}): string => externalUserId ?? email.toLowerCase()

/** The number of attempts while draws close. After the last one the result is OVERLOADED, and nothing is written. */
const maxAttempts = 5

/**
 * Enters users into lotteries in the order of the list, with a constant number of statements. Each ticket enters the
 * open draw that closes next.
 *
 * The result of a refused entry is LOTTERY_NOT_FOUND, LOTTERY_NOT_ACTIVE, DRAW_NOT_AVAILABLE, INVALID_NUMBER_LINES,
 * USER_BLOCKED or MAX_TICKETS_EXCEEDED, checked in this order; it creates no user. Draws are locked while tickets are written, so no
 * ticket enters a closed draw.
 */
export const enterLotteries = async (
  work: Work,
  entries: Entry[],
): Promise<(TicketView | Error)[]> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const draws = await findEntryDraws(work, entries)
    const judged = entries.map((entry, n) => judge(work, entry, draws[n] as EntryDraw | Error))
    if (judged.every((result) => result instanceof Error)) return judged
    const results = await orLocked(
      entries,
      async () => (await inTransaction(work, (txWork) => writeEntries(txWork, judged))) ?? [],
    )
    if (results.length > 0) return results
  }
  return orOverloaded<TicketView>(entries.map(() => undefined))
}

type Judged = { entry: Entry; draw: EntryDraw; lines: Line[] }

const judge = (work: Work, entry: Entry, draw: EntryDraw | Error): Judged | Error => {
  if (draw instanceof Error) return draw
  const sent = entry.lines?.map(({ main, bonus }) => ({ main, bonus: bonus ?? [] }))
  const errors = sent ? lineFaults(draw.rules, sent) : []
  if (errors.length > 0) return new TesseraError('INVALID_NUMBER_LINES', { errors })
  return { entry, draw, lines: sent?.map(sortLine) ?? [quickPick(draw.rules, work.random)] }
}

const entrantOfEntry = ({ externalId = null, email }: Entry) =>
  entrantOf({ externalUserId: externalId, email })

/** A new ticket, with its line in the list of its draw. */
const viewOf = (
  { entry, draw, lines }: Judged,
  numbers: TicketNumbers,
  createdAt: Date,
): TicketView => {
  const salt = randomBytes(16)
  const ticket = {
    id: uuid(),
    ...tenantOf(entry),
    lotteryId: draw.lotteryId,
    drawId: draw.id,
    ticketNo: numbers.ticketNo,
    entryNo: numbers.entryNo,
    ticketRef: ticketRefOf(numbers.lotteryTicketNo, createdAt),
    email: entry.email,
    externalUserId: entry.externalId ?? null,
    entryMethod: 'PARTNER_API',
    lines,
    lineCount: lines.length,
    createdAt,
    cancelledAt: null,
    salt: new Uint8Array(salt),
    holder: new Uint8Array(holderOf(salt, entrantOfEntry(entry))),
  } as const
  return {
    ...ticket,
    lines: ticket.lines,
    masks: masksOf(draw.rules, lines),
    leaf: new Uint8Array(ticketLeafOf(ticketRecord({ ...ticket, cancelled: false }))),
    draw: { status: 'OPEN', rules: draw.rulesText },
    lottery: { slug: draw.slug },
    wins: [],
  }
}

/** Writes entries with valid lines. Null, with nothing written, when a draw has closed since it was found. */
const writeEntries = async (
  work: Transaction,
  judged: (Judged | Error)[],
): Promise<(TicketView | Error)[] | null> => {
  const wanted = judged.flatMap((item) => (item instanceof Error ? [] : [item]))
  const locked = await lockEntryDraws(
    work,
    wanted.map(({ entry, draw }) => ({
      ...tenantOf(entry),
      drawId: draw.id,
      entrant: entrantOfEntry(entry),
    })),
  )
  if (!locked) return null
  const named = wanted.filter(({ entry }) => entry.externalId != null)
  const areBlocked = await findBlocked(
    work,
    named.map(({ entry }) => ({ ...tenantOf(entry), externalId: entry.externalId as ExternalId })),
  )
  const blocked = new Set(named.filter((_, n) => areBlocked[n]))
  const createdAt = work.clock()
  const rows: TicketRow[] = []
  const results = judged.map((item) => {
    if (item instanceof Error) return item
    if (blocked.has(item)) return userBlocked()
    const { entry, draw } = item
    const entrant = entrantOfEntry(entry)
    const numbers = locked.next(tenantOf(entry), draw, entrant)
    if (!numbers) {
      const limit = draw.rules.maxTicketsPerUser
      return new TesseraError('MAX_TICKETS_EXCEEDED', { limit, current: limit })
    }
    const view = viewOf(item, numbers, createdAt)
    rows.push({ ...view, slug: draw.slug, entrant, maxTickets: draw.rules.maxTicketsPerUser })
    return view
  })
  if (rows.length === 0) return results
  const users = rows.flatMap(({ externalUserId: externalId, ...row }) =>
    externalId == null ? [] : [{ ...tenantOf(row), externalId }],
  )
  if (users.length > 0) await makeUsers(work, users)
  await insertTickets(work.tx, rows, createdAt)
  return results
}

const masksOf = (rules: LotteryRules, lines: Line[]): string =>
  lines
    .map((line) => {
      const { main, bonus } = maskOf(rules, line)
      return main + bonus
    })
    .join('')

/** The error for a ticket that is cancelled already or whose draw is not open. */
const notActive = async (own: TenantClient, id: string): Promise<TesseraError> => {
  const ticket = await own.lotteryTicket.findUniqueOrThrow({
    where: { id },
    include: { draw: true },
  })
  const { status, closedAt, closesAt } = ticket.draw
  return new TesseraError(
    'TICKET_NOT_ACTIVE',
    ticket.cancelledAt
      ? { status: 'CANCELLED', since: ticket.cancelledAt }
      : { status: status === 'OPEN' ? 'CLOSED' : status, since: closedAt ?? closesAt },
  )
}

/**
 * Cancels a ticket of an open draw. Its user can enter another one. The ticket stays in the published list, marked as
 * cancelled.
 * @throws TesseraError TICKET_NOT_FOUND; TICKET_NOT_ACTIVE when it was cancelled before or its draw has closed
 */
export const cancelTicket = (
  work: Work,
  { ticketId: id, ...tenant }: Tenant & { ticketId: string },
): Promise<TicketView> =>
  inTransaction(work, async (txWork) => {
    const { tx } = txWork
    const own = ofTenant(tx, tenant)
    const found = await own.lotteryTicket.findFirst({ where: { id } })
    if (!found) throw new TesseraError('TICKET_NOT_FOUND')
    // The lock on the draw protects its tickets, too.
    const isOpen = await lockOpenDraw(txWork, found.drawId)
    const cancelledAt = work.clock()
    const leaf = ticketLeafOf(ticketRecord({ ...found, lines: linesOf(found), cancelled: true }))
    const { count } = isOpen
      ? await own.lotteryTicket.updateMany({
          where: { id, cancelledAt: null },
          data: { cancelledAt, leaf: new Uint8Array(leaf) },
        })
      : { count: 0 }
    if (count === 0) throw await notActive(own, id)
    const { drawId } = found
    await tx.lotteryDraw.updateMany({
      where: { id: drawId },
      data: { cancelled: { increment: 1 } },
    })
    await tx.lotteryNode.deleteMany({ where: { drawId, nodeNo: nodeOf(found.ticketNo) } })
    await own.lotteryEntrant.updateMany({
      where: { drawId, entrant: entrantOf(found) },
      data: { tickets: { decrement: 1 } },
    })
    const change = { table: 'lottery_ticket', id, field: 'cancelled_at', from: null }
    await addToChanges(tx, [{ ...change, to: cancelledAt.toISOString() }])
    return own.lotteryTicket.findUniqueOrThrow({ where: { id }, include: ticketInclude })
  })

/** A placeholder address that cannot receive mail. */
export const erasedAddress = (pseudonym: string): string => `${pseudonym}@erased.invalid`

/**
 * The next tickets of a holder, until a time, that do not name the pseudonym yet. Their draws are locked until the
 * transaction ends, which protects the tickets, too.
 */
export const lockTickets = (
  { tx }: Transaction,
  holder: Holder,
  { pseudonym, until }: { pseudonym: string; until: Date },
): Promise<TicketOfHolder[]> =>
  lockTicketsOfHolder(tx, holder, { address: erasedAddress(pseudonym), until })

/**
 * Replaces a holder with a pseudonym. Numbers, prizes and the published list stay as they are: the list contains only a
 * hash of the holder.
 */
export const forgetHolder = async (
  { tx }: Transaction,
  holder: Holder,
  { tickets, pseudonym }: { tickets: TicketOfHolder[]; pseudonym: string },
): Promise<void> => {
  if (tickets.length === 0) return
  const ids = tickets.map(({ id }) => id)
  await renameHolder(tx, holder, ids, { pseudonym, address: erasedAddress(pseudonym) })
}
