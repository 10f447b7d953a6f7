/** Statements that erase a user, in steps. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import type { UserId } from '../kit/user-id.ts'

/** Locks the erasure of a user, which is done one step at a time. */
export const lockErasure = lockStatement(
  'lock_erasure',
  returns({ userId: 'uuid' }),
  (userId: UserId) => Prisma.sql`
    SELECT user_id AS "userId" FROM user_erasure WHERE user_id = ${userId}::uuid FOR NO KEY UPDATE`,
)

/** Ends some active offers of a user, and clears the texts of some offers. */
export const eraseOffers = statement(
  'erase_offers',
  returnsNothing,
  (userId: UserId, limit: number) => Prisma.sql`
    UPDATE offer SET metadata = NULL, description = NULL,
      status = CASE WHEN status = 'active' THEN 'expired' ELSE status END
    WHERE id IN (SELECT id FROM offer WHERE user_id = ${userId}::uuid
      AND (metadata IS NOT NULL OR description IS NOT NULL OR status = 'active')
      ORDER BY id LIMIT ${limit}::int)`,
  { isPrepared: false },
)

/** The newest entries of a timeline, from a place on. The first place is null. */
type Place = { reachedAt: Date | null; reachedId: string | null }

/**
 * Erases the next entries of a timeline, the newest first: deletes them, except for those of ledger entries,
 * plays, campaigns and claims, which lose their metadata. Removes the reasons of manual ledger entries. Keeps
 * the totals and hours of the profile, but for its first and last event and its pauses.
 */
export const eraseActivities = statement(
  'erase_activities',
  returns({
    ids: 'uuid[]',
    erased: 'int',
    hours: 'timestamptz[]',
    reachedAt: 'timestamptz?',
    reachedId: 'uuid?',
  }),
  // Long: one statement.
  (userId: UserId, { reachedAt, reachedId }: Place, limit: number) => Prisma.sql`
    WITH step AS MATERIALIZED (
      SELECT a.*, NOT EXISTS (SELECT FROM ledger_entry l WHERE l.id = a.id)
          AND NOT EXISTS (SELECT FROM play p WHERE p.id = a.id)
          AND NOT (category = 'CAMPAIGN' AND EXISTS (SELECT FROM campaign_participant c
            WHERE c.user_id = a.user_id AND c.campaign_id::text = a.source_id))
          AND NOT (event_type = 'offer_claimed'
            AND EXISTS (SELECT FROM offer o WHERE o.user_id = a.user_id AND o.id::text = a.source_id))
          AS is_personal
      FROM user_activity a
      WHERE user_id = ${userId}::uuid AND (occurred_at, id)
        < (coalesce(${reachedAt}::timestamptz, 'infinity'),
          coalesce(${reachedId}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
      ORDER BY occurred_at DESC, id DESC LIMIT ${limit}::int
    ), profile AS (
      UPDATE user_profile p SET events = p.events - s.events, plays = p.plays - s.plays,
        wins = p.wins - s.wins
      FROM (SELECT count(*) AS events, count(*) FILTER (WHERE counts_as_play(category)) AS plays,
        count(*) FILTER (WHERE counts_as_win(category, won, points)) AS wins
        FROM step WHERE is_personal) s
      WHERE p.user_id = ${userId}::uuid AND s.events > 0
    ), hour AS (
      UPDATE user_hour h SET plays = h.plays - s.plays, points_earned = h.points_earned - s.points_earned,
        own_plays = h.own_plays - s.own_plays, own_points = h.own_points - s.own_points
      FROM (SELECT hour_of_activity(occurred_at) AS hour,
        count(*) FILTER (WHERE counts_as_play(category)) AS plays,
        sum(points_earned_by(earned, points)) AS points_earned,
        count(*) FILTER (WHERE counts_as_play(category) AND is_own_activity(earned)) AS own_plays,
        coalesce(sum(earned), 0) AS own_points
        FROM step WHERE is_personal GROUP BY 1) s
      WHERE h.user_id = ${userId}::uuid AND h.hour = s.hour
    ), reason AS (
      UPDATE ledger_correction c SET reason = NULL FROM step s
      WHERE c.entry_id = s.id AND c.reason IS NOT NULL
    ), gone AS (
      DELETE FROM user_activity a USING step s WHERE a.id = s.id AND s.is_personal
    ), kept AS (
      UPDATE user_activity a SET metadata = NULL FROM step s
      WHERE a.id = s.id AND NOT s.is_personal AND s.metadata IS NOT NULL
    )
    SELECT coalesce(array_agg(id), '{}') AS ids,
      count(*) FILTER (WHERE is_personal)::int AS erased,
      coalesce(array_agg(DISTINCT hour_of_activity(occurred_at)) FILTER (WHERE is_personal), '{}') AS hours,
      (array_agg(occurred_at ORDER BY occurred_at, id))[1] AS "reachedAt",
      (array_agg(id ORDER BY occurred_at, id))[1] AS "reachedId"
    FROM step`,
  { isPrepared: false },
)

