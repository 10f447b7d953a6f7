/** Statements about goals: their locks, and where their measures are found. */
import { Prisma } from '../generated/prisma/client.ts'
import { lockStatement, returns, returnsNothing, statement } from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'

/** Locks a goal, unless it is gone. Nothing but names is locked before it. */
export const lockGoal = lockStatement(
  'lock_goal',
  returns({ id: 'uuid' }),
  (id: string) => Prisma.sql`SELECT id FROM goal WHERE id = ${id}::uuid FOR NO KEY UPDATE`,
)

/**
 * Opens the measures of goals: from now on, the trigger counts for their tasks. A play that won can also count as a play, so such a
 * measure has a key of both facts.
 */
export const openMeasures = statement(
  'open_measures',
  returnsNothing,
  (goalIds: string[]) => Prisma.sql`
    INSERT INTO measure_key (partner_id, environment, fact, is_open, event_type, task_id)
    SELECT DISTINCT t.partner_id, t.environment, f.fact, true, coalesce(e.type, ''), t.id
    FROM goal_task t
    CROSS JOIN LATERAL unnest(CASE WHEN 'GAME_PLAYED' = ANY (t.facts) THEN t.facts || 'GAME_WON'::"Fact"
      ELSE t.facts END) f (fact)
    LEFT JOIN LATERAL unnest(t.event_types) e (type) ON true
    WHERE t.goal_id = ANY (${goalIds}::uuid[])
    ORDER BY 1, 2, 3, 5, 6
    ON CONFLICT (partner_id, environment, fact, is_open, event_type, task_id) DO NOTHING`,
)

/** The largest number of open measures that one entry of a timeline can meet: of a fact and an event type of a tenant. */
export const countMeasures = statement(
  'count_measures',
  returns({ most: 'int' }),
  ({ partnerId, environment }: Tenant) => Prisma.sql`
    WITH own AS MATERIALIZED (
      SELECT fact, event_type, count(*) AS n FROM measure_key
      WHERE (partner_id, environment) = (${partnerId}::uuid, ${environment}::"Environment") AND is_open
      GROUP BY 1, 2
    )
    SELECT coalesce(max(k.n + CASE WHEN k.event_type = '' THEN 0 ELSE coalesce(a.n, 0) END), 0)::int AS most
    FROM own k LEFT JOIN own a ON a.fact = k.fact AND a.event_type = ''`,
)

/** Ends goals whose time is over. */
export const endGoals = statement(
  'end_goals',
  returns({ id: 'uuid' }),
  (now: Date) => Prisma.sql`
    UPDATE goal SET status = 'ENDED' WHERE id IN (
      SELECT id FROM goal WHERE status IN ('ACTIVE', 'PAUSED') AND ends_at <= ${now}::timestamptz
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`,
)

/**
 * Closes the measures of goals that ended more than two days ago: no fact is recorded in time any more, and only reversals
 * count. The hour beyond is for transactions that began before.
 */
export const closeMeasures = statement(
  'close_measures',
  returns({ taskId: 'uuid' }),
  (now: Date) => Prisma.sql`
    UPDATE measure_key k SET is_open = false FROM goal_task t JOIN goal g ON g.id = t.goal_id
    WHERE k.is_open AND k.task_id = t.id AND g.status = 'ENDED'
      AND g.ends_at < ${now}::timestamptz - interval '49 hours'
    RETURNING k.task_id AS "taskId"`,
)
