import { z } from 'zod'
import { builder } from '../kit/schema/builder.ts'
import { enumType } from '../kit/schema/input.ts'
import { query } from '../kit/schema/query.ts'
import { tenantOf } from '../kit/tenant.ts'
import { moment, oneOf } from '../kit/validation.ts'
import {
  type Cohort,
  type CohortPeriod,
  countCohorts,
  findCohorts,
  maxCohorts,
} from './retention.ts'

const CohortInterval = { WEEK: 'WEEK', MONTH: 'MONTH' } as const

enumType('CohortInterval', 'The length of the periods of cohorts.', {
  WEEK: 'A week of UTC, from Monday.',
  MONTH: 'A month of UTC.',
})

const CohortPeriodRef = builder.objectRef<CohortPeriod>('CohortPeriod').implement({
  description: 'The activity of a cohort in one week or month.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'The first moment of it.' }),
    activeUserCount: t.exposeInt('activeUserCount', {
      description: 'Users of the cohort who were active in it.',
    }),
    retentionRate: t.exposeFloat('retentionRate', {
      description: 'Their share of the cohort, 0 to 1; 0 in an empty cohort.',
    }),
  }),
})

const CohortRef = builder.objectRef<Cohort>('Cohort').implement({
  description: 'The users whose first activity was in one week or month.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'The first moment of it.' }),
    userCount: t.exposeInt('userCount', { description: 'How many they are.' }),
    periods: t.field({
      type: [CohortPeriodRef],
      description: 'Every period from this one up to now, in order.',
      complexity: { field: 1, multiplier: 20 },
      resolve: ({ periods }) => periods,
    }),
  }),
})

query('retention', {
  description: 'Users by their first activity, and how many of them came back. At most 53 cohorts.',
  key: 'secret',
  args: z.object({
    from: moment().describe('The first cohort holds this moment.'),
    to: moment().describe('The last cohort holds the moment before this one.'),
    interval: oneOf('CohortInterval', CohortInterval).describe('The length of the periods.'),
  }),
  type: [CohortRef],
  complexity: ({ from, to, interval }) => ({
    field: 5,
    multiplier: countCohorts(new Date(String(from)), new Date(String(to)), interval),
  }),
  knownComplexity: { field: 5, multiplier: maxCohorts },
  onStandby: true,
  resolve: (args, ctx, caller) => findCohorts(ctx, tenantOf(caller), args),
})
