/** The filter of a segment. */

import { z } from 'zod'
import { Device, EngagementTier, LifecycleStage } from '../generated/prisma/enums.ts'
import { CountFilter, Period, PointsFilter } from '../kit/schema/filters.ts'
import { oneOf, text } from '../kit/validation.ts'
import { countryCode } from './journey-input.ts'

export const stage = () => oneOf('LifecycleStage', LifecycleStage)
export const tier = () => oneOf('EngagementTier', EngagementTier)

export const recentPlays =
  'Games of chance that they played here in the last 30 days, to the hour; plays that your own events report do not count.'

/** A filter of users. An omitted field matches everything. */
export const JourneyFilter = z
  .object({
    stage: stage().nullish().describe('The lifecycle stage that they are in.'),
    engagementTier: tier().nullish().describe('The engagement tier that they are in.'),
    tag: text(255).nullish().describe('A key that the tags contain.'),
    tagValue: text(255).nullish().describe('The value of that tag, as text. Requires `tag`.'),
    country: countryCode().nullish().describe('ISO 3166-1 alpha-2, in upper or lower case, or XK.'),
    device: oneOf('Device', Device).nullish().describe('The type of their device.'),
    source: text(255).nullish().describe('The channel that they came from.'),
    balance: PointsFilter.nullish().describe('What they can spend.'),
    lifetimePoints: PointsFilter.nullish().describe('What they have ever earned.'),
    recentPlayCount: CountFilter.nullish().describe(recentPlays),
    lastSeenAt: Period.nullish().describe('When they were last seen.'),
    lastSeenDaysAgo: CountFilter.nullish().describe(
      'How many times 24 hours ago they were last seen.',
    ),
    userCreatedAt: Period.nullish().describe('When they were created.'),
    userCreatedDaysAgo: CountFilter.nullish().describe(
      'How many times 24 hours ago they were created.',
    ),
  })
  .describe('Filters users. All conditions must hold.')

export type JourneyFilter = z.output<typeof JourneyFilter>
