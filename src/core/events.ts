/** What happened, written by the statement that did it. Nobody who announces knows who listens. */
import type { z } from 'zod'
import { Prisma } from '../generated/prisma/client.ts'

/** A kind of event: its name, and what it carries. */
export type EventKind<S extends z.ZodObject = z.ZodObject> = {
  /** Past tense, dotted: `points.awarded`. */
  type: string
  description: string
  data: S
  /** Keys, at any depth, of what names a person: `externalId` or an e-mail address. */
  personal: readonly string[]
  example: z.input<S>
}

/** What an event of a kind carries. */
export type EventData<K extends EventKind> = z.input<K['data']>

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

/** The kind of that name; undefined for one that is announced no more. */
export const findEventKind = (type: string): EventKind | undefined => kinds.get(type)

/** Every kind of event, by name. */
export const listEventKinds = (): EventKind[] =>
  [...kinds.values()].sort((a, b) => (a.type < b.type ? -1 : 1))

/** The data of an event with other names in the place of those of a person. */
export const renameIn = (
  { type, data }: { type: string; data: unknown },
  names: ReadonlyMap<string, string>,
): unknown => {
  const personal = findEventKind(type)?.personal
  // Of a kind that is announced no more, any key may name a person.
  const isPersonal = (key: string) => !personal || personal.includes(key)
  const rename = (key: string, value: unknown) =>
    isPersonal(key) ? (names.get(value as string) ?? value) : value
  return JSON.parse(JSON.stringify(data, rename))
}

/**
 * Announces something: the part of a statement that writes its events, so that they are there exactly
 * when their cause is. `source` is a SELECT of (id, partner_id, environment, data, occurred_at). The id
 * is that of the row that stands for what happened, so one fact has one event.
 */
export const emit = ({ type }: EventKind, source: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
  SELECT id, partner_id, environment, ${type}::text, data, occurred_at FROM (${source}) s`
