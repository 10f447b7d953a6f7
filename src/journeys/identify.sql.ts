/** The statement that writes profile data of users. */

import { Prisma } from '../generated/prisma/client.ts'
import { addToCounter } from '../kit/database/counters.ts'
import { type ItemsOf, inputRows, returnsNothing, statement } from '../kit/database/statement.ts'
import { userByKey, userLockOrder } from '../users/end-user.sql.ts'
import { recordSegmentMoves } from './segment.sql.ts'

/**
 * The SQL of a guarded column after a call, and of its flag. `given` and `stored` are the aliases of the rows to choose
 * from.
 */
const settle = (column: string, given: string, stored: string) => {
  const by = `${column}_by_secret`
  const isNew = `${given}.${column} IS NOT NULL AND (${given}.${by}
    OR ${stored}.${column} IS NULL OR NOT ${stored}.${by})`
  const choose = (name: string) =>
    Prisma.raw(`CASE WHEN ${isNew} THEN ${given}.${name} ELSE ${stored}.${name} END`)
  return { value: choose(column), bySecret: Prisma.sql`coalesce(${choose(by)}, false)` }
}

const displayName = settle('display_name', 'excluded', 'u')
const email = settle('email', 'excluded', 'u')
const metadata = settle('metadata', 'excluded', 'u')
const phone = settle('phone', 'g', 'b')
const tags = settle('tags', 'g', 'b')

const userRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  onlyExisting: 'boolean',
  displayName: 'text?',
  email: 'text?',
  phone: 'text?',
  country: 'text?',
  // An empty text unsets the field.
  device: 'text?',
  source: 'text?',
  // Only for users who are created; `changeTimeZones` does the rest.
  timeZone: 'text?',
  tags: 'jsonb?',
  metadata: 'json?',
  displayNameBySecret: 'boolean?',
  emailBySecret: 'boolean?',
  phoneBySecret: 'boolean?',
  timeZoneBySecret: 'boolean?',
  tagsBySecret: 'boolean?',
  metadataBySecret: 'boolean?',
})

/** The part that writes what `input` says of users, and creates those who do not exist. */
const upsertOwners = (now: Date): Prisma.Sql => Prisma.sql`
      INSERT INTO end_user AS u (id, partner_id, environment, external_id, display_name, email,
        metadata, display_name_by_secret, email_by_secret, metadata_by_secret, score_reached_at,
        created_at)
      SELECT gen_random_uuid(), partner_id, environment, external_id,
        CASE WHEN e.id IS NULL THEN nullif(k.display_name, '') ELSE k.display_name END,
        CASE WHEN e.id IS NULL THEN nullif(k.email, '') ELSE k.email END,
        k.metadata, coalesce(k.display_name_by_secret, false), coalesce(k.email_by_secret, false),
        coalesce(k.metadata_by_secret, false), ${now}::timestamptz, ${now}::timestamptz
      FROM (SELECT * FROM input ORDER BY ${userLockOrder}) k
      -- The lock waits for an erasure, after which nobody has the key, and makes a later one wait.
      LEFT JOIN LATERAL ${userByKey(Prisma.sql`u.id`, Prisma.sql`FOR KEY SHARE`)} e ON true
      WHERE e.id IS NOT NULL OR NOT k.only_existing
      ORDER BY ${userLockOrder}
      ON CONFLICT (partner_id, environment, external_id) DO UPDATE SET
        display_name = nullif(${displayName.value}, ''),
        display_name_by_secret = ${displayName.bySecret},
        email = nullif(${email.value}, ''), email_by_secret = ${email.bySecret},
        metadata = ${metadata.value}, metadata_by_secret = ${metadata.bySecret}
      RETURNING id, partner_id, environment, external_id, xmax = 0 AS made`

/**
 * Writes profile data of users, creates users and profiles if necessary, and writes moves between segments. Null
 * leaves a field unchanged, an empty text unsets it.
 */
export const upsertProfiles = statement(
  'track_users',
  returnsNothing,
  (users: ItemsOf<typeof userRows>, now: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${userRows(users)}
    ), owner AS (${upsertOwners(now)}
    ), given AS MATERIALIZED (
      SELECT o.id, i.*, CASE WHEN o.made THEN nullif(i.time_zone, '') END AS first_zone
      FROM input i JOIN owner o USING (partner_id, environment, external_id)
      ORDER BY o.id
    ), before AS MATERIALIZED (
      SELECT p.* FROM given g JOIN user_profile p ON p.user_id = g.id
      ORDER BY p.user_id FOR NO KEY UPDATE OF p
    ), profile AS (
      INSERT INTO user_profile AS p (user_id, partner_id, environment, phone, country, device,
        source, tags, phone_by_secret, tags_by_secret, identified_at, user_created_at, time_zone,
        time_zone_since, time_zone_by_secret)
      SELECT g.id, g.partner_id, g.environment, nullif(${phone.value}, ''),
        nullif(coalesce(g.country, b.country), ''),
        nullif(coalesce(g.device, b.device::text), '')::"Device",
        nullif(coalesce(g.source, b.source), ''), ${tags.value}, ${phone.bySecret},
        ${tags.bySecret}, ${now}::timestamptz, ${now}::timestamptz, g.first_zone,
        CASE WHEN g.first_zone IS NOT NULL THEN ${now}::timestamptz END,
        g.first_zone IS NOT NULL AND g.time_zone_by_secret
      FROM given g LEFT JOIN before b ON b.user_id = g.id
      ON CONFLICT (user_id) DO UPDATE SET phone = excluded.phone, country = excluded.country,
        device = excluded.device, source = excluded.source, tags = excluded.tags,
        phone_by_secret = excluded.phone_by_secret, tags_by_secret = excluded.tags_by_secret,
        identified_at = coalesce(p.identified_at,
          CASE WHEN p.first_event_at IS NULL THEN excluded.identified_at END),
        due_at = CASE WHEN p.identified_at IS NULL AND p.first_event_at IS NULL
          THEN 'epoch' ELSE p.due_at END
      RETURNING user_id, partner_id, environment, stage, tier, country, device, source, tags
    ), zone AS (
      INSERT INTO user_time_zone (user_id, since, partner_id, environment, zone, by_secret)
      SELECT id, ${now}::timestamptz, partner_id, environment, first_zone, time_zone_by_secret
      FROM given WHERE first_zone IS NOT NULL
    ), users AS (${addToCounter(
      'users',
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount FROM owner WHERE made
        GROUP BY partner_id, environment`,
    )}
    )
    ${recordSegmentMoves(
      Prisma.sql`SELECT a.*, b.stage AS stage_before, b.tier AS tier_before,
          b.country AS country_before, b.device AS device_before, b.source AS source_before,
          b.tags AS tags_before
        FROM profile a LEFT JOIN before b USING (user_id)`,
      now,
    )}`,
)
