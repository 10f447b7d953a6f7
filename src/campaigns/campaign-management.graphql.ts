import { z } from 'zod'
import { mutation } from '../core/graphql/mutation.ts'
import { tenantOf } from '../core/tenant.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { campaignSlug } from './campaign.ts'
import { CloneCampaign, CreateCampaign, UpdateCampaign } from './campaign-input.ts'
import {
  changeCampaignStatus,
  cloneCampaign,
  createCampaign,
  updateCampaign,
} from './campaign-management.ts'

mutation('createCampaign', {
  description: 'Makes a campaign with its rules, prizes and rewards.',
  key: 'secret',
  input: CreateCampaign,
  payload: CampaignRef as never,
  errors: ['CAMPAIGN_SLUG_TAKEN'],
  resolve: (input, ctx, caller) => createCampaign(ctx, { ...tenantOf(caller), ...input }),
})

mutation('updateCampaign', {
  description:
    'Changes a campaign, at any time. What is left out stays; lists replace what was there, and prizes are known by name, so that what was won of them stays won.',
  key: 'secret',
  input: UpdateCampaign,
  payload: CampaignRef as never,
  errors: ['CAMPAIGN_NOT_FOUND', 'PRIZE_TIER_WON'],
  resolve: (input, ctx, caller) => updateCampaign(ctx, { ...tenantOf(caller), ...input }),
})

const changes = {
  startCampaign: ['ACTIVE', 'Lets a draft or a paused campaign run.'],
  pauseCampaign: ['PAUSED', 'Makes a campaign take nothing until it is started again.'],
  endCampaign: ['ENDED', 'Ends a campaign for good. Prizes that were won can still be redeemed.'],
} as const

for (const [name, [status, description]] of Object.entries(changes))
  mutation(name, {
    description,
    key: 'secret',
    input: z.object({ slug: campaignSlug() }).describe('Which campaign.'),
    payload: CampaignRef as never,
    errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATUS_CONFLICT'],
    resolve: ({ slug }, ctx, caller) =>
      changeCampaignStatus(ctx, { ...tenantOf(caller), slug }, status),
  })

mutation('cloneCampaign', {
  description:
    'Makes a draft in LIVE of a campaign of TEST: rules, prizes and rewards, with full stock. Needs a member, because a key belongs to one environment.',
  key: 'member',
  input: CloneCampaign,
  payload: CampaignRef as never,
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_SLUG_TAKEN'],
  resolve: (input, ctx, { partnerId }) => cloneCampaign(ctx, { partnerId, ...input }),
})
