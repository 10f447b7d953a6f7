import { Prisma } from '../generated/prisma/client.ts'
import type { ActivityCategory } from '../generated/prisma/enums.ts'

/**
 * The part of a statement that writes a line on each user's timeline. `source` is a SELECT of
 * (id, partner_id, environment, user_id, event_type, source_id, points, metadata, occurred_at).
 */
export const trackActivity = (category: ActivityCategory, source: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`
  INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, source_id,
    points, metadata, occurred_at)
  SELECT id, partner_id, environment, user_id, ${category}::"ActivityCategory", event_type,
    source_id, points, metadata, occurred_at
  FROM (${source}) s`
