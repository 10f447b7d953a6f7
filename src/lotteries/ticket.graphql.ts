import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { enumType } from '../core/graphql/input.ts'
import { list } from '../core/graphql/list.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { numbered } from '../core/graphql/numbered.ts'
import { tenantOf } from '../core/tenant.ts'
import { cancelTicket } from './cancel-ticket.ts'
import { LotteryRef } from './lottery.graphql.ts'
import type { Line } from './lottery.rules.ts'
import { EnterLottery, enterLotteries } from './ticket.ts'
import {
  linesOf,
  type TicketView,
  ticketInclude,
  ticketStatusOf,
  winAmountOf,
  winTierOf,
} from './ticket-view.ts'

const TicketStatusRef = enumType('TicketStatus', 'What became of a ticket.', {
  ACTIVE: 'In an upcoming or open draw.',
  DRAWN: 'The numbers are drawn, and results are being processed.',
  WON: 'At least one of its lines won.',
  LOST: 'None of its lines won.',
  CANCELLED: 'Taken out of its draw, or the draw was called off.',
})

const EntryMethodRef = enumType('EntryMethod', 'How a ticket came about.', {
  PARTNER_API: "Entered by a partner's backend.",
})

const LineRef = builder.objectRef<Line>('LotteryLine').implement({
  description: 'Numbers of one line, in ascending order.',
  fields: (t) => ({
    main: t.exposeIntList('main', { description: 'Main numbers.' }),
    bonus: t.exposeIntList('bonus', { description: 'Bonus numbers; empty when there are none.' }),
  }),
})

const TicketRef = builder.prismaNode('LotteryTicket', {
  description: 'A ticket of a draw, with one to ten lines.',
  id: { field: 'id' },
  nullable: true,
  include: ticketInclude,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    ticketId: t.exposeString('id', { description: 'UUID, the same in REST and in events.' }),
    ticketRef: t.exposeString('ticketRef', {
      description: 'Reference for people: LX-2026-1121-7K2P.',
    }),
    drawId: t.exposeString('drawId', { description: 'UUID of the draw.' }),
    lotteryId: t.exposeString('lotteryId', { description: 'UUID of the lottery.' }),
    email: t.exposeString('email', { description: 'Of the user.' }),
    externalUserId: t.exposeString('externalUserId', {
      nullable: true,
      description: "The partner's id of the user, if given.",
    }),
    status: t.field({
      type: TicketStatusRef,
      description: 'What became of it.',
      resolve: (ticket) => ticketStatusOf(ticket as TicketView),
    }),
    entryMethod: t.expose('entryMethod', {
      type: EntryMethodRef,
      description: 'How it came about.',
    }),
    lines: t.field({ type: [LineRef], description: 'Its lines.', resolve: linesOf }),
    winTier: t.string({
      nullable: true,
      description: 'Name of the best tier that one of its lines won; null when none did.',
      resolve: (ticket) => winTierOf(ticket as TicketView),
    }),
    winAmountCents: t.field({
      type: 'SafeInt',
      description: 'What its lines won together, in cents; 0 when nothing.',
      resolve: (ticket) => winAmountOf(ticket as TicketView),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was entered.' }),
  }),
})

list([LotteryRef, 'tickets'], {
  description: 'The tickets that this partner entered, newest first.',
  key: 'secret',
  of: TicketRef,
  orders: { CREATED_AT: { by: ['entryNo'], description: 'By when they were entered.' } },
  order: ['CREATED_AT', 'DESC'],
  from: async ({ parent: lottery, caller, order, ctx }) => {
    const of = { ...tenantOf(caller), lotteryId: lottery.id }
    const account = await ctx.db.lotteryAccount.findUnique({
      where: { partnerId_environment_lotteryId: of },
    })
    return numbered('entryNo', {
      last: account?.entries ?? 0,
      order,
      read: ({ from, to }) =>
        ctx.db.lotteryTicket.findMany({
          where: { ...of, entryNo: { gte: from, lte: to } },
          include: ticketInclude,
        }),
    })
  },
})

mutation('enterLottery', {
  description:
    'Enters a user into the open draw of a lottery that closes next. Announced as `lottery.entry_created`.',
  key: 'secret',
  input: EnterLottery,
  payload: TicketRef as never,
  errors: [
    'LOTTERY_NOT_FOUND',
    'LOTTERY_NOT_ACTIVE',
    'DRAW_NOT_AVAILABLE',
    'INVALID_NUMBER_LINES',
    'MAX_TICKETS_EXCEEDED',
  ],
  resolve: (input, ctx, caller) => ctx.write(enterLotteries, { ...tenantOf(caller), ...input }),
})

mutation('cancelTicket', {
  description:
    'Takes a ticket out of a draw that is still open; its user may enter another one instead.',
  key: 'secret',
  input: z
    .object({ ticketId: z.uuid('must be a UUID').describe('UUID of the ticket.') })
    .describe('A ticket to cancel.'),
  payload: TicketRef as never,
  errors: ['TICKET_NOT_FOUND', 'TICKET_NOT_ACTIVE'],
  resolve: (input, ctx, caller) => cancelTicket(ctx, { ...tenantOf(caller), ...input }),
})
