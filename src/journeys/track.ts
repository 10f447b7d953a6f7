/** Events of users, one or many at once. None is dropped silently: each is created, a duplicate, or refused for a reason. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { addToCounter } from '../core/counters.ts'
import { refused, TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import {
  integer,
  jsonObject,
  maxPoints,
  moment,
  oneOf,
  reference,
  text,
} from '../core/validation.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { ActivityCategory, type Environment } from '../generated/prisma/enums.ts'
import { trackEvents as trackEventLines } from '../users/activity.ts'
import { UserBy, userByKey, userLockOrder } from '../users/end-user.ts'
import { classifyUsers } from './classification.ts'
import { clearable } from './clearable.ts'
import { minuteMs } from './journey.rules.ts'

/** How far the clock of a device may be ahead of ours. */
const aheadMs = 5 * minuteMs

/** One event (interface: POST /v1/user-journeys/events). */
export const TrackEvent = z
  .object({
    externalId: reference().describe("The partner's id of the user, who is made if absent."),
    category: oneOf('ActivityCategory', ActivityCategory).describe('What kind of activity.'),
    eventType: reference().describe('What happened: level_up, checkout, …'),
    sourceId: clearable(text(255)).describe('What it came from: the id of a page, a campaign, ….'),
    points: integer(-maxPoints, maxPoints)
      .nullish()
      .describe('Recorded with it; moves no balance. 0 when left out.'),
    reference: clearable(reference()).describe(
      'Idempotency key, unique for the user: the same again gives the activity that is there.',
    ),
    metadata: jsonObject().nullish().describe('Kept with it; up to 16 KB.'),
    occurredAt: moment()
      .nullish()
      .describe('When it happened, at most 5 minutes ahead; now when left out. May be long ago.'),
  })
  .describe('Something a user did.')

export type TrackEvent = z.output<typeof TrackEvent>

const { externalId: _, ...said } = TrackEvent.shape

/** The same, by any key of the user. */
export const TrackActivity = z
  .object({ user: UserBy.describe('Who; made if absent.'), ...said })
  .describe('Something a user did.')

/** Whose users it is about, and whether a secret key or a member sends it. */
export type Sender = Tenant & { isTrusted: boolean }

/** A line of a timeline (interface: User event). */
export type UserEvent = Tenant & {
  id: string
  userId: string
  externalId: string
  category: ActivityCategory
  eventType: string
  sourceId: string | null
  points: number
  reference: string | null
  metadata: unknown
  /** Whether public keys may see the metadata. */
  metadataIsPublic: boolean
  occurredAt: Date
}

export type TrackedEvent = { event: UserEvent; isDuplicate: boolean }

/** So often may users and references turn up between a look and a write. */
const maxAttempts = 5

const faultOf = ({ occurredAt }: TrackEvent, now: Date): TesseraError | undefined => {
  if (!occurredAt || occurredAt.getTime() <= now.getTime() + aheadMs) return undefined
  return refused('occurredAt', 'must be at most 5 minutes ahead')
}

/**
 * Puts events on timelines, in one statement for the whole list, and classifies their users. Makes users
 * who do not exist. An event whose reference its user has already is answered with the one that is there.
 * In the place of an event that is too far ahead stands VALIDATION_FAILED.
 */
export const trackEvents = async (
  work: Work,
  events: (Sender & TrackEvent)[],
): Promise<(TrackedEvent | Error)[]> => {
  const now = work.clock()
  const results: (TrackedEvent | Error | undefined)[] = events.map((event) => faultOf(event, now))
  let open = events
    .map((event, n) => ({ n, id: uuid(), ...event, occurredAt: event.occurredAt ?? now }))
    .filter(({ n }) => !results[n])
  const touched = new Set<string>()
  for (let attempt = 0; open.length > 0 && attempt < maxAttempts; attempt++) {
    const asked = new Map(open.map((event) => [event.n, event]))
    for (const row of await writeEvents(work, open, now)) {
      const event = asked.get(row.n) as (typeof open)[number]
      if (row.isCreated && row.userId) touched.add(row.userId)
      if (row.isCreated) results[row.n] = { event: eventOf(event, row), isDuplicate: false }
      else if (row.id) results[row.n] = { event: storedEvent(event, row), isDuplicate: true }
    }
    // The second of a pair in this list waits for the first, and finds it at the next attempt.
    open = open.filter(({ n }) => !results[n])
  }
  // What could not be classified now is due still, and the next sweep does it.
  if (touched.size > 0) await classifyUsers(work, [...touched]).catch(() => {})
  return results.map((result) => result ?? new TesseraError('OVERLOADED'))
}

