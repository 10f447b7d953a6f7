import { listVersions } from '../accounts/settings-versions/settings-version.graphql.ts'
import { TesseraError } from '../kit/errors.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { findCampaignBy } from './campaign.ts'
import { RestoreCampaign, restoreCampaign } from './campaign-restoration.ts'

listVersions(CampaignRef, 'campaign')

mutation('restoreCampaign', {
  description:
    'Sets a campaign as it was in an earlier version, as a new version: its rules and prizes, too. Its status and results stay.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: RestoreCampaign,
  payload: { campaign: CampaignRef },
  isVersioned: true,
  errors: ['CAMPAIGN_NOT_FOUND', 'PRIZE_TIER_WON', 'REWARD_NOT_FOUND', 'REWARD_ARCHIVED'],
  resolve: async ({ campaign: by, ...input }, ctx, caller) => {
    const campaign = await findCampaignBy(ctx, caller, by)
    if (!campaign) throw new TesseraError('CAMPAIGN_NOT_FOUND')
    const { id, slug } = campaign
    return { campaign: await restoreCampaign(ctx, { ...input, id, slug }) }
  },
})
