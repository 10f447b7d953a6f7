/** The schema builder. It defines no type of any domain. */

import type { ObjectRef } from '@pothos/core'
import SchemaBuilder from '@pothos/core'
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
const loadNodes = (
  ids: readonly { typename: string; id: unknown }[],
  ctx: object,
  info: GraphQLResolveInfo,
): Promise<unknown[]> => {
  const known = ids.map((id) => (isNoId(id) ? null : id))
  return resolveNodes(builder, ctx, info, known)
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
    nodesOnConnection: true,
    nodesQueryOptions: {
      description: `Up to ${maxNodes} objects by their global ids, in the same order; null for each that is not found.`,
      args: { ids: {} },
      complexity: (args) => ({ field: 1, multiplier: args.ids.length }),
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
      description: 'Any object by its global id; null if not found.',
      resolve: (_root, { id }, _ctx, _info, load) => {
        if (isNoId(id)) throw new TesseraError('INVALID_NODE_ID')
        return load(id)
      },
    },
    edgesFieldOptions: { nullable: { list: false, items: false } },
    nodeFieldOptions: { nullable: false },
    pageInfoTypeOptions: { description: 'Information for paging through a list.' },
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

builder.queryType({ description: 'All queries.' })
builder.mutationType({
  description: `All mutations. Each costs ${pointsOfRequest} points of the caller's allowance, unless its description says another price.`,
})
builder.subscriptionType({
  description: 'Live data, over WebSocket (`graphql-transport-ws`) or SSE.',
})

builder.scalarType('DateTime', {
  description: 'A point in time in ISO 8601, in UTC with `Z`: `2026-01-31T12:00:00.000Z`.',
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
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) =>
    node.kind === Kind.VARIABLE
      ? variables?.[node.name.value]
      : valueFromASTUntyped(node as ValueNode, variables),
})

type Named = { name: string }
type Options = Record<string, unknown>
export type FieldMaker = { field(options: Options): unknown; arg(options: Options): unknown }
export type Fields = (t: FieldMaker) => Record<string, unknown>

type UntypedBuilder = {
  queryFields(fields: Fields): void
  mutationFields(fields: Fields): void
  objectFields(type: Named, fields: Fields): void
  args(args: (t: FieldMaker) => Record<string, unknown>): Record<string, unknown>
  unionType(name: string, options: Options): Named
  edgeObject(options: Options): Named
  connectionObject<T>(options: Options, edge: Named): ObjectRef<Types, T>
  objectRef<T>(name: string): { implement(options: Options): ObjectRef<Types, T> }
  inputRef<T>(name: string): T & Named & { implement(options: Options): unknown }
}

export const untypedBuilder = builder as unknown as UntypedBuilder
