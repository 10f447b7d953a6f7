/** Tracks events of users. The result of each is created, a duplicate, or refused with a reason. */
import { z } from 'zod'
import { ActivityCategory, type Environment, type Fact } from '../generated/prisma/enums.ts'
import type { Caller } from '../kit/access/context.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { orLocked } from '../kit/group-commit/batch.ts'
import { orOverloaded } from '../kit/group-commit/coalesce.ts'
import { newId } from '../kit/random.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { type ExternalId, externalId, type UserId } from '../kit/user-id.ts'
import {
  check,
  integer,
  jsonObject,
  maxPoints,
  moment,
  oneOf,
  reference,
  text,
} from '../kit/validation.ts'
import { externalIdOf, UserBy } from '../users/end-user.ts'
import { onlyUserOf } from '../users/named-user.ts'
import { type NewUserLimit, withNewUser } from '../users/new-user-limit.ts'
import { classifyUsers } from './classification.ts'
import { minuteMs } from './journey.rules.ts'
import { clearable } from './journey-input.ts'
import { type ActivityRow, insertActivities, type StoredEvent } from './track.sql.ts'

/** How far the clock of a device may be ahead of ours. */
const aheadMs = 5 * minuteMs

/** One event (interface: POST /v1/user-journeys/events). */
const TrackEvent = z
  .object({
    externalId: externalId().describe(
      "The partner's id of the user. An unknown id creates a user.",
    ),
    category: oneOf('ActivityCategory', ActivityCategory).describe('The kind of an activity.'),
    eventType: reference().describe('What happened: level_up, checkout, …'),
    sourceId: clearable(text(255)).describe('The id of its source: a page, a campaign, …'),
    points: integer(-maxPoints, maxPoints)
      .nullish()
      .describe('Points to show with it. They do not change the balance. Defaults to 0.'),
    reference: clearable(reference()).describe(
      'Idempotency reference, unique for the user. The same reference again returns the existing activity.',
    ),
    metadata: jsonObject().nullish().describe('Stored with it; up to 16 KB.'),
    occurredAt: moment()
      .nullish()
      .describe(
        'When it happened. At most 5 minutes in the future; any time in the past. Defaults to now.',
      ),
  })
  .describe('An activity of a user.')

type TrackEvent = z.output<typeof TrackEvent>

const { externalId: _, ...said } = TrackEvent.shape

/** The same with any key of the user. */
export const TrackActivity = z
  .object({ user: UserBy.describe('The user; created if necessary.'), ...said })
  .meta({ graphql: 'TrackActivityInput' })
  .describe('An activity of a user.')

/** An activity of a list. */
const ListedActivity = z
  .object(TrackActivity.shape)
  .meta({ graphql: 'ActivityInput' })
  .describe('An activity of a list.')

/** The tenant, whether a secret key or a member sends the call, and whether it may not create users. */
type Sender = Tenant & { isTrusted: boolean; onlyExisting?: boolean }

/** A line of a timeline (interface: User event). */
export type UserEvent = Tenant & {
  id: string
  userId: UserId
  externalId: ExternalId
  category: ActivityCategory
  eventType: string
  sourceId: string | null
  points: number
  reference: string | null
  metadata: unknown
  /** Whether public keys may see the metadata. */
  metadataIsPublic: boolean
  /** ACTIVITY if a secret key or a member sent it, otherwise null. */
  fact: Fact | null
  /** Sent events reverse nothing. */
  reversesId: string | null
  occurredAt: Date
  /** Null for an old event that has not been backfilled. */
  recordedAt: Date | null
}

type TrackedEvent = { event: UserEvent; isDuplicate: boolean }

/** The number of attempts while other calls create the same users and references. */
const maxAttempts = 5

const faultOf = ({ occurredAt }: TrackEvent, now: Date): TesseraError | undefined => {
  if (!occurredAt || occurredAt.getTime() <= now.getTime() + aheadMs) return undefined
  return refused('occurredAt', 'must be at most 5 minutes ahead')
}

/**
 * Writes events to timelines in one statement and classifies their users. Creates users who do not exist. For an event
 * whose reference its user has already, the result is the stored event. The result of an event too far in the future is
 * VALIDATION_FAILED; of one that may not create its user, USER_NOT_FOUND.
 */
