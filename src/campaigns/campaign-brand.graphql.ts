/** The brand of a campaign: its own values over those of its partner. */
import { BrandRef } from '../accounts/brand.graphql.ts'
import { brandIn, brandOver, findBrands } from '../accounts/brand.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { CampaignRef, PublicCampaignRef } from './campaign.graphql.ts'

builder.interfaceField(PublicCampaignRef, 'brand', (t) =>
  t.field({
    type: BrandRef,
    description: 'What its page looks like: its own values, and those of the partner for the rest.',
    resolve: async (campaign, _, ctx) => {
      const { partnerId, environment } = campaign
      const ofPartner = await load(ctx, findBrands, { partnerId, environment })
      return brandOver(brandIn(campaign), ofPartner)
    },
  }),
)

builder.objectField(CampaignRef, 'ownBrand', (t) =>
  t.field({
    type: BrandRef,
    description: 'Its own values, which replace those of the brand of the partner.',
    resolve: (campaign) => brandIn(campaign),
  }),
)
