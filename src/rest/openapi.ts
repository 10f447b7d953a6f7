/** The route table as OpenAPI 3.1. Requests and answers are derived from each route's operation. */
import { type GraphQLSchema, Kind, OperationTypeNode } from 'graphql'
import type { Access } from '../kit/access/context.ts'
import { environmentHeader, keyHeader, userTokenHeader } from '../kit/access/credentials.ts'
import { errorTable } from '../kit/errors.ts'
import { type AnsweredRequest, listAnsweredRequests } from '../kit/http/answered-request.ts'
import { type EventKind, listEventKinds } from '../kit/streams/events.ts'
import {
  envelopeOf,
  type Json,
  jsonSchemaOf,
  plainDescription,
  successStatus,
} from './answer-schema.ts'
import { bodySchemaOf, withoutPathFields } from './body-schema.ts'
import { errorAnswers, errorComponents } from './error-answers.ts'
import { answerExample, bodyExample, exampleOf } from './examples.ts'
import { introduction, tags } from './introduction.ts'
import { type NamedObjects, schemasOf, withReferences } from './named-objects.ts'
import { pageParameters, parameterObject, pathDescriptions } from './parameters.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { operationOf, variablesOf } from './variables.ts'

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
        'A token of the user whom the call names, from `POST /v1/users/{userId}/token` or signed by you. Required if the application says so, and with things of value.',
      schema: { type: 'string' },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'The same key with the same request gives the first answer again, with `Idempotent-Replayed: true`, for 24 hours. An answer above 64 KB is not kept: the same request again gives 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
    Page: pageParameters['page'],
    Limit: pageParameters['limit'],
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
      description: 'What all answers of a group have besides their data.',
      properties: {
        message: { type: 'string', description: 'Readable message.' },
        code: { type: 'integer', const: 200, description: 'HTTP status.' },
        status: successStatus,
      },
      required: ['message', 'code', 'status'],
    },
    Error: {
      type: 'object',
      description: 'The answer to a request that failed.',
      properties: {
        message: { type: 'string', description: 'Readable message.' },
        code: { type: 'integer', description: 'HTTP status.' },
        status: { type: 'string', const: 'error', description: 'Always `error`.' },
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
        hint: {
          type: 'string',
          description: 'What you may have meant, such as the header for a key of this kind.',
        },
        errors: {
          type: 'array',
          description: 'All invalid fields.',
          items: {
            type: 'object',
            properties: {
              field: { type: 'string', description: 'Path of the field, such as `lines.0.main`.' },
              code: { type: 'string', description: 'What is wrong, such as `too_big`.' },
              message: { type: 'string', description: 'Readable message that names the field.' },
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

/** What the mutation of a route does, unless that speaks of the schema. */
const detailsOf = (schema: GraphQLSchema, { operation, choice, summary }: Route) => {
  const { operation: kind, selectionSet } = operationOf(operation)
  const [field] = selectionSet.selections
  if (kind !== OperationTypeNode.MUTATION || choice || field?.kind !== Kind.FIELD) return undefined
  const mutation = schema.getMutationType()?.getFields()[field.name.value]
  const description = mutation && plainDescription(mutation)
  const isOfSchema = (sentence: string) =>
    sentence
      .split('`')
      .some(
        (part, i) =>
          i % 2 === 1 && (schema.getMutationType()?.getFields()[part] || part.endsWith('Error')),
      )
  const text = description
    ?.split('. ')
    .filter((sentence) => !isOfSchema(sentence))
    .join('. ')
  if (!text || text === `${summary}.`) return undefined
  return text.endsWith('.') ? text : `${text}.`
}

const wordsOf = ({ path }: Route) => path.split('/').filter((part) => part && !part.startsWith('{'))

const idOf = (route: Route): string => {
  const words = wordsOf(route)
  return [
    route.method.toLowerCase(),
    ...words.slice(words[0] === 'v1' ? 1 : 0),
    ...(route.path.endsWith('}') ? ['one'] : []),
  ]
    .join('_')
    .replace(/-/g, '_')
}

/** The answer of a success. */
const answerObject = (schema: GraphQLSchema, route: Route): Json => {
  const own = envelopeOf(schema, route)
  const whole = { allOf: [{ $ref: '#/components/schemas/Success' }, own] }
  return {
    description: route.message ?? route.summary,
    content: {
      'application/json': {
        schema: route.message ? whole : own,
        example: answerExample(route, own),
      },
    },
  }
}

const bodyObject = (route: Route, schema: Json): Json => ({
  required: ((schema.required as string[] | undefined) ?? []).length > 0,
  content: { 'application/json': { schema, example: bodyExample(route, schema) } },
})

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
  const description = detailsOf(schema, route)
  return {
    operationId: idOf(route),
    summary: route.summary,
    ...(description && { description }),
    tags: [wordsOf(route)[1]],
    security: [...securities[route.key], ...(route.takesSecret ? securities.secret : [])],
    parameters: [
      ...Object.entries(fromPath).map(([name, { description, ...parameter }]) => ({
        name,
        in: 'path',
        required: true,
        description: pathDescriptions[name] ?? description,
        schema: parameter,
        example: exampleOf(parameter, name),
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
    ...(requestBody && { requestBody: bodyObject(route, requestBody) }),
    responses: {
      [route.status]: answerObject(schema, route),
      ...errorAnswers(schema, route, requestBody !== undefined),
    },
  }
}

const webhookParameters = ['Id', 'Signature'].map((name) => ({
  $ref: `#/components/parameters/Webhook${name}`,
}))

/** The body of a webhook request. */
const webhookBody = (type: string, data: Json): Json => ({
  type: 'object',
  properties: {
    event: { type: 'string', const: type, description: 'What happened.' },
    data,
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
  },
  required: ['event', 'data', 'timestamp'],
})

/** The webhook requests, by event. */
const webhookObject = ({ type, description, data, example }: EventKind): Json => {
  const schema = webhookBody(type, { ...jsonSchemaOf(data), examples: [example] })
  return {
    post: {
      summary: description,
      security: [],
      parameters: webhookParameters,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'The event was received.' } },
    },
  }
}

/** A webhook request whose answer is used. */
const answeredObject = (kind: AnsweredRequest): Json => {
  const { type, summary, description, title, answer } = kind
  const schema = {
    title,
    about: 'A request to the server of a partner.',
    ...webhookBody(type, jsonSchemaOf(kind.data)),
  }
  const example = { event: type, data: kind.example, timestamp: kind.sentAt }
  return {
    post: {
      summary,
      description,
      security: [],
      parameters: webhookParameters,
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: {
        '2XX': {
          description: answer.description,
          content: {
            'application/json': { schema: jsonSchemaOf(answer.schema), example: answer.example },
          },
        },
      },
    },
  }
}

const webhookObjects = (): Json =>
  Object.fromEntries([
    ...listEventKinds().map((kind) => [kind.type, webhookObject(kind)]),
    ...listAnsweredRequests().map((kind) => [kind.type, answeredObject(kind)]),
  ])

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
  const webhooks = withReferences(webhookObjects(), objects)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version: '1',
      description: introduction,
    },
    servers: [{ url: serverUrl }],
    tags,
    paths,
    webhooks,
    components: {
      ...components,
      schemas: { ...components.schemas, ...schemasOf(objects) },
    },
  }
}
