/** Payloads of mutations: the entities that changed, each under its name. */
import type { ObjectRef } from '@pothos/core'
import type { Environment } from '../../generated/prisma/enums.ts'
import type { AuditTarget } from '../access/audited.ts'
import { decodeNodeId } from '../node-id.ts'
import { type FieldMaker, type Types, untypedBuilder } from './builder.ts'

/** An entity of a payload: its type, with a description if the type's own is not enough. */
type Entity =
  | { $inferType: unknown; name: string }
  | {
      type:
        | { $inferType: unknown; name: string }
        | keyof Types['outputShapes']
        | readonly ['String' | 'Int' | { $inferType: unknown; name: string }]
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

const typeOf = (entity: Entity) => ('type' in entity ? entity.type : entity)

type Row = {
  id?: unknown
  partnerId?: string | null
  environment?: Environment
  version?: unknown
  revision?: unknown
}

/**
 * What the audit log calls an object: a field of its row. Types that are not listed have no name there, because it could
 * be data of a user.
 */
const nameFields: Record<string, string> = {
  ApiKey: 'label',
  Application: 'name',
  ArenaAgent: 'displayName',
  ArenaGame: 'name',
  Campaign: 'name',
  CampaignCode: 'ending',
  CodeBatch: 'label',
  Game: 'name',
  Goal: 'name',
  Invitation: 'email',
  Lottery: 'name',
  Member: 'email',
  OfferRule: 'title',
  Partner: 'name',
  Reward: 'name',
  RewardRule: 'eventType',
  Segment: 'name',
  WebhookEndpoint: 'url',
}

/** What the audit log stores of a target besides its id, for the time after its deletion. */
const described = (type: string, row: Row) => {
  const name = (row as Record<string, unknown>)[nameFields[type] ?? '']
  const version = row.revision ?? row.version
  return {
    name: typeof name === 'string' ? name : null,
    version: typeof version === 'number' ? version : null,
  }
}

/**
 * The audit target of a mutation: the first entity of its payload that has an id, a deleted entity, or the settings of
 * the environment.
 */
export const targetOf = (
  entities: Entities,
  payload: Record<string, unknown>,
  { environment }: { environment: Environment | null },
): AuditTarget | null => {
  const typed = Object.entries(entities).flatMap(([key, entity]) => {
    const type = typeOf(entity)
    const row = payload[key] as Row | null
    return typeof type === 'object' && 'name' in type && row ? [{ type: type.name, row }] : []
  })
  for (const { type, row } of typed)
    if (typeof row.id === 'string')
      return {
        type,
        id: row.id,
        environment: row.environment ?? null,
        ...described(type, row),
        ...(row.partnerId && { partnerId: row.partnerId }),
      }
  const deleted = decodeNodeId(String(payload.deletedId))
  if (deleted) return { type: deleted.typename, id: deleted.id, environment }
  return typed[0] ? { type: typed[0].type, id: null, environment } : null
}

/** Words that are written otherwise than the names of their types. */
const spelled: Record<string, string> = { ApiKey: 'API key', SignIn: 'sign-in' }

/** `ledger entry` of `LedgerEntry`. */
const wordsOf = (name: string) =>
  spelled[name] ??
  name
    .replace(/^Public(?=[A-Z])/, '')
    .replaceAll(/(?<=[a-z])([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())

/** What a mutation writes once and never changes. */
const records = [
  'LedgerEntry',
  'Play',
  'CampaignEvent',
  'Activity',
  'CodeRedemption',
  'GameVersion',
]

/** What a field of a payload holds, unless the mutation says it. */
const descriptionOf = (payload: string, key: string, entity: Entity): string | undefined => {
  if ('type' in entity && entity.description) return entity.description
  if (key === 'deletedId') return 'The global id of what was deleted.'
  const type = typeOf(entity)
  if (typeof type !== 'object' || !('name' in type)) return undefined
  const words = wordsOf(type.name)
  if (payload.startsWith('Delete')) return `The ${words} as it was.`
  if (records.includes(type.name)) return `The ${words} that was written.`
  return payload === `Create${type.name}Payload`
    ? `The new ${words}.`
    : `The ${words} after the change.`
}

const payloads = new Map<string, ObjectRef<Types, object>>()

/** The type of a payload of entities. */
export const payloadType = (name: string, entities: Entities): ObjectRef<Types, object> => {
  const known = payloads.get(name)
  if (known) return known
  const ref = untypedBuilder.objectRef<object>(name).implement({
    description: `The result of the mutation \`${name[0]?.toLowerCase()}${name.slice(1, -'Payload'.length)}\`.`,
    fields: (t: FieldMaker) =>
      Object.fromEntries(
        Object.entries(entities).map(([key, entity]) => {
          const field = t.field({
            type: typeOf(entity),
            nullable: 'type' in entity && entity.nullable === true,
            description: descriptionOf(name, key, entity),
            // REST describes a field only with what the mutation says.
            extensions: { description: 'type' in entity ? (entity.description ?? null) : null },
            resolve: (payload: object) => Reflect.get(payload, key),
          })
          return [key, field]
        }),
      ),
  })
  payloads.set(name, ref)
  return ref
}

/** The payload type of that name, to which a later domain adds a field. It is registered by its mutation. */
export const registeredPayload = (name: string): ObjectRef<Types, object> => {
  const ref = payloads.get(name)
  if (!ref) throw new Error(`no mutation has registered ${name}`)
  return ref
}
