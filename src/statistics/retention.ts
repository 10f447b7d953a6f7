import { refused } from '../kit/errors.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { selectCohorts } from './statistic.sql.ts'

export type CohortInterval = 'WEEK' | 'MONTH'

/** The maximum number of cohorts in an answer. */
export const maxCohorts = 53

/** Users by their first activity, and how many of them were active in each period from then on. */
export type Cohort = { startsAt: Date; userCount: number; periods: CohortPeriod[] }
export type CohortPeriod = { startsAt: Date; activeUserCount: number; retentionRate: number }

/** The start of the UTC week (from Monday) or month that contains a moment. */
const periodOf = (at: Date, interval: CohortInterval): Date => {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  if (interval === 'MONTH') return new Date(Date.UTC(year, month, 1))
  return new Date(Date.UTC(year, month, day - ((at.getUTCDay() + 6) % 7)))
}

const nextPeriod = (start: Date, interval: CohortInterval): Date => {
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()]
  return new Date(
    interval === 'MONTH' ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, day + 7),
  )
}

/** The periods from the one that contains `from` to the last one that begins before `to`, at most `most`. */
const periodsOf = (from: Date, to: Date, interval: CohortInterval, most: number): Date[] => {
  const starts: Date[] = []
  for (
    let start = periodOf(from, interval);
    start < to && starts.length < most;
    start = nextPeriod(start, interval)
  )
    starts.push(start)
  return starts
}

/** How many cohorts an answer has, at most. */
export const countCohorts = (from: Date, to: Date, interval: CohortInterval): number =>
  periodsOf(from, to, interval, maxCohorts).length

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/**
 * The cohorts from the one that contains `from` to the last one that begins before `to`, each up to now.
 * @throws TesseraError INVALID_PARAMETERS
 */
export const findCohorts = async (
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  tenant: Tenant,
  { from, to, interval }: { from: Date; to: Date; interval: CohortInterval },
): Promise<Cohort[]> => {
  if (to < from) throw refused('to', 'must not be before from', 'INVALID_PARAMETERS')
  const now = clock()
  const starts = periodsOf(from, to, interval, maxCohorts + 1)
  if (starts.length > maxCohorts)
    throw refused('interval', `gives more than ${maxCohorts} cohorts`, 'INVALID_PARAMETERS')
  const metric = `ACTIVE_USERS_${interval}`
  const counts = new Map<string, number>()
  for (const { cohort, period, users } of await selectCohorts(
    db,
    tenant,
    metric,
    starts.map(dayOf),
  ))
    counts.set(`${cohort} ${dayOf(period)}`, Number(users))
  return starts.map((startsAt) => {
    const countIn = (period: Date) => counts.get(`${dayOf(startsAt)} ${dayOf(period)}`) ?? 0
    const userCount = countIn(startsAt)
    const periods = periodsOf(startsAt, now, interval, Number.POSITIVE_INFINITY).map((period) => {
      const activeUserCount = countIn(period)
      const retentionRate = userCount === 0 ? 0 : activeUserCount / userCount
      return { startsAt: period, activeUserCount, retentionRate }
    })
    return { startsAt, userCount, periods }
  })
}
