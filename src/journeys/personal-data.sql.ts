/** Statements that erase a user. */
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../core/db/statement.ts'
import type { UserId } from '../core/user-id.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Ends the active offers of a user, and clears the texts of all offers. */
export const eraseOffers = statement(
  'erase_offers',
  returnsNothing,
  (userId: UserId) => Prisma.sql`
    UPDATE offer SET metadata = NULL, description = NULL,
      status = CASE WHEN status = 'active' THEN 'expired' ELSE status END
    WHERE user_id = ${userId}::uuid`,
  { isPrepared: false },
)

/** Removes the reasons of manual ledger entries, including archived ones. All of them are on the timeline. */
export const eraseReasons = statement(
  'erase_reasons',
  returnsNothing,
  (userId: UserId) => Prisma.sql`
    UPDATE ledger_correction c SET reason = NULL FROM user_activity a
    WHERE a.user_id = ${userId}::uuid AND c.entry_id = a.id AND c.reason IS NOT NULL`,
  { isPrepared: false },
)

/** Deletes the timeline except for entries of ledger entries, archived or not, plays, campaigns and claims. */
export const deleteActivities = statement(
  'erase_activities',
  returnsNothing,
  (userId: UserId) => Prisma.sql`
    DELETE FROM user_activity a
    WHERE user_id = ${userId}::uuid
      AND NOT EXISTS (SELECT FROM ledger_entry l WHERE l.id = a.id)
      AND NOT (category = 'POINTS' AND earned IS NOT NULL)
      AND NOT EXISTS (SELECT FROM play p WHERE p.id = a.id)
      AND NOT (category = 'CAMPAIGN' AND EXISTS (SELECT FROM campaign_participant c
        WHERE c.user_id = a.user_id AND c.campaign_id::text = a.source_id))
      AND NOT (event_type = 'offer_claimed'
        AND EXISTS (SELECT FROM offer o WHERE o.user_id = a.user_id AND o.id::text = a.source_id))`,
  { isPrepared: false },
)

/** The stored events that name a user or one of these tickets. */
export const findEventsOfUser = statement(
  'find_events_of_user',
  returns({ id: 'uuid' }),
  (userId: UserId, ticketIds: string[]) => Prisma.sql`
    WITH own AS (
      SELECT id FROM user_activity WHERE user_id = ${userId}::uuid
      UNION SELECT id FROM stage_change WHERE user_id = ${userId}::uuid
      UNION SELECT unnest(${ticketIds}::uuid[])
      UNION SELECT r.id FROM campaign_participant p
        JOIN referral r ON (r.campaign_id, r.referee_id) = (p.campaign_id, p.user_id)
        WHERE p.user_id = ${userId}::uuid
    )
    SELECT e.id FROM own JOIN event e USING (id)
    UNION SELECT e.id FROM lottery_ticket t
      JOIN lottery_draw d ON d.id = t.draw_id
      JOIN event e ON e.type = 'lottery.ticket_won' AND e.partner_id = t.partner_id
        AND e.occurred_at = d.completed_at AND e.data ->> 'ticketId' = t.id::text
      WHERE t.id = ANY (${ticketIds}::uuid[])
    UNION SELECT e.id FROM arena_player p
      JOIN arena_session s ON s.id = p.session_id
      JOIN event e ON e.type = 'arena.session_completed' AND e.partner_id = p.partner_id
        AND e.occurred_at BETWEEN s.completed_at AND s.completed_at + interval '1 minute'
        AND e.data ->> 'sessionId' = s.id::text
      WHERE p.user_id = ${userId}::uuid`,
  { isPrepared: false },
)

const eventRows = inputRows({ id: 'uuid', data: 'json' })

/** Replaces the data of events. */
export const updateEvents = statement(
  'rename_in_events',
  returnsNothing,
  (events: ItemsOf<typeof eventRows>) => Prisma.sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM event WHERE id = ANY (${events.map(({ id }) => id)}::uuid[])
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE event e SET data = i.data FROM ${eventRows(events)} JOIN locked USING (id)
    WHERE e.id = i.id`,
  { isPrepared: false },
)

/** Rebuilds the hours of a user from the timeline. */
export const insertHours = statement(
  'roll_up_hours',
  returnsNothing,
  (userId: UserId) => Prisma.sql`
    INSERT INTO user_hour (user_id, hour, partner_id, environment, plays, points_earned, own_plays,
      own_points)
    SELECT user_id, hour_of_activity(occurred_at), partner_id, environment,
      count(*) FILTER (WHERE counts_as_play(category)), sum(points_earned_by(earned, points)),
      count(*) FILTER (WHERE counts_as_play(category) AND is_own_activity(earned)),
      coalesce(sum(earned), 0)
    FROM user_activity WHERE user_id = ${userId}::uuid AND NOT is_correction GROUP BY 1, 2, 3, 4`,
  { isPrepared: false },
)

/** Rebuilds the campaigns that a user has joined from the timeline. */
export const insertJoinedCampaigns = statement(
  'roll_up_campaigns',
  returnsNothing,
  (userId: UserId) => Prisma.sql`
    INSERT INTO joined_campaign (user_id, campaign_id, partner_id, environment, is_own)
    SELECT user_id, source_id, partner_id, environment, bool_or(is_own_activity(earned))
    FROM user_activity WHERE user_id = ${userId}::uuid AND counts_as_joining(category, source_id)
    GROUP BY 1, 2, 3, 4`,
  { isPrepared: false },
)

/**
 * Rebuilds the totals of a user from the timeline and the joined campaigns, and makes the profile due at a time that
 * nothing else uses, so that a classification from before the erasure is never written after it.
 */
export const updateTotals = statement(
  'roll_up_profile',
  returnsNothing,
  (userId: UserId) => Prisma.sql`
    UPDATE user_profile p SET events = t.events, plays = t.plays, wins = t.wins,
      campaigns = (SELECT count(*) FROM joined_campaign WHERE user_id = ${userId}::uuid),
      own_campaigns = (SELECT count(*) FROM joined_campaign
        WHERE user_id = ${userId}::uuid AND is_own),
      first_event_at = t.first_at, last_event_at = t.last_at, session_gaps = t.gaps,
      session_gap_ms = t.gap_ms, due_at = timestamptz 'epoch' - interval '1 second'
    FROM (SELECT count(*) AS events, count(*) FILTER (WHERE counts_as_play(category)) AS plays,
        count(*) FILTER (WHERE counts_as_win(category, won, points)) AS wins,
        min(occurred_at) AS first_at, max(occurred_at) AS last_at,
        count(*) FILTER (WHERE ends_session(pause)) AS gaps,
        coalesce(sum(extract(epoch FROM pause) * 1000)
          FILTER (WHERE ends_session(pause)), 0) AS gap_ms
      FROM (SELECT *, occurred_at - lag(occurred_at) OVER (ORDER BY occurred_at) AS pause
        FROM user_activity WHERE user_id = ${userId}::uuid AND NOT is_correction) a) t
    WHERE p.user_id = ${userId}::uuid`,
  { isPrepared: false },
)
