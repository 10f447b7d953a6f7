import { z } from 'zod'
import { GrantFailure, GrantSource, RewardKind } from '../generated/prisma/enums.ts'
import { defineEvent } from '../kit/streams/events.ts'
import { announcedId } from '../kit/user-id.ts'

const grant = {
  grantId: z.uuid(),
  userId: announcedId(),
  rewardId: z.uuid(),
  reward: z.string().describe('The slug of the reward.'),
  rewardName: z.string(),
  rewardKind: z.enum(RewardKind).describe('What the reward gives.'),
  points: z.int().describe('Points of the grant; 0 unless it gives points.'),
  price: z.int().optional().describe('Points that the user paid for it, if it was bought.'),
  source: z.enum(GrantSource).describe('Why the user gets it.'),
  reference: z.string().optional().describe('If it was given with one.'),
}

const example = {
  grantId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c70',
  userId: 'alice',
  rewardId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c71',
  reward: 'welcome-bonus',
  rewardName: 'Welcome bonus',
  rewardKind: 'POINTS',
  points: 50,
  source: 'GIVEN',
  reference: 'ticket-815',
} as const

const at = '2026-01-31T12:00:00.000Z'

export const grantReady = defineEvent('grant.ready', {
  description: 'A user can claim a reward.',
  data: z.object({
    ...grant,
    claimExpiresAt: z.iso.datetime().optional().describe('Until when; omitted without a limit.'),
    readyAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: { ...example, claimExpiresAt: '2026-02-07T12:00:00.000Z', readyAt: at },
})

export const grantIssued = defineEvent('grant.issued', {
  description: 'A user got a reward. Its points are in the wallet; an item is to be handed out.',
  data: z.object({
    ...grant,
    ledgerId: z
      .uuid()
      .optional()
      .describe('The ledger entry that paid it; omitted unless it gives points.'),
    userBalance: z.int().describe('The balance of the user afterwards.'),
    issuedAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: {
    ...example,
    ledgerId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c72',
    userBalance: 400,
    issuedAt: at,
  },
})

export const grantRevoked = defineEvent('grant.revoked', {
  description:
    'A reward was revoked. If it was issued, its points are taken back as far as the user still has them.',
  data: z.object({
    ...grant,
    wasIssued: z.boolean().describe('Whether the user had got it.'),
    revokedAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: { ...example, wasIssued: true, revokedAt: at },
})

export const grantExpired = defineEvent('grant.expired', {
  description: 'A user did not claim a reward in time.',
  data: z.object({ ...grant, expiredAt: z.iso.datetime() }),
  personal: ['userId'],
  example: { ...example, expiredAt: at },
})

const item = {
  ...example,
  reward: 'water-bottle',
  rewardName: 'Water bottle',
  rewardKind: 'ITEM',
  points: 0,
  price: 800,
  source: 'BOUGHT',
} as const

export const grantFulfilled = defineEvent('grant.fulfilled', {
  description: 'An item was handed out, or a code was shown to its user.',
  data: z.object({ ...grant, fulfilledAt: z.iso.datetime() }),
  personal: ['userId'],
  example: { ...item, fulfilledAt: at },
})

export const grantFailed = defineEvent('grant.failed', {
  description: 'A reward could not be issued or handed out. It can be tried again or cancelled.',
  data: z.object({
    ...grant,
    failure: z.enum(GrantFailure).describe('Why.'),
    failedAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: { ...item, failure: 'NOT_FULFILLED', failedAt: at },
})

export const grantCancelled = defineEvent('grant.cancelled', {
  description: 'A reward was cancelled. The user has the price back, and the reward its stock.',
  data: z.object({
    ...grant,
    ledgerId: z
      .uuid()
      .optional()
      .describe('The ledger entry that gave the price back; omitted unless it was bought.'),
    userBalance: z.int().describe('The balance of the user afterwards.'),
    cancelledAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: {
    ...item,
    ledgerId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c73',
    userBalance: 1200,
    cancelledAt: at,
  },
})
