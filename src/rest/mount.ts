/** Puts the routes on the HTTP server: who may call, how often, how large, and only once. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { Caller, Context, KeyKind } from '../core/context.ts'
import { TesseraError } from '../core/errors.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Limit } from './rate-limit.ts'
import { decorateForReplay, remember, replay } from './replay.ts'
import type { Method, Route } from './route.ts'
import { routes } from './routes.ts'
import { prepare } from './run.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** Who sends a key; throws the authentication failures of the interface. */
export type Authenticate = (text: string, kind: KeyKind) => Promise<Caller>

/** What REST and GraphQL need to answer. */
export type Parts = {
  runtime: Runtime
  schema: GraphQLSchema
  authenticate: Authenticate
  limit: Limit
}

export const keyHeader = { public: 'x-api-key', secret: 'x-api-secret' } as const

const readKey = ({ headers }: FastifyRequest, kind: KeyKind): string => {
  const text = headers[keyHeader[kind]]
  if (typeof text !== 'string' || text === '')
    throw new TesseraError(kind === 'public' ? 'MISSING_API_KEY' : 'MISSING_API_SECRET')
  return text
}

const allowedHeaders = 'content-type, x-api-key, x-request-id, idempotency-key'
const exposedHeaders =
  'x-request-id, idempotent-replayed, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset'

/** A page of any origin may use public keys; it sends no cookies, so none are allowed. */
const allowAnyOrigin = async (_: FastifyRequest, reply: FastifyReply) => {
  reply.header('access-control-allow-origin', '*')
  reply.header('access-control-expose-headers', exposedHeaders)
}

const mountPreflights = (app: FastifyInstance, publicRoutes: Route[]) => {
  for (const [url, methods] of Map.groupBy(publicRoutes, ({ path }) => fastifyPath(path)))
    app.options(url, { onRequest: allowAnyOrigin }, (_, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', methods.map(({ method }) => method).join(', '))
        .header('access-control-allow-headers', allowedHeaders)
        .header('access-control-max-age', '86400')
        .send(),
    )
}

const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

export const mountRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { runtime, schema, authenticate, limit } = parts
  app.decorateRequest('caller', null)
  decorateForReplay(app)
  for (const route of routes) {
    const run = prepare(schema, route)
    const { key, method, path } = route
    app.route({
      method: method satisfies Method,
      url: fastifyPath(path),
      bodyLimit: route.bodyLimit,
      onRequest: [
        ...(key === 'public' ? [allowAnyOrigin] : []),
        async (request, reply) => {
          const text = readKey(request, key)
          request.caller = await authenticate(text, key).catch(async (error) => {
            await limit(request, reply, null)
            throw error
          })
          await limit(request, reply, request.caller)
        },
      ],
      ...(method === 'POST' && {
        preHandler: (request: FastifyRequest, reply: FastifyReply) =>
          replay(runtime, request, reply) as Promise<void>,
        onSend: async (request: FastifyRequest, reply: FastifyReply, body: unknown) => {
          await remember(runtime, request, reply, body)
          return body
        },
      }),
      handler: (request, reply) =>
        run(request, reply, {
          ...runtime,
          callers: { [key]: request.caller as Caller },
          requestId: request.id,
        } satisfies Context),
    })
  }
  mountPreflights(
    app,
    routes.filter(({ key }) => key === 'public'),
  )
}
