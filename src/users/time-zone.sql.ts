/** Statements of time zones. Dates and midnights come from the functions of `local-date.trigger.sql`. */
import { Prisma } from '../generated/prisma/client.ts'
import { addToCounter } from '../kit/database/counters.ts'
import {
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'
import { userByKey, userLockOrder } from './end-user.sql.ts'

/**
 * The names of all time zones of the database, which has its own list, and reads a file for each. It takes the name of an
 * abbreviation for that, such as CET, which has no summer time.
 */
export const selectTimeZoneNames = statement(
  'find_time_zone_names',
  returns({ name: 'text', isAbbreviation: 'boolean' }),
  () => Prisma.sql`
    SELECT name, name NOT IN ('UTC', 'GMT') AND upper(name) IN (SELECT abbrev FROM pg_timezone_abbrevs)
      AS "isAbbreviation"
    FROM pg_timezone_names`,
  { isPrepared: false },
)

const zoneRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  // An empty text for the zone of the partner.
  timeZone: 'text',
  bySecret: 'boolean',
})

/** Time zones of users, one for each user. */
export type ZoneRows = ItemsOf<typeof zoneRows>

/**
 * Parts of a statement that creates users, for those of them who have a time zone from their creation on: it creates their
 * profiles, so that activities of the same statement have their dates in that zone. `made` is a SELECT of (user_id,
 * partner_id, environment, time_zone, by_secret).
 */
export const firstZones = (made: Prisma.Sql, createdAt: Date): Prisma.Sql => Prisma.sql`
    first_profile AS (
      INSERT INTO user_profile (user_id, partner_id, environment, user_created_at, time_zone,
        time_zone_since, time_zone_by_secret)
      SELECT user_id, partner_id, environment, ${createdAt}::timestamptz, time_zone,
        ${createdAt}::timestamptz, by_secret
      FROM (${made}) m ORDER BY user_id
      RETURNING user_id, partner_id, environment, time_zone, time_zone_since, time_zone_by_secret
    ), first_zone AS (
      INSERT INTO user_time_zone (user_id, since, partner_id, environment, zone, by_secret)
      SELECT user_id, time_zone_since, partner_id, environment, time_zone, time_zone_by_secret
      FROM first_profile
    )`

