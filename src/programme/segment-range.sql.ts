/** The conditions of segments on numbers and times, as they hold now. */
import { Prisma } from '../generated/prisma/client.ts'

const ranges = [
  'balance_min',
  'balance_max',
  'lifetime_points_min',
  'lifetime_points_max',
  'recent_plays_min',
  'recent_plays_max',
  'seen_from',
  'seen_to',
  'seen_days_min',
  'seen_days_max',
  'user_created_from',
  'user_created_to',
  'user_created_days_min',
  'user_created_days_max',
] as const

const columns = (names: readonly string[]) =>
  Prisma.raw(names.map((name) => `s.${name}`).join(', '))

/** Whether a segment `s` looks at when users were last seen. What public keys send decides that. */
export const looksAtLastSeen = Prisma.sql`num_nonnulls(${columns(ranges.filter((name) => name.startsWith('seen_')))}) > 0`

/** A range of values of which each bound may be null: the names of its columns begin with `name`. */
const within = (value: string, name: string) =>
  Prisma.raw(
    `(${value} >= s.${name}_min) IS NOT FALSE AND (${value} <= s.${name}_max) IS NOT FALSE`,
  )

/** A range of times, and one of the days that have passed since. */
const passed = (value: string, name: string, now: Date) => Prisma.sql`
  ${Prisma.raw(`(${value} >= s.${name}_from) IS NOT FALSE AND (${value} < s.${name}_to) IS NOT FALSE`)}
  AND ${Prisma.raw(`(${value} <= `)}${now}::timestamptz - s.${Prisma.raw(name)}_days_min * interval '24 hours') IS NOT FALSE
  AND ${Prisma.raw(`(${value} >= `)}${now}::timestamptz - s.${Prisma.raw(name)}_days_max * interval '24 hours') IS NOT FALSE`

/** From when on plays are recent: 30 days before a moment, from the start of that hour. */
const recentSince = (now: Date): Prisma.Sql =>
  Prisma.sql`hour_of_activity(${now}::timestamptz - interval '720 hours')`

/** Number of recent plays that the server drew of the user with an id. It adds up at most one row for each hour. */
export const recentPlaysOf = (userId: Prisma.Sql, now: Date): Prisma.Sql => Prisma.sql`
  (SELECT coalesce(sum(h.own_plays), 0) FROM user_hour h
    WHERE h.user_id = ${userId} AND h.hour >= ${recentSince(now)})`

/**
 * Whether the user with an id meets the conditions of a segment `s` on numbers and times. The wallet and the profile are
 * read by key, and only for a segment with such conditions.
 */
export const isInRanges = (userId: Prisma.Sql, now: Date): Prisma.Sql => Prisma.sql`
  (num_nonnulls(${columns(ranges)}) = 0 OR coalesce((
    SELECT ${within('w.balance', 'balance')} AND ${within('w.lifetime_points', 'lifetime_points')}
      AND ${passed('coalesce(greatest(q.last_event_at, q.identified_at), q.user_created_at)', 'seen', now)}
      AND ${passed('q.user_created_at', 'user_created', now)}
      AND (num_nonnulls(s.recent_plays_min, s.recent_plays_max) = 0
        OR ${recentPlaysOf(Prisma.raw('w.id'), now)} BETWEEN coalesce(s.recent_plays_min, 0)
          AND coalesce(s.recent_plays_max, 2147483647))
    FROM (SELECT * FROM end_user x WHERE x.id = ${userId} LIMIT 1) w
    CROSS JOIN LATERAL (SELECT * FROM user_profile x WHERE x.user_id = w.id LIMIT 1) q), false))`
