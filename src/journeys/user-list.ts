/** Lists of users, with filters of their wallet and profile. */

import { z } from 'zod'
import type { EndUser, Segment } from '../generated/prisma/client.ts'
import { Device } from '../generated/prisma/enums.ts'
import { readCounter } from '../kit/database/counters.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { type Count, countUpTo, exactly, type Source } from '../kit/schema/connection.ts'
import type { Place } from '../kit/schema/cursor.ts'
import { load } from '../kit/schema/edge.ts'
import { Period, PointsFilter } from '../kit/schema/filters.ts'
import { nameOf, type Order } from '../kit/schema/rows.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { flag, oneOf, text, title } from '../kit/validation.ts'
import { JourneyFilter, stage, tier } from './journey-filter.ts'
import { countryCode } from './journey-input.ts'
import { findSegment, SegmentBy } from './segment.ts'
import { countMatchingUsers, listUsers, type UserPage } from './user-list.sql.ts'
import type { OrderField, ProfileMatch, UserMatch } from './user-match.sql.ts'

const { tag, tagValue } = JourneyFilter.shape

export const UserFilter = z
  .object({
    search: title(255)
      .nullish()
      .describe(
        'Only users whose external id, e-mail address, name or a later word of the name starts with this; case-insensitive. Sorted by the text that matched, so it cannot be combined with `orderBy`, nor with other fields of the filter.',
      ),
    stages: z
      .array(stage(), 'must be a list')
      .nullish()
      .describe('Only users in one of these lifecycle stages. Defaults to all.'),
    engagementTiers: z
      .array(tier(), 'must be a list')
      .nullish()
      .describe('Only users of one of these engagement tiers. Defaults to all.'),
    tag,
    tagValue,
    countries: z
      .array(countryCode())
      .max(50, 'must have at most 50 values')
      .nullish()
      .describe(
        'Only users in one of these countries: ISO 3166-1 alpha-2, or XK. Defaults to all.',
      ),
    devices: z
      .array(oneOf('Device', Device), 'must be a list')
      .nullish()
      .describe('Only users of one of these devices. Defaults to all.'),
    sources: z
      .array(text(255))
      .max(50, 'must have at most 50 values')
      .nullish()
      .describe('Only users of one of these acquisition channels. Defaults to all.'),
    segment: SegmentBy.nullish().describe(
      'Only users of this segment. None if there is no such segment.',
    ),
    createdAt: Period.nullish().describe('Only users who were created in this period.'),
    lastSeenAt: Period.nullish().describe('Only users who were last seen in this period.'),
    balance: PointsFilter.nullish().describe('Only users with such a balance.'),
    lifetimePoints: PointsFilter.nullish().describe('Only users who have ever earned so much.'),
    isBlocked: flag()
      .nullish()
      .describe('Only users who are blocked now, or only those who are not.'),
  })
  .superRefine(({ search, ...others }, ctx) => {
    const other = Object.entries(others).find(([, value]) => value != null)
    if (search != null && other)
      ctx.addIssue({
        code: 'custom',
        path: ['search'],
        message: `cannot be combined with filter.${other[0]}: a search has an order of its own`,
      })
    if (others.tagValue != null && others.tag == null)
      ctx.addIssue({ code: 'custom', path: ['tagValue'], message: 'needs filter.tag' })
  })
  .describe('Filters users. All conditions must hold.')

type UserFilter = z.output<typeof UserFilter>

/** The orders of lists of users. */
export const userOrders = {
  EXTERNAL_ID: { by: ['externalId'], description: 'By external id.' },
  CREATED_AT: { by: ['createdAt', 'id'], description: 'By time of creation.' },
  LAST_SEEN_AT: {
    by: ['lastSeenAt', 'id'],
    description: 'By time of the last activity, as `Journey.lastSeenAt` shows it.',
  },
  BALANCE: { by: ['balance', 'id'], description: 'By what they can spend.' },
  LIFETIME_POINTS: { by: ['lifetimePoints', 'id'], description: 'By what they have ever earned.' },
  SCORE: {
    by: ['score', 'scoreReachedAt', 'externalId'],
    description:
      'By score. DESC is the order of the leaderboard: of users with the same score, those who reached it first come first.',
  },
} as const satisfies Record<string, { by: readonly [OrderField, ...string[]]; description: string }>

/** What the users of a segment match. */
export const matchOfSegment = ({
  stage,
  tier,
  tag,
  tagValue,
  country,
  device,
  source,
}: Segment): UserMatch => ({
  profiles: [
    {
      tag,
      tagValue,
      stages: stage && [stage],
      tiers: tier && [tier],
      countries: country === null ? null : [country],
      devices: device && [device],
      sources: source === null ? null : [source],
    },
  ],
})

/** What a filter means now; null if nobody can match it. */
export const matchOf = async (
  work: Pick<Work, 'tx' | 'clock'>,
  tenant: Tenant,
  {
    segment: by,
    createdAt,
    lastSeenAt,
    balance,
    lifetimePoints,
    engagementTiers: tiers,
    isBlocked,
    ...others
  }: Omit<UserFilter, 'search'>,
): Promise<UserMatch | null> => {
  const profile = { ...others, tiers }
  const segment = by && (await findSegment(work, tenant, by))
  if (by && !segment) return null
  const own: ProfileMatch[] = Object.values(profile).some((value) => value != null) ? [profile] : []
  return {
    profiles: [...own, ...(segment ? matchOfSegment(segment).profiles : [])],
    createdAt,
    lastSeenAt,
    balance,
    lifetimePoints,
    blocked: isBlocked == null ? null : { is: isBlocked, at: work.clock() },
  }
}

const isAny = ({ profiles, blocked, ...spans }: UserMatch): boolean =>
  profiles.length === 0 &&
  !blocked &&
  Object.values(spans).every((span) => Object.values(span ?? {}).every((bound) => bound == null))

/** How many users match now. Counts up to a limit, unless everybody does. */
export const countUsers = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  match: UserMatch,
): Promise<Count> =>
  isAny(match)
    ? exactly(await readCounter(tx, tenant, 'users'))
    : countUpTo(async (limit) => {
        const [row] = await countMatchingUsers(tx, tenant, match, limit)
        return Number(row?.n)
      })

type ListedUser = EndUser & { lastSeenAt: Date }

/** Pages of lists of users, in one statement for all of them. */
const findListedUsers = async ({ tx }: Work, pages: UserPage[]): Promise<ListedUser[][]> => {
  const users: ListedUser[][] = pages.map(() => [])
  for (const { n, ...user } of await listUsers(tx, pages)) users[n]?.push(user)
  return users
}

/** The users who match, in one of `userOrders`. */
export const usersMatching = (
  ctx: Pick<Runtime, 'readAll' | 'tx'>,
  owner: Tenant,
  match: UserMatch,
  order: Order,
): Source<EndUser> => {
  const tenant = tenantOf(owner)
  const [field, direction] = order[0] as [OrderField, 'asc' | 'desc']
  const page = { ...tenant, match, field, direction }
  return {
    order: nameOf(order),
    placeOf: (user) => order.map(([field]) => user[field as keyof EndUser]) as unknown as Place,
    count: () => countUsers(ctx, tenant, match),
    fetch: (part) => load(ctx, findListedUsers, { ...page, part }),
  }
}
