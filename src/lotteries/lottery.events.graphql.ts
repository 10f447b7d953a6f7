import type { Context } from '../kit/access/context.ts'
import { usd } from '../kit/money.ts'
import { load } from '../kit/schema/edge.ts'
import { eventType } from '../kit/schema/event-data.ts'
import { MoneyRef } from '../kit/schema/money.ts'
import { userOfEvent } from '../users/end-user.graphql.ts'
import { DrawRef } from './draw.graphql.ts'
import { findDraws } from './draw-view.ts'
import { drawCompleted, entryCreated, ticketWon } from './lottery.events.ts'
import { LineRef, TicketRef } from './ticket.graphql.ts'
import { findTicketsById } from './ticket-view.ts'

const draw = {
  type: DrawRef,
  nullable: true as const,
  description: 'The draw, which leads to the lottery.',
  resolve: ({ drawId }: { drawId: string }, _: unknown, ctx: Context) =>
    load(ctx, findDraws, drawId),
}

const ticket = <P>(idOf: (event: P) => string) => ({
  type: TicketRef,
  nullable: true as const,
  description: 'The ticket.',
  resolve: (event: P, _: unknown, ctx: Context) => load(ctx, findTicketsById, idOf(event)),
})

eventType(entryCreated, 'LotteryEntryCreatedEventData', (t) => ({
  draw: t.field(draw),
  ticket: t.field(ticket(({ id }) => id)),
  ticketRef: t.exposeString('ticketRef', { description: 'Reference of the ticket.' }),
  user: t.field(
    userOfEvent(
      'The user who entered; null if entered by e-mail address alone.',
      ({ externalUserId }) => externalUserId,
    ),
  ),
  email: t.exposeString('email', { description: 'E-mail address of the holder.' }),
  lines: t.expose('lines', { type: [LineRef], description: 'The lines of the ticket.' }),
}))

eventType(ticketWon, 'LotteryTicketWonEventData', (t) => ({
  draw: t.field(draw),
  ticket: t.field(ticket(({ ticketId }) => ticketId)),
  ticketRef: t.exposeString('ticketRef', { description: 'Reference of the ticket.' }),
  user: t.field(
    userOfEvent(
      'The user who won; null if entered by e-mail address alone.',
      ({ externalUserId }) => externalUserId,
    ),
  ),
  email: t.exposeString('email', { description: 'E-mail address of the holder.' }),
  lines: t.expose('lines', { type: [LineRef], description: 'The lines of the ticket.' }),
  winTier: t.exposeString('winTier', { description: 'Name of the best tier that its lines won.' }),
  winAmount: t.field({
    type: MoneyRef,
    description: 'Total won by its lines.',
    resolve: ({ winAmountCents }) => usd(winAmountCents),
  }),
}))

eventType(drawCompleted, 'LotteryDrawCompletedEventData', (t) => ({
  draw: t.field(draw),
  number: t.exposeInt('drawNo', { description: 'Number of the draw within its lottery.' }),
  mainNumbers: t.exposeIntList('main', { description: 'The main numbers that were drawn.' }),
  bonusNumbers: t.exposeIntList('bonus', { description: 'The bonus numbers that were drawn.' }),
  ticketCount: t.exposeInt('ticketCount', { description: 'Number of tickets of all partners.' }),
  winningLineCount: t.exposeInt('winningLines', {
    description: 'Number of winning lines of all partners.',
  }),
  pot: t.field({
    type: MoneyRef,
    description: 'Amount in the pot.',
    resolve: ({ potCents }) => usd(potCents),
  }),
  payout: t.field({
    type: MoneyRef,
    description: 'Total of all prizes.',
    resolve: ({ payoutCents }) => usd(payoutCents),
  }),
}))
