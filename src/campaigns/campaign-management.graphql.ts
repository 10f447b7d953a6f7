import { z } from 'zod'
import { mutation } from '../kit/schema/mutation.ts'
import { tenantOf } from '../kit/tenant.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { CampaignBy, slugOf } from './campaign.ts'
import { CloneCampaign, CreateCampaign, UpdateCampaign } from './campaign-input.ts'
import {
  changeCampaignStatus,
  cloneCampaign,
  createCampaign,
  updateCampaign,
} from './campaign-management.ts'

const payload = { campaign: CampaignRef }

mutation('createCampaign', {
  description: 'Creates a campaign with its rules, prizes and rewards.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: CreateCampaign,
  payload,
  errors: ['CAMPAIGN_SLUG_TAKEN'],
  resolve: async (input, ctx, caller) => ({
    campaign: await createCampaign(ctx, { ...tenantOf(caller), ...input }),
  }),
})

mutation('updateCampaign', {
  description:
    'Changes a campaign at any time. Omitted fields are unchanged. Lists are replaced; prizes are matched by name and keep their wins.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: UpdateCampaign,
  payload,
  isVersioned: true,
  errors: ['CAMPAIGN_NOT_FOUND', 'PRIZE_TIER_WON'],
  resolve: async ({ campaign, ...input }, ctx, caller) => {
    const slug = await slugOf(ctx, caller, campaign)
    return { campaign: await updateCampaign(ctx, { ...tenantOf(caller), ...input, slug }) }
  },
})

const changes = {
  startCampaign: ['ACTIVE', 'Starts a draft or paused campaign.'],
  pauseCampaign: ['PAUSED', 'Pauses a campaign: it accepts no events until it is started again.'],
  endCampaign: [
    'ENDED',
    'Ends a campaign permanently. Prizes that were won can still be redeemed.',
  ],
} as const

for (const [name, [status, description]] of Object.entries(changes))
  mutation(name, {
    description,
    key: 'secret',
    right: 'CAMPAIGNS_WRITE',
    input: z.object({ campaign: CampaignBy }).describe('The campaign.'),
    payload,
    errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATUS_CONFLICT'],
    resolve: async ({ campaign }, ctx, caller) => {
      const slug = await slugOf(ctx, caller, campaign)
      return { campaign: await changeCampaignStatus(ctx, { ...tenantOf(caller), slug }, status) }
    },
  })

mutation('cloneCampaign', {
  description:
    'Copies a TEST campaign to LIVE as a draft: rules, prizes with full stock, and rewards. Requires a member, because a key belongs to one environment. Fields of the copy that only its owner sees are null unless the member works in LIVE.',
  key: 'member',
  right: 'CAMPAIGNS_WRITE',
  input: CloneCampaign,
  payload,
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_SLUG_TAKEN'],
  resolve: async ({ campaign, newSlug }, ctx, { partnerId }) => {
    const slug = await slugOf(ctx, { partnerId, environment: 'TEST' }, campaign)
    return { campaign: await cloneCampaign(ctx, { partnerId, slug, newSlug }) }
  },
})
