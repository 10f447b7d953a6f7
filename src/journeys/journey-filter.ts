/** Filters of users by profile, stage and tier. */
import { z } from 'zod'
import type { EndUser } from '../generated/prisma/client.ts'
import { Device, EngagementTier, LifecycleStage } from '../generated/prisma/enums.ts'
import type { Work } from '../kit/runtime.ts'
import { type Count, countUpTo, type Part } from '../kit/schema/connection.ts'
import type { Tenant } from '../kit/tenant.ts'
import { oneOf, text } from '../kit/validation.ts'
import { countProfiles, findFilteredUsers } from './journey-filter.sql.ts'
import { countryCode } from './journey-input.ts'

/** A filter of users. An omitted field matches everything. */
export const JourneyFilter = z
  .object({
    stage: oneOf('LifecycleStage', LifecycleStage).nullish().describe('Lifecycle stage.'),
    tier: oneOf('EngagementTier', EngagementTier).nullish().describe('Engagement tier.'),
    tag: text(255).nullish().describe('A key that the tags contain.'),
    tagValue: text(255).nullish().describe('The value of that tag, as text. Requires `tag`.'),
    country: countryCode().nullish().describe('ISO 3166-1 alpha-2, in upper or lower case, or XK.'),
    device: oneOf('Device', Device).nullish().describe('Device.'),
    source: text(255).nullish().describe('Acquisition channel.'),
  })
  .describe('Filters users. All conditions must hold.')

export type JourneyFilter = z.output<typeof JourneyFilter>

/** How many users match a filter now. */
export const countUsers = (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  filter: JourneyFilter,
): Promise<Count> =>
  countUpTo(async (limit) => {
    const [row] = await countProfiles(tx, tenant, filter, limit)
    return Number(row?.n)
  })

type Asked = Tenant & { filter: JourneyFilter; part: Part }

/** Pages of the users who match filters, in the order of ids, with two statements for all pages. */
export const findUsersOfJourneys = async ({ tx }: Work, asked: Asked[]): Promise<EndUser[][]> => {
  const found = await findFilteredUsers(tx, asked)
  const users = await tx.endUser.findMany({ where: { id: { in: found.map(({ id }) => id) } } })
  const byId = new Map<string, EndUser>(users.map((user) => [user.id, user]))
  const parts: EndUser[][] = asked.map(() => [])
  for (const { n, id } of found) parts[n]?.push(byId.get(id) as EndUser)
  const sign = (n: number) => (asked[n]?.part.backward ? -1 : 1)
  return parts.map((part, n) => part.sort((a, b) => sign(n) * (a.id < b.id ? -1 : 1)))
}
