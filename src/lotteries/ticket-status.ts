/** Tickets of a draw by their status, which follows from the draw, the wins and what was cancelled. */

import type { DrawStatus } from '../generated/prisma/enums.ts'
import type { Work } from '../kit/runtime.ts'
import { countUpTo, type Part, type Source } from '../kit/schema/connection.ts'
import { load } from '../kit/schema/edge.ts'
import type { Order } from '../kit/schema/rows.ts'
import { countTickets, ticketTables } from './ticket-status.sql.ts'
import { type DrawTicket, drawTicketReader, type TicketStatus } from './ticket-view.ts'

type TicketPart = keyof typeof ticketTables

/** The parts of the tickets of a draw that have one of these statuses; all if they are null. */
export const partsWith = (
  draw: DrawStatus,
  statuses: readonly TicketStatus[] | null | undefined,
): TicketPart[] => {
  if (!statuses) return ['all']
  const has = (status: TicketStatus) => statuses.includes(status)
  if (draw === 'CANCELLED') return has('CANCELLED') ? ['all'] : []
  const cancelled: TicketPart[] = has('CANCELLED') ? ['cancelled'] : []
  if (draw !== 'COMPLETED')
    return has(draw === 'DRAWING' ? 'DRAWN' : 'ACTIVE') ? ['kept', ...cancelled] : cancelled
  if (has('WON') && has('LOST')) return ['kept', ...cancelled]
  return [...(has('WON') ? ['won' as const] : has('LOST') ? ['lost' as const] : []), ...cancelled]
}

const readers = {
  all: drawTicketReader('draw_tickets', ticketTables.all),
  kept: drawTicketReader('kept_tickets', ticketTables.kept),
  cancelled: drawTicketReader('cancelled_tickets', ticketTables.cancelled),
  won: drawTicketReader('won_tickets', ticketTables.won),
  lost: drawTicketReader('lost_tickets', ticketTables.lost),
} satisfies Record<TicketPart, unknown>

type AskedPart = Parameters<typeof readers.all>[1][number] & { name: TicketPart }

/** Pages of parts of the tickets of draws, in a constant number of statements for each kind of part. */
const findTicketParts = async (work: Work, requested: AskedPart[]): Promise<DrawTicket[][]> => {
  const found = new Map<AskedPart, DrawTicket[]>()
  for (const [name, some] of Map.groupBy(requested, ({ name }) => name)) {
    const pages = await readers[name](work, some)
    for (const [i, page] of pages.entries()) found.set(some[i] as AskedPart, page)
  }
  return requested.map((item) => found.get(item) as DrawTicket[])
}

type Place = { drawId: string; partnerId: string }

/** The tickets that a partner entered into a draw and that are in one of these parts, by number. */
export const ticketsOfDraw = (
  ctx: Pick<Work, 'tx'> & Parameters<typeof load>[0],
  { drawId, partnerId }: Place,
  parts: readonly TicketPart[],
  order: Order,
): Source<DrawTicket> => {
  const isUp = order[0]?.[1] === 'asc'
  const fetch = async ({ take, skip, ...part }: Part) => {
    // Of each part, those from which the page is merged.
    const requested = { ...part, take: take + skip, skip: 0, parent: [drawId, partnerId], isUp }
    const found = await Promise.all(
      parts.map((name) => load(ctx, findTicketParts, { ...requested, name })),
    )
    const way = isUp === part.backward ? -1 : 1
    const merged = found.flat().sort((a, b) => way * (a.ticketNo - b.ticketNo))
    return merged.slice(skip, skip + take)
  }
  return {
    order: isUp ? 'ticketNo asc' : 'ticketNo desc',
    placeOf: ({ ticketNo }) => [ticketNo],
    count: () =>
      countUpTo(async (limit) => {
        const place = { drawId, partnerId }
        const counts = await Promise.all(
          parts.map((name) => countTickets(ctx.tx, name, place, limit)),
        )
        return counts.reduce((sum, [row]) => sum + (row?.tickets ?? 0), 0)
      }),
    fetch,
  }
}
