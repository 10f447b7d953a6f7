import type { Context } from '../kit/access/context.ts'
import { load } from '../kit/schema/edge.ts'
import type { Tenant } from '../kit/tenant.ts'
import { type Bucket, checkSpan, findSeries, type Span } from './analytics.ts'

/** Points that users can still spend, at present and at the end of each bucket. */
export type OutstandingPoints = { points: bigint; buckets: Bucket[] }

/** Before the first fact of anybody. */
const beginning = new Date('2020-01-01T00:00:00Z')

/**
 * Every ledger entry is counted as issued or spent, so the difference of the two is the sum of all balances. No balance is
 * read: the cost depends on the number of days, not of users.
 * @throws TesseraError INVALID_PARAMETERS
 */
export const findOutstandingPoints = async (
  ctx: Pick<Context, 'readAll'>,
  { partnerId, environment }: Tenant,
  span: Span,
): Promise<OutstandingPoints> => {
  const isLater = span.from > span.to
  if (!isLater) checkSpan(span, 2, false)
  const netOf = async (requested: Span) => {
    const [issued, spent] = await Promise.all(
      (['POINTS_ISSUED', 'POINTS_SPENT'] as const).map(async (metric) => {
        const [series] = await load(ctx, findSeries, {
          partnerId,
          environment,
          metric,
          ...requested,
        })
        return series
      }),
    )
    const net = (issued?.buckets ?? []).map((bucket, n) => ({
      ...bucket,
      value: bucket.value - (spent?.buckets[n]?.value ?? 0n),
    }))
    return { net, total: (issued?.total ?? 0n) - (spent?.total ?? 0n) }
  }
  const [all, requestedItems] = await Promise.all([
    netOf({ from: beginning, to: span.to, interval: 'MONTH', timeZone: 'UTC' }),
    isLater ? { net: [] } : netOf(span),
  ])
  let value = all.total
  const buckets = requestedItems.net.toReversed().map((bucket) => {
    const atItsEnd = { ...bucket, value }
    value -= bucket.value
    return atItsEnd
  })
  return { points: all.total, buckets: buckets.toReversed() }
}