export const trackEvents = async (
  work: Work,
  events: (Sender & TrackEvent)[],
): Promise<(TrackedEvent | Error)[]> => {
  const now = work.clock()
  const results: (TrackedEvent | Error | undefined)[] = events.map((event) => faultOf(event, now))
  let open = events
    .map((event, n) => ({
      n,
      id: newId(),
      ...event,
      occurredAt: event.occurredAt ?? now,
      recordedAt: now,
    }))
    .filter(({ n }) => !results[n])
  const touched = new Set<UserId>()
  for (let attempt = 0; open.length > 0 && attempt < maxAttempts; attempt++) {
    const requested = open.map(rowOf)
    const rows = await orLocked(open, () => insertActivities(work.tx, requested, now))
    for (const [i, row] of rows.entries()) {
      if (row instanceof Error) {
        results[open[i]?.n as number] = row
        continue
      }
      const { n, userId, isCreated, ...stored } = row
      const event = open[n] as (typeof open)[number]
      if (!userId && event.onlyExisting) results[event.n] = new TesseraError('USER_NOT_FOUND')
      if (!userId) continue
      if (isCreated) touched.add(userId)
      if (isCreated) results[event.n] = { event: eventOf(event, userId), isDuplicate: false }
      else if (stored.id) {
        const known = { ...eventOf(event, userId), ...(stored as StoredEvent) }
        results[event.n] = { event: known, isDuplicate: true }
      }
    }
    // The second of two equal references in this list finds the first one at the next attempt.
    open = open.filter(({ n }) => !results[n])
  }
  // Users who could not be classified stay due, and the job classifies them.
  if (touched.size > 0) await classifyUsers(work, [...touched]).catch(() => {})
  return orOverloaded(results)
}

type Asked = Sender &
  Omit<TrackEvent, 'occurredAt'> & { n: number; id: string; occurredAt: Date; recordedAt: Date }

const eventOf = (event: Asked, userId: UserId): UserEvent => ({
  id: event.id,
  userId,
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
  fact: event.isTrusted ? 'ACTIVITY' : null,
  reversesId: null,
  occurredAt: event.occurredAt,
  recordedAt: event.recordedAt,
})

const rowOf = (event: Asked): ActivityRow => ({
  ...event,
  onlyExisting: event.onlyExisting ?? false,
  sourceId: event.sourceId || null,
  points: event.points ?? 0,
  reference: event.reference || null,
})

const maxEvents = 500

/** The items are not validated here, because an invalid one must not fail the others. */
export const TrackActivities = z
  .object({
    activities: z
      .custom<unknown[]>((value) => Array.isArray(value), {
        error: (issue) => (issue.input == null ? 'is required' : 'must be a list'),
      })
      .refine((events) => events.length > 0, 'must have at least one event')
      .refine((events) => events.length <= maxEvents, `must have at most ${maxEvents} events`)
      .meta({ item: ListedActivity })
      .describe(
        '1 to 500 activities. An activity with an invalid value is rejected; the others are recorded.',
      ),
  })
  .describe('Activities to record on the timelines of users.')

export type TrackActivities = z.output<typeof TrackActivities>

type BatchSender = Sender & { newUserLimit: NewUserLimit }

const trackOne = async (
  runtime: Pick<Runtime, 'read' | 'write' | 'singletons'>,
  caller: Caller,
  { newUserLimit, ...sender }: BatchSender,
  activity: unknown,
): Promise<TrackedEvent | TesseraError> => {
  try {
    const { user, ...said } = check(ListedActivity, activity)
    const externalId = await externalIdOf(runtime, caller, user)
    const call = { ...sender, ...said, externalId }
    return await withNewUser(runtime, newUserLimit, call, (mayCreate) =>
      runtime.write(trackEvents, { ...call, onlyExisting: !mayCreate }),
    )
  } catch (error) {
    // Any other error has an unknown outcome, and fails the whole call.
    if (!(error instanceof TesseraError)) throw error
    if (error.code !== 'OVERLOADED') return error
    // The rows of one user are busy. The others are written, so the call as a whole must not fail.
    const { message, retryAfter = 1 } = error
    return new TesseraError('RATE_LIMITED', { message, retryAfter, limit: null, current: null })
  }
}

/**
 * Tracks each activity independently. They are written together. The results are in the order of the list.
 * @throws TesseraError MISSING_USER_TOKEN; the failure of the database, whose outcome is unknown
 */
export const trackActivities = async (
  runtime: Pick<Runtime, 'read' | 'write' | 'singletons'>,
  caller: Caller,
  sender: BatchSender,
  { activities }: TrackActivities,
): Promise<(TrackedEvent | TesseraError)[]> => {
  onlyUserOf(caller)
  return Promise.all(activities.map((activity) => trackOne(runtime, caller, sender, activity)))
}
