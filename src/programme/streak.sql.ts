/** Statements about streaks of users: what they follow from, what is kept of them, and what is announced. */
import { Prisma } from '../generated/prisma/client.ts'
import { newIdAt } from '../kit/database/session.sql.ts'
import {
  both,
  type ItemsOf,
  inputRows,
  returns,
  returnsJson,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { type EventKind, emit } from '../kit/streams/events.ts'
import type { UserId } from '../kit/user-id.ts'
import { streakAtRisk, streakBroken, streakMilestone, streakRestored } from './streak.events.ts'
import type { Checkpoint, StreakRecord } from './streak.rules.ts'

const keyRows = inputRows({ userId: 'uuid', goalId: 'uuid?', changed: 'date?' })

/** What is kept of the streak of a user. */
export type StoredStreak = {
  length: number
  longest: number
  freezes: number
  runFrom: string | null
  brokenOn: string | null
  lastBrokenOn: string | null
  atRiskAnnouncedOn: string | null
}

export type MilestoneRow = {
  id: string
  length: number
  reachedOn: string
  round: number
  isRevoked: boolean
}

const zonesOf = Prisma.sql`
  SELECT z.since FROM user_time_zone z WHERE z.user_id = p.user_id
  UNION SELECT z.since FROM partner_time_zone z WHERE (z.partner_id, z.environment) = (p.partner_id, p.environment)`

/** The days on which a user `p` was or will be blocked, if only for a part of them: the first one, and the first after them. */
const daysOfBlocks = Prisma.sql`
  SELECT local_date(p.user_id, b.blocked_at), local_date(p.user_id, least(b.ended_at, b.until) - interval '1 millisecond') + 1
  FROM user_block b WHERE b.user_id = p.user_id`

/**
 * What streaks of users follow from, of one goal of each or of all that have started. The record begins at the checkpoint,
 * which is null if something changed before it. The present window of a goal that has ended is its last one; `last` is null for a goal
 * without an end.
 */
export const readStreaks = statement(
  'read_streaks',
  both(
    returns({
      n: 'int',
      goalId: 'uuid',
      partnerId: 'uuid',
      environment: 'Environment',
      today: 'text',
      present: 'text',
      last: 'text?',
    }),
    both(
      both(
        returnsJson<Checkpoint | null>()('checkpoint'),
        returnsJson<StoredStreak | null>()('kept'),
      ),
      both(returnsJson<StreakRecord>()('record'), returnsJson<MilestoneRow[]>()('milestones')),
    ),
  ),
  // Long: one statement.
  (keys: ItemsOf<typeof keyRows>, now: Date) => Prisma.sql`
    SELECT k.n, g.id AS "goalId", g.partner_id AS "partnerId", g.environment, d.today::text AS today,
      w.present::text AS present, CASE WHEN g.ends_at IS NOT NULL THEN window_start(g.window_kind::text,
        local_date(p.user_id, g.ends_at - interval '1 millisecond')) END::text AS last, c.checkpoint::json AS checkpoint,
      CASE WHEN s.goal_id IS NOT NULL THEN json_build_object('length', s.length, 'longest', s.longest,
        'freezes', s.freezes, 'runFrom', s.run_from, 'brokenOn', s.broken_on,
        'lastBrokenOn', s.last_broken_on, 'atRiskAnnouncedOn', s.at_risk_announced_on) END AS kept,
      json_build_object(
        'met', (SELECT coalesce(json_agg(x.window_start), '[]') FROM goal_completion x
          WHERE x.goal_id = g.id AND x.user_id = p.user_id AND x.k = 1 AND x.revoked_at IS NULL
            AND x.window_start >= c.since),
        'skipped', CASE WHEN g.window_kind <> 'DAY' THEN '[]' ELSE
          (SELECT coalesce(json_agg(x::date), '[]') FROM (${zonesOf}) z
            CROSS JOIN LATERAL generate_series(local_date(p.user_id, z.since - interval '1 millisecond') + 1,
              local_date(p.user_id, z.since) - 1, interval '1 day') x
            WHERE isfinite(z.since) AND z.since <= ${now}::timestamptz) END,
        'freezes', (SELECT coalesce(json_agg(json_build_object('on', x.from_date, 'count', x.count)), '[]')
          FROM streak_change x WHERE (x.goal_id, x.user_id, x.kind) = (g.id, p.user_id, 'FREEZES')),
        'pauses', (SELECT coalesce(json_agg(json_build_object('from', x.from_date, 'until', x.until_date)), '[]')
          FROM (SELECT x.from_date, x.until_date FROM streak_change x
            WHERE (x.goal_id, x.user_id, x.kind) = (g.id, p.user_id, 'PAUSE')
            UNION ALL ${daysOfBlocks}) x),
        'restores', (SELECT coalesce(json_agg(json_build_object('brokenOn', x.from_date,
            'restoredOn', x.until_date)), '[]')
          FROM streak_change x WHERE (x.goal_id, x.user_id, x.kind) = (g.id, p.user_id, 'RESTORE'))) AS record,
      (SELECT coalesce(json_agg(json_build_object('id', x.id, 'length', x.length, 'reachedOn', x.reached_on,
          'round', x.round, 'isRevoked', x.revoked_at IS NOT NULL)), '[]') FROM streak_milestone x
        WHERE x.goal_id = g.id AND x.user_id = p.user_id
          AND x.reached_on >= coalesce((c.checkpoint -> 'run' ->> 'from')::date, c.since)) AS milestones
    FROM ${keyRows(keys, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM user_profile x WHERE x.user_id = k.user_id LIMIT 1) p
    JOIN goal g ON g.partner_id = p.partner_id AND g.environment = p.environment
      AND (g.id = k.goal_id OR k.goal_id IS NULL) AND g.status <> 'DRAFT'
      AND (k.goal_id IS NOT NULL OR g.status <> 'ENDED' OR g.ends_at > ${now}::timestamptz - interval '30 days')
    JOIN goal_streak o ON o.goal_id = g.id
    LEFT JOIN streak s ON (s.goal_id, s.user_id) = (g.id, p.user_id)
    CROSS JOIN LATERAL (SELECT local_date(p.user_id,
      least(${now}::timestamptz, g.ends_at - interval '1 millisecond')) AS today) d
    CROSS JOIN LATERAL (SELECT window_start(g.window_kind::text, d.today) AS present) w
    CROSS JOIN LATERAL (SELECT CASE WHEN (k.changed < (s.checkpoint ->> 'window')::date) IS NOT TRUE
      THEN s.checkpoint END AS checkpoint) y
    CROSS JOIN LATERAL (SELECT y.checkpoint,
      coalesce((y.checkpoint ->> 'window')::date, '-infinity') AS since) c
    ORDER BY k.n, g.position, g.id`,
  { isPrepared: false },
)

const windowRows = inputRows({ userId: 'uuid', kind: 'text', windowStart: 'date' })

/** When windows of users end, in the order of the list. */
export const readWindowEnds = statement(
  'read_window_ends',
  returns({ endsAt: 'timestamptz?' }),
  (windows: ItemsOf<typeof windowRows>) => Prisma.sql`
    SELECT window_end_at(i.user_id, i.kind, i.window_start) AS "endsAt" FROM ${windowRows(windows)} ORDER BY i.n`,
)

const streakRows = inputRows({
  goalId: 'uuid',
  userId: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  length: 'int',
  longest: 'int',
  freezes: 'int',
  runFrom: 'date?',
  brokenOn: 'date?',
  lastBrokenOn: 'date?',
  atRiskAnnouncedOn: 'date?',
  isAnnounced: 'boolean',
  dueAt: 'timestamptz?',
  checkpoint: 'jsonb?',
})

export type StreakRow = ItemsOf<typeof streakRows>[number]

/** Keeps streaks of users, whose profiles are locked, and when they were announced as long as such events are kept. */
export const keepStreaks = statement(
  'keep_streaks',
  returnsNothing,
  (streaks: ItemsOf<typeof streakRows>, now: Date) => Prisma.sql`
    INSERT INTO streak AS s (goal_id, user_id, partner_id, environment, length, longest, freezes, run_from, broken_on,
      last_broken_on, at_risk_announced_on, announced_at, due_at, checkpoint, updated_at)
    SELECT goal_id, user_id, partner_id, environment, length, longest, freezes, run_from, broken_on,
      last_broken_on, at_risk_announced_on, CASE WHEN is_announced THEN ARRAY[${now}::timestamptz] ELSE '{}' END, due_at, checkpoint,
      ${now}::timestamptz
    FROM ${streakRows(streaks)} ORDER BY goal_id, user_id
    ON CONFLICT (goal_id, user_id) DO UPDATE SET length = excluded.length, longest = excluded.longest,
      freezes = excluded.freezes, run_from = excluded.run_from, broken_on = excluded.broken_on,
      last_broken_on = excluded.last_broken_on, at_risk_announced_on = excluded.at_risk_announced_on,
      announced_at = ARRAY(SELECT t FROM unnest(s.announced_at || excluded.announced_at) t
        WHERE (t >= (SELECT occurred_at FROM event ORDER BY id LIMIT 1) - interval '1 day') IS NOT FALSE),
      due_at = excluded.due_at, checkpoint = excluded.checkpoint, updated_at = excluded.updated_at`,
)

/** Streaks for which something is due, the longest due first. Those with a decision due wait for it, and of paused goals. */
export const findDueStreaks = statement(
  'find_due_streaks',
  returns({ goalId: 'uuid', userId: 'uuid' }),
  (now: Date, without: UserId[], limit: number) => Prisma.sql`
    SELECT s.goal_id AS "goalId", s.user_id AS "userId" FROM streak s
    CROSS JOIN LATERAL (SELECT * FROM goal x WHERE x.id = s.goal_id LIMIT 1) g
    WHERE s.due_at <= ${now}::timestamptz AND s.user_id <> ALL (${without}::uuid[])
      AND g.status IN ('ACTIVE', 'ENDED') AND NOT g.is_counting
      AND NOT EXISTS (SELECT FROM goal_mark m WHERE (m.goal_id, m.user_id) = (s.goal_id, s.user_id) AND NOT m.is_blocked)
    ORDER BY s.due_at, s.user_id LIMIT ${limit}::int`,
)

/** The rewards that milestones of goals may grant. */
export const findMilestoneRewards = statement(
  'find_rewards_of_milestones',
  returns({ rewardId: 'uuid' }),
  (goalIds: string[]) => Prisma.sql`
    SELECT DISTINCT unnest(milestone_reward_ids) AS "rewardId" FROM goal_streak
    WHERE goal_id = ANY (${goalIds}::uuid[])`,
)

const milestoneRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  goalId: 'uuid',
  userId: 'uuid',
  length: 'int',
  reachedOn: 'date',
  rewardId: 'uuid',
  round: 'int',
})

