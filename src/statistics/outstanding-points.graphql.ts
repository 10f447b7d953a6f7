import { z } from 'zod'
import { builder } from '../kit/schema/builder.ts'
import { query } from '../kit/schema/query.ts'
import { tenantOf } from '../kit/tenant.ts'
import { BucketRef, bucketFields, costOf, timeZoneField } from './analytics.graphql.ts'
import { findOutstandingPoints, type OutstandingPoints } from './outstanding-points.ts'
import { resolveTimeZone } from './time-zone.ts'

const OutstandingPointsRef = builder.objectRef<OutstandingPoints>('OutstandingPoints').implement({
  description: 'Points that users have and can still spend: the balances of all users, added up.',
  fields: (t) => ({
    points: t.expose('points', { type: 'SafeInt', description: 'The points at present.' }),
    buckets: t.field({
      type: [BucketRef],
      description:
        'Every interval from `from` up to now, in order; none if `from` is later. `value` is the number of points at its end, or now.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ buckets }) => buckets,
    }),
  }),
})

query('outstandingPoints', {
  description:
    'The points that users can still spend, and how they changed. At most 2,500 intervals.',
  key: 'secret',
  args: z.object({
    from: bucketFields.from,
    interval: bucketFields.interval,
    timeZone: timeZoneField,
  }),
  type: OutstandingPointsRef,
  // The points at present are counted from the statistics of all years.
  complexity: ({ from, interval }) => costOf({ from, to: new Date(), interval }, [1, 2], 5),
  knownComplexity: { field: 15, multiplier: 1 },
  onStandby: true,
  resolve: async ({ timeZone, ...span }, ctx, caller) =>
    findOutstandingPoints(ctx, tenantOf(caller), {
      ...span,
      to: ctx.clock(),
      timeZone: await resolveTimeZone(ctx, timeZone ?? 'UTC'),
    }),
})
