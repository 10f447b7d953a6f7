/** Payloads of mutations: the entities that changed, each under its name. */
import type { ObjectRef } from '@pothos/core'
import { builder, type Types } from './builder.ts'

/** An entity of a payload: its type, and what is said of it where the type does not say enough. */
type Entity =
  | { $inferType: unknown; name: string }
  | {
      type:
        | { $inferType: unknown; name: string }
        | keyof Types['outputShapes']
        | readonly ['String']
      nullable?: boolean
      description?: string
    }

export type Entities = Record<string, Entity>

export type ShapeOf<T> = T extends { $inferType: infer R }
  ? R
  : T extends keyof Types['outputShapes']
    ? Types['outputShapes'][T]
    : T extends readonly [infer One]
      ? readonly ShapeOf<One>[]
      : never

export type PayloadOf<P> = {
  [K in keyof P]: P[K] extends { type: infer T; nullable: true }
    ? ShapeOf<T> | null
    : P[K] extends { type: infer T }
      ? ShapeOf<T>
      : ShapeOf<P[K]>
}

/** The type of a payload of entities. */
export const payloadType = (name: string, entities: Entities): ObjectRef<Types, object> =>
  builder.objectRef<object>(name).implement({
    description: 'What has changed, as it is now.',
    fields: (t) =>
      Object.fromEntries(
        Object.entries(entities).map(([key, entity]) => {
          const {
            type,
            nullable = false,
            description,
          } = 'type' in entity ? entity : { type: entity, nullable: false, description: undefined }
          const field = t.field({
            type: type as 'String',
            nullable: nullable as false,
            description,
            resolve: (payload) => payload[key as never],
          })
          return [key, field]
        }),
      ),
  })
