/** Many activities in one call. Each succeeds or fails independently. */
import { z } from 'zod'
import type { Caller } from '../kit/access/context.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Runtime } from '../kit/runtime.ts'
import { check } from '../kit/validation.ts'
import { externalIdOf } from '../users/end-user.ts'
import { onlyUserOf } from '../users/named-user.ts'
import { type NewUserLimit, withNewUser } from '../users/new-user-limit.ts'
import { type Sender, TrackActivity, trackEvents, type UserEvent } from './track.ts'

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
      .meta({ item: TrackActivity })
      .describe(
        '1 to 500 activities. An activity with an invalid value is rejected; the others are recorded.',
      ),
  })
  .describe('Activities to record.')

export type TrackActivities = z.output<typeof TrackActivities>

export type EventResult = {
  index: number
  status: 'CREATED' | 'DUPLICATE' | 'REJECTED'
  /** Null if it was rejected. */
  event: UserEvent | null
  /** Why it was rejected. */
  error: string | null
}

export type BatchResult = {
  results: EventResult[]
  receivedCount: number
  createdCount: number
  duplicateCount: number
  rejectedCount: number
}

type BatchSender = Sender & { newUserLimit: NewUserLimit }

const trackOne = async (
  runtime: Pick<Runtime, 'read' | 'write' | 'singletons'>,
  caller: Caller,
  { newUserLimit, ...sender }: BatchSender,
  activity: unknown,
): Promise<Omit<EventResult, 'index'>> => {
  try {
    const { user, ...said } = check(TrackActivity, activity)
    const externalId = await externalIdOf(runtime, caller, user)
    const call = { ...sender, ...said, externalId }
    const tracked = await withNewUser(runtime, newUserLimit, call, (mayCreate) =>
      runtime.write(trackEvents, { ...call, onlyExisting: !mayCreate }),
    )
    const status = tracked.isDuplicate ? 'DUPLICATE' : 'CREATED'
    return { status, event: tracked.event, error: null }
  } catch (error) {
    // Any other error has an unknown outcome, and fails the whole call.
    if (!(error instanceof TesseraError)) throw error
    const faults = error.errors?.map(({ message }) => message)
    return { status: 'REJECTED', event: null, error: faults?.join('; ') ?? error.message }
  }
}

/**
 * Tracks each activity independently. They are written together.
 * @throws TesseraError MISSING_USER_TOKEN; the failure of the database, whose outcome is unknown
 */
export const trackActivities = async (
  runtime: Pick<Runtime, 'read' | 'write' | 'singletons'>,
  caller: Caller,
  sender: BatchSender,
  { activities }: TrackActivities,
): Promise<BatchResult> => {
  onlyUserOf(caller)
  const outcomes = await Promise.all(
    activities.map((one) => trackOne(runtime, caller, sender, one)),
  )
  const results = outcomes.map((outcome, index) => ({ index, ...outcome }))
  const count = (status: EventResult['status']) =>
    results.filter((result) => result.status === status).length
  return {
    results,
    receivedCount: results.length,
    createdCount: count('CREATED'),
    duplicateCount: count('DUPLICATE'),
    rejectedCount: count('REJECTED'),
  }
}
