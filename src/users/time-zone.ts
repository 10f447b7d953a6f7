/**
 * The time zones of users and partners. A zone holds from the creation of its user, or from the next midnight of the zone
 * before, so that the dates of what has happened never change. Dates are computed by the database alone
 * (local-date.trigger.sql).
 */
import { z } from 'zod'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { nameOf, type UserKey } from './end-user.ts'
import {
  changePartnerZone,
  changeTimeZones,
  insertMissingUsersInZones,
  lockPartner,
  selectTimeZones,
} from './time-zone.sql.ts'
import { timeZoneName } from './time-zone-names.ts'

/**
 * How far ahead a midnight must be for a change to hold from it. Activities may be five minutes ahead: those that are stored
 * keep their dates, whichever of two transactions ends first. The change of a user counts on that of the partner not to
 * come before, so the latter is further ahead than clocks of two nodes can differ.
 */
const aheadMs = { user: 10 * 60_000, partner: 20 * 60_000 }

const fromOf = (now: Date, whose: keyof typeof aheadMs) => new Date(now.getTime() + aheadMs[whose])

/** A time zone for a user; an empty text for that of the partner. */
export type UserZone = UserKey & { timeZone: string; isTrusted: boolean }

/** One row for each user: trusted callers win over others, and later ones over earlier ones. */
const rowsOf = (zones: UserZone[]) => {
  const rows = new Map<string, UserZone & { bySecret: boolean }>()
  for (const zone of zones) {
    const name = nameOf(zone)
    if (zone.isTrusted || !rows.get(name)?.bySecret)
      rows.set(name, { ...zone, bySecret: zone.isTrusted })
  }
  return [...rows.values()]
}

/**
 * Changes the time zones of users, from the next midnight on. Users who do not exist are left out. What a secret key or a
 * member has set, only they change.
 */
export const setTimeZones = async (
  { tx }: Pick<Work, 'tx'>,
  zones: UserZone[],
  now: Date,
): Promise<void> => {
  if (zones.length > 0) await changeTimeZones(tx, rowsOf(zones), fromOf(now, 'user'))
}

/** The same for one user, who is created if necessary and then has the zone from the beginning. */
export const setTimeZoneOrMakeUser = async (work: Transaction, zone: UserZone): Promise<void> => {
  const now = work.clock()
  await insertMissingUsersInZones(work.tx, rowsOf([zone]), now)
  await setTimeZones(work, [zone], now)
}

/** The zone that holds now, and the next change that is known. */
export type TimeZoneState = {
  timeZone: string
  next: { timeZone: string; startsAt: Date } | null
}

/** Reads the time zones of users; null for those who do not exist. */
export const findTimeZones = async (
  { tx, clock }: Work,
  users: (Tenant & { userId: UserId })[],
): Promise<(TimeZoneState | null)[]> => {
  const rows = await selectTimeZones(tx, users, clock())
  return inOrder(
    users,
    rows,
    ({ n }) => n,
    (_, n) => n,
  ).map(
    (row) =>
      row && {
        timeZone: row.timeZone,
        next:
          row.nextTimeZone && row.nextAt
            ? { timeZone: row.nextTimeZone, startsAt: row.nextAt }
            : null,
      },
  )
}

/** Until a partner sets another one. */
const firstZone = 'UTC'

/** The time zone of a partner's users who have none. */
export const getDefaultTimeZone = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  tenant: Tenant,
): Promise<TimeZoneState> => {
  const now = clock()
  // At most two changes are ahead.
  const rows = await ofTenant(tx, tenant).partnerTimeZone.findMany({
    orderBy: { since: 'desc' },
    take: 3,
  })
  const timeZone = rows.find(({ since }) => since <= now)?.zone ?? firstZone
  const next = rows.findLast(({ since, zone }) => since > now && zone !== timeZone)
  return { timeZone, next: next ? { timeZone: next.zone, startsAt: next.since } : null }
}

export const SetDefaultTimeZone = z
  .object({
    timeZone: timeZoneName().describe('The time zone of users who have none of their own.'),
  })
  .describe('The time zone of an environment.')

/** Changes the time zone of a partner's users who have none, from the next midnight on. */
export const setDefaultTimeZone = async (
  { tx, clock }: Transaction,
  { timeZone, ...tenant }: Tenant & z.output<typeof SetDefaultTimeZone>,
): Promise<void> => {
  await lockPartner(tx, tenant.partnerId)
  await changePartnerZone(tx, tenant, timeZone, fromOf(clock(), 'partner'))
}
