import { z } from 'zod'
import { Environment } from '../generated/prisma/enums.ts'
import { defineEvent } from '../kit/streams/events.ts'
import { announcedId } from '../kit/user-id.ts'

const campaign = { campaignId: z.uuid(), campaignSlug: z.string() }
const exampleCampaign = {
  campaignId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c10',
  campaignSlug: 'summer',
}

export const codeRedeemed = defineEvent('campaign.code_redeemed', {
  description: 'A user redeemed a code of a campaign.',
  data: z.object({
    redemptionId: z.uuid(),
    ...campaign,
    batchId: z.uuid(),
    label: z.string().optional().describe('Of the batch, if it has one.'),
    userId: announcedId(),
    pointsEarned: z.int(),
    environment: z.enum(Environment),
    redeemedAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: {
    redemptionId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c11',
    ...exampleCampaign,
    batchId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c12',
    label: 'flyer',
    userId: 'alice',
    pointsEarned: 100,
    environment: 'LIVE',
    redeemedAt: '2026-01-31T12:00:00.000Z',
  },
})

export const referralCompleted = defineEvent('campaign.referral_completed', {
  description: 'A user referred another to a campaign, and both were rewarded.',
  data: z.object({
    ...campaign,
    referrerId: announcedId(),
    refereeId: announcedId(),
    referrerReward: z.int(),
    refereeReward: z.int(),
    environment: z.enum(Environment),
    completedAt: z.iso.datetime(),
  }),
  personal: ['referrerId', 'refereeId'],
  example: {
    ...exampleCampaign,
    referrerId: 'alice',
    refereeId: 'bob',
    referrerReward: 100,
    refereeReward: 50,
    environment: 'LIVE',
    completedAt: '2026-01-31T12:00:00.000Z',
  },
})

export const instantWinWon = defineEvent('campaign.instant_win_won', {
  description: 'A user won an instant prize of a campaign.',
  data: z.object({
    winId: z.uuid(),
    ...campaign,
    userId: announcedId(),
    eventType: z.string().describe('What the user did.'),
    prizeTier: z.string(),
    pointsEarned: z.int(),
    expiresAt: z.iso.datetime().describe('When the prize expires.'),
    environment: z.enum(Environment),
    wonAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: {
    winId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c13',
    ...exampleCampaign,
    userId: 'alice',
    eventType: 'purchase',
    prizeTier: 'Gold',
    pointsEarned: 500,
    expiresAt: '2026-03-02T12:00:00.000Z',
    environment: 'LIVE',
    wonAt: '2026-01-31T12:00:00.000Z',
  },
})
