import { z } from 'zod'
import { defineEvent } from '../core/events.ts'
import { announcedId } from '../core/user-id.ts'

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
