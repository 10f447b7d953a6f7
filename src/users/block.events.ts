import { z } from 'zod'
import { BlockReason } from '../generated/prisma/enums.ts'
import { defineEvent } from '../kit/streams/events.ts'
import { announcedId } from '../kit/user-id.ts'

const data = z.object({
  userId: announcedId(),
  reason: z.enum(BlockReason).optional(),
  until: z.iso.datetime().optional().describe('When the block ends by itself. Omitted for never.'),
})

const example = { userId: 'alice', reason: 'ABUSE', until: '2026-02-07T12:00:00.000Z' } as const

export const userBlocked = defineEvent('user.blocked', {
  description: 'A user was blocked, or blocked anew with another reason or end.',
  data: data.extend({ blockedAt: z.iso.datetime() }),
  personal: ['userId'],
  example: { ...example, blockedAt: '2026-01-31T12:00:00.000Z' },
})

export const userUnblocked = defineEvent('user.unblocked', {
  description:
    'The block of a user was ended by a call. A block that ends by itself is not announced: `until` says when.',
  data: data.extend({ unblockedAt: z.iso.datetime() }),
  personal: ['userId'],
  example: { ...example, unblockedAt: '2026-02-01T12:00:00.000Z' },
})
