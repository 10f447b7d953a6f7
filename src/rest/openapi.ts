/** The route table as OpenAPI 3.1. Request and answer follow from each route's operation. */
import {
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { z } from 'zod'
import { type ErrorCode, errorTable } from '../core/errors.ts'
import { keyHeader } from './mount.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { operationOf, variablesOf } from './run.ts'

type Json = Record<string, unknown>

const scalars: Record<string, Json> = {
  Int: { type: 'integer', format: 'int32' },
  SafeInt: { type: 'integer', format: 'int64' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  JSON: {},
}

const orNull = (schema: Json): Json =>
  'type' in schema ? { ...schema, type: [schema.type, 'null'] } : schema

const leafOf = (type: GraphQLInputType | GraphQLOutputType): Json => {
  const named = getNamedType(type)
  if (isEnumType(named)) return { type: 'string', enum: named.getValues().map(({ name }) => name) }
  return scalars[named.name] ?? { type: 'string' }
}

/** The JSON that a selection of a type answers. */
const answerOf = (
  type: GraphQLOutputType,
  selection: SelectionSetNode | undefined,
  route: Route,
): Json => {
  const inner = getNullableType(type)
  if (isListType(inner))
    return { type: 'array', items: answerOf(inner.ofType as GraphQLOutputType, selection, route) }
  const schema = selection ? objectOf(inner, selection, route) : leafOf(inner)
  return isNonNullType(type) ? schema : orNull(schema)
}

const objectOf = (
  type: GraphQLOutputType,
  { selections }: SelectionSetNode,
  route: Route,
): Json => {
  const named = getNamedType(type)
  if (isUnionType(named)) {
    const [payload] = named.getTypes()
    const fragment = selections.find(
      (selection) =>
        selection.kind === Kind.INLINE_FRAGMENT &&
        selection.typeCondition?.name.value === payload?.name,
    )
    if (!payload || fragment?.kind !== Kind.INLINE_FRAGMENT) return {}
    return objectOf(payload, fragment.selectionSet, route)
  }
  if (!isObjectType(named) && !isInterfaceType(named)) return {}
  const properties: Json = {}
  const required: string[] = []
  for (const selection of selections) {
    if (selection.kind !== Kind.FIELD) continue
    const name = selection.alias?.value ?? selection.name.value
    const field = named.getFields()[selection.name.value]
    if (!field) continue
    const isOptional = route.optional.has(name) && !isNonNullType(field.type)
    const fieldType = isOptional ? field.type : field.type
    const schema = answerOf(fieldType, selection.selectionSet, route)
    properties[name] = {
      ...(isOptional
        ? answerOf(getNullableType(field.type), selection.selectionSet, route)
        : schema),
      ...(field.description && { description: field.description }),
    }
    if (!isOptional) required.push(name)
  }
  return { type: 'object', properties, required }
}

/** The JSON under the alias `result` of a route's operation. */
const resultOf = (schema: GraphQLSchema, route: Route): Json => {
  const operation = operationOf(route)
  let type = schema.getRootType(operation.operation) as GraphQLOutputType
  let { selectionSet } = operation
  for (;;) {
    const named = getNamedType(type)
    const [field] = selectionSet.selections
    if (field?.kind !== Kind.FIELD || !isObjectType(named)) return {}
    const definition = named.getFields()[field.name.value]
    if (!definition) return {}
    if (field.alias?.value === 'result') return answerOf(definition.type, field.selectionSet, route)
    type = definition.type
    selectionSet = field.selectionSet as SelectionSetNode
  }
}

const envelopeOf = (schema: GraphQLSchema, route: Route): Json => {
  const result = resultOf(schema, route)
  const parts = route.list ? (result.properties as Json) : { data: result }
  return {
    type: 'object',
    properties: {
      message: { type: 'string', examples: [route.message] },
      code: { type: 'integer', const: 200 },
      status: { type: 'string', const: 'success' },
      ...parts,
    },
    required: ['message', 'code', 'status', ...Object.keys(parts)],
  }
}

const authErrors: ErrorCode[] = [
  'INVALID_API_KEY',
  'API_KEY_REVOKED',
  'APPLICATION_NOT_ACTIVE',
  'PARTNER_NOT_FOUND',
]

const errorsOf = (route: Route, hasBody: boolean): ErrorCode[] => [
  route.key === 'public' ? 'MISSING_API_KEY' : 'MISSING_API_SECRET',
  ...authErrors,
  ...(hasBody
    ? (['VALIDATION_FAILED', 'MALFORMED_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
    : []),
  ...(route.list ? (['INVALID_PARAMETERS'] as const) : []),
  ...(route.method === 'POST'
    ? ([
        'IDEMPOTENT_REQUEST_IN_PROGRESS',
        'IDEMPOTENT_OUTCOME_UNKNOWN',
        'IDEMPOTENCY_KEY_REUSED',
      ] as const)
    : []),
  ...route.errors,
  'RATE_LIMITED',
  'OVERLOADED',
]

const errorAnswers = (codes: ErrorCode[]): Json =>
  Object.fromEntries(
    [...Map.groupBy(codes, (code) => errorTable[code].status)].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${errorTable[code].message}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )

const pageParameters: Record<string, Json> = {
  page: { type: 'integer', minimum: 1, default: 1 },
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
}

const operationObject = (schema: GraphQLSchema, route: Route): Json => {
  const variables = variablesOf(schema, route)
  const body = variables.find(({ source }) => source === 'body')
  const input = body && getNamedType(body.type)
  const bodySchema = isInputObjectType(input)
    ? z.toJSONSchema(input.extensions.schema as z.ZodType, {
        io: 'input',
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => {
          if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'object'
          delete (jsonSchema as Json).graphql
        },
      })
    : undefined
  if (bodySchema) delete bodySchema.$schema
  const words = route.path.split('/').filter((part) => part && !part.startsWith('{'))
  return {
    operationId: [
      route.method.toLowerCase(),
      ...words.slice(1),
      ...(route.path.endsWith('}') ? ['one'] : []),
    ]
      .join('_')
      .replace(/-/g, '_'),
    summary: route.summary,
    tags: [words[1]],
    security: [{ [route.key === 'public' ? 'publicKey' : 'secretKey']: [] }],
    parameters: [
      ...variables
        .filter(({ source }) => source !== 'body')
        .map(({ name, type, source }) => ({
          name,
          in: source,
          required: source === 'path',
          schema: pageParameters[name] ?? leafOf(type),
        })),
      ...(route.method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(bodySchema && {
      requestBody: { required: true, content: { 'application/json': { schema: bodySchema } } },
    }),
    responses: {
      200: {
        description: route.message,
        content: { 'application/json': { schema: envelopeOf(schema, route) } },
      },
      ...errorAnswers(errorsOf(route, bodySchema !== undefined)),
    },
  }
}

/** @param serverUrl where the service is reached */
export const openapi = (schema: GraphQLSchema, serverUrl: string): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Tessera',
    version: '1',
    description:
      'Points, games of chance and leaderboards for your users. The same service is a GraphQL API at `/graphql`.',
  },
  servers: [{ url: serverUrl }],
  paths: Object.fromEntries(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => [
      path,
      Object.fromEntries(
        group.map((route) => [route.method.toLowerCase(), operationObject(schema, route)]),
      ),
    ]),
  ),
  components: {
    securitySchemes: {
      publicKey: {
        type: 'apiKey',
        in: 'header',
        name: keyHeader.public,
        description: '`pk_test_…` or `pk_live_…`; may stand in a browser or an app.',
      },
      secretKey: {
        type: 'apiKey',
        in: 'header',
        name: keyHeader.secret,
        description: '`sk_test_…` or `sk_live_…`; belongs on a server.',
      },
    },
    parameters: {
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description:
          'The same key with the same request gives the first answer again, with `Idempotent-Replayed: true`, for 24 hours.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    },
    schemas: {
      Error: {
        type: 'object',
        properties: {
          message: { type: 'string', description: 'The error in words.' },
          code: { type: 'integer', description: 'HTTP status.' },
          status: { type: 'string', const: 'error' },
          errorCode: { type: 'string', enum: Object.keys(errorTable), description: 'Stable name.' },
          requestId: { type: 'string', description: 'For questions to support.' },
          errors: {
            type: 'array',
            description: 'All fields that were refused.',
            items: {
              type: 'object',
              properties: {
                field: { type: 'string' },
                code: { type: 'string' },
                message: { type: 'string' },
              },
              required: ['field', 'code', 'message'],
            },
          },
        },
        required: ['message', 'code', 'status'],
      },
    },
  },
})
