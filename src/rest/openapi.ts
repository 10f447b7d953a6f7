/** The route table as OpenAPI 3.1. Requests and answers are derived from each route's operation. */
import { type GraphQLSchema, getNullableType, isListType, Kind } from 'graphql'
import { z } from 'zod'
import type { Access } from '../kit/access/context.ts'
import { environmentHeader, keyHeader, userTokenHeader } from '../kit/access/credentials.ts'
import { type ErrorCode, errorTable } from '../kit/errors.ts'
import { type EventKind, listEventKinds } from '../kit/streams/events.ts'
import { envelopeOf, type Json, leafOf } from './answer-schema.ts'
import { bodySchemaOf, pathSchemaOf, withoutPathFields } from './body-schema.ts'
import { type Route, variantsOf } from './route.ts'
import { routes } from './routes.ts'
import { operationOf, type Variable, variablesOf } from './variables.ts'

const components: Json = {
  securitySchemes: {
    publicKey: {
      type: 'apiKey',
      in: 'header',
      name: keyHeader.public,
      description: '`pk_test_…` or `pk_live_…`. For browsers and apps.',
    },
    secretKey: {
      type: 'apiKey',
      in: 'header',
      name: keyHeader.secret,
      description: '`sk_test_…` or `sk_live_…`. Only for servers.',
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The `accessToken` of `POST /dashboard/auth/login`.',
    },
  },
  parameters: {
    Environment: {
      name: environmentHeader,
      in: 'header',
      required: false,
      description: 'The environment of the request.',
      schema: { type: 'string', enum: ['TEST', 'LIVE'], default: 'LIVE' },
    },
    UserToken: {
      name: userTokenHeader,
      in: 'header',
      required: false,
      description:
        'A token of the user whom the call names, from `POST /v1/users/{userId}/token` or signed by you. Required if the application says so.',
      schema: { type: 'string' },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'The same key with the same request gives the first answer again, with `Idempotent-Replayed: true`, for 24 hours. An answer above 64 KB is not kept: the same request again gives 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  },
  schemas: {
    Error: {
      type: 'object',
      properties: {
        message: { type: 'string', description: 'Readable message.' },
        code: { type: 'integer', description: 'HTTP status.' },
        status: { type: 'string', const: 'error' },
        errorCode: {
          type: 'string',
          enum: Object.keys(errorTable),
          description: 'Stable code of the error.',
        },
        requestId: { type: 'string', description: 'Id of the request, for support.' },
        cell: {
          type: 'string',
          description:
            '`WRONG_CELL` only: the cell of the credential; `default` if it has no name.',
        },
        errors: {
          type: 'array',
          description: 'All invalid fields.',
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
}

const keyErrors: ErrorCode[] = [
  'INVALID_API_KEY',
  'WRONG_CELL',
  'API_KEY_REVOKED',
  'RIGHT_REQUIRED',
  'APPLICATION_NOT_ACTIVE',
  'PARTNER_NOT_FOUND',
]
const userTokenErrors: ErrorCode[] = [
  'INVALID_USER_TOKEN',
  'MISSING_USER_TOKEN',
  'USER_TOKEN_OF_ANOTHER',
]
const memberErrors: ErrorCode[] = [
  'INVALID_BEARER_TOKEN',
  'WRONG_CELL',
  'PARTNER_NOT_FOUND',
  'INVALID_ENVIRONMENT',
]

/** For each access: its name in the document, and the errors of callers without it. */
const accesses: Record<Access, { security: Json[]; errors: ErrorCode[] }> = {
  public: {
    security: [{ publicKey: [] }],
    errors: ['MISSING_API_KEY', ...keyErrors, ...userTokenErrors],
  },
  secret: { security: [{ secretKey: [] }], errors: ['MISSING_API_SECRET', ...keyErrors] },
  member: { security: [{ bearer: [] }], errors: [...memberErrors, 'RIGHT_REQUIRED'] },
  operator: { security: [{ bearer: [] }], errors: [...memberErrors, 'ADMIN_REQUIRED'] },
  anyone: { security: [], errors: [] },
}

const bodyErrors: ErrorCode[] = [
  'VALIDATION_FAILED',
  'MALFORMED_JSON',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

const idempotencyErrors: ErrorCode[] = [
  'IDEMPOTENT_REQUEST_IN_PROGRESS',
  'IDEMPOTENT_OUTCOME_UNKNOWN',
  'IDEMPOTENCY_KEY_REUSED',
]

/** The errors that the mutation of a route declares. */
const refusalsOf = (schema: GraphQLSchema, route: Route): ErrorCode[] =>
  variantsOf(route).flatMap(({ operation }) => {
    const [field] = operationOf(operation).selectionSet.selections
    const name = field?.kind === Kind.FIELD ? field.name.value : ''
    const { errors } = schema.getMutationType()?.getFields()[name]?.extensions ?? {}
    return (errors as ErrorCode[] | undefined) ?? []
  })

const errorsOf = (schema: GraphQLSchema, route: Route, hasBody: boolean): ErrorCode[] => {
  const codes: ErrorCode[] = [
    ...accesses[route.key].errors,
    ...(hasBody ? bodyErrors : []),
    ...(route.list ? (['INVALID_PARAMETERS'] as const) : []),
    ...(route.method === 'POST' ? idempotencyErrors : []),
    ...refusalsOf(schema, route).filter((code) => !route.never.includes(code)),
    ...route.errors,
    'RATE_LIMITED',
    'OVERLOADED',
    'UNAVAILABLE',
  ]
  return [...new Set(codes)]
}

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

/** A list in a query is its values, separated by commas. */
const commaSeparated = { style: 'form', explode: false }

const parameterObject = (schema: GraphQLSchema, route: Route, variable: Variable): Json => {
  const { name, type, source } = variable
  const parameter = { name, in: source, required: source === 'path' }
  const said = pageParameters[name] ?? pathSchemaOf(schema, route, variable)
  if (!said && isListType(getNullableType(type)))
    return { ...parameter, ...commaSeparated, schema: { type: 'array', items: leafOf(type) } }
  return { ...parameter, schema: said ?? leafOf(type) }
}

const operationObject = (schema: GraphQLSchema, route: Route): Json => {
  const variables = variablesOf(schema, route)
  const bodySchema = bodySchemaOf(schema, route, variables)
  const pathNames = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const inPathAlone = pathNames.filter((name) => !variables.some((v) => v.name === name))
  const fromPath = Object.fromEntries(
    inPathAlone.map((name) => [
      name,
      (bodySchema?.properties?.[name] ?? { type: 'string' }) as Json,
    ]),
  )
  const requestBody = bodySchema && withoutPathFields(bodySchema, pathNames)
  const words = route.path.split('/').filter((part) => part && !part.startsWith('{'))
  return {
    operationId: [
      route.method.toLowerCase(),
      ...words.slice(words[0] === 'v1' ? 1 : 0),
      ...(route.path.endsWith('}') ? ['one'] : []),
    ]
      .join('_')
      .replace(/-/g, '_'),
    summary: route.summary,
    tags: [words[1]],
    security: accesses[route.key].security,
    parameters: [
      ...Object.entries(fromPath).map(([name, { description, ...parameter }]) => ({
        name,
        in: 'path',
        required: true,
        ...(description ? { description } : {}),
        schema: parameter,
      })),
      ...variables
        .filter(({ source }) => source === 'path' || source === 'query')
        .map((variable) => parameterObject(schema, route, variable)),
      ...(route.key === 'public' ? [{ $ref: '#/components/parameters/UserToken' }] : []),
      ...(route.method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(route.key === 'member' || route.key === 'operator'
        ? [{ $ref: '#/components/parameters/Environment' }]
        : []),
    ],
    ...(requestBody && {
      requestBody: {
        required: ((requestBody.required as string[] | undefined) ?? []).length > 0,
        content: { 'application/json': { schema: requestBody } },
      },
    }),
    responses: {
      [route.status]: {
        description: route.message ?? route.summary,
        content: { 'application/json': { schema: envelopeOf(schema, route) } },
      },
      ...errorAnswers(errorsOf(schema, route, requestBody !== undefined)),
    },
  }
}

const repeated = { schema: { type: 'string' }, required: true, in: 'header' }

/** The webhook requests, by event. */
const webhookObject = ({ type, description, data, example }: EventKind): Json => {
  const { $schema, ...dataSchema } = z.toJSONSchema(data, {
    // More keys may be added.
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.minimum
        delete jsonSchema.maximum
      }
    },
  })
  return {
    post: {
      summary: description,
      security: [],
      parameters: [
        {
          ...repeated,
          name: 'X-Webhook-Id',
          description: 'Id of the event; the same on every attempt.',
        },
        {
          ...repeated,
          name: 'X-Webhook-Signature',
          description: '`sha256=` and the HMAC-SHA256 of the body, keyed with the secret.',
        },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                event: { type: 'string', const: type },
                data: { ...dataSchema, examples: [example] } as Json,
                timestamp: {
                  type: 'string',
                  format: 'date-time',
                  description: 'When it happened.',
                },
              },
              required: ['event', 'data', 'timestamp'],
            },
          },
        },
      },
      responses: { '2XX': { description: 'The event was received.' } },
    },
  }
}

/** @param serverUrl the URL of the service */
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
  webhooks: Object.fromEntries(listEventKinds().map((kind) => [kind.type, webhookObject(kind)])),
  components,
})