type Asked = Sender & Omit<TrackEvent, 'occurredAt'> & { n: number; id: string; occurredAt: Date }

type Row = {
  n: number
  userId: string | null
  isCreated: boolean
  /** Of the event that has the reference already. */
  id: string | null
  category: ActivityCategory
  eventType: string
  sourceId: string | null
  points: number
  metadata: unknown
  metadataIsPublic: boolean
  occurredAt: Date
}

const eventOf = (event: Asked, { userId }: Pick<Row, 'userId'>): UserEvent => ({
  id: event.id,
  // Whose line is there, is there.
  userId: userId as string,
  partnerId: event.partnerId,
  environment: event.environment as Environment,
  externalId: event.externalId,
  category: event.category,
  eventType: event.eventType,
  sourceId: event.sourceId || null,
  points: event.points ?? 0,
  reference: event.reference || null,
  metadata: event.metadata ?? null,
  metadataIsPublic: !event.isTrusted,
  occurredAt: event.occurredAt,
})

const storedEvent = (
  event: Asked,
  {
    userId,
    category,
    eventType,
    sourceId,
    points,
    metadata,
    metadataIsPublic,
    occurredAt,
    id,
  }: Row,
): UserEvent => ({
  ...eventOf(event, { userId }),
  ...{ category, eventType, sourceId, points, metadata, metadataIsPublic, occurredAt },
  id: id as string,
})

const writeEvents = ({ tx }: Work, events: Asked[], now: Date): Promise<Row[]> => {
  const input = events.map((event) => ({
    n: event.n,
    id: event.id,
    partner_id: event.partnerId,
    environment: event.environment,
    external_id: event.externalId,
    category: event.category,
    event_type: event.eventType,
    source_id: event.sourceId || null,
    points: event.points ?? 0,
    reference: event.reference || null,
    metadata: event.metadata,
    metadata_is_public: !event.isTrusted,
    occurred_at: event.occurredAt,
  }))
  return tx.$queryRaw<Row[]>`/* track_events */
    WITH input AS MATERIALIZED (
      SELECT *, reference IS NOT NULL AND row_number() OVER (
          PARTITION BY partner_id, environment, external_id, reference ORDER BY n) > 1 AS is_repeated
      FROM json_to_recordset(${JSON.stringify(input)}::json) AS i (n int, id uuid, partner_id uuid,
        environment "Environment", external_id text, category "ActivityCategory", event_type text,
        source_id text, points int, reference text, metadata json, metadata_is_public boolean,
        occurred_at timestamptz)
    ), made AS (
      INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at, created_at)
      SELECT gen_random_uuid(), partner_id, environment, external_id, ${now}::timestamptz,
        ${now}::timestamptz
      FROM (SELECT DISTINCT partner_id, environment, external_id FROM input) k
      WHERE ${userByKey(Prisma.sql`u.id`)} IS NULL
      ORDER BY ${userLockOrder}
      ON CONFLICT (partner_id, environment, external_id) DO NOTHING
      RETURNING id, partner_id, environment, external_id
    ), owned AS MATERIALIZED (
      SELECT k.*, coalesce(u.id, m.id) AS user_id FROM input k
      LEFT JOIN LATERAL ${userByKey(Prisma.sql`u.id`)} u ON true
      LEFT JOIN made m USING (partner_id, environment, external_id)
    ), judged AS MATERIALIZED (
      -- One look by key for each: as a join, the planner may read the whole index.
      SELECT o.*, (SELECT a.id FROM user_activity a
        WHERE a.user_id = o.user_id AND a.reference = o.reference) AS stored_id
      FROM owned o
    ), written AS (${trackEventLines(
      Prisma.sql`SELECT * FROM judged
        WHERE user_id IS NOT NULL AND stored_id IS NULL AND NOT is_repeated
        ORDER BY ${userLockOrder}, reference, n`,
    )}
    ), users AS (${addToCounter(
      'users',
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount FROM made
        GROUP BY partner_id, environment`,
    )}
    )
    SELECT j.n, j.user_id AS "userId", j.id IN (SELECT id FROM written) AS "isCreated", a.id, a.category,
      a.event_type AS "eventType", a.source_id AS "sourceId", a.points, a.metadata,
      a.metadata_is_public AS "metadataIsPublic", a.occurred_at AS "occurredAt"
    FROM judged j
    LEFT JOIN LATERAL (SELECT * FROM user_activity WHERE id = j.stored_id LIMIT 1) a ON true`
}
