import { Prisma } from '../generated/prisma/client.ts'
import type { ActivityCategory, Fact } from '../generated/prisma/enums.ts'

/**
 * What entries prove of their users: a constant, or an expression over `source`. NULL for what only a public key said, for
 * corrections, and for what is no success of the user, such as an entry fee.
 */
type FactOf = Fact | Prisma.Sql | null

const factSql = (fact: FactOf): Prisma.Sql =>
  fact === null || typeof fact === 'string' ? Prisma.sql`${fact}::"Fact"` : fact

type Tracking = {
  fact: FactOf
  /** The id of the entry of the timeline that it reverses: an award or a campaign credit. */
  reversesId?: Prisma.Sql
  earned?: Prisma.Sql
  won?: Prisma.Sql
  isPublic?: boolean
  isCorrection?: boolean
}

/**
 * The part of a statement that writes entries of timelines. `source` is a SELECT of (id, partner_id, environment,
 * user_id, event_type, source_id, points, metadata, occurred_at). Each writer says which fact its entries are.
 * By default, an entry earned its points if they are above 0, and a play won if they are; a writer can override this
 * with expressions over `source`. Entries with `earned` come from the server, others from callers. Public keys see
 * the metadata only if the writer allows it, and never what a secret key has sent. A correction is no activity of the user:
 * no total, stage, score or metric follows from it. Entries are recorded when they occur.
 */
export const trackActivity = (
  category: ActivityCategory,
  source: Prisma.Sql,
  {
    fact,
    reversesId = Prisma.sql`NULL::uuid`,
    earned = Prisma.sql`greatest(points, 0)`,
    won = Prisma.sql`NULL::boolean`,
    isPublic = false,
    isCorrection = false,
  }: Tracking,
): Prisma.Sql =>
  Prisma.sql`
  INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, source_id,
    points, earned, won, metadata, metadata_is_public, is_correction, fact, reverses_id, occurred_at,
    recorded_at)
  SELECT id, partner_id, environment, user_id, ${category}::"ActivityCategory", event_type,
    source_id, points, ${earned}, ${won}, metadata, ${isPublic}::boolean,
    ${isCorrection}::boolean, ${factSql(fact)}, ${reversesId}, occurred_at, occurred_at
  FROM (${source}) s`

/**
 * The same for events of any category that callers send. They have no `earned`, because their points are not verified.
 * `source` also has `category`, `reference` and `is_trusted`: whether a secret key or a member sent it, so that it is a fact.
 * Public keys may see the metadata of the others, and have references of their own. Skips an entry if its user already has
 * the reference from such a sender. Returns the ids of the written entries.
 */
export const trackSentEvents = (source: Prisma.Sql, now: Date): Prisma.Sql => Prisma.sql`
  INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, source_id,
    points, reference, metadata, metadata_is_public, fact, occurred_at, recorded_at)
  SELECT id, partner_id, environment, user_id, category, event_type, source_id, points, reference,
    metadata, NOT is_trusted, CASE WHEN is_trusted THEN 'ACTIVITY'::"Fact" END, occurred_at, ${now}::timestamptz
  FROM (${source}) s
  ON CONFLICT (user_id, reference, metadata_is_public) WHERE reference IS NOT NULL DO NOTHING
  RETURNING id`
