import { Prisma } from '../generated/prisma/client.ts'
import type { ActivityCategory } from '../generated/prisma/enums.ts'

/**
 * The part of a statement that writes a line on each user's timeline. `source` is a SELECT of
 * (id, partner_id, environment, user_id, event_type, source_id, points, metadata, occurred_at).
 * A line earned its points where they are above 0, and a play won with them; a writer who knows better
 * says so by expressions over `source`. That `earned` is there tells these lines from those of callers.
 * Public keys see the metadata only where the writer says so: never what a secret key has sent.
 */
export const trackActivity = (
  category: ActivityCategory,
  source: Prisma.Sql,
  {
    earned = Prisma.sql`greatest(points, 0)`,
    won = Prisma.sql`NULL::boolean`,
    isPublic = false,
  } = {},
): Prisma.Sql =>
  Prisma.sql`
  INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, source_id,
    points, earned, won, metadata, metadata_is_public, occurred_at)
  SELECT id, partner_id, environment, user_id, ${category}::"ActivityCategory", event_type,
    source_id, points, ${earned}, ${won}, metadata, ${isPublic}::boolean, occurred_at
  FROM (${source}) s`

/**
 * The same for events of any category that callers send, which earn nothing that is sure: `source` gives
 * `category`, `reference` and `metadata_is_public`, too.
 * A line whose reference its user has already is left out. Gives the ids of the lines it wrote.
 */
export const trackEvents = (source: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, source_id,
    points, reference, metadata, metadata_is_public, occurred_at)
  SELECT id, partner_id, environment, user_id, category, event_type, source_id, points, reference,
    metadata, metadata_is_public, occurred_at
  FROM (${source}) s
  ON CONFLICT (user_id, reference) WHERE reference IS NOT NULL DO NOTHING
  RETURNING id`
