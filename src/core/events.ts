/** What happened, written by the statement that did it. Nobody who announces knows who listens. */
import { Prisma } from '../generated/prisma/client.ts'

export type EventType = 'points.awarded' | 'game.played'

/**
 * Announces something: the part of a statement that writes its events, so that they are there exactly
 * when their cause is. `source` is a SELECT of (id, partner_id, environment, data, occurred_at). The id
 * is that of the row that stands for what happened, so one fact has one event.
 */
export const emit = (type: EventType, source: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
  SELECT id, partner_id, environment, ${type}::text, data, occurred_at FROM (${source}) s`
