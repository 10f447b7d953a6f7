/** User-journey profiles: what is stored, and what follows from it at this moment. */
import { TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { isStorable } from '../core/validation.ts'
import { type EndUser, Prisma } from '../generated/prisma/client.ts'
import type { Device, EngagementTier, LifecycleStage } from '../generated/prisma/enums.ts'
import { type UserKey, userByKey, userColumns } from '../users/end-user.ts'
import {
  type Activity,
  type Classification,
  classify,
  dayMs,
  defaultRules,
  hourMs,
  type Part,
  type Rules,
  total,
  windows,
} from './journey.rules.ts'

/** A profile at the moment `at` (interface: User-journey profile). */
export type Profile = Tenant & {
  userId: string
  user: EndUser
  phone: string | null
  country: string | null
  device: Device | null
  source: string | null
  tags: Record<string, unknown>
  /** Whether a secret key has set it; the same of the next one. */
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
  /** The same with only those plays, points and campaigns that the server itself wrote; null where it wrote none ever. */
  ownActivity: Activity | null
  rules: Rules
  classification: Classification
  at: Date
  /** As it stands in the table, where filters look. */
  stored: { stage: LifecycleStage | null; tier: EngagementTier | null; dueAt: Date }
}

/** The row of a profile; it is the user's, too. */
type Row = EndUser & {
  n: number
  phoneBySecret: boolean
  tagsBySecret: boolean
  phone: string | null
  country: string | null
  device: Device | null
  source: string | null
  tags: Record<string, unknown> | null
  identifiedAt: Date | null
  events: number
  plays: number
  wins: number
  campaigns: number
  ownCampaigns: number
  firstEventAt: Date | null
  lastEventAt: Date | null
  sessionGaps: number
  sessionGapMs: bigint
  stage: LifecycleStage | null
  tier: EngagementTier | null
  dueAt: Date
  rules: Partial<Rules> | null
  /** The whole hours of the long window. */
  hours: Hour[] | null
  /** The broken hour at the beginning of each window. */
  shortHour: Hour
  longHour: Hour
}

/** Beginning in ms (null for none), plays, points, and how many of these the server itself wrote. */
type Hour = [ms: number | null, plays: number, points: number, ownPlays: number, ownPoints: number]

/** The first whole hour of a window that begins at a moment. */
const firstHour = (since: Date) => new Date(Math.ceil(since.getTime() / hourMs) * hourMs)

/** What of the broken hour at its beginning lies inside of a window: the only lines that are read one by one. */
const brokenHour = (since: Date) => {
  return Prisma.sql`SELECT json_build_array((extract(epoch FROM min(occurred_at)) * 1000)::bigint,
      count(*) FILTER (WHERE category = 'GAME_PLAY'),
      coalesce(sum(coalesce(earned, greatest(points, 0))), 0),
      count(*) FILTER (WHERE category = 'GAME_PLAY' AND earned IS NOT NULL),
      coalesce(sum(earned), 0)) AS hour
    FROM user_activity a WHERE a.user_id = u.id
      AND a.occurred_at >= ${since}::timestamptz AND a.occurred_at < ${firstHour(since)}::timestamptz`
}

const since = (now: Date, days: number) => new Date(now.getTime() - days * dayMs)

/** The columns and joins of a profile; `users` is a relation of (n, id), the id of a user. */
const profilesOf = (users: Prisma.Sql, now: Date) => Prisma.sql`
  SELECT k.n, ${userColumns}, p.phone, p.phone_by_secret AS "phoneBySecret",
    p.country, p.device, p.source, p.tags, p.tags_by_secret AS "tagsBySecret",
    p.identified_at AS "identifiedAt", p.events, p.plays, p.wins, p.campaigns,
    p.own_campaigns AS "ownCampaigns", p.first_event_at AS "firstEventAt", p.last_event_at AS "lastEventAt",
    p.session_gaps AS "sessionGaps", p.session_gap_ms AS "sessionGapMs", p.stage, p.tier,
    p.due_at AS "dueAt", c.rules,
    (SELECT json_agg(json_build_array((extract(epoch FROM hour) * 1000)::bigint, plays,
        points_earned, own_plays, own_points) ORDER BY hour)
      FROM user_hour h WHERE h.user_id = u.id
        AND h.hour >= ${firstHour(since(now, windows.long))}::timestamptz) AS hours,
    s.hour AS "shortHour", l.hour AS "longHour"
  FROM ${users} k
  CROSS JOIN LATERAL (SELECT * FROM end_user WHERE id = k.id LIMIT 1) u
  CROSS JOIN LATERAL (SELECT * FROM user_profile WHERE user_id = k.id LIMIT 1) p
  LEFT JOIN classification_settings c
    ON c.partner_id = u.partner_id AND c.environment = u.environment
  CROSS JOIN LATERAL (${brokenHour(since(now, windows.short))}) s
  CROSS JOIN LATERAL (${brokenHour(since(now, windows.long))}) l`

type Window = { shown: Part[]; own: Part[] }

/** A window in parts: the broken hour, and the whole ones. */
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

/** The first and the last of moments, or what holds when there is none. */
const earliest = (moments: Moments, otherwise: Date) =>
  moments.some(Boolean) ? new Date(Math.min(...numbers(moments))) : otherwise
const latest = (moments: Moments, otherwise: Date) =>
  moments.some(Boolean) ? new Date(Math.max(...numbers(moments))) : otherwise

const profileOf = ({ n: _, ...row }: Row, at: Date): Profile => {
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
    ...{ userId, partnerId, environment },
    user: row,
    phone: row.phone,
    country: row.country,
    device: row.device,
    source: row.source,
    tags: row.tags ?? {},
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

const inPlace = (rows: Row[], length: number, at: Date) => {
  const profiles: (Profile | null)[] = Array.from({ length }, () => null)
  for (const row of rows) profiles[row.n] = profileOf(row, at)
  return profiles
}

/** Reads profiles by the partner's ids, in one statement; null for users who do not exist. */
export const findProfiles = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  keys: UserKey[],
): Promise<(Profile | null)[]> => {
  const now = clock()
  const asked = keys.flatMap(({ partnerId, environment, externalId }, n) =>
    isStorable(externalId)
      ? [{ n, partner_id: partnerId, environment, external_id: externalId }]
      : [],
  )
  const users = Prisma.sql`(SELECT k.n, u.id FROM json_to_recordset(${JSON.stringify(asked)}::json)
      AS k (n int, partner_id uuid, environment "Environment", external_id text)
    CROSS JOIN LATERAL ${userByKey(Prisma.sql`u.id`)} u)`
  const rows = await tx.$queryRaw<Row[]>`/* find_profiles */ ${profilesOf(users, now)}`
  return inPlace(rows, keys.length, now)
}

/** Ids as a relation `i` of (id, n), n from 1. */
const idsTable = (ids: string[]) =>
  Prisma.sql`json_array_elements_text(${JSON.stringify(ids)}::json) WITH ORDINALITY i (id, n)`

/** Reads profiles by the ids of their users, in one statement. */
const findProfilesById = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  userIds: string[],
): Promise<(Profile | null)[]> => {
  const now = clock()
  const users = Prisma.sql`(SELECT n - 1 AS n, id::uuid FROM ${idsTable(userIds)})`
  const rows = await tx.$queryRaw<Row[]>`/* find_profiles_by_id */ ${profilesOf(users, now)}`
  return inPlace(
    rows.map((row) => ({ ...row, n: Number(row.n) })),
    userIds.length,
    now,
  )
}

/** The profiles of those users whose classification must be looked at again, in one statement. */
export const findDueProfiles = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  userIds: string[],
): Promise<Profile[]> => {
  const now = clock()
  const users = Prisma.sql`(SELECT n, d.user_id AS id FROM ${idsTable(userIds)}
    CROSS JOIN LATERAL (SELECT user_id FROM user_profile
      WHERE user_id = i.id::uuid AND due_at <= ${now}::timestamptz LIMIT 1) d)`
  const rows = await tx.$queryRaw<Row[]>`/* find_due_profiles */ ${profilesOf(users, now)}`
  return rows.map((row) => profileOf(row, now))
}

/** The same of users who must exist; USER_NOT_FOUND in the place of each who does not. */
export const getProfilesById = async (
  work: Work,
  userIds: string[],
): Promise<(Profile | Error)[]> =>
  (await findProfilesById(work, userIds)).map(
    (profile) => profile ?? new TesseraError('USER_NOT_FOUND'),
  )
