/** User-journey profiles: the stored data, and the classification at this moment. */

import type { EndUser } from '../generated/prisma/client.ts'
import type { Device, EngagementTier, LifecycleStage } from '../generated/prisma/enums.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { isStorable } from '../kit/validation.ts'
import type { UserKey } from '../users/end-user.ts'
import {
  type Activity,
  type Classification,
  classify,
  defaultRules,
  type Rules,
  total,
  type WindowPart,
  windows,
} from './journey.rules.ts'
import {
  type Hour,
  type ProfileRow,
  readDueProfiles,
  readProfiles,
  readProfilesById,
  since,
} from './profile.sql.ts'

/** A profile at the moment `at` (interface: User-journey profile). */
export type Profile = Tenant & {
  userId: UserId
  user: EndUser
  phone: string | null
  country: string | null
  device: Device | null
  source: string | null
  tags: Record<string, unknown>
  /** Whether a secret key has set the phone; the same for the tags. */
  phoneBySecret: boolean
  tagsBySecret: boolean
  totalEvents: number
  totalPlays: number
  totalWins: number
  plays7d: number
  plays30d: number
  pointsEarned7d: number
  pointsEarned30d: number
  sessionGaps: number
  sessionGapMs: number
  activity: Activity
  /** The activity that the server itself recorded; null where it never recorded any. */
  ownActivity: Activity | null
  rules: Rules
  classification: Classification
  at: Date
  /** The stored classification, which filters use. */
  stored: { stage: LifecycleStage | null; tier: EngagementTier | null; dueAt: Date }
}

type Window = { shown: WindowPart[]; own: WindowPart[] }

/** A window in parts: the partial hour at its beginning, and the whole hours. */
const inWindow = (hours: Hour[], broken: Hour, since: Date, at: Date): Window => {
  const inside = [broken, ...hours.filter(([ms]) => Number(ms) >= since.getTime())]
  const from = (ms: number | null) => (ms === null ? at : new Date(ms))
  return {
    shown: inside.map(([ms, plays, points]) => ({ from: from(ms), plays, points })),
    own: inside.map(([ms, , , plays, points]) => ({ from: from(ms), plays, points })),
  }
}

type Moments = (Date | null)[]
const numbers = (moments: Moments) => moments.filter((moment) => moment !== null).map(Number)

/** The first and the last of moments, or a default. */
const earliest = (moments: Moments, otherwise: Date) =>
  moments.some(Boolean) ? new Date(Math.min(...numbers(moments))) : otherwise
const latest = (moments: Moments, otherwise: Date) =>
  moments.some(Boolean) ? new Date(Math.max(...numbers(moments))) : otherwise

const profileOf = ({ n: _, ...row }: ProfileRow, at: Date): Profile => {
  const hours = row.hours ?? []
  const { shown: long, own } = inWindow(hours, row.longHour, since(at, windows.long), at)
  const { shown: short } = inWindow(hours, row.shortHour, since(at, windows.short), at)
  const activity: Activity = {
    firstSeenAt: earliest([row.firstEventAt, row.identifiedAt], row.createdAt),
    lastSeenAt: latest([row.lastEventAt, row.identifiedAt], row.createdAt),
    totalEvents: row.events,
    campaignsJoined: row.campaigns,
    recent: long,
  }
  const { ownCampaigns, entries } = row
  const isKnown = entries > 0 || ownCampaigns > 0
  const rules = { ...defaultRules, ...row.rules }
  const { id: userId, partnerId, environment } = row
  return {
    userId,
    partnerId,
    environment,
    user: row,
    phone: row.phone,
    country: row.country,
    device: row.device,
    source: row.source,
    tags: (row.tags ?? {}) as Record<string, unknown>,
    phoneBySecret: row.phoneBySecret,
    tagsBySecret: row.tagsBySecret,
    totalEvents: row.events,
    totalPlays: row.plays,
    totalWins: row.wins,
    plays7d: total(short, 'plays'),
    plays30d: total(long, 'plays'),
    pointsEarned7d: total(short, 'points'),
    pointsEarned30d: total(long, 'points'),
    sessionGaps: row.sessionGaps,
    sessionGapMs: Number(row.sessionGapMs),
    activity,
    ownActivity: isKnown ? { ...activity, campaignsJoined: ownCampaigns, recent: own } : null,
    rules,
    classification: classify(activity, at, rules),
    at,
    stored: { stage: row.stage, tier: row.tier, dueAt: row.dueAt },
  }
}

/** Reads profiles by the `externalId` of their users, in one statement; null for users who do not exist. */
export const findProfiles = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  keys: UserKey[],
): Promise<(Profile | null)[]> => {
  const now = clock()
  const known = keys.flatMap((key, place) => (isStorable(key.externalId) ? { ...key, place } : []))
  const profiles: (Profile | null)[] = keys.map(() => null)
  for (const row of await readProfiles(tx, known, now))
    profiles[known[row.n]?.place ?? -1] = profileOf(row, now)
  return profiles
}

const asRows = (ids: UserId[]) => ids.map((id) => ({ id }))

/** Reads the profiles of the users who are due, in one statement. */
export const findDueProfiles = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  userIds: UserId[],
): Promise<Profile[]> => {
  const now = clock()
  return (await readDueProfiles(tx, asRows(userIds), now)).map((row) => profileOf(row, now))
}

/** Reads profiles by the ids of their users, in one statement; USER_NOT_FOUND for unknown ids. */
export const getProfilesById = async (
  { tx, clock }: Work,
  userIds: UserId[],
): Promise<(Profile | Error)[]> => {
  const now = clock()
  const rows = await readProfilesById(tx, asRows(userIds), now)
  const found = inOrder(
    userIds,
    rows,
    ({ n }) => n,
    (_, n) => n,
  )
  return found.map((row) => (row ? profileOf(row, now) : new TesseraError('USER_NOT_FOUND')))
}
