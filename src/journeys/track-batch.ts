/** Many events in one call. Each stands or falls alone. */
import { z } from 'zod'
import { TesseraError } from '../core/errors.ts'
import type { Runtime } from '../core/runtime.ts'
import { check } from '../core/validation.ts'
import { type Sender, TrackEvent, trackEvents } from './track.ts'

const maxEvents = 500

/**
 * Its events are not checked here, because a bad one must not fail its neighbours. GraphQL knows the list
 * as JSON: it would take a single event for a list of one.
 */
export const TrackEvents = z
  .object({
    activities: z
      .custom<unknown[]>((value) => Array.isArray(value), {
        error: (issue) => (issue.input == null ? 'is required' : 'must be a list'),
      })
      .refine((events) => events.length > 0, 'must have at least one event')
      .refine((events) => events.length <= maxEvents, `must have at most ${maxEvents} events`)
      .meta({ graphql: 'JSON' })
      .describe(
        '1 to 500 objects with `externalId` and the other fields of `TrackActivityInput`. A bad one fails alone.',
      ),
  })
  .describe('Events to put on timelines.')

export type TrackEvents = z.output<typeof TrackEvents>

export type EventResult = {
  index: number
  status: 'created' | 'duplicate' | 'rejected'
  /** Of the event, unless it was rejected. */
  id: string | null
  /** Why it was rejected. */
  error: string | null
}

export type BatchResult = {
  received: number
  accepted: number
  duplicates: number
  rejected: number
  results: EventResult[]
}

/** A fault without a field is one of the event as a whole. */
const wordsOf = (error: TesseraError): string =>
  error.errors
    ?.map(({ field, message }) => (field ? message : 'The event must be an object'))
    .join('; ') ?? error.message

const trackOne = async (
  { write }: Pick<Runtime, 'write'>,
  sender: Sender,
  raw: unknown,
): Promise<Omit<EventResult, 'index'>> => {
  try {
    const event = check(TrackEvent, raw)
    const tracked = await write(trackEvents, { ...sender, ...event })
    const status = tracked.isDuplicate ? 'duplicate' : 'created'
    return { status, id: tracked.event.id, error: null }
  } catch (error) {
    // Anything else has an unknown outcome, and the whole call says so.
    if (!(error instanceof TesseraError)) throw error
    return { status: 'rejected', id: null, error: wordsOf(error) }
  }
}

/**
 * Tracks each event by itself, all in the same group commit.
 * @throws the failure of the database, whose outcome is unknown
 */
export const trackBatch = async (
  runtime: Pick<Runtime, 'write'>,
  sender: Sender,
  { activities: events }: TrackEvents,
): Promise<BatchResult> => {
  const outcomes = await Promise.all(events.map((event) => trackOne(runtime, sender, event)))
  const results = outcomes.map((outcome, index) => ({ index, ...outcome }))
  const count = (status: EventResult['status']) =>
    results.filter((result) => result.status === status).length
  return {
    received: results.length,
    accepted: count('created'),
    duplicates: count('duplicate'),
    rejected: count('rejected'),
    results,
  }
}
