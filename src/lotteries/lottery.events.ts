import { z } from 'zod'
import { defineEvent } from '../kit/streams/events.ts'
import { announcedId } from '../kit/user-id.ts'

const lottery = { drawId: z.uuid(), lotteryId: z.uuid(), lotterySlug: z.string() }
const holder = { email: z.string(), externalUserId: announcedId().optional() }
const lines = z.array(z.object({ main: z.array(z.int()), bonus: z.array(z.int()) }))

const exampleLottery = {
  drawId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c20',
  lotteryId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c21',
  lotterySlug: 'weekly',
}
const exampleTicket = {
  ticketRef: 'LX-2026-0131-7KQ2',
  ...exampleLottery,
  email: 'alice@example.com',
  externalUserId: 'alice',
  lines: [{ main: [3, 11, 19, 27, 42], bonus: [7] }],
}
const exampleId = '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c22'

export const entryCreated = defineEvent('lottery.entry_created', {
  description: 'A user entered a draw.',
  data: z.object({
    id: z.uuid().describe('The ticket.'),
    ticketRef: z.string(),
    ...lottery,
    ...holder,
    status: z.literal('ACTIVE'),
    entryMethod: z.literal('PARTNER_API'),
    lines,
    createdAt: z.iso.datetime(),
  }),
  personal: ['email', 'externalUserId'],
  example: {
    id: exampleId,
    ...exampleTicket,
    status: 'ACTIVE',
    entryMethod: 'PARTNER_API',
    createdAt: '2026-01-31T12:00:00.000Z',
  },
})

export const drawCompleted = defineEvent('lottery.draw_completed', {
  description: 'A draw was completed. Every partner whose users took part receives it.',
  data: z.object({
    ...lottery,
    drawNo: z.int(),
    main: z.array(z.int()),
    bonus: z.array(z.int()),
    ticketCount: z.int().describe('Number of tickets of all partners.'),
    winningLines: z.int(),
    potCents: z.int(),
    payoutCents: z.int(),
    completedAt: z.iso.datetime(),
  }),
  example: {
    ...exampleLottery,
    drawNo: 12,
    main: [3, 8, 19, 30, 42],
    bonus: [7],
    ticketCount: 1_500,
    winningLines: 31,
    potCents: 300_000,
    payoutCents: 120_000,
    completedAt: '2026-01-31T12:00:00.000Z',
  },
})

export const ticketWon = defineEvent('lottery.ticket_won', {
  description: 'A ticket won in a draw.',
  data: z.object({
    ticketId: z.uuid(),
    ticketRef: z.string(),
    ...lottery,
    ...holder,
    lines,
    winTier: z.string().describe('Name of the best tier that its lines won.'),
    winAmountCents: z.int().describe('Of all its lines together.'),
  }),
  personal: ['email', 'externalUserId'],
  example: { ticketId: exampleId, ...exampleTicket, winTier: '3 + 1', winAmountCents: 2_500 },
})
