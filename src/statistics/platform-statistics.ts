/** Statistics of all partners together, for operators. */

import type { Environment } from '../generated/prisma/enums.ts'
import type { Work } from '../kit/runtime.ts'
import {
  byQuestion,
  checkMetric,
  checkSpan,
  type GroupSeries,
  groupsOf,
  refuse,
  type Span,
  spanOf,
  storedAs,
} from './analytics.ts'
import type { Metric } from './metric.ts'
import { type PlatformRow, selectPlatformSeries } from './series.sql.ts'

/** The longest span of one query, which bounds how much is read per partner. */
const maxDays = 366

type PlatformDimension = 'PARTNER' | 'ENVIRONMENT'

/** A question for the series of one metric. Omitted fields filter nothing. */
type PlatformQuestion = Omit<Span, 'timeZone'> & {
  metric: Metric
  environment?: Environment | null | undefined
  partnerId?: string | null | undefined
  groupBy?: PlatformDimension | null | undefined
}

/** A series and its grouping. The group is the id of a partner, or an environment. */
export type PlatformSeries = GroupSeries & { groupBy: PlatformDimension | null }

/**
 * Checks questions that differ in their metrics only.
 * @throws TesseraError INVALID_PARAMETERS
 */
export const checkPlatformQuestion = (
  { from, to, interval }: Omit<Span, 'timeZone'>,
  metrics: readonly Metric[],
  isGrouped: boolean,
): void => {
  checkSpan({ from, to, interval }, metrics.length, isGrouped)
  if (interval === 'HOUR') refuse('interval', 'must be DAY, WEEK or MONTH')
  if (to.getTime() - from.getTime() > maxDays * 86_400_000)
    refuse('to', `must be at most ${maxDays} days after from`)
  for (const metric of metrics) checkMetric(metric, false)
}

const rowOf = ({ metric, groupBy, environment, partnerId, ...span }: PlatformQuestion) =>
  ({
    metric: storedAs(metric, span.interval),
    environment,
    partnerId,
    ...spanOf({ ...span, timeZone: 'UTC' }),
    countedIn: 'UTC',
    groupedBy: groupBy ?? '',
  }) satisfies PlatformRow

/** The series of each question, in one statement: those with the highest totals first. */
export const findPlatformSeries = async (
  { tx }: Work,
  requested: PlatformQuestion[],
): Promise<PlatformSeries[][]> => {
  const rows = byQuestion(requested, await selectPlatformSeries(tx, requested.map(rowOf)))
  return requested.map(({ metric, groupBy = null }, n) =>
    groupsOf(metric, groupBy !== null, rows[n] ?? []).map((item) => ({ ...item, groupBy })),
  )
}
