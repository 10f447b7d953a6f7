import { Prisma } from '../generated/prisma/client.ts'
import type { ActivityCategory } from '../generated/prisma/enums.ts'

/**
 * The part of a statement that writes entries of timelines. `source` is a SELECT of (id, partner_id, environment,
 * user_id, event_type, source_id, points, metadata, occurred_at).
 * By default, an entry earned its points if they are above 0, and a play won if they are; a writer can override this
 * with expressions over `source`. Entries with `earned` come from the server, others from callers. Public keys see
 * the metadata only if the writer allows it, and never what a secret key has sent. A correction is no activity of the user:
 * no total, stage, score or metric follows from it.
 */
export const trackActivity = (
  category: ActivityCategory,
  source: Prisma.Sql,
  {
    earned = Prisma.sql`greatest(points, 0)`,
    won = Prisma.sql`NULL::boolean`,
    isPublic = false,
    isCorrection = false,
  } = {},
): Prisma.Sql =>
  Prisma.sql`
  INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, source_id,
    points, earned, won, metadata, metadata_is_public, is_correction, occurred_at)
  SELECT id, partner_id, environment, user_id, ${category}::"ActivityCategory", event_type,
    source_id, points, ${earned}, ${won}, metadata, ${isPublic}::boolean,
    ${isCorrection}::boolean, occurred_at
  FROM (${source}) s`

/**
 * The same for events of any category that callers send. They have no `earned`, because their points are not verified.
 * `source` also has `category`, `reference` and `metadata_is_public`. Skips an entry if its user already has the
 * reference. Returns the ids of the written entries.
 */
export const trackSentEvents = (source: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, source_id,
    points, reference, metadata, metadata_is_public, occurred_at)
  SELECT id, partner_id, environment, user_id, category, event_type, source_id, points, reference,
    metadata, metadata_is_public, occurred_at
  FROM (${source}) s
  ON CONFLICT (user_id, reference) WHERE reference IS NOT NULL DO NOTHING
  RETURNING id`
