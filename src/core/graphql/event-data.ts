/** What events carry, as types of the schema: one for each kind. */
import type { ObjectFieldBuilder, ObjectRef } from '@pothos/core'
import type { z } from 'zod'
import { type EventKind, findEventKind } from '../events.ts'
import { type Tenant, tenantOf } from '../tenant.ts'
import { builder, type Types } from './builder.ts'
import { untypedBuilder } from './untyped-builder.ts'

/** The data of an event, and which event it is. Its id is that of the row that stands for what happened. */
export type Announced<K extends EventKind = EventKind> = z.output<K['data']> &
  Tenant & { kind: string; eventId: string }

const types = new Map<string, ObjectRef<Types, Announced>>()

/** Declares the type of what a kind of event carries. */
export const eventType = <K extends EventKind>(
  { type, description }: K,
  name: string,
  fields: (t: ObjectFieldBuilder<Types, Announced<K>>) => Record<string, unknown>,
): void => {
  types.set(type, untypedBuilder.objectRef<Announced>(name).implement({ description, fields }))
}

/** The type of a kind of event. */
export const eventDataType = (kind: string) => types.get(kind)

export const EventDataRef = builder.unionType('EventData', {
  description: 'What an event carries: a type for each kind of event.',
  types: () => [...types.values()],
  resolveType: ({ kind }) => eventDataType(kind),
})

/** What an event carries; null for one that is forgotten, or of a kind or shape that is there no more. */
export const readEventData = (
  { id: eventId, type, ...tenant }: Tenant & { id: string; type: string },
  data: unknown,
): Announced | null => {
  const read = findEventKind(type)?.data.safeParse(data)
  return read?.success ? { ...read.data, ...tenantOf(tenant), kind: type, eventId } : null
}
