/** Conditions on users and their profiles, for the statements of lists. */

import { Prisma } from '../generated/prisma/client.ts'
import type { Device, EngagementTier, LifecycleStage } from '../generated/prisma/enums.ts'
import type { Period, PointsFilter } from '../kit/schema/filters.ts'
import type { Tenant } from '../kit/tenant.ts'

/** A condition on profiles. A field that is null or omitted matches everything, an empty list nothing. */
export type ProfileMatch = {
  stages?: readonly LifecycleStage[] | null | undefined
  tiers?: readonly EngagementTier[] | null | undefined
  tag?: string | null | undefined
  tagValue?: string | null | undefined
  countries?: readonly string[] | null | undefined
  devices?: readonly Device[] | null | undefined
  sources?: readonly string[] | null | undefined
}

/** Conditions that must all hold. */
export type UserMatch = {
  profiles: readonly ProfileMatch[]
  createdAt?: Period | null | undefined
  lastSeenAt?: Period | null | undefined
  balance?: PointsFilter | null | undefined
  lifetimePoints?: PointsFilter | null | undefined
  /** Whether they are blocked at a moment. */
  blocked?: { is: boolean; at: Date } | null | undefined
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

/** A condition on `seen_slot`, which is in an index, that holds for everyone seen since a moment, or until it. */
export const slotSince = (moment: Date): Prisma.Sql =>
  Prisma.sql`p.seen_slot >= ${Math.floor(moment.getTime() / slotMs)}::int`
export const slotUntil = (moment: Date): Prisma.Sql =>
  Prisma.sql`p.seen_slot <= ${Math.ceil(moment.getTime() / slotMs)}::int`

export const ofTenant = (alias: Alias, { partnerId, environment }: Tenant): Prisma.Sql => {
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

export const conditionsOf = ({
  profiles,
  createdAt,
  lastSeenAt,
  balance,
  lifetimePoints,
  blocked,
}: UserMatch): Condition[] => [
  ...profiles.flatMap(profileConditions),
  ...createdIn(createdAt ?? {}),
  ...seenIn(lastSeenAt ?? {}),
  ...pointsConditions('u.balance', 'balance', balance ?? {}),
  ...pointsConditions('u.lifetime_points', 'lifetimePoints', lifetimePoints ?? {}),
  ...blockedConditions(blocked),
]

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
