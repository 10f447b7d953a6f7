/** Lists of users, with filters of their wallet and profile. */

import { z } from 'zod'
import type { EndUser, Segment } from '../generated/prisma/client.ts'
import { Device } from '../generated/prisma/enums.ts'
import { readCounter } from '../kit/database/counters.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { type Count, countUpTo, exactly, type Source } from '../kit/schema/connection.ts'
import type { Place } from '../kit/schema/cursor.ts'
import { load } from '../kit/schema/edge.ts'
import { CountFilter, Period, PointsFilter } from '../kit/schema/filters.ts'
import { nameOf, type Order } from '../kit/schema/rows.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { flag, oneOf, text, title } from '../kit/validation.ts'
import { JourneyFilter, recentPlays, stage, tier } from './journey-filter.ts'
import { countryCode } from './journey-input.ts'
import { findSegment, SegmentBy } from './segment.ts'
import { numbersOf, periodOf, timesOf } from './segment-range.ts'
import { countMatchingUsers, listUsers, type UserPage } from './user-list.sql.ts'
import {
  conditionsOf,
  type OrderField,
  type ProfileMatch,
  type UserMatch,
} from './user-match.sql.ts'

const { tag, tagValue } = JourneyFilter.shape

export const UserFilter = z
  .object({
    search: title(255)
      .nullish()
      .describe(
        'Only users whose external id, e-mail address, name or a later word of the name starts with this; case-insensitive. Without `orderBy`, they are in the order of the text that matched.',
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
    recentPlayCount: CountFilter.nullish().describe(`Only users of so many plays. ${recentPlays}`),
    lastSeenDaysAgo: CountFilter.nullish().describe(
      'Only users who were last seen so many times 24 hours ago.',
    ),
    createdDaysAgo: CountFilter.nullish().describe(
      'Only users who were created so many times 24 hours ago.',
    ),
  })
  .superRefine((others, ctx) => {
    if (others.tagValue != null && others.tag == null)
      ctx.addIssue({ code: 'custom', path: ['tagValue'], message: 'needs filter.tag' })
  })
  .describe('Filters users. All conditions must hold.')

export type UserFilter = z.output<typeof UserFilter>

/** The orders of lists of users. */
export const userOrders = {
  EXTERNAL_ID: { by: ['externalId'], description: "By the partner's id of the user." },
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

/** What the users of a segment match now. */
export const matchOfSegment = (segment: Segment, now: Date): UserMatch => {
  const { stage, tier, tag, tagValue, country, device, source } = segment
  const plays = numbersOf(segment, 'recentPlayCount')
  return {
    profiles: [
      {
        tag,
        tagValue,
        stages: stage && [stage],
        tiers: tier && [tier],
        countries: country === null ? null : [country],
        devices: device && [device],
        sources: source === null ? null : [source],
        balance: numbersOf(segment, 'balance'),
        lifetimePoints: numbersOf(segment, 'lifetimePoints'),
        recentPlays: plays && { ...plays, now },
        lastSeenAt: [
          timesOf(segment, 'lastSeenAt') ?? {},
          periodOf(numbersOf(segment, 'lastSeenDaysAgo'), now),
        ],
        createdAt: [
          timesOf(segment, 'userCreatedAt') ?? {},
          periodOf(numbersOf(segment, 'userCreatedDaysAgo'), now),
        ],
      },
    ],
  }
}

/** What a filter means now; null if nobody can match it. */
export const matchOf = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  tenant: Tenant,
  {
    segment: by,
    createdAt,
    createdDaysAgo,
    lastSeenAt,
    lastSeenDaysAgo,
    recentPlayCount,
    engagementTiers: tiers,
    isBlocked,
    search,
    ...others
  }: UserFilter,
): Promise<UserMatch | null> => {
  const now = clock()
  const segment = by && (await findSegment({ tx }, tenant, by))
  if (by && !segment) return null
  const own: ProfileMatch = {
    ...others,
    tiers,
    createdAt: [createdAt ?? {}, periodOf(createdDaysAgo, now)],
    lastSeenAt: [lastSeenAt ?? {}, periodOf(lastSeenDaysAgo, now)],
    recentPlays: recentPlayCount && { ...recentPlayCount, now },
  }
  return {
    profiles: [own, ...(segment ? matchOfSegment(segment, now).profiles : [])],
    blocked: isBlocked == null ? null : { is: isBlocked, at: now },
    search: search?.trim() || null,
  }
}

const isAny = (match: UserMatch): boolean =>
  match.search == null && conditionsOf(match).length === 0

const countedUsers = async (tx: Work['tx'], tenant: Tenant, match: UserMatch): Promise<Count> => {
  let isCut = false
  const count = await countUpTo(async (limit) => {
    const [row] = await countMatchingUsers(tx, tenant, match, limit)
    isCut = row?.isCut === true
    return Number(row?.n)
  })
  return isCut ? { ...count, precision: 'AT_LEAST' } : count
}

/** How many users match now. Counts up to a limit, unless everybody does. */
export const countUsers = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  match: UserMatch,
): Promise<Count> =>
  isAny(match) ? exactly(await readCounter(tx, tenant, 'users')) : countedUsers(tx, tenant, match)

type ListedUser = EndUser & { lastSeenAt: Date; term: string | null }

/** Pages of lists of users, in one statement for all of them. */
const findListedUsers = async ({ tx }: Work, pages: UserPage[]): Promise<ListedUser[][]> => {
  const users: ListedUser[][] = pages.map(() => [])
  for (const { n, ...user } of await listUsers(tx, pages)) users[n]?.push(user)
  return users
}

/** The order of what a search has found, by the text that matched. */
export const searchOrder: Order = [
  ['term', 'asc'],
  ['id', 'asc'],
]

/** The users who match, in one of `userOrders`, or in that of a search. */
export const usersMatching = (
  ctx: Pick<Runtime, 'readAll' | 'tx'>,
  owner: Tenant,
  match: UserMatch,
  order: Order,
): Source<EndUser> => {
  const tenant = tenantOf(owner)
  const [field, direction] = order[0] as [UserPage['field'], 'asc' | 'desc']
  const page = { ...tenant, match, field, direction }
  return {
    order: nameOf(order),
    placeOf: (user) => order.map(([field]) => user[field as keyof EndUser]) as unknown as Place,
    count: () => countUsers(ctx, tenant, match),
    fetch: (part) => load(ctx, findListedUsers, { ...page, part }),
  }
}