/** Deletes those of these hours of a user in which nothing happened. */
export const deleteEmptyHours = statement(
  'delete_empty_hours',
  returnsNothing,
  (userId: UserId, hours: Date[]) => Prisma.sql`
    DELETE FROM user_hour h WHERE user_id = ${userId}::uuid AND hour = ANY (${hours}::timestamptz[])
      AND NOT EXISTS (SELECT FROM user_activity a WHERE a.user_id = h.user_id AND NOT a.is_correction
        AND a.occurred_at >= h.hour AND a.occurred_at < h.hour + interval '1 hour')`,
  { isPrepared: false },
)

/** The stored events of these activities or tickets. */
export const findEventsOf = statement(
  'find_events_of',
  returns({ id: 'uuid' }),
  (ids: string[], ticketIds: string[]) => Prisma.sql`
    SELECT id FROM event WHERE id = ANY (${[...ids, ...ticketIds]}::uuid[])
    UNION SELECT e.id FROM lottery_ticket t
      JOIN lottery_draw d ON d.id = t.draw_id
      JOIN event e ON e.type = 'lottery.ticket_won' AND e.partner_id = t.partner_id
        AND e.occurred_at = d.completed_at AND e.data ->> 'ticketId' = t.id::text
      WHERE t.id = ANY (${ticketIds}::uuid[])`,
  { isPrepared: false },
)

