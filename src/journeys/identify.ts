/** What a partner knows of a user, put on the profile. */
import { z } from 'zod'
import { addToCounter } from '../core/counters.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { email, jsonObject, oneOf, text } from '../core/validation.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { Device } from '../generated/prisma/enums.ts'
import { UserBy, userByKey, userLockOrder } from '../users/end-user.ts'
import { writeClassifications } from './classification.ts'
import { clearable } from './clearable.ts'
import { countryCode } from './country.ts'
import { findProfiles, type Profile } from './profile.ts'
import { recordSegmentMoves } from './segment.ts'

/** What is known of a user (interface: POST /v1/user-journeys/users). */
export const TrackUser = z
  .object({
    user: UserBy.describe('Who; made if absent.'),
    displayName: clearable(text(255)).describe('Name to show.'),
    email: clearable(email()).describe('E-mail address.'),
    phone: clearable(text(20)).describe('At most 20 characters.'),
    country: clearable(countryCode()).describe('ISO 3166-1 alpha-2, in capitals.'),
    device: clearable(oneOf('Device', Device)).describe('What they hold in hand.'),
    source: clearable(text(255)).describe('Acquisition channel.'),
    tags: jsonObject().nullish().describe('Key-value pairs, replaced as a whole; up to 16 KB.'),
    metadata: jsonObject().nullish().describe('Free-form, replaced as a whole; up to 16 KB.'),
  })
  .describe('What is known of a user. What is left out stays.')

/** An empty text unsets a field. */
type Known = Omit<z.output<typeof TrackUser>, 'user'> & { externalId: string }

/** A call with what its caller may do: what a secret key or a member has set, a public key leaves as it is. */
type Call = Tenant & Known & { isTrusted: boolean }

/** Fields that remember whether a secret key has set them. */
const guarded = ['displayName', 'email', 'phone', 'tags', 'metadata'] as const

/** What all calls of a list say of one user, and whether a trusted one has said it. */
type Said = Tenant & Known & { [F in (typeof guarded)[number] as `${F}BySecret`]?: boolean }

const nameOf = ({ partnerId, environment, externalId }: Tenant & { externalId: string }) =>
  JSON.stringify([partnerId, environment, externalId])

/**
 * Later calls for a user of the list win field by field, and trusted ones over the others: calls that
 * are under way together have no order of their own.
 */
const mergeByUser = (users: Call[]): Said[] => {
  const merged = new Map<string, Said>()
  for (const { isTrusted, ...user } of users.toSorted((a, b) => +a.isTrusted - +b.isTrusted)) {
    const given = Object.entries(user).filter(([, value]) => value != null)
    const by = guarded.filter((name) => user[name] != null)
    merged.set(nameOf(user), {
      ...merged.get(nameOf(user)),
      ...Object.fromEntries(given),
      ...Object.fromEntries(by.map((name) => [`${name}BySecret`, isTrusted])),
    } as Said)
  }
  return [...merged.values()]
}

/**
 * Makes profiles or changes what is known, in the order of the list: one write and one read for all of
 * it. Gives each profile as it is after that: a field that a secret key has set stays as it was.
 */
export const trackUsers = async (work: Work, users: Call[]): Promise<(Profile | Error)[]> => {
  await writeUsers(work, mergeByUser(users))
  const profiles = await findProfiles(
    work,
    users.map((user) => ({ ...tenantOf(user), externalId: user.externalId })),
  )
  const found = new Map(profiles.flatMap((profile) => (profile ? [[profile.userId, profile]] : [])))
  await writeClassifications(work, [...found.values()]).catch(() => {}) // it stays due
  return profiles as Profile[]
}

/** A guarded column after a call, and its flag. `given` and `stored` name the rows to choose from. */
const settle = (column: string, given: string, stored: string) => {
  const by = `${column}_by_secret`
  const isNew = `${given}.${column} IS NOT NULL AND (${given}.${by}
    OR ${stored}.${column} IS NULL OR NOT ${stored}.${by})`
  const choose = (name: string) =>
    Prisma.raw(`CASE WHEN ${isNew} THEN ${given}.${name} ELSE ${stored}.${name} END`)
  return { value: choose(column), bySecret: Prisma.sql`coalesce(${choose(by)}, false)` }
}

