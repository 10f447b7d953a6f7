/** What users can be filtered by: what is known of them, and what follows from what they did. */
import { z } from 'zod'
import { type Count, countUpTo, type Part } from '../core/graphql/connection.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { oneOf, text } from '../core/validation.ts'
import { type EndUser, Prisma } from '../generated/prisma/client.ts'
import { Device, EngagementTier, LifecycleStage } from '../generated/prisma/enums.ts'
import { countryCode } from './country.ts'

/** What users can be filtered by. A field that is left out lets all pass. */
export const JourneyFilter = z
  .object({
    stage: oneOf('LifecycleStage', LifecycleStage).nullish().describe('Lifecycle stage.'),
    tier: oneOf('EngagementTier', EngagementTier).nullish().describe('Engagement tier.'),
    tag: text(255).nullish().describe('A key that the tags have.'),
    tagValue: text(255).nullish().describe('The value of that tag, as text. Needs `tag`.'),
    country: countryCode().nullish().describe('ISO 3166-1 alpha-2.'),
    device: oneOf('Device', Device).nullish().describe('Device.'),
    source: text(255).nullish().describe('Acquisition channel.'),
  })
  .describe('Which users. All that is given must be true.')

export type JourneyFilter = z.output<typeof JourneyFilter>

/** A filter as a condition on `user_profile p`. */
const filterSql = (
  { partnerId, environment }: Tenant,
  { stage, tier, tag, tagValue, country, device, source }: JourneyFilter,
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

/** How many users pass a filter now; counting ends at the limit. */
const countPassing = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  filter: JourneyFilter,
  limit: number,
): Promise<number> => {
  const [row] = await tx.$queryRaw<{ n: bigint }[]>`
    SELECT count(*) AS n FROM (
      SELECT FROM user_profile p WHERE ${filterSql(tenant, filter)} LIMIT ${limit}::int) found`
  return Number(row?.n)
}

/** How many users pass a filter now. */
export const countUsers = (
  work: Pick<Work, 'tx'>,
  tenant: Tenant,
  filter: JourneyFilter,
): Promise<Count> => countUpTo((limit) => countPassing(work, tenant, filter, limit))

type Asked = Tenant & { filter: JourneyFilter; part: Part }

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

/** Parts of the users who pass each of several filters, in the order of ids: one statement finds them, one reads them. */
export const findUsersOfJourneys = async ({ tx }: Work, asked: Asked[]): Promise<EndUser[][]> => {
  const found = await tx.$queryRaw<{ n: number; id: string }[]>`/* find_users_of_journeys */
    ${Prisma.join(asked.map(partSql), ' UNION ALL ')}`
  const users = await tx.endUser.findMany({ where: { id: { in: found.map(({ id }) => id) } } })
  const byId = new Map(users.map((user) => [user.id, user]))
  const parts: EndUser[][] = asked.map(() => [])
  for (const { n, id } of found) parts[n]?.push(byId.get(id) as EndUser)
  const sign = (n: number) => (asked[n]?.part.backward ? -1 : 1)
  return parts.map((part, n) => part.sort((a, b) => sign(n) * (a.id < b.id ? -1 : 1)))
}
