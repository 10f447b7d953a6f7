/** The statement that adds events of callers to timelines. */

import { Prisma } from '../generated/prisma/client.ts'
import { addToCounter } from '../kit/database/counters.ts'
import {
  both,
  type ItemsOf,
  inputRows,
  orNulls,
  returns,
  statement,
} from '../kit/database/statement.ts'
import { trackSentEvents } from '../users/activity.ts'
import { userByKey, userLockOrder } from '../users/end-user.sql.ts'

const eventRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  onlyExisting: 'boolean',
  category: 'ActivityCategory',
  eventType: 'text',
  sourceId: 'text?',
  points: 'int',
  reference: 'text?',
  metadata: 'json?',
  isTrusted: 'boolean',
  occurredAt: 'timestamptz',
})

/** An event to write. */
export type ActivityRow = ItemsOf<typeof eventRows>[number]

const stored = returns({
  id: 'uuid',
  category: 'ActivityCategory',
  eventType: 'text',
  sourceId: 'text?',
  points: 'int',
  metadata: 'json?',
  metadataIsPublic: 'boolean',
  fact: 'Fact?',
  reversesId: 'uuid?',
  occurredAt: 'timestamptz',
  recordedAt: 'timestamptz?',
})

/** The event that already has a reference. */
export type StoredEvent = NonNullable<(typeof stored)['row']>

/**
 * Writes events, and creates users who do not exist, unless the event is for existing users only. If the user of an event already has its reference, returns the
 * stored event; references of public keys are apart from those of secret keys and members. Returns neither for the second
 * of two events of the list with the same reference.
 */
export const insertActivities = statement(
  'track_events',
  both(returns({ n: 'int', userId: 'uuid?', isCreated: 'boolean' }), orNulls(stored)),
  (events: ActivityRow[], now: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT *, reference IS NOT NULL AND row_number() OVER (
          PARTITION BY partner_id, environment, external_id, reference, is_trusted ORDER BY n) > 1 AS is_repeated
      FROM ${eventRows(events)}
    ), made AS (
      INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at, created_at)
      SELECT gen_random_uuid(), partner_id, environment, external_id, ${now}::timestamptz,
        ${now}::timestamptz
      FROM (SELECT DISTINCT partner_id, environment, external_id FROM input WHERE NOT only_existing) k
      WHERE ${userByKey(Prisma.sql`u.id`)} IS NULL
      ORDER BY ${userLockOrder}
      ON CONFLICT (partner_id, environment, external_id) DO NOTHING
      RETURNING id, partner_id, environment, external_id
    ), owned AS MATERIALIZED (
      -- The lock waits for an erasure, after which nobody has the key, and makes a later one wait.
      SELECT k.*, coalesce(u.id, m.id) AS user_id FROM (SELECT * FROM input ORDER BY ${userLockOrder}) k
      LEFT JOIN LATERAL ${userByKey(Prisma.sql`u.id`, Prisma.sql`FOR KEY SHARE`)} u ON true
      LEFT JOIN made m USING (partner_id, environment, external_id)
    ), judged AS MATERIALIZED (
      -- One look by key for each: as a join, the planner may read the whole index.
      SELECT o.*, (SELECT a.id FROM user_activity a
        WHERE a.user_id = o.user_id AND a.reference = o.reference
          AND a.metadata_is_public = NOT o.is_trusted) AS stored_id
      FROM owned o
    ), written AS (${trackSentEvents(
      Prisma.sql`SELECT * FROM judged
        WHERE user_id IS NOT NULL AND stored_id IS NULL AND NOT is_repeated
        ORDER BY ${userLockOrder}, reference, is_trusted, n`,
      now,
    )}
    ), users AS (${addToCounter(
      'users',
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount FROM made
        GROUP BY partner_id, environment`,
    )}
    )
    SELECT j.n, j.user_id AS "userId", j.id IN (SELECT id FROM written) AS "isCreated", a.id, a.category,
      a.event_type AS "eventType", a.source_id AS "sourceId", a.points, a.metadata,
      a.metadata_is_public AS "metadataIsPublic", a.fact, a.reverses_id AS "reversesId",
      a.occurred_at AS "occurredAt", a.recorded_at AS "recordedAt"
    FROM judged j
    LEFT JOIN LATERAL (SELECT * FROM user_activity WHERE id = j.stored_id LIMIT 1) a ON true`,
)
