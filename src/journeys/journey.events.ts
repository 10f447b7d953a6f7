import { z } from 'zod'
import { LifecycleStage, OfferType } from '../generated/prisma/enums.ts'
import { defineEvent } from '../kit/streams/events.ts'
import { announcedId } from '../kit/user-id.ts'

export const stageChanged = defineEvent('journey.stage_changed', {
  description: 'The lifecycle stage of a user changed.',
  data: z.object({
    userId: announcedId(),
    previousStage: z.enum(LifecycleStage),
    stage: z.enum(LifecycleStage),
    reason: z.string(),
    changedAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: {
    userId: 'alice',
    previousStage: 'new',
    stage: 'active',
    reason: 'last seen 0 days ago, 4 events so far',
    changedAt: '2026-01-31T12:00:00.000Z',
  },
})

export const offerClaimed = defineEvent('journey.offer_claimed', {
  description: 'A user claimed an offer.',
  data: z.object({
    offerId: z.uuid(),
    userId: announcedId(),
    offerType: z.enum(OfferType),
    title: z.string(),
    pointsValue: z.int(),
    creditsPoints: z.boolean().describe('Whether the points were credited to the wallet.'),
    claimedAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: {
    offerId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c30',
    userId: 'alice',
    offerType: 'return_bonus',
    title: 'Welcome back',
    pointsValue: 200,
    creditsPoints: true,
    claimedAt: '2026-01-31T12:00:00.000Z',
  },
})