/** The stored events that name a user, except for those of the timeline and of tickets. */
export const findOtherEvents = statement(
  'find_other_events_of_user',
  returns({ id: 'uuid' }),
  (userId: UserId) => Prisma.sql`
    WITH own AS (
      SELECT id FROM stage_change WHERE user_id = ${userId}::uuid
      UNION SELECT r.id FROM campaign_participant p
        JOIN referral r ON (r.campaign_id, r.referee_id) = (p.campaign_id, p.user_id)
        WHERE p.user_id = ${userId}::uuid
    )
    SELECT e.id FROM own JOIN event e USING (id)
    UNION SELECT e.id FROM user_block b
      JOIN event e ON e.type IN ('user.blocked', 'user.unblocked') AND e.partner_id = b.partner_id
        AND (e.id = b.id OR e.occurred_at = b.ended_at)
      JOIN user_erasure x ON x.user_id = b.user_id
      WHERE b.user_id = ${userId}::uuid
        AND e.data ->> 'userId' IN (SELECT h ->> 'externalId' FROM json_array_elements(x.holders) h)
    UNION SELECT e.id FROM arena_player p
      JOIN arena_session s ON s.id = p.session_id
      JOIN event e ON e.type = 'arena.session_completed' AND e.partner_id = p.partner_id
        AND e.occurred_at BETWEEN s.completed_at AND s.completed_at + interval '1 minute'
        AND e.data ->> 'sessionId' = s.id::text
      WHERE p.user_id = ${userId}::uuid
    UNION SELECT e.id FROM reward_grant g
      JOIN event e ON e.type IN ('grant.ready', 'grant.issued', 'grant.revoked', 'grant.expired',
          'grant.fulfilled', 'grant.failed', 'grant.cancelled')
        AND e.partner_id = g.partner_id
        AND e.occurred_at = ANY (ARRAY[g.ready_at, g.issued_at, g.revoked_at, g.expired_at, g.fulfilled_at,
          g.cancelled_at] || g.failure_times)
        AND e.data ->> 'grantId' = g.id::text
      WHERE g.user_id = ${userId}::uuid
    UNION SELECT e.id FROM goal_completion c
      JOIN event e ON e.type IN ('goal.completed', 'goal.revoked') AND e.partner_id = c.partner_id
        AND e.occurred_at = ANY (c.announced_at) AND e.data ->> 'completionId' = c.id::text
      WHERE c.user_id = ${userId}::uuid
    UNION SELECT e.id FROM user_profile p
      JOIN goal_streak o ON (o.partner_id, o.environment) = (p.partner_id, p.environment)
      JOIN streak s ON (s.goal_id, s.user_id) = (o.goal_id, p.user_id)
      JOIN event e ON e.type IN ('streak.milestone', 'streak.at_risk', 'streak.broken', 'streak.restored')
        AND e.partner_id = p.partner_id AND e.occurred_at = ANY (s.announced_at)
        AND e.data ->> 'goalId' = s.goal_id::text
      JOIN user_erasure x ON x.user_id = p.user_id
      WHERE p.user_id = ${userId}::uuid
        AND e.data ->> 'userId' IN (SELECT h ->> 'externalId' FROM json_array_elements(x.holders) h)
    UNION SELECT e.id FROM user_profile p
      JOIN goal g ON (g.partner_id, g.environment) = (p.partner_id, p.environment)
      JOIN goal_join j ON j.goal_id = g.id AND j.user_id = p.user_id
      JOIN event e ON e.type = 'goal.joined' AND e.partner_id = p.partner_id AND e.occurred_at = j.joined_at
        AND e.data ->> 'goalId' = g.id::text AND e.data ->> 'windowStart' = j.window_start::text
      JOIN user_erasure x ON x.user_id = p.user_id
      WHERE p.user_id = ${userId}::uuid
        AND e.data ->> 'userId' IN (SELECT h ->> 'externalId' FROM json_array_elements(x.holders) h)`,
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

/** Removes campaigns that only deleted entries of the timeline had joined. */
export const deleteJoinedCampaigns = statement(
  'delete_joined_campaigns',
  returnsNothing,
  (userId: UserId) => Prisma.sql`
    DELETE FROM joined_campaign WHERE user_id = ${userId}::uuid AND NOT is_own AND campaign_id NOT IN (
      SELECT source_id FROM user_activity
      WHERE user_id = ${userId}::uuid AND counts_as_joining(category, source_id))`,
  { isPrepared: false },
)

/** Locks the profile of a user, so that nothing is added to the timeline. */
export const lockProfile = lockStatement(
  'lock_profile',
  returns({ userId: 'uuid' }),
  (userId: UserId) => Prisma.sql`
    SELECT user_id AS "userId" FROM user_profile WHERE user_id = ${userId}::uuid FOR NO KEY UPDATE`,
)

/**
 * Rebuilds the totals of a user from the timeline and the joined campaigns, and makes the profile due at a time that
 * nothing else uses, so that a classification from before the erasure is never written after it. Unless the profile is
 * locked, it writes nothing if the timeline has changed while it was read.
 */
export const updateTotals = statement(
  'roll_up_profile',
  returnsNothing,
  (userId: UserId, { isLocked }: { isLocked: boolean }) => Prisma.sql`
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
    WHERE p.user_id = ${userId}::uuid AND (${isLocked}::boolean OR p.events = t.events)`,
  { isPrepared: false },
)
