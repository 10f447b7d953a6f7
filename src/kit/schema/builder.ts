/** The schema builder. It defines no type of any domain. */

import type { InterfaceParam, ObjectRef } from '@pothos/core'
import SchemaBuilder, { brandWithType, getTypeBrand } from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import PrismaPlugin from '@pothos/plugin-prisma'
import RelayPlugin, { resolveNodes } from '@pothos/plugin-relay'
import ScopeAuthPlugin from '@pothos/plugin-scope-auth'
import {
  GraphQLError,
  type GraphQLResolveInfo,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import type PrismaTypes from '../../generated/pothos-types.ts'
import { getDatamodel } from '../../generated/pothos-types.ts'
import { type Access, type Context, requireCaller } from '../access/context.ts'
import type { Right } from '../access/rights.ts'
import { refused, TesseraError } from '../errors.ts'
import { pointsOfRequest } from '../http/price.ts'
import { decodeNodeId, encodeNodeId, type NodeId } from '../node-id.ts'
import { isUuid, readMoment } from '../validation.ts'
import { costByArgs } from './list-size.ts'
import { nullIfNotFound, orError } from './null-with-error.ts'

/** The most ids of one `nodes` call. */
const maxNodes = 100

/** The access and the right that a field requires. */
type Needed = readonly [Access, Right | null]

/** Whether a type can be read by its global id. */
const isNode = (typename: string): boolean => {
  try {
    const { pothosOptions } = builder.configStore.getTypeConfig(typename, 'Object')
    return 'loadWithoutCache' in pothosOptions
  } catch {
    return false
  }
}

/** Stands for a text that is not a global id. */
const noId: NodeId = { typename: '', id: '' }

const isNoId = ({ typename }: { typename: string }) => typename === noId.typename

/** The objects of ids, in the same order; null for each that is not found or is not an id. */
const loadNodes = async (
  ids: readonly { typename: string; id: unknown }[],
  ctx: Context,
  info: GraphQLResolveInfo,
): Promise<unknown[]> => {
  const known = ids.map((id) => (isNoId(id) ? null : id))
  const found = await resolveNodes(builder, ctx, info, known)
  return Promise.all(found.map((node) => shownNode(node, ctx)))
}

/** How callers see the objects of a type of which everyone may see a part. */
type Shown = {
  /** The type as which a caller sees an object. */
  typeOf(row: object, ctx: Context): string
  /** Whether a caller may see an object that was found by its id. */
  isShown(row: object, ctx: Context): Promise<boolean>
}

/** By the names of their types. */
export const shownTypes = new Map<string, Shown>()

/** A node with the brand of its type, as the caller sees it; null if the caller may not. */
export const shownNode = async (node: unknown, ctx: Context): Promise<object | null> => {
  if (typeof node !== 'object' || !node) return null
  const { name } = builder.configStore.getTypeConfig(getTypeBrand(node) as string)
  const shown = shownTypes.get(name)
  if (!shown) return node
  if (!(await shown.isShown(node, ctx))) return null
  const type = shown.typeOf(node, ctx)
  if (type === name) return node
  // An object keeps the type that it was given first.
  const view = { ...node }
  brandWithType(view, type as never)
  return view
}

export const builder = new SchemaBuilder<{
  Context: Context
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  DefaultEdgesNullability: { list: false; items: false }
  DefaultNodeNullability: false
  AuthScopes: { key: Needed }
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: Date; Output: Date }
    SafeInt: { Input: number; Output: number | bigint }
    JSON: { Input: unknown; Output: unknown }
    UUID: { Input: string; Output: string }
    TimeZone: { Input: string; Output: string }
    URL: { Input: string; Output: string }
    ArenaAction: { Input: string; Output: string }
  }
}>({
  plugins: [ScopeAuthPlugin, PrismaPlugin, RelayPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (ctx) => ctx.db,
    dmmf: getDatamodel(),
    onUnusedQuery: null,
    exposeDescriptions: { models: true, fields: true },
  },
  relay: {
    idFieldOptions: { description: 'The global id, which `node` takes. Opaque and permanent.' },
    nodesOnConnection: { description: 'The items of the page.' },
    nodesQueryOptions: {
      ...orError(
        `Up to ${maxNodes} objects by their global ids (\`id\`, not \`uuid\`), in the same order; null for each that is not found or is not a global id.`,
      ),
      nullable: { list: true, items: true },
      args: {
        ids: {
          description: `Up to ${maxNodes} global ids. Any other text, such as a UUID, finds nothing.`,
        },
      },
      complexity: costByArgs({ field: 1, multiplier: maxNodes }, (args: { ids: unknown[] }) => ({
        field: 1,
        multiplier: args.ids.length,
      })),
      resolve: (_root, { ids }, ctx, info) => {
        if (ids.length > maxNodes)
          throw refused('ids', `must be ${maxNodes} at most`, 'INVALID_PARAMETERS')
        return loadNodes(ids, ctx, info)
      },
    },
    nodeTypeOptions: {
      description:
        'An object with a global id. The id is opaque, unique across all types, and permanent.',
    },
    nodeQueryOptions: {
      description: `Any object by its global id (\`id\`, not \`uuid\`). ${nullIfNotFound}`,
      args: {
        id: {
          description:
            'The global id. Any other text, such as a UUID, is refused with `INVALID_NODE_ID`.',
        },
      },
      resolve: async (_root, { id }, ctx, _info, load) => {
        if (isNoId(id)) throw new TesseraError('INVALID_NODE_ID')
        return shownNode(await load(id), ctx)
      },
    },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The items of the page with their cursors, in the order of the list.',
    },
    nodeFieldOptions: { nullable: false, description: 'The item of the list at this edge.' },
    cursorFieldOptions: {
      description: 'The position of the item, for `after` and `before` of the same list.',
    },
    pageInfoFieldOptions: { description: 'Whether there are pages before and after this one.' },
    pageInfoTypeOptions: { description: 'Information for paging through a list.' },
    hasNextPageFieldOptions: { description: 'Whether there are items after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether there are items before this page.' },
    startCursorFieldOptions: {
      description: 'The cursor of the first item, for `before`; null for an empty page.',
    },
    endCursorFieldOptions: {
      description: 'The cursor of the last item, for `after`; null for an empty page.',
    },
    encodeGlobalID: (typename, id) => encodeNodeId(typename, String(id)),
    decodeGlobalID: (text) => {
      const named = decodeNodeId(text)
      return named && isNode(named.typename) ? named : noId
    },
  },
  scopeAuth: {
    authorizeOnSubscribe: true,
    authScopes: (ctx) => ({
      key: (needed) => {
        requireCaller(ctx, ...needed)
        return true
      },
    }),
  },
})

