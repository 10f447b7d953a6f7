/** Statements that read profiles: the stored data, and the activity in the windows of time. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsJson,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'
import { userByKey, userColumns } from '../users/end-user.sql.ts'
import { dayMs, hourMs, type Rules, windows } from './journey.rules.ts'

/** The start in ms (null if there is none), plays and points, and those recorded by the server itself. */
export type Hour = [
  ms: number | null,
  plays: number,
  points: number,
  ownPlays: number,
  ownPoints: number,
]

/** The start of a window of this many days. */
export const since = (now: Date, days: number) => new Date(now.getTime() - days * dayMs)

/** The first whole hour of a window that starts at this time. */
const firstHour = (begin: Date) => new Date(Math.ceil(begin.getTime() / hourMs) * hourMs)

/** The partial hour at the start of a window. Single activities are read only for this hour. */
const brokenHour = (begin: Date) => {
  return Prisma.sql`SELECT json_build_array((extract(epoch FROM min(occurred_at)) * 1000)::bigint,
      count(*) FILTER (WHERE counts_as_play(category)),
      coalesce(sum(points_earned_by(earned, points)), 0),
      count(*) FILTER (WHERE counts_as_play(category) AND is_own_activity(earned)),
      coalesce(sum(earned), 0)) AS hour
    FROM user_activity a WHERE a.user_id = u.id AND NOT a.is_correction
      AND a.occurred_at >= ${begin}::timestamptz AND a.occurred_at < ${firstHour(begin)}::timestamptz`
}

/** The columns of a profile that come from its user, that only lists need, and that dates need. */
const left = [
  ...(['partnerId', 'environment', 'userId', 'userCreatedAt', 'seenSlot'] as const),
  ...(['timeZone', 'timeZoneSince', 'timeZoneNotBefore', 'timeZoneBySecret'] as const),
]

const profile = both(
  both(both(returns({ n: 'int' }), returnsModel('EndUser')), returnsModel('UserProfile', ...left)),
  both(
    // `hours` are the whole hours of the long window.
    both(returnsJson<Partial<Rules> | null>()('rules'), returnsJson<Hour[] | null>()('hours')),
    both(returnsJson<Hour>()('shortHour'), returnsJson<Hour>()('longHour')),
  ),
)

/** A profile with its user. */
export type ProfileRow = NonNullable<(typeof profile)['row']>

/** `users` is a relation of (n, id), the id of a user. */
const profilesOf = (users: Prisma.Sql, now: Date) => Prisma.sql`
  SELECT k.n, ${userColumns}, ${columnsOf('UserProfile', 'p', ...left)}, c.rules,
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

const keyRows = inputRows({ partnerId: 'uuid', environment: 'Environment', externalId: 'text' })

/** Profiles by the `externalId` of their users. */
export const readProfiles = statement(
  'find_profiles',
  profile,
  (keys: ItemsOf<typeof keyRows>, now: Date) =>
    profilesOf(
      Prisma.sql`(SELECT k.n, u.id FROM ${keyRows(keys, 'k')}
        CROSS JOIN LATERAL ${userByKey(Prisma.sql`u.id`)} u)`,
      now,
    ),
)

const idRows = inputRows({ id: 'uuid' })

/** Profiles by the ids of their users. */
export const readProfilesById = statement(
  'find_profiles_by_id',
  profile,
  (users: ItemsOf<typeof idRows>, now: Date) =>
    profilesOf(Prisma.sql`(SELECT n, id FROM ${idRows(users)})`, now),
)

/** The same, for profiles that are due. */
export const readDueProfiles = statement(
  'find_due_profiles',
  profile,
  (users: ItemsOf<typeof idRows>, now: Date) =>
    profilesOf(
      Prisma.sql`(SELECT n, d.user_id AS id FROM ${idRows(users)}
        CROSS JOIN LATERAL (SELECT user_id FROM user_profile
          WHERE user_id = i.id AND due_at <= ${now}::timestamptz LIMIT 1) d)`,
      now,
    ),
)