export type NewMilestone = ItemsOf<typeof milestoneRows>[number]

/** Writes milestones, new ones and those that are reached again. */
export const insertMilestones = statement(
  'reach_milestones',
  returnsNothing,
  (milestones: ItemsOf<typeof milestoneRows>, now: Date) => Prisma.sql`
    INSERT INTO streak_milestone (id, partner_id, environment, goal_id, user_id, length, reached_on, reward_id, round,
      reached_at)
    SELECT id, partner_id, environment, goal_id, user_id, length, reached_on, reward_id, round, ${now}::timestamptz
    FROM ${milestoneRows(milestones)} ORDER BY goal_id, user_id, reached_on, length
    ON CONFLICT (goal_id, user_id, reached_on, length) DO UPDATE SET round = excluded.round, revoked_at = NULL,
      reached_at = excluded.reached_at, reward_id = excluded.reward_id`,
)

/** Revokes milestones, and says which grants of them can be revoked. */
export const revokeMilestones = statement(
  'revoke_milestones',
  returns({ grantId: 'uuid?' }),
  (ids: string[], now: Date) => Prisma.sql`
    WITH gone AS MATERIALIZED (
      UPDATE streak_milestone SET revoked_at = ${now}::timestamptz WHERE id = ANY (${ids}::uuid[])
      RETURNING id, partner_id, environment, round
    )
    SELECT r.id AS "grantId" FROM gone m
    CROSS JOIN LATERAL (SELECT r.id FROM reward_grant r
      WHERE (r.partner_id, r.environment, r.source_kind, r.source_id) = (m.partner_id, m.environment, 'STREAK', m.id::text)
        AND r.round = m.round AND r.status IN ('HELD', 'READY', 'ISSUED', 'FAILED')
      LIMIT 10) r
    ORDER BY r.id`,
)

