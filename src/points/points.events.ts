import { z } from 'zod'
import { defineEvent } from '../kit/streams/events.ts'
import { announcedId } from '../kit/user-id.ts'

export const pointsAwarded = defineEvent('points.awarded', {
  description: 'A user was awarded points by a reward rule.',
  data: z.object({
    ledgerId: z.uuid(),
    userId: announcedId(),
    eventType: z.string(),
    pointsAwarded: z.int(),
    userBalance: z.int().describe('The balance after the award.'),
    reference: z.string().optional().describe('If it was given.'),
    createdAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: {
    ledgerId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c01',
    userId: 'alice',
    eventType: 'signup',
    pointsAwarded: 100,
    userBalance: 350,
    reference: 'signup-4711',
    createdAt: '2026-01-31T12:00:00.000Z',
  },
})

const corrected = {
  ledgerId: z.uuid(),
  userId: announcedId(),
  points: z.int().describe('Added to the wallet, or taken from it if negative.'),
  userBalance: z.int().describe('The balance of the user afterwards.'),
  createdAt: z.iso.datetime(),
}

const example = {
  ledgerId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c02',
  userId: 'alice',
  points: -40,
  userBalance: 310,
  createdAt: '2026-01-31T12:00:00.000Z',
}

export const pointsAdjusted = defineEvent('points.adjusted', {
  description: 'Points of a user were adjusted by hand. The ledger entry says by whom, and why.',
  data: z.object({
    ...corrected,
    reference: z.string().optional().describe('If it was given.'),
  }),
  personal: ['userId'],
  example: { ...example, reference: 'ticket-815' },
})

export const pointsReversed = defineEvent('points.reversed', {
  description:
    'A ledger entry of a user was taken back by hand. The new entry says by whom, and why.',
  data: z.object({
    ...corrected,
    reversedLedgerId: z.uuid().describe('The entry that was taken back.'),
  }),
  personal: ['userId'],
  example: { ...example, reversedLedgerId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c01' },
})

export const pointsSpent = defineEvent('points.spent', {
  description: 'A user spent points at the partner. The ledger entry says on what.',
  data: z.object({
    ledgerId: z.uuid(),
    userId: announcedId(),
    pointsSpent: z.int(),
    userBalance: z.int().describe('The balance of the user afterwards.'),
    reference: z.string().optional().describe('If it was given.'),
    createdAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: {
    ledgerId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c03',
    userId: 'alice',
    pointsSpent: 250,
    userBalance: 60,
    reference: 'order-4711',
    createdAt: '2026-01-31T12:00:00.000Z',
  },
})
