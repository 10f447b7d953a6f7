import { z } from 'zod'
import type { Context } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { usd } from '../kit/money.ts'
import { nodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { countUpTo, exactly } from '../kit/schema/connection.ts'
import { load, selectsOnly } from '../kit/schema/edge.ts'
import { someOf } from '../kit/schema/filters.ts'
import { enumType, inputType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { lookup } from '../kit/schema/lookup.ts'
import { MoneyRef } from '../kit/schema/money.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { numbered } from '../kit/schema/numbered.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { query } from '../kit/schema/query.ts'
import { mapped, rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { reference } from '../kit/validation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf, findUsers } from '../users/end-user.ts'
import { DrawRef } from './draw.graphql.ts'
import { type DrawView, findDraws } from './draw-view.ts'
import { LotteryRef } from './lottery.graphql.ts'
import type { Line } from './lottery.rules.ts'
import { findLotteries, managerOf } from './lottery-key.ts'
import { cancelTicket, EnterLottery, enterLotteries } from './ticket.ts'
import { partsWith, ticketsOfDraw } from './ticket-status.ts'
import {
  countEntries,
  findTicketRanges,
  findWinners,
  linesOf,
  TicketStatus,
  type TicketView,
  ticketInclude,
  ticketStatusOf,
  ticketsWithDraws,
  tierNameOf,
  winAmountOf,
  winTierOf,
} from './ticket-view.ts'
import { countUserTickets, findUserTickets } from './user-tickets.ts'

const TicketStatusRef = enumType('LotteryTicketStatus', 'The status of a ticket.', {
  ACTIVE: 'In an upcoming or open draw.',
  DRAWN: 'The numbers are drawn, and results are being determined.',
  WON: 'At least one of its lines won.',
  LOST: 'None of its lines won.',
  CANCELLED: 'The ticket or its draw was cancelled.',
})

export const LineRef = builder.objectRef<Line>('LotteryLine').implement({
  description: 'The numbers of a line, in ascending order.',
  fields: (t) => ({
    main: t.exposeIntList('main', { description: 'Main numbers.' }),
    bonus: t.exposeIntList('bonus', { description: 'Bonus numbers; empty if there are none.' }),
  }),
})

/** The draw of a ticket, which exists as long as the ticket. */
const drawOf = async (ctx: Context, drawId: string): Promise<DrawView> =>
  (await load(ctx, findDraws, drawId)) as DrawView

export const TicketRef = builder.prismaNode('LotteryTicket', {
  description: 'A ticket of a draw, with one to ten lines.',
  id: { field: 'id' },
  nullable: true,
  include: ticketInclude,
  findUnique: ownRow('secret'),
  fields: (t) => ({
    ticketRef: t.exposeString('ticketRef', {
      description: 'Readable reference: LX-2026-1121-7K2P.',
    }),
    lottery: t.field({
      type: LotteryRef,
      description: 'The lottery of its draw.',
      resolve: async ({ lotteryId, drawId, lottery }, _, ctx, info) =>
        'id' in lottery || selectsOnly(info)
          ? { ...lottery, id: lotteryId }
          : (await drawOf(ctx, drawId)).lottery,
    }),
    draw: t.field({
      type: DrawRef,
      description: 'The draw that it takes part in.',
      resolve: ({ drawId, draw, lottery }, _, ctx, info) =>
        'id' in draw || selectsOnly(info) ? { ...draw, id: drawId, lottery } : drawOf(ctx, drawId),
    }),
    user: t.field({
      type: UserRef,
      nullable: true,
      description: 'The user; null if it was entered by e-mail address alone.',
      resolve: ({ externalUserId: externalId, ...ticket }, _, ctx) =>
        externalId === null ? null : load(ctx, findUsers, { ...tenantOf(ticket), externalId }),
    }),
    externalId: t.exposeString('externalUserId', {
      nullable: true,
      description: "The partner's id of the user, if given. A pseudonym once the user is erased.",
    }),
    email: t.exposeString('email', { description: 'Of the user.' }),
    status: t.field({
      type: TicketStatusRef,
      description: 'Its result.',
      resolve: (ticket) => ticketStatusOf(ticket as TicketView),
    }),
    lines: t.field({ type: [LineRef], description: 'Its lines.', resolve: linesOf }),
    winTier: t.string({
      nullable: true,
      description: 'Name of the best tier that its lines won; null if none won.',
      resolve: (ticket) => winTierOf(ticket as TicketView),
    }),
    winAmount: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'Total won by its lines; 0 if nothing. Null until the draw is completed.',
      resolve: (ticket) => {
        const amountCents = winAmountOf(ticket as TicketView)
        return amountCents === null ? null : usd(amountCents)
      },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was entered.' }),
  }),
})

const LotteryTicketFilter = z
  .object({
    ticketRef: reference().nullish().describe('Only the ticket with this reference.'),
  })
  .describe('Filters the tickets of a lottery. The tickets of one draw have a filter by status.')

list([LotteryRef, 'tickets'], {
  description: "The tickets that the caller's partner entered, newest first.",
  key: 'secret',
  of: TicketRef,
  filter: LotteryTicketFilter,
  orders: { CREATED_AT: { by: ['entryNo'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: async ({ parent: lottery, caller, filter: { ticketRef }, order, ctx }) => {
    const of = { ...tenantOf(caller), lotteryId: lottery.id }
    if (ticketRef != null)
      return rows(ticketsWithDraws(ofTenant(ctx.db, caller)), {
        where: { lotteryId: lottery.id, ticketRef },
        order,
      })
    return numbered('entryNo', {
      last: await load(ctx, countEntries, of),
      order,
      read: (range) => load(ctx, findTicketRanges, { ...of, ...range }),
    })
  },
})

const TicketFilter = z
  .object({
    statuses: someOf('LotteryTicketStatus', TicketStatus)
      .nullish()
      .describe('Only tickets of these statuses.'),
  })
  .describe('Filters the tickets of a draw or of a user.')

inputType('TicketFilter', TicketFilter)

list([DrawRef, 'tickets'], {
  description: "The tickets that the caller's partner entered in this draw, in order of entry.",
  key: 'secret',
  of: TicketRef,
  filter: TicketFilter,
  orders: { NUMBER: { by: ['ticketNo'], description: 'By number, in the order of creation.' } },
  order: ['NUMBER', 'ASC'],
  from: ({
    parent: draw,
    caller: { partnerId, environment },
    filter: { statuses },
    order,
    ctx,
  }) => {
    const parts = draw.environment === environment ? partsWith(draw.status, statuses) : []
    return mapped(ticketsOfDraw(ctx, { drawId: draw.id, partnerId }, parts, order), (tickets) =>
      tickets.map((ticket) => ({ ...ticket, draw, lottery: draw.lottery })),
    )
  },
})

type Winner = {
  ticket: typeof TicketRef.$inferType
  lineNo: number
  tierNo: number
  amountCents: bigint | null
  ticketNo: number
}

const WinnerRef = builder.objectRef<Winner>('LotteryWinner').implement({
  description: 'A line of a ticket that won.',
  fields: (t) => ({
    ticket: t.field({
      type: TicketRef,
      description: 'The ticket.',
      resolve: ({ ticket }) => ticket,
    }),
    line: t.field({
      type: LineRef,
      description: 'The line.',
      resolve: ({ ticket, lineNo }) => linesOf(ticket)[lineNo] as Line,
    }),
    tier: t.string({
      description: 'Name of the tier that it won.',
      resolve: ({ ticket, tierNo }) => tierNameOf(ticket.draw, tierNo) ?? '',
    }),
    amount: t.field({
      type: MoneyRef,
      description: 'The prize.',
      resolve: ({ amountCents }) => usd(amountCents ?? 0),
    }),
  }),
})

list([DrawRef, 'winners'], {
  description:
    "Winning lines of the caller's partner, the best tier first; empty before it is completed.",
  key: 'secret',
  of: WinnerRef,
  from: ({ parent: draw, caller, ctx }) => {
    const { partnerId } = caller
    const { id: drawId, status, lottery } = draw
    const own = ofTenant(ctx.db, caller)
    const isShown = status === 'COMPLETED' && draw.environment === caller.environment
    return {
      order: 'tierNo asc, ticketNo asc, lineNo asc',
      placeOf: ({ tierNo, ticketNo, lineNo }) => [tierNo, ticketNo, lineNo],
      count: () =>
        isShown
          ? countUpTo((take) => own.lotteryWin.count({ where: { drawId }, take }))
          : exactly(0),
      fetch: async (part) => {
        if (!isShown) return []
        const winners = await load(ctx, findWinners, {
          ...part,
          parent: [drawId, partnerId],
          isUp: true,
        })
        return winners.map(({ ticket, ...winner }) => ({
          ...winner,
          ticket: { ...ticket, draw, lottery },
        }))
      },
    }
  },
})

mutation('enterLottery', {
  description: 'Enters a user into the open draw that closes next. Emits `lottery.entry_created`.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: EnterLottery,
  payload: { lotteryTicket: TicketRef },
  errors: [
    'LOTTERY_NOT_FOUND',
    'LOTTERY_NOT_ACTIVE',
    'DRAW_NOT_AVAILABLE',
    'INVALID_NUMBER_LINES',
    'MAX_TICKETS_EXCEEDED',
    'USER_NOT_FOUND',
    'USER_BLOCKED',
  ],
  resolve: async ({ lottery: { id: lotteryId, slug }, user, ...entry }, ctx, caller) => {
    const externalId = user && (await externalIdOf(ctx, caller, user))
    const found =
      lotteryId && (await ctx.read(findLotteries, { ...managerOf(caller), id: lotteryId }))
    const lotterySlug = slug ?? (found ? found.slug : '')
    const requested = { ...entry, externalId, lotterySlug, lotteryId }
    return { lotteryTicket: (await ctx.write(enterLotteries, requested)) as never }
  },
})

mutation('cancelLotteryTicket', {
  description:
    'Cancels a ticket of a draw that is still open. Its user may enter another one instead.',
  key: 'secret',
  right: 'PLAY',
  input: z
    .object({ lotteryTicketId: nodeId('LotteryTicket').describe('The ticket.') })
    .describe('A ticket to cancel.'),
  payload: { lotteryTicket: TicketRef },
  errors: ['TICKET_NOT_FOUND', 'TICKET_NOT_ACTIVE'],
  resolve: async ({ lotteryTicketId: ticketId, ...tenant }, ctx) => ({
    lotteryTicket: (await cancelTicket(ctx, { ...tenant, ticketId })) as never,
  }),
})

type Ticket = typeof TicketRef.$inferType

list([UserRef, 'lotteryTickets'], {
  description:
    "The user's tickets in all lotteries, newest first. Includes tickets entered by e-mail address alone, if a secret key or a member has set that address on the user.",
  key: 'secret',
  of: TicketRef,
  filter: TicketFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: user, filter: { statuses }, order, ctx }) => {
    const isUp = order[0]?.[1] === 'asc'
    return {
      order: isUp ? 'id asc' : 'id desc',
      placeOf: ({ id }) => [id],
      count: () =>
        countUpTo((maxCount) => load(ctx, countUserTickets, { user, statuses, maxCount })),
      // The draw and the lottery are read only if more of them is selected.
      fetch: async (part) =>
        (await load(ctx, findUserTickets, { ...part, user, statuses, isUp })) as Ticket[],
    }
  },
})

lookup('lotteryTicket', TicketRef, { description: 'A ticket of a lottery.', key: 'secret' })

/** The most lotteries in which one reference is looked up. */
const maxLotteries = 1_000

query('lotteryTicketsByRef', {
  description:
    "The tickets of the caller's partner with a reference, newest first. Lotteries may give the same reference on the same day.",
  key: 'secret',
  args: z.object({
    ticketRef: reference().describe('The reference, such as `LX-2026-0131-7K2M`.'),
  }),
  type: [TicketRef],
  complexity: () => ({ field: 1, multiplier: 10 }),
  resolve: async ({ ticketRef }, ctx, caller) => {
    const db = ofTenant(ctx.db, caller)
    // The index of references begins with the lottery.
    const entered = await db.lotteryAccount.findMany({
      select: { lotteryId: true },
      orderBy: { lotteryId: 'desc' },
      take: maxLotteries,
    })
    return ticketsWithDraws(db).findMany({
      where: { ticketRef, lotteryId: { in: entered.map(({ lotteryId }) => lotteryId) } },
      orderBy: [{ id: 'desc' }],
      take: 10,
    })
  },
})
