/** Conditions on users and their profiles, for the statements of lists. */

import { Prisma } from '../generated/prisma/client.ts'
import type { Device, EngagementTier, LifecycleStage } from '../generated/prisma/enums.ts'
import type { CountFilter, Period, PointsFilter } from '../kit/schema/filters.ts'
import type { Tenant } from '../kit/tenant.ts'
import { recentPlaysOf } from '../programme/segment-range.sql.ts'
import { beginsWith, termsOfUser } from '../users/end-user.sql.ts'

/** A condition on users. A field that is null or omitted matches everything, an empty list nothing. */
export type ProfileMatch = {
  stages?: readonly LifecycleStage[] | null | undefined
  tiers?: readonly EngagementTier[] | null | undefined
  tag?: string | null | undefined
  tagValue?: string | null | undefined
  countries?: readonly string[] | null | undefined
  devices?: readonly Device[] | null | undefined
  sources?: readonly string[] | null | undefined
  createdAt?: readonly Period[] | null | undefined
  lastSeenAt?: readonly Period[] | null | undefined
  balance?: PointsFilter | null | undefined
  lifetimePoints?: PointsFilter | null | undefined
  /** The number of recent plays, and the moment at which they are recent. */
  recentPlays?: (CountFilter & { now: Date }) | null | undefined
}

/** Conditions that must all hold. */
export type UserMatch = {
  profiles: readonly ProfileMatch[]
  /** Whether they are blocked at a moment. */
  blocked?: { is: boolean; at: Date } | null | undefined
  /** The beginning of a search term. `conditionsOf` leaves it out. */
  search?: string | null | undefined
}

/** `u` is the user, `p` the profile. */
export type Alias = 'u' | 'p'

export const tableOf = { u: Prisma.raw('end_user'), p: Prisma.raw('user_profile') } as const

/** The column that has the id of the user. */
export const idOf = { u: Prisma.raw('u.id'), p: Prisma.raw('p.user_id') } as const

/** Fields that have an index of the users of a tenant, in this order. */
export type OrderField =
  | 'externalId'
  | 'createdAt'
  | 'lastSeenAt'
  | 'balance'
  | 'lifetimePoints'
  | 'score'

export type Condition = {
  of: Alias
  sql: Prisma.Sql
  /** The order whose index also finds the rows of this condition. */
  by?: OrderField
  /** Conditions of which one holds if this one does: in that order, each of them is a range of the index. */
  ranges?: Prisma.Sql[]
}

/** When a user was last seen, as a journey shows it. */
export const seenAt = Prisma.raw(
  'coalesce(greatest(p.last_event_at, p.identified_at), p.user_created_at)',
)

const slotMs = 10 * 60_000
/** 30 days, and the rest of the first hour. */
const recentMs = (30 * 24 + 1) * 3_600_000

/** A condition on `seen_slot`, which is in an index, that holds for everyone seen since a moment, or until it. */
export const slotSince = (moment: Date): Prisma.Sql =>
  Prisma.sql`p.seen_slot >= ${Math.floor(moment.getTime() / slotMs)}::int`
export const slotUntil = (moment: Date): Prisma.Sql =>
  Prisma.sql`p.seen_slot <= ${Math.ceil(moment.getTime() / slotMs)}::int`

export const ofTenant = (alias: Alias | 't', { partnerId, environment }: Tenant): Prisma.Sql => {
  const of = Prisma.raw(alias)
  return Prisma.sql`${of}.partner_id = ${partnerId}::uuid AND ${of}.environment = ${environment}::"Environment"`
}

/** A column that has one of some values. A single one is an equality to the planner. */
const isOneOf = (column: string, type: string, values: readonly string[]): Prisma.Sql => {
  const list = [...new Set(values)].map((value) => Prisma.sql`${value}::${Prisma.raw(type)}`)
  return list.length === 0
    ? Prisma.sql`false`
    : Prisma.sql`${Prisma.raw(column)} IN (${Prisma.join(list, ', ')})`
}

const inStages = (stages: readonly LifecycleStage[]): Prisma.Sql =>
  isOneOf('p.stage', '"LifecycleStage"', stages)

/** Within a stage, an index is in the order of the time last seen. */
const stageCondition = (stages: readonly LifecycleStage[]): Condition => ({
  of: 'p',
  sql: inStages(stages),
  by: 'lastSeenAt',
  ...(stages.length > 0 && { ranges: [...new Set(stages)].map((stage) => inStages([stage])) }),
})

const profileConditions = (match: ProfileMatch): Condition[] => {
  const { stages, tiers, tag, tagValue, countries, devices, sources } = match
  const of = 'p'
  return [
    ...(stages ? [stageCondition(stages)] : []),
    ...[
      ...(tiers ? [isOneOf('p.tier', '"EngagementTier"', tiers)] : []),
      ...(tag != null ? [Prisma.sql`p.tags ? ${tag}::text`] : []),
      ...(tag != null && tagValue != null
        ? [Prisma.sql`p.tags ->> ${tag}::text = ${tagValue}::text`]
        : []),
      ...(countries ? [isOneOf('p.country', 'text', countries)] : []),
      ...(devices ? [isOneOf('p.device', '"Device"', devices)] : []),
      ...(sources ? [isOneOf('p.source', 'text', sources)] : []),
    ].map((sql) => ({ of, sql }) as const),
  ]
}

const pointsConditions = (
  column: string,
  by: OrderField,
  { min, max }: PointsFilter,
): Condition[] => {
  const points = Prisma.raw(column)
  return [
    ...(min != null ? [Prisma.sql`${points} >= ${min}::bigint`] : []),
    ...(max != null ? [Prisma.sql`${points} <= ${max}::bigint`] : []),
  ].map((sql) => ({ of: 'u', sql, by }))
}

