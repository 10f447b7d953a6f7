/** Statements that read the plays of all users, in the order of time. */

import { Prisma } from '../generated/prisma/client.ts'
import { GameType, RewardTier, RewardType } from '../generated/prisma/enums.ts'
import { returns, statement } from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'

/** A filter of plays. `from` is inclusive, `before` is not. An empty list matches nothing. */
export type PlayMatch = {
  gameTypes?: readonly GameType[] | null | undefined
  rewardTiers?: readonly RewardTier[] | null | undefined
  rewardTypes?: readonly RewardType[] | null | undefined
  gameVersion?: number | null | undefined
  from?: Date | null | undefined
  before?: Date | null | undefined
}

/** The values of an enum as a list of its own. A list of texts is what both drivers know how to send. */
const each = (name: string, values: readonly string[]): Prisma.Sql =>
  Prisma.sql`unnest(${[...values]}::text[]::${Prisma.raw(`"${name}"`)}[])`

/**
 * The games and rewards that match. The index begins with them, so it has the plays of each as a list in the order of time;
 * there are 45 lists if nothing is left out.
 */
const kinds = ({ gameTypes, rewardTiers, rewardTypes }: PlayMatch): Prisma.Sql => Prisma.sql`
  ${each('GameType', gameTypes ?? Object.values(GameType))} AS game_type
  CROSS JOIN ${each('RewardTier', rewardTiers ?? Object.values(RewardTier))} AS reward_tier
  CROSS JOIN ${each('RewardType', rewardTypes ?? Object.values(RewardType))} AS reward_type`

/** The plays of one of them. The version is the last column of the index, so a filter by it does not read the table. */
const ofKind = (
  { partnerId, environment }: Tenant,
  { gameVersion = null }: PlayMatch,
): Prisma.Sql => Prisma.sql`play p
  WHERE p.partner_id = ${partnerId}::uuid AND p.environment = ${environment}::"Environment"
    AND p.game_type = game_type.game_type AND p.reward_tier = reward_tier.reward_tier
    AND p.reward_type = reward_type.reward_type
    AND p.mechanic_version = coalesce(${gameVersion}::int, p.mechanic_version)`

const notBefore = ({ from = null }: PlayMatch): Prisma.Sql =>
  Prisma.sql`AND p.played_at >= coalesce(${from}::timestamptz, '-infinity')`

const before = ({ before = null }: PlayMatch): Prisma.Sql =>
  Prisma.sql`AND p.played_at < coalesce(${before}::timestamptz, 'infinity')`

type Part = {
  take: number
  skip: number
  isUp: boolean
  /** Only plays after this moment and id. */
  from: readonly [playedAt: Date, id: string] | undefined
}

/** Lower than every id. */
const lowestId = '00000000-0000-0000-0000-000000000000'

/**
 * The ids of the matching plays, in the order of time. They begin after `from`, or at the start of the period if it is
 * undefined. This is one condition, because an index scan can start from only one.
 */
export const selectPlays = statement(
  'search_plays',
  returns({ id: 'uuid' }),
  (tenant: Tenant, match: PlayMatch, { take, skip, isUp, from }: Part) => {
    const beyond = Prisma.raw(isUp ? '>' : '<')
    const direction = Prisma.raw(isUp ? 'ASC' : 'DESC')
    const [moment = null, id] = from ?? [isUp ? match.from : match.before, lowestId]
    const start = Prisma.raw(isUp ? `'-infinity'` : `'infinity'`)
    return Prisma.sql`
      SELECT f.id FROM ${kinds(match)} CROSS JOIN LATERAL (
        SELECT p.id, p.played_at FROM ${ofKind(tenant, match)}
          ${isUp ? before(match) : notBefore(match)}
          AND (p.played_at, p.id) ${beyond} (coalesce(${moment}::timestamptz, ${start}), ${id}::uuid)
        ORDER BY p.played_at ${direction}, p.id ${direction} LIMIT ${take + skip}::int) f
      ORDER BY f.played_at ${direction}, f.id ${direction} LIMIT ${take}::int OFFSET ${skip}::int`
  },
)

/** Counts the plays that match, up to `limit`. */
export const countPlays = statement(
  'count_plays',
  returns({ plays: 'int' }),
  (tenant: Tenant, match: PlayMatch, limit: number) => Prisma.sql`
    SELECT count(*)::int AS plays FROM (
      SELECT FROM ${kinds(match)} CROSS JOIN LATERAL (
        SELECT p.id FROM ${ofKind(tenant, match)} ${notBefore(match)} ${before(match)}
        LIMIT ${limit}::int) f
      LIMIT ${limit}::int) found`,
)
