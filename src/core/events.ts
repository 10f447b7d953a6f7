/** What happened, written by the statement that did it. Nobody who announces knows who listens. */
import { Prisma } from '../generated/prisma/client.ts'

/** Every kind of event (interface: Events; decisions §11). */
export const eventTypes = [
  'points.awarded',
  'game.played',
  'campaign.code_redeemed',
  'campaign.referral_completed',
  'campaign.instant_win_won',
  'lottery.entry_created',
  'lottery.draw_completed',
  'lottery.ticket_won',
  'journey.stage_changed',
  'journey.offer_claimed',
  'arena.game_reviewed',
  'arena.session_completed',
  'match.started',
  'match.completed',
  'match.cancelled',
  'game.completed',
] as const

/** `test` goes to one endpoint alone, whatever it has subscribed to. */
export type EventType = (typeof eventTypes)[number] | 'test'

/**
 * Announces something: the part of a statement that writes its events, so that they are there exactly
 * when their cause is. `source` is a SELECT of (id, partner_id, environment, data, occurred_at). The id
 * is that of the row that stands for what happened, so one fact has one event.
 */
export const emit = (type: EventType, source: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
  SELECT id, partner_id, environment, ${type}::text, data, occurred_at FROM (${source}) s`