const createdIn = ({ from, to }: Period): Condition[] =>
  [
    ...(from ? [Prisma.sql`p.user_created_at >= ${from}::timestamptz`] : []),
    ...(to ? [Prisma.sql`p.user_created_at < ${to}::timestamptz`] : []),
  ].map((sql) => ({ of: 'p', sql, by: 'createdAt' }))

const seenIn = ({ from, to }: Period): Condition[] =>
  [
    ...(from ? [Prisma.sql`${slotSince(from)} AND ${seenAt} >= ${from}::timestamptz`] : []),
    ...(to ? [Prisma.sql`${slotUntil(to)} AND ${seenAt} < ${to}::timestamptz`] : []),
  ].map((sql) => ({ of: 'p', sql, by: 'lastSeenAt' }))

/** The first condition is that of the index of blocked users. */
const blockedConditions = (blocked: UserMatch['blocked']): Condition[] => {
  if (!blocked) return []
  const isBlocked = Prisma.sql`u.blocked_until > ${blocked.at}::timestamptz`
  const sql = blocked.is
    ? Prisma.sql`u.block_reason IS NOT NULL AND ${isBlocked}`
    : Prisma.sql`(${isBlocked}) IS NOT TRUE`
  return [{ of: 'u', sql }]
}

/** Users who played recently were seen since then, and their profile counts at least as many plays. */
const playedIn = ({ min, max, now }: CountFilter & { now: Date }): Condition[] => {
  const count = recentPlaysOf(Prisma.raw('p.user_id'), now)
  return [
    ...(min
      ? [
          Prisma.sql`p.seen_slot >= ${Math.floor((now.getTime() - recentMs) / slotMs)}::int
            AND p.plays >= ${min}::int AND ${count} >= ${min}::int`,
        ]
      : []),
    ...(max != null ? [Prisma.sql`${count} <= ${max}::int`] : []),
  ].map((sql) => ({ of: 'p', sql }))
}

export const conditionsOf = ({ profiles, blocked }: UserMatch): Condition[] => [
  ...profiles.flatMap((match) => [
    ...profileConditions(match),
    ...(match.createdAt ?? []).flatMap(createdIn),
    ...(match.lastSeenAt ?? []).flatMap(seenIn),
    ...pointsConditions('u.balance', 'balance', match.balance ?? {}),
    ...pointsConditions('u.lifetime_points', 'lifetimePoints', match.lifetimePoints ?? {}),
    ...(match.recentPlays ? playedIn(match.recentPlays) : []),
  ]),
  ...blockedConditions(blocked),
]

/** The condition that one of the search terms of a user begins with a text. No index has it. */
export const isFoundBy = (text: string): Condition => ({
  of: 'u',
  sql: Prisma.sql`EXISTS (SELECT FROM ${termsOfUser} WHERE ${beginsWith(Prisma.raw('own.term'), text)})`,
})

/** All conditions on a user `u` and the profile `p`. */
export const rowConditionsOf = (match: UserMatch): Prisma.Sql[] =>
  [...conditionsOf(match), ...(match.search ? [isFoundBy(match.search)] : [])].map(({ sql }) => sql)

/** All of them. */
export const every = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  conditions.length === 0 ? Prisma.sql`true` : Prisma.join([...conditions], ' AND ')

/** The conditions on one of the two rows of a user. */
export const onAlias = (conditions: readonly Condition[], alias: Alias): Prisma.Sql[] =>
  conditions.flatMap(({ of, sql }) => (of === alias ? [sql] : []))

/** All indexes of filters have this order. Without it, the planner may look for users in the rows of all tenants. */
const orderOf = (conditions: readonly Condition[]): Prisma.Sql => {
  if (onAlias(conditions, 'p').length > 0) return Prisma.raw('p.seen_slot')
  return Prisma.raw(conditions[0]?.by === 'balance' ? 'u.balance' : 'u.lifetime_points')
}

/** Joins only rows whose user, with the given id, meets the conditions: at most two looks by key for each. */
export const looks = (id: Prisma.Sql, conditions: readonly Condition[]): Prisma.Sql =>
  Prisma.join(
    [
      Prisma.empty,
      ...(['u', 'p'] as const).flatMap((alias) => {
        const own = onAlias(conditions, alias)
        // With the limit, it is a look by key for each row.
        return own.length === 0
          ? []
          : Prisma.sql`CROSS JOIN LATERAL (SELECT FROM ${tableOf[alias]} ${Prisma.raw(alias)}
              WHERE ${idOf[alias]} = ${id} AND ${every(own)} LIMIT 1) ${Prisma.raw(`matched_${alias}`)}`
      }),
    ],
    ' ',
  )

/** The ids of the users who match, up to a limit. The planner chooses the rarest condition. */
export const matching = (
  tenant: Tenant,
  conditions: readonly Condition[],
  limit: number,
): Prisma.Sql => {
  const aliases = (['p', 'u'] as const).filter((alias) => onAlias(conditions, alias).length > 0)
  const [first = 'u', second] = aliases
  const sources = second
    ? Prisma.sql`user_profile p JOIN end_user u ON u.id = p.user_id`
    : Prisma.sql`${tableOf[first]} ${Prisma.raw(first)}`
  const where = [
    ...aliases.map((alias) => ofTenant(alias, tenant)),
    ...conditions.map(({ sql }) => sql),
  ]
  return Prisma.sql`SELECT ${idOf[first]} AS id FROM ${sources} WHERE ${every(where)}
    ORDER BY ${orderOf(conditions)} LIMIT ${limit}::int`
}
