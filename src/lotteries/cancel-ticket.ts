import { addToChanges } from '../kit/access/audit-entry.sql.ts'
import { inTransaction, type Queries } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { lockOpenDraw } from './entry-draw.ts'
import { ticketLeafOf, ticketRecord } from './proof-format.ts'
import { entrantOf } from './ticket.ts'
import { linesOf, type TicketView, ticketInclude } from './ticket-view.ts'
import { nodeOf } from './tree.ts'

/** The error for a ticket that is cancelled already or whose draw is not open. */
const notActive = async (tx: Queries, id: string): Promise<TesseraError> => {
  const ticket = await tx.lotteryTicket.findUniqueOrThrow({
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
  inTransaction(work, async (here) => {
    const { tx } = here
    const where = { id, ...tenantOf(tenant) }
    const found = await tx.lotteryTicket.findFirst({ where })
    if (!found) throw new TesseraError('TICKET_NOT_FOUND')
    // The lock on the draw protects its tickets, too.
    const isOpen = await lockOpenDraw(here, found.drawId)
    const cancelledAt = work.clock()
    const leaf = ticketLeafOf(ticketRecord({ ...found, lines: linesOf(found), cancelled: true }))
    const { count } = isOpen
      ? await tx.lotteryTicket.updateMany({
          where: { ...where, cancelledAt: null },
          data: { cancelledAt, leaf: new Uint8Array(leaf) },
        })
      : { count: 0 }
    if (count === 0) throw await notActive(tx, id)
    const { drawId } = found
    await tx.lotteryDraw.updateMany({
      where: { id: drawId },
      data: { cancelled: { increment: 1 } },
    })
    await tx.lotteryNode.deleteMany({ where: { drawId, nodeNo: nodeOf(found.ticketNo) } })
    await tx.lotteryEntrant.updateMany({
      where: { ...tenantOf(tenant), drawId, entrant: entrantOf(found) },
      data: { tickets: { decrement: 1 } },
    })
    const change = { table: 'lottery_ticket', id, field: 'cancelled_at', from: null }
    await addToChanges(tx, [{ ...change, to: cancelledAt.toISOString() }])
    return tx.lotteryTicket.findUniqueOrThrow({ where: { id }, include: ticketInclude })
  })
