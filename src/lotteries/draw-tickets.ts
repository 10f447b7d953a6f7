/** Tickets of draws that one partner entered, and their winning lines. */

import { Prisma } from '../generated/prisma/client.ts'
import type { Work } from '../kit/runtime.ts'
import { findParts, type PartOf } from '../kit/schema/parts.ts'
import { ticketInclude } from './ticket-view.ts'

type TicketKey = { drawId: string; ticketNo: number }

/** Tickets by their numbers in draws. The caller already has the draw. */
const findTickets = async ({ tx }: Work, keys: TicketKey[]) => {
  const ofDraws = [...Map.groupBy(keys, ({ drawId }) => drawId)]
  const found = await tx.lotteryTicket.findMany({
    where: {
      OR: ofDraws.map(([drawId, some]) => ({
        drawId,
        ticketNo: { in: some.map(({ ticketNo }) => ticketNo) },
      })),
    },
    include: { wins: ticketInclude.wins },
  })
  const nameOf = ({ drawId, ticketNo }: TicketKey) => `${drawId} ${ticketNo}`
  const tickets = new Map(found.map((ticket) => [nameOf(ticket), ticket]))
  return (key: TicketKey) => tickets.get(nameOf(key)) as (typeof found)[number]
}

const parent = { draw_id: 'uuid', partner_id: 'uuid' } as const
const key = Prisma.sql`t.draw_id AS "drawId", t.ticket_no AS "ticketNo"`

/** Pages of the tickets that partners entered into draws. */
export const findDrawTickets = async (work: Work, asked: PartOf[]) => {
  const parts = await findParts<TicketKey>(
    work,
    {
      from: Prisma.sql`lottery_ticket t`,
      name: 'draw_tickets',
      columns: key,
      parent,
      by: { ticket_no: 'int' },
    },
    asked,
  )
  const ticketOf = await findTickets(work, parts.flat())
  return parts.map((part) => part.map(ticketOf))
}

type Win = TicketKey & { lineNo: number; tierNo: number; amountCents: bigint | null }

/** Pages of the winning lines that partners entered into draws, the best tier first. */
export const findWinners = async (work: Work, asked: PartOf[]) => {
  const parts = await findParts<Win>(
    work,
    {
      from: Prisma.sql`lottery_win t`,
      name: 'winners',
      columns: Prisma.sql`${key}, t.line_no AS "lineNo", t.tier_no AS "tierNo",
        t.amount_cents AS "amountCents"`,
      parent,
      by: { tier_no: 'int', ticket_no: 'int', line_no: 'int' },
    },
    asked,
  )
  const ticketOf = await findTickets(work, parts.flat())
  return parts.map((part) => part.map((win) => ({ ...win, ticket: ticketOf(win) })))
}
