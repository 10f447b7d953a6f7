/** Statements that find users by a filter. Each combination of given fields has its own text. */

import { Prisma } from '../generated/prisma/client.ts'
import type { Device, EngagementTier, LifecycleStage } from '../generated/prisma/enums.ts'
import { returns, statement } from '../kit/database/statement.ts'
import type { Part } from '../kit/schema/connection.ts'
import type { Tenant } from '../kit/tenant.ts'

/** A field that is null or omitted matches everything. */
type Filter = {
  stage?: LifecycleStage | null | undefined
  tier?: EngagementTier | null | undefined
  tag?: string | null | undefined
  tagValue?: string | null | undefined
  country?: string | null | undefined
  device?: Device | null | undefined
  source?: string | null | undefined
}

/** A filter as a condition on `user_profile p`. */
const filterSql = (
  { partnerId, environment }: Tenant,
  { stage, tier, tag, tagValue, country, device, source }: Filter,
): Prisma.Sql =>
  Prisma.join(
    [
      Prisma.sql`p.partner_id = ${partnerId}::uuid AND p.environment = ${environment}::"Environment"`,
      ...(stage != null ? [Prisma.sql`p.stage = ${stage}::"LifecycleStage"`] : []),
      ...(tier != null ? [Prisma.sql`p.tier = ${tier}::"EngagementTier"`] : []),
      ...(tag != null ? [Prisma.sql`p.tags ? ${tag}::text`] : []),
      ...(tagValue != null ? [Prisma.sql`p.tags ->> ${tag ?? ''}::text = ${tagValue}::text`] : []),
      ...(country != null ? [Prisma.sql`p.country = ${country}::text`] : []),
      ...(device != null ? [Prisma.sql`p.device = ${device}::"Device"`] : []),
      ...(source != null ? [Prisma.sql`p.source = ${source}::text`] : []),
    ],
    ' AND ',
  )

/** The number of users who match a filter, up to the limit. */
export const countProfiles = statement(
  'count_users_of_journeys',
  returns({ n: 'bigint' }),
  (tenant: Tenant, filter: Filter, limit: number) => Prisma.sql`
    SELECT count(*) AS n FROM (
      SELECT FROM user_profile p WHERE ${filterSql(tenant, filter)} LIMIT ${limit}::int) found`,
  { isPrepared: false },
)

type Asked = Tenant & { filter: Filter; part: Part }

const partSql = ({ filter, part, ...tenant }: Asked, n: number): Prisma.Sql => {
  const { take, skip, backward, from } = part
  const [beyond, direction] = backward ? ['<', 'DESC'] : ['>', 'ASC']
  const place = from
    ? Prisma.sql`AND p.user_id ${Prisma.raw(beyond)} ${from[0]}::uuid`
    : Prisma.empty
  return Prisma.sql`(SELECT ${n}::int AS n, p.user_id AS id FROM user_profile p
    WHERE ${filterSql(tenant, filter)} ${place}
    ORDER BY p.user_id ${Prisma.raw(direction)} LIMIT ${take}::int OFFSET ${skip}::int)`
}

/** The ids of the users in pages of filtered lists, in any order. `n` is the index of the page. */
export const findFilteredUsers = statement(
  'find_users_of_journeys',
  returns({ n: 'int', id: 'uuid' }),
  (parts: Asked[]) => Prisma.sql`${Prisma.join(parts.map(partSql), ' UNION ALL ')}`,
)