const writeUsers = async ({ tx, clock }: Work, users: Said[]): Promise<void> => {
  const now = clock()
  const input = users.map((user) => ({
    ...user,
    partner_id: user.partnerId,
    external_id: user.externalId,
    display_name: user.displayName,
    display_name_by_secret: user.displayNameBySecret,
    email_by_secret: user.emailBySecret,
    phone_by_secret: user.phoneBySecret,
    tags_by_secret: user.tagsBySecret,
    metadata_by_secret: user.metadataBySecret,
  }))
  const displayName = settle('display_name', 'excluded', 'u')
  const email = settle('email', 'excluded', 'u')
  const metadata = settle('metadata', 'excluded', 'u')
  const phone = settle('phone', 'g', 'b')
  const tags = settle('tags', 'g', 'b')
  await tx.$executeRaw`/* track_users */
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(input)}::json) AS i (partner_id uuid,
        environment "Environment", external_id text, display_name text, email text, phone text,
        country text, device text, source text, tags jsonb, metadata json,
        display_name_by_secret boolean, email_by_secret boolean, phone_by_secret boolean,
        tags_by_secret boolean, metadata_by_secret boolean)
    ), owner AS (
      INSERT INTO end_user AS u (id, partner_id, environment, external_id, display_name, email,
        metadata, display_name_by_secret, email_by_secret, metadata_by_secret, score_reached_at,
        created_at)
      SELECT gen_random_uuid(), partner_id, environment, external_id,
        CASE WHEN e.id IS NULL THEN nullif(k.display_name, '') ELSE k.display_name END,
        CASE WHEN e.id IS NULL THEN nullif(k.email, '') ELSE k.email END,
        k.metadata, coalesce(k.display_name_by_secret, false), coalesce(k.email_by_secret, false),
        coalesce(k.metadata_by_secret, false), ${now}::timestamptz, ${now}::timestamptz
      FROM input k LEFT JOIN LATERAL ${userByKey(Prisma.sql`u.id`)} e ON true
      ORDER BY ${userLockOrder}
      ON CONFLICT (partner_id, environment, external_id) DO UPDATE SET
        display_name = nullif(${displayName.value}, ''),
        display_name_by_secret = ${displayName.bySecret},
        email = nullif(${email.value}, ''), email_by_secret = ${email.bySecret},
        metadata = ${metadata.value}, metadata_by_secret = ${metadata.bySecret}
      RETURNING id, partner_id, environment, external_id, xmax = 0 AS made
    ), given AS MATERIALIZED (
      SELECT o.id, i.* FROM input i JOIN owner o USING (partner_id, environment, external_id)
      ORDER BY o.id
    ), before AS MATERIALIZED (
      SELECT p.* FROM given g JOIN user_profile p ON p.user_id = g.id
      ORDER BY p.user_id FOR NO KEY UPDATE OF p
    ), profile AS (
      INSERT INTO user_profile AS p (user_id, partner_id, environment, phone, country, device,
        source, tags, phone_by_secret, tags_by_secret, identified_at)
      SELECT g.id, g.partner_id, g.environment, nullif(${phone.value}, ''),
        nullif(coalesce(g.country, b.country), ''),
        nullif(coalesce(g.device, b.device::text), '')::"Device",
        nullif(coalesce(g.source, b.source), ''), ${tags.value}, ${phone.bySecret},
        ${tags.bySecret}, ${now}::timestamptz
      FROM given g LEFT JOIN before b ON b.user_id = g.id
      ON CONFLICT (user_id) DO UPDATE SET phone = excluded.phone, country = excluded.country,
        device = excluded.device, source = excluded.source, tags = excluded.tags,
        phone_by_secret = excluded.phone_by_secret, tags_by_secret = excluded.tags_by_secret,
        identified_at = coalesce(p.identified_at,
          CASE WHEN p.first_event_at IS NULL THEN excluded.identified_at END),
        due_at = CASE WHEN p.identified_at IS NULL AND p.first_event_at IS NULL
          THEN 'epoch' ELSE p.due_at END
      RETURNING user_id, partner_id, environment, stage, tier, country, device, source, tags
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
    )}`
}
