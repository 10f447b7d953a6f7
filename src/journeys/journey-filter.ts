/** The filter of a segment. */

import { z } from 'zod'
import { Device, EngagementTier, LifecycleStage } from '../generated/prisma/enums.ts'
import { oneOf, text } from '../kit/validation.ts'
import { countryCode } from './journey-input.ts'

export const stage = () => oneOf('LifecycleStage', LifecycleStage)
export const tier = () => oneOf('EngagementTier', EngagementTier)

/** A filter of users. An omitted field matches everything. */
export const JourneyFilter = z
  .object({
    stage: stage().nullish().describe('Lifecycle stage.'),
    engagementTier: tier().nullish().describe('Engagement tier.'),
    tag: text(255).nullish().describe('A key that the tags contain.'),
    tagValue: text(255).nullish().describe('The value of that tag, as text. Requires `tag`.'),
    country: countryCode().nullish().describe('ISO 3166-1 alpha-2, in upper or lower case, or XK.'),
    device: oneOf('Device', Device).nullish().describe('Device.'),
    source: text(255).nullish().describe('Acquisition channel.'),
  })
  .describe('Filters users. All conditions must hold.')

export type JourneyFilter = z.output<typeof JourneyFilter>
