/** A ticket with its draw, which decides its status. So no ticket changes when its draw does. */

import { Prisma } from '../generated/prisma/client.ts'
import type { DrawStatus, Environment } from '../generated/prisma/enums.ts'
import type { Model } from '../kit/database/model.ts'
import { acrossTenants, ofTenants, type TenantClient } from '../kit/database/tenant-client.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Work } from '../kit/runtime.ts'
import { findNumbered, type Range } from '../kit/schema/numbered.ts'
import { findParts, type PartOf } from '../kit/schema/parts.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'
import type { Line, LotteryRules } from './lottery.rules.ts'

export type TicketView = {
  id: string
  partnerId: string
  environment: Environment
  lotteryId: string
  drawId: string
  ticketNo: number
  entryNo: number
  ticketRef: string
  email: string
  externalUserId: ExternalId | null
  entryMethod: 'PARTNER_API'
  lines: Prisma.JsonValue
  lineCount: number
  masks: string
  salt: Uint8Array<ArrayBuffer>
  holder: Uint8Array<ArrayBuffer>
  leaf: Uint8Array<ArrayBuffer>
  createdAt: Date
  cancelledAt: Date | null
  draw: { status: DrawStatus; rules: string | null }
  lottery: { slug: string }
  wins: { tierNo: number; lineNo: number; amountCents: bigint | null }[]
}

/** The relations that a view of a ticket needs. */
export const ticketInclude = {
  draw: true,
  lottery: true,
  wins: { orderBy: [{ tierNo: 'asc' }, { lineNo: 'asc' }] },
} satisfies Prisma.LotteryTicketInclude

type TicketRow = Prisma.LotteryTicketGetPayload<{ include: typeof ticketInclude }>

/** The statuses of a ticket in their order (interface: Lottery ticket status). */
export const TicketStatus = {
  ACTIVE: 'ACTIVE',
  DRAWN: 'DRAWN',
  WON: 'WON',
  LOST: 'LOST',
  CANCELLED: 'CANCELLED',
} as const

export type TicketStatus = keyof typeof TicketStatus

export const ticketStatusOf = ({
  cancelledAt,
  draw,
  wins,
}: Pick<TicketView, 'cancelledAt' | 'draw' | 'wins'>): TicketStatus => {
  if (cancelledAt || draw.status === 'CANCELLED') return 'CANCELLED'
  if (draw.status === 'DRAWING') return 'DRAWN'
  if (draw.status !== 'COMPLETED') return 'ACTIVE'
  return wins.length > 0 ? 'WON' : 'LOST'
}

/** Name of a tier of a draw. */
export const tierNameOf = ({ rules }: TicketView['draw'], tierNo: number): string | null =>
  rules ? ((JSON.parse(rules) as LotteryRules).tiers[tierNo]?.name ?? null) : null

/** Name of the best tier that a line of this ticket won, once the draw is complete. */
export const winTierOf = (view: TicketView): string | null => {
  const [best] = view.wins
  return best && view.draw.status === 'COMPLETED' ? tierNameOf(view.draw, best.tierNo) : null
}

/** The prizes of all lines of this ticket, in cents; null before the draw is complete. */
export const winAmountOf = ({ draw, wins }: TicketView): number | null =>
  draw.status === 'COMPLETED'
    ? wins.reduce((sum, { amountCents }) => sum + Number(amountCents ?? 0), 0)
    : null

export const linesOf = ({ lines }: { lines: unknown }): Line[] => lines as Line[]

/** The model of tickets of a tenant, each with what its view needs. */
export const ticketsWithDraws = ({ lotteryTicket }: TenantClient): Model<TicketRow> => ({
  count: (args) => lotteryTicket.count(args),
  findMany: (args) => lotteryTicket.findMany({ ...args, include: ticketInclude }),
})

/** Tickets by their ids. */
export const findTicketsById = async ({ tx }: Work, ids: string[]): Promise<(TicketRow | null)[]> =>
  inOrder(
    ids,
    await acrossTenants(tx, 'IDS').lotteryTicket.findMany({
      where: { id: { in: ids } },
      include: ticketInclude,
    }),
  )

/** Reads ranges of the tickets that partners entered into lotteries, in one statement. */
export const findTicketRanges = (
  { tx }: Work,
  ranges: (Range & Tenant & { lotteryId: string })[],
): Promise<TicketRow[][]> => {
  const model = {
    findMany: (args: object) =>
      acrossTenants(tx, 'IDS').lotteryTicket.findMany({ ...args, include: ticketInclude }),
  }
  return findNumbered(model, 'entryNo', ranges)
}

/** How many tickets partners entered into lotteries, in one statement. */
export const countEntries = async (
  { tx }: Work,
  accounts: (Tenant & { lotteryId: string })[],
): Promise<number[]> => {
  const found = await ofTenants(tx, accounts, ({ lotteryId }) => ({
    lotteryId,
  })).lotteryAccount.findMany({})
  const nameOf = ({ partnerId, environment, lotteryId }: Tenant & { lotteryId: string }) =>
    `${partnerId} ${environment} ${lotteryId}`
  return inOrder(accounts, found, nameOf, nameOf).map((account) => account?.entries ?? 0)
}

type TicketKey = { drawId: string; ticketNo: number }

/** A ticket without its draw, which the caller has. */
export type DrawTicket = Omit<TicketRow, 'draw' | 'lottery'>

/** Tickets by their numbers in draws. The caller already has the draw. */
const findTickets = async ({ tx }: Work, keys: TicketKey[]) => {
  const ofDraws = [...Map.groupBy(keys, ({ drawId }) => drawId)]
  const found = await acrossTenants(tx, 'IDS').lotteryTicket.findMany({
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
  return (key: TicketKey) => tickets.get(nameOf(key)) as DrawTicket
}

const parent = { draw_id: 'uuid', partner_id: 'uuid' } as const
const key = Prisma.sql`t.draw_id AS "drawId", t.ticket_no AS "ticketNo"`

/**
 * Reads pages of the tickets that partners entered into draws.
 * @param name unique name of the list
 * @param from the tickets as `t`
 */
export const drawTicketReader =
  (name: string, from: Prisma.Sql) =>
  async (work: Work, requested: PartOf[]): Promise<DrawTicket[][]> => {
    const parts = await findParts<TicketKey>(
      work,
      { from, name, columns: key, parent, by: { ticket_no: 'int' } },
      requested,
    )
    const ticketOf = await findTickets(work, parts.flat())
    return parts.map((part) => part.map(ticketOf))
  }

type Win = TicketKey & { lineNo: number; tierNo: number; amountCents: bigint | null }

/** Pages of the winning lines that partners entered into draws, the best tier first. */
export const findWinners = async (work: Work, requested: PartOf[]) => {
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
    requested,
  )
  const ticketOf = await findTickets(work, parts.flat())
  return parts.map((part) => part.map((win) => ({ ...win, ticket: ticketOf(win) })))
}
