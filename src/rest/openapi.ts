/** The route table as OpenAPI 3.1. Requests and answers are derived from each route's operation. */
import { type GraphQLSchema, getNullableType, isListType } from 'graphql'
import type { Access } from '../kit/access/context.ts'
import { environmentHeader, keyHeader, userTokenHeader } from '../kit/access/credentials.ts'
import { errorTable } from '../kit/errors.ts'
import { type EventKind, listEventKinds } from '../kit/streams/events.ts'
import { envelopeOf, type Json, jsonSchemaOf, leafOf } from './answer-schema.ts'
import { bodySchemaOf, pathSchemaOf, withoutPathFields } from './body-schema.ts'
import { errorAnswers, errorComponents } from './error-answers.ts'
import { type NamedObjects, schemasOf, withReferences } from './named-objects.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { type Variable, variablesOf } from './variables.ts'

const components = {
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
      description: 'The environment of the request.',
      schema: { type: 'string', enum: ['TEST', 'LIVE'], default: 'LIVE' },
    },
    UserToken: {
      name: userTokenHeader,
      in: 'header',
      description:
        'A token of the user whom the call names, from `POST /v1/users/{userId}/token` or signed by you. Required if the application says so.',
      schema: { type: 'string' },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'The same key with the same request gives the first answer again, with `Idempotent-Replayed: true`, for 24 hours. An answer above 64 KB is not kept: the same request again gives 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
    Page: {
      name: 'page',
      in: 'query',
      description: 'Page number.',
      schema: { type: 'integer', minimum: 1, default: 1 },
    },
    Limit: {
      name: 'limit',
      in: 'query',
      description: 'Items per page.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    },
    WebhookId: {
      name: 'X-Webhook-Id',
      in: 'header',
      required: true,
      description: 'Id of the event; the same on every attempt.',
      schema: { type: 'string' },
    },
    WebhookSignature: {
      name: 'X-Webhook-Signature',
      in: 'header',
      required: true,
      description: '`sha256=` and the HMAC-SHA256 of the body, keyed with the secret.',
      schema: { type: 'string' },
    },
  },
  responses: errorComponents,
  schemas: {
    Success: {
      type: 'object',
      properties: {
        message: { type: 'string', description: 'Readable message.' },
        code: { type: 'integer', const: 200 },
        status: { type: 'string', const: 'success' },
      },
      required: ['message', 'code', 'status'],
    },
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

const securities: Record<Access, Json[]> = {
  public: [{ publicKey: [] }],
  secret: [{ secretKey: [] }],
  member: [{ bearer: [] }],
  operator: [{ bearer: [] }],
  anyone: [],
}

const pageParameters: Record<string, string> = { page: 'Page', limit: 'Limit' }

/** A list in a query is its values, separated by commas. */
const commaSeparated = { style: 'form', explode: false }

const parameterObject = (schema: GraphQLSchema, route: Route, variable: Variable): Json => {
  const { name, type, source } = variable
  if (pageParameters[name]) return { $ref: `#/components/parameters/${pageParameters[name]}` }
  const parameter = { name, in: source, ...(source === 'path' && { required: true }) }
  const said = pathSchemaOf(schema, route, variable)
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
    security: securities[route.key],
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
      ...errorAnswers(schema, route, requestBody !== undefined),
    },
  }
}

/** The webhook requests, by event. */
const webhookObject = ({ type, description, data, example }: EventKind): Json => {
  return {
    post: {
      summary: description,
      security: [],
      parameters: ['Id', 'Signature'].map((name) => ({
        $ref: `#/components/parameters/Webhook${name}`,
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                event: { type: 'string', const: type },
                data: { ...jsonSchemaOf(data), examples: [example] },
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

const pathObjects = (schema: GraphQLSchema): Json =>
  Object.fromEntries(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => [
      path,
      Object.fromEntries(
        group.map((route) => [route.method.toLowerCase(), operationObject(schema, route)]),
      ),
    ]),
  )

/** @param serverUrl the URL of the service */
export const openapi = (schema: GraphQLSchema, serverUrl: string): Json => {
  const objects: NamedObjects = new Map()
  const paths = withReferences(pathObjects(schema), objects)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version: '1',
      description:
        'Points, games of chance and leaderboards for your users. The same service is a GraphQL API at `/graphql`.',
    },
    servers: [{ url: serverUrl }],
    paths,
    webhooks: Object.fromEntries(listEventKinds().map((kind) => [kind.type, webhookObject(kind)])),
    components: {
      ...components,
      schemas: { ...components.schemas, ...schemasOf(objects) },
    },
  }
}
