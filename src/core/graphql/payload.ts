/** Payloads of mutations: the entities that changed, each under its name. */
import type { ObjectRef } from '@pothos/core'
import type { Types } from './builder.ts'
import { type FieldMaker, untypedBuilder } from './untyped-builder.ts'

/** An entity of a payload: its type, with a description if the type's own is not enough. */
type Entity =
  | { $inferType: unknown; name: string }
  | {
      type:
        | { $inferType: unknown; name: string }
        | keyof Types['outputShapes']
        | readonly ['String' | { $inferType: unknown; name: string }]
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
  untypedBuilder.objectRef<object>(name).implement({
    description: 'The objects that changed, in their new state.',
    fields: (t: FieldMaker) =>
      Object.fromEntries(
        Object.entries(entities).map(([key, entity]) => {
          const {
            type,
            nullable = false,
            description,
          } = 'type' in entity ? entity : { type: entity, nullable: false, description: undefined }
          const field = t.field({
            type,
            nullable,
            description,
            resolve: (payload: object) => Reflect.get(payload, key),
          })
          return [key, field]
        }),
      ),
  })
