/** Schema types of the data of events: one for each kind. */
import type {
  InterfaceFieldBuilder,
  InterfaceRef,
  ObjectFieldBuilder,
  ObjectRef,
} from '@pothos/core'
import type { z } from 'zod'
import { type EventKind, findEventKind } from '../streams/events.ts'
import { type Tenant, tenantOf } from '../tenant.ts'
import { builder, type Types, untypedBuilder } from './builder.ts'

/** The data of an event, with its kind and id. The id is that of the row that records what happened. */
export type Announced<K extends EventKind = EventKind> = z.output<K['data']> &
  Tenant & { kind: string; eventId: string }

/** An interface, with the names of its fields. */
type Part = { ref: InterfaceRef<Types, Announced>; names: string[] }

const parts: Part[] = []

/** The names of the fields that a function makes. */
const namesOf = (fields: (t: never) => Record<string, unknown>): string[] =>
  Object.keys(fields(new Proxy({}, { get: () => () => null }) as never))

/** Declares an interface of the data types that are declared after it and have all of its fields. */
export const eventPart = <P extends { kind: string }>(
  name: string,
  description: string,
  fields: (t: InterfaceFieldBuilder<Types, P>) => Record<string, unknown>,
): void => {
  const ref = builder.interfaceRef<P>(name)
  ref.implement({
    description,
    resolveType: ({ kind }: P) => eventDataType(kind)?.name,
    fields: fields as never,
  })
  parts.push({ ref: ref as never, names: namesOf(fields) })
}

const types = new Map<string, ObjectRef<Types, Announced>>()

/** Declares the data type of a kind of event. */
export const eventType = <K extends EventKind>(
  { type, description }: K,
  name: string,
  fields: (t: ObjectFieldBuilder<Types, Announced<K>>) => Record<string, unknown>,
): void => {
  const own = namesOf(fields)
  const interfaces = parts
    .filter(({ names }) => names.every((field) => own.includes(field)))
    .map(({ ref }) => ref)
  const ref = untypedBuilder.objectRef<Announced>(name)
  types.set(type, ref.implement({ description, interfaces, fields }))
}

/** The data type of a kind of event. */
export const eventDataType = (kind: string) => types.get(kind)

export const EventDataRef = builder.unionType('EventData', {
  description: 'The data of an event: one type for each kind of event.',
  types: () => [...types.values()],
  resolveType: ({ kind }) => eventDataType(kind),
})

/** The data of an event; null if it was deleted, or its kind or shape no longer exists. */
export const readEventData = (
  { id: eventId, type, ...tenant }: Tenant & { id: string; type: string },
  data: unknown,
): Announced | null => {
  const read = findEventKind(type)?.data.safeParse(data)
  return read?.success ? { ...read.data, ...tenantOf(tenant), kind: type, eventId } : null
}