const changeRows = inputRows({
  id: 'uuid',
  goalId: 'uuid',
  userId: 'uuid',
  kind: 'StreakChangeKind',
  fromDate: 'date',
  untilDate: 'date?',
  count: 'int?',
})

export type NewChange = ItemsOf<typeof changeRows>[number]

/** Notes what a partner did to streaks. */
export const insertChanges = statement(
  'change_streaks',
  returnsNothing,
  (changes: ItemsOf<typeof changeRows>, now: Date) => Prisma.sql`
    INSERT INTO streak_change (id, partner_id, environment, goal_id, user_id, kind, from_date, until_date, count,
      created_at)
    SELECT i.id, g.partner_id, g.environment, i.goal_id, i.user_id, i.kind, i.from_date, i.until_date, i.count,
      ${now}::timestamptz
    FROM ${changeRows(changes)} JOIN goal g ON g.id = i.goal_id ORDER BY i.n`,
)

/** Ends the pauses of a streak before a date. One that would begin later never does. */
export const endPauses = statement(
  'end_streak_pauses',
  returnsNothing,
  (goalId: string, userId: UserId, on: string) => Prisma.sql`
    UPDATE streak_change SET until_date = greatest(from_date, ${on}::date)
    WHERE goal_id = ${goalId}::uuid AND user_id = ${userId}::uuid AND kind = 'PAUSE'
      AND (until_date > ${on}::date) IS NOT FALSE`,
)

