/** Events are written by the statement that causes them. The emitter does not know the listeners. */
import type { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { runningSpan, traceparentOf } from '../observability/tracing.ts'

/** A kind of event: its name and its data. */
export type EventKind<S extends z.ZodObject = z.ZodObject> = {
  /** Past tense, dotted: `points.awarded`. */
  type: string
  description: string
  data: S
  /** Keys, at any depth, of values that identify a person: an `externalId` or an e-mail address. */
  personal: readonly string[]
  example: z.input<S>
}

/** The data of an event of a kind. */
export type EventData<K extends EventKind> = z.output<K['data']>

const kinds = new Map<string, EventKind>()

/** Declares a kind of event, in the `*.events.ts` of its domain. */
export const defineEvent = <S extends z.ZodObject>(
  type: string,
  { personal = [], ...kind }: Omit<EventKind<S>, 'type' | 'personal'> & { personal?: string[] },
): EventKind<S> => {
  const defined = { type, personal, ...kind }
  kinds.set(type, defined)
  return defined
}

/** The kind of that name; undefined if it is no longer emitted. */
export const findEventKind = (type: string): EventKind | undefined => kinds.get(type)

/** Every kind of event, by name. */
export const listEventKinds = (): EventKind[] =>
  [...kinds.values()].sort((a, b) => (a.type < b.type ? -1 : 1))

/** The data of an event with a person's identifiers replaced. */
export const renameIn = (
  { type, data }: { type: string; data: unknown },
  names: ReadonlyMap<string, string>,
): unknown => {
  const personal = findEventKind(type)?.personal
  // In a kind that is no longer emitted, any key may identify a person.
  const isPersonal = (key: string) => !personal || personal.includes(key)
  const rename = (key: string, value: unknown) =>
    isPersonal(key) ? (names.get(value as string) ?? value) : value
  return JSON.parse(JSON.stringify(data, rename))
}

/**
 * The part of a statement that writes its events, so that they exist exactly when their cause does. `source` is
 * a SELECT of (id, partner_id, environment, data, occurred_at). The id is that of the row that records what
 * happened, so one fact has one event. With tracing, its deliveries continue the running trace.
 */
export const emit = ({ type }: EventKind, source: Prisma.Sql): Prisma.Sql => {
  const span = runningSpan.getStore()
  if (span)
    return Prisma.sql`
  INSERT INTO event (id, partner_id, environment, type, data, occurred_at, trace_parent)
  SELECT id, partner_id, environment, ${type}::text, data, occurred_at, ${traceparentOf(span)}::text
  FROM (${source}) s`
  return Prisma.sql`
  INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
  SELECT id, partner_id, environment, ${type}::text, data, occurred_at FROM (${source}) s`
}