/** Creates the users who do not exist, with their time zones. Locks nobody else. */
export const insertMissingUsersInZones = statement(
  'make_users_in_zones',
  returnsNothing,
  (users: ZoneRows, createdAt: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${zoneRows(users)}
    ), made AS (
      INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at, created_at)
      SELECT gen_random_uuid(), partner_id, environment, external_id, ${createdAt}::timestamptz,
        ${createdAt}::timestamptz
      FROM input ORDER BY ${userLockOrder}
      ON CONFLICT (partner_id, environment, external_id) DO NOTHING
      RETURNING id AS user_id, partner_id, environment, external_id
    ), ${firstZones(
      Prisma.sql`SELECT * FROM made JOIN input USING (partner_id, environment, external_id)
        WHERE time_zone <> ''`,
      createdAt,
    )}
    ${addToCounter(
      'users',
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount FROM made GROUP BY 1, 2`,
    )}`,
)

/**
 * Changes time zones of users from the next midnight after `from` in the zone of then. Until that comes, another change
 * replaces it. A caller who is not trusted does not change what a secret key has set.
 */
export const changeTimeZones = statement(
  'change_time_zones',
  returnsNothing,
  // Long: one statement.
  (users: ZoneRows, from: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${zoneRows(users)}
    ), named AS MATERIALIZED (
      -- The lock waits for an erasure, after which nobody has the key, and makes a later one wait.
      SELECT u.id AS user_id, nullif(k.time_zone, '') AS zone, k.by_secret
      FROM (SELECT * FROM input ORDER BY ${userLockOrder}) k
      CROSS JOIN LATERAL ${userByKey(Prisma.sql`u.id`, Prisma.sql`FOR KEY SHARE`)} u
    ), locked AS MATERIALIZED (
      SELECT n.zone, n.by_secret, p.*, p.time_zone_since > ${from}::timestamptz AS is_pending
      FROM (SELECT * FROM named ORDER BY user_id) n
      CROSS JOIN LATERAL (SELECT * FROM user_profile x WHERE x.user_id = n.user_id
        LIMIT 1 FOR NO KEY UPDATE) p
    ), change AS MATERIALIZED (
      SELECT l.user_id, l.partner_id, l.environment, l.zone, l.by_secret,
        CASE WHEN is_pending OR l.zone = l.time_zone THEN l.time_zone_since
          ELSE start_of_date(o.zone, o.day + 1) END AS since,
        CASE WHEN is_pending OR l.zone = l.time_zone THEN l.time_zone_not_before
          ELSE greatest(o.day, o.not_before, l.time_zone_not_before) END AS not_before
      FROM locked l
      LEFT JOIN LATERAL (SELECT * FROM partner_time_zone d
        WHERE d.partner_id = l.partner_id AND d.environment = l.environment
          AND d.since <= ${from}::timestamptz
        ORDER BY d.since DESC LIMIT 1) d ON true
      -- The zone before.
      CROSS JOIN LATERAL (SELECT coalesce(l.time_zone, d.zone, 'UTC') AS zone,
        CASE WHEN l.time_zone IS NULL THEN d.not_before END AS not_before,
        date_in_zone(coalesce(l.time_zone, d.zone, 'UTC'), ${from}::timestamptz) AS day) o
      WHERE (l.by_secret OR l.time_zone IS NULL OR NOT l.time_zone_by_secret)
        AND (l.zone IS DISTINCT FROM l.time_zone OR l.by_secret AND NOT l.time_zone_by_secret
          AND l.zone IS NOT NULL)
        -- Always true. It makes the planner expect few users and look them up by key, even on an empty database.
        AND l.events = l.events + 0
    ), history AS (
      INSERT INTO user_time_zone (user_id, since, partner_id, environment, zone, by_secret, not_before)
      SELECT user_id, since, partner_id, environment, zone, by_secret, not_before
      FROM change ORDER BY user_id
      ON CONFLICT (user_id, since) DO UPDATE SET zone = excluded.zone, by_secret = excluded.by_secret
    )
    UPDATE user_profile p SET time_zone = c.zone, time_zone_since = c.since,
      time_zone_not_before = c.not_before, time_zone_by_secret = c.by_secret
    FROM change c
    WHERE p.user_id = c.user_id`,
)

const idRows = inputRows({ partnerId: 'uuid', environment: 'Environment', userId: 'uuid' })

/** The zone that each user has at a moment, and the next change that is known then. */
export const selectTimeZones = statement(
  'find_time_zones',
  returns({ n: 'int', timeZone: 'text', nextTimeZone: 'text?', nextAt: 'timestamptz?' }),
  (users: ItemsOf<typeof idRows>, at: Date) => Prisma.sql`
    SELECT k.n, z.zone AS "timeZone", c.zone AS "nextTimeZone", c.since AS "nextAt"
    FROM ${idRows(users, 'k')}
    CROSS JOIN LATERAL zone_of_user(k.user_id, ${at}::timestamptz) z
    LEFT JOIN LATERAL (
      SELECT b.since, y.zone FROM (
        SELECT u.since FROM user_time_zone u
          WHERE u.user_id = k.user_id AND u.since > ${at}::timestamptz
        UNION SELECT d.since FROM partner_time_zone d
          WHERE d.partner_id = k.partner_id AND d.environment = k.environment
            AND d.since > ${at}::timestamptz) b
      CROSS JOIN LATERAL zone_of_user(k.user_id, b.since) y
      WHERE y.zone <> z.zone ORDER BY b.since LIMIT 1) c ON true`,
)

/** Locks a partner, so that changes of its time zone wait for each other. */
export const lockPartner = lockStatement(
  'lock_partner',
  returns({ id: 'uuid' }),
  (partnerId: string) => Prisma.sql`
    SELECT id FROM partner WHERE id = ${partnerId}::uuid
    FOR NO KEY UPDATE`,
)

/**
 * Changes the time zone of a partner's users who have none, from the next midnight after `from` in the zone of then.
 * Until that comes, another change replaces it.
 */
export const changePartnerZone = statement(
  'change_partner_time_zone',
  returnsNothing,
  ({ partnerId, environment }: Tenant, timeZone: string, from: Date) => Prisma.sql`
    WITH own AS MATERIALIZED (
      SELECT * FROM partner_time_zone
      WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
    ), former AS MATERIALIZED (
      SELECT zone, not_before, date_in_zone(zone, ${from}::timestamptz) AS day FROM (
        SELECT since, zone, not_before FROM own WHERE since <= ${from}::timestamptz
        UNION ALL SELECT '-infinity', 'UTC', NULL) f
      ORDER BY since DESC LIMIT 1
    )
    INSERT INTO partner_time_zone (partner_id, environment, since, zone, not_before)
    SELECT ${partnerId}::uuid, ${environment}::"Environment",
      coalesce(n.since, start_of_date(f.zone, f.day + 1)), ${timeZone}::text,
      coalesce(n.not_before, greatest(f.day, f.not_before))
    FROM former f LEFT JOIN own n ON n.since > ${from}::timestamptz
    WHERE n.since IS NOT NULL OR f.zone <> ${timeZone}::text
    ON CONFLICT (partner_id, environment, since) DO UPDATE SET zone = excluded.zone`,
)