/** Deletes the streaks of a user, whose profile is locked. They are found by the goals of the tenant. */
export const deleteStreaksOf = statement(
  'delete_streaks_of_user',
  returnsNothing,
  (userId: UserId) => Prisma.sql`
    WITH own AS MATERIALIZED (
      SELECT o.goal_id FROM user_profile p
      JOIN goal_streak o ON (o.partner_id, o.environment) = (p.partner_id, p.environment)
      WHERE p.user_id = ${userId}::uuid
    ), changes AS (
      DELETE FROM streak_change WHERE user_id = ${userId}::uuid AND goal_id IN (SELECT goal_id FROM own)
    )
    DELETE FROM streak WHERE user_id = ${userId}::uuid AND goal_id IN (SELECT goal_id FROM own)`,
  { isPrepared: false },
)

const aboutRows = inputRows({ goalId: 'uuid', userId: 'uuid', more: 'jsonb' })

/** A statement that announces something of streaks, whose users are locked. Their numbers are those that are kept. */
const announceAs = (name: string, kind: EventKind) =>
  statement(
    name,
    returnsNothing,
    (about: ItemsOf<typeof aboutRows>, now: Date) =>
      emit(
        kind,
        Prisma.sql`SELECT ${newIdAt(now)} AS id, s.partner_id, s.environment, ${now}::timestamptz AS occurred_at,
            (jsonb_build_object('goalId', g.id, 'slug', g.slug, 'userId', u.external_id, 'length', s.length,
              'longest', s.longest, 'freezes', s.freezes) || i.more)::json AS data
          FROM ${aboutRows(about)}
          CROSS JOIN LATERAL (SELECT * FROM streak x WHERE (x.goal_id, x.user_id) = (i.goal_id, i.user_id) LIMIT 1) s
          CROSS JOIN LATERAL (SELECT * FROM goal x WHERE x.id = i.goal_id LIMIT 1) g
          CROSS JOIN LATERAL (SELECT * FROM end_user x WHERE x.id = i.user_id LIMIT 1) u
          ORDER BY i.n`,
      ),
    { isPrepared: false },
  )

export type About = ItemsOf<typeof aboutRows>

export const announceMilestones = announceAs('announce_milestones', streakMilestone)
export const announceAtRisk = announceAs('announce_streaks_at_risk', streakAtRisk)
export const announceBroken = announceAs('announce_broken_streaks', streakBroken)
export const announceRestored = announceAs('announce_restored_streaks', streakRestored)