/** The types that the builder knows, for helpers built on it. */
export type Types = typeof builder.$inferSchemaTypes

builder.queryType({ description: 'All queries. They change nothing.' })
builder.mutationType({
  description: `All mutations. Each costs ${pointsOfRequest} points of the caller's allowance, unless its description says another price. The result of each is null only with an error at its path.`,
})
builder.subscriptionType({
  description: 'Live data, over WebSocket (`graphql-transport-ws`) or SSE.',
})

builder.scalarType('DateTime', {
  description: 'A point in time in ISO 8601, in UTC with `Z`: `2026-01-31T12:00:00.000Z`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => (value instanceof Date ? value : new Date(value)).toISOString(),
  parseValue: (value) => {
    const date = typeof value === 'string' ? readMoment(value) : null
    if (!date) throw new GraphQLError('must be a moment in ISO 8601')
    return date
  },
})

const safeInteger = (value: unknown) => {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new GraphQLError('must be an integer up to 2^53 − 1')
  return number
}

builder.scalarType('SafeInt', {
  description: 'A whole number between −(2^53 − 1) and 2^53 − 1, as a JSON number.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7493#section-2.2',
  serialize: safeInteger,
  parseValue: safeInteger,
})

builder.scalarType('UUID', {
  description: 'An id as used in REST and events: `0197a1b2-…`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value !== 'string' || !isUuid(value)) throw new GraphQLError('must be a UUID')
    return value.toLowerCase()
  },
})

builder.scalarType('URL', {
  description:
    'A URL. Which schemes and hosts an input takes is a rule of its field, and a breach of it a `ValidationError`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3986',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value !== 'string') throw new GraphQLError('must be a text')
    return value
  },
})

// One field on the interface, so that every node has it.
builder.interfaceField(builder.nodeInterfaceRef(), 'uuid', (t) =>
  t.field({
    type: 'UUID',
    // Everyone who may see the object may see its id.
    skipTypeScopes: true,
    description: 'The id as used in REST and events.',
    resolve: (node) => (node as { id: string }).id,
  }),
)

builder.scalarType('JSON', {
  description: 'Any JSON value: an object, a list, a text, a number, a boolean or null.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) =>
    node.kind === Kind.VARIABLE
      ? variables?.[node.name.value]
      : valueFromASTUntyped(node as ValueNode, variables),
})

/** Types that are not objects of their own but a part of the root, such as `Platform`. */
const namespaces = new Set<string>()

/** A type that groups root fields under a field of its own. */
export const namespace = (name: string, description: string): ObjectRef<Types, object> => {
  namespaces.add(name)
  return builder.objectRef<object>(name).implement({ description })
}

/** Whether the fields of a type are root fields. Without a type it is the root itself. */
export const isRoot = (type: { name: string } | undefined): boolean =>
  !type || namespaces.has(type.name)

type Named = { name: string }
type Options = Record<string, unknown>
export type FieldMaker = { field(options: Options): unknown; arg(options: Options): unknown }
export type Fields = (t: FieldMaker) => Record<string, unknown>

type UntypedBuilder = {
  queryFields(fields: Fields): void
  mutationFields(fields: Fields): void
  objectFields(type: Named, fields: Fields): void
  interfaceFields(type: Named, fields: Fields): void
  args(args: (t: FieldMaker) => Record<string, unknown>): Record<string, unknown>
  unionType(name: string, options: Options): Named
  edgeObject(options: Options): Named
  connectionObject<T>(options: Options, edge: Named): ObjectRef<Types, T>
  objectRef<T>(name: string): { implement(options: Options): ObjectRef<Types, T> }
  inputRef<T>(name: string): T & Named & { implement(options: Options): unknown }
}

export const untypedBuilder = builder as unknown as UntypedBuilder

/** Adds fields to an object or an interface, or without a type to the root of queries. */
export const addFields = (type: Named | undefined, fields: Fields): void => {
  if (!type) untypedBuilder.queryFields(fields)
  else if (Reflect.get(type, 'kind') === 'Interface') untypedBuilder.interfaceFields(type, fields)
  else untypedBuilder.objectFields(type, fields)
}

/** Makes an object type, of whose definition this is no part, implement an interface. */
export const addInterface = (type: Named, ofType: InterfaceParam<Types>): void =>
  builder.configStore.onTypeConfig(type as never, (_config, implementor) =>
    (implementor as ObjectRef<Types, object>).addInterfaces([ofType]),
  )
