/** GraphQL over HTTP at `/graphql`: limits, credentials, and errors in the shape of GraphQL. */

import { readFile } from 'node:fs/promises'
import { constants } from 'node:zlib'
import compress, { type FastifyCompressOptions } from '@fastify/compress'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Callers, isGoodCaller } from '../kit/access/context.ts'
import { readCallers, type Sent } from '../kit/access/credentials.ts'
import type { Config } from '../kit/config/config.ts'
import { TesseraError } from '../kit/errors.ts'
import { consoleHeader, sessionOf } from '../kit/http/console-cookie.ts'
import { faultLevel, toTesseraError } from '../kit/http/error-mapping.ts'
import { hasCurrent, personalHeaders, revalidated, vary } from '../kit/http/etag.ts'
import { exposedHeaders, type Parts } from '../kit/http/http-parts.ts'
import { remember, replay } from '../kit/http/idempotent-replay.ts'
import { type Allowance, pointsOfOperation } from '../kit/http/rate-limit.ts'
import { mediaTypeFor, streamType } from './accept.ts'
import { isDryRun, payerOf } from './budget.ts'
import {
  createEngine,
  type EngineOptions,
  type GraphqlEngine,
  type OperationOutcome,
} from './engine.ts'
import { sendGraphqlError } from './faults.ts'
import { countOperations, kindsOf, paramsOf } from './named-documents.ts'

const publicHeaders =
  'content-type, x-api-key, x-environment, x-request-id, x-session-token, x-user-token, idempotency-key, traceparent, x-tessera-timings, x-tessera-dry-run'
const memberHeaders = `${publicHeaders}, authorization`

/**
 * Pages of any origin may use a public key. Pages that use a sign-in must have a listed origin. The cookie of the
 * console is for its own origin alone, so CORS credentials are never allowed.
 */
const createCors = ({ corsOrigins }: Pick<Config, 'corsOrigins'>) => {
  const isListed = (origin: string | undefined) =>
    origin !== undefined && corsOrigins.includes(origin)
  return {
    /** Answers preflight requests. */
    preflight: async ({ headers: { origin } }: FastifyRequest, reply: FastifyReply) =>
      reply
        .code(204)
        .header('vary', 'Origin')
        .header('access-control-allow-origin', isListed(origin) ? origin : '*')
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', isListed(origin) ? memberHeaders : publicHeaders)
        .header('access-control-max-age', '86400')
        .send(),
    /** Sets which pages may read the answer. */
    allow: async ({ headers }: FastifyRequest, reply: FastifyReply) => {
      const { origin, authorization } = headers
      reply.header('vary', 'Origin').header('access-control-expose-headers', exposedHeaders)
      if (headers[consoleHeader] !== undefined) return
      if (authorization === undefined) reply.header('access-control-allow-origin', '*')
      else if (isListed(origin)) reply.header('access-control-allow-origin', origin)
    },
  }
}

const isForEverybody = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && personalHeaders.every((name) => headers[name] === undefined)

const cacheControl = 'public, max-age=5, stale-while-revalidate=25'

/** Whether a cache or the client may keep the answer. */
const isKept = (reply: FastifyReply): boolean =>
  [cacheControl, revalidated].includes(String(reply.getHeader('cache-control')))

/** What remains of the allowance differs each time, the data does not. */
const dataOf = (text: string) => text.slice(0, text.lastIndexOf('"extensions":'))

/**
 * Lets caches store a public answer for a few seconds, and clients revalidate any. Returns whether the client already
 * has it.
 */
const isKnown = (request: FastifyRequest, reply: FastifyReply, text: string, isPublic: boolean) => {
  reply.headers({ vary, 'cache-control': isPublic ? cacheControl : revalidated })
  return hasCurrent(request, reply, dataOf(text))
}

const maxBodyBytes = 100 * 1024

const compression: FastifyCompressOptions = {
  global: false,
  threshold: 1024,
  encodings: ['br', 'gzip'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
}

/** The schema as text. A test compares it with the served schema. */
const schemaFile = new URL('../../schema.graphql', import.meta.url)

declare module 'fastify' {
  interface FastifyRequest {
    /** The keys of a GraphQL request, which may send both kinds. */
    callers: Callers
    sent: Sent
    allowance: Allowance | null
    /** Whether the answer of GraphQL has errors. */
    hasErrors: boolean
  }
}

/** The library builds URLs from this, so it must be a valid host. */
const requireHost = async ({ headers: { host } }: FastifyRequest) => {
  if (host && (/[/?#@\\]/.test(host) || !URL.canParse(`http://${host}`)))
    throw new TesseraError('BAD_REQUEST', { message: 'The Host header is not a host' })
}

/** Answers when no operation was executed. */
const mountFaults = (scope: FastifyInstance, { runtime: { log } }: Parts) => {
  scope.setErrorHandler((error, request, reply) => {
    const known = toTesseraError(error)
    if (known.status >= 500)
      log[faultLevel(error, known)]({ err: error, requestId: request.id }, 'a request failed')
    return sendGraphqlError(request, reply.header('cache-control', 'no-store'), known)
  })
  scope.setNotFoundHandler((request, reply) => {
    const isOther = !/^\/graphql(\?|$)/.test(request.url)
    if (!isOther) reply.header('allow', 'GET, POST, OPTIONS')
    const error = new TesseraError(isOther ? 'ROUTE_NOT_FOUND' : 'METHOD_NOT_ALLOWED')
    return sendGraphqlError(request, reply, error)
  })
}

/** Whether the request is for GraphiQL, which the library serves. */
const wantsPage = ({ method, headers: { accept } }: FastifyRequest, production: boolean) =>
  !production && method === 'GET' && accept?.includes('text/html')

/** Whether its caller may keep a good answer: no error was in it, and no credential was refused. */
const mayKeep = ({ method, hasErrors, callers }: FastifyRequest): boolean =>
  method === 'GET' && !hasErrors && Object.values(callers).every(isGoodCaller)

/** The points that a request pays before its documents are read. */
const paidBy = ({ body }: FastifyRequest) => countOperations(body) * pointsOfOperation

const mountOperations = (scope: FastifyInstance, parts: Parts, engine: GraphqlEngine) => {
  const { runtime, authenticate, limit } = parts
  const cors = createCors(runtime.config)
  scope.addHook('onRequest', cors.allow)
  scope.options('', cors.preflight)
  scope.route({
    method: ['GET', 'POST'],
    url: '',
    bodyLimit: maxBodyBytes,
    onRequest: requireHost,
    preHandler: async (req, reply) => {
      const session = sessionOf(req.headers, runtime.config)
      req.sent = { fields: req.headers, address: req.ip, session }
      req.callers = await readCallers(req.sent, authenticate)
      req.caller = payerOf(req.callers)
      req.allowance = await limit(req, reply, req.caller, paidBy(req))
      if (req.headers['idempotency-key'] === undefined || isDryRun({ req })) return
      const kinds = kindsOf(engine, paramsOf(req))
      if (kinds.some((kind) => kind === 'query' || kind === 'subscription'))
        throw new TesseraError('IDEMPOTENCY_KEY_NOT_ALLOWED')
      if (kinds.every((kind) => kind === 'mutation')) return replay(runtime, req, reply)
    },
    handler: async (req, reply) => {
      const mediaType = mediaTypeFor(req.headers.accept)
      const isPage = wantsPage(req, runtime.config.production)
      if (!isPage) {
        if (!mediaType) throw new TesseraError('NOT_ACCEPTABLE')
        req.raw.headers.accept = mediaType
      }
      const { allowance } = req
      const context = {
        req,
        reply,
        allowance,
        paid: paidBy(req),
        mediaType: mediaType ?? ('application/json' as const),
        isShared: isForEverybody(req),
        outcome: { hasMutation: false, refused: 0, tokens: 0 } satisfies OperationOutcome,
      }
      const response = await engine.yoga.handleNodeRequestAndResponse(req, reply, context)
      for (const [name, value] of response.headers) reply.header(name, value)
      reply.code(response.status)
      const isStream = response.headers.get('content-type')?.startsWith(streamType)
      if (isStream) return reply.send(response.body)
      const text = await response.text()
      const { outcome } = context
      const isGood = !isPage && response.status === 200 && mayKeep(req)
      if (isGood && isKnown(req, reply, text, context.isShared)) return reply.code(304).send()
      // The payload of a mutation may be secret, and its compressed size must not reveal it.
      return outcome.hasMutation ? reply.send(text) : reply.compress(text)
    },
    onSend: async (req, reply, body) => {
      if (!isKept(reply)) reply.header('cache-control', 'no-store')
      await remember(runtime, req, reply, body)
      return body
    },
  })
}

/** Returns the engine, which WebSockets share. */
export const mountGraphql = (
  app: FastifyInstance,
  parts: Parts,
  options: EngineOptions,
): GraphqlEngine => {
  const engine = createEngine(app, parts, options)
  app.decorateRequest('callers')
  app.decorateRequest('sent')
  app.decorateRequest('allowance', null)
  app.decorateRequest('hasErrors', false)
  app.register(
    async (scope) => {
      await scope.register(compress, compression)
      mountFaults(scope, parts)
      mountOperations(scope, parts, engine)
    },
    { prefix: '/graphql' },
  )
  let schemaText: Promise<string> | undefined
  app.get('/schema.graphql', async (req, reply) => {
    await parts.limit(req, reply, null)
    schemaText ??= readFile(schemaFile, 'utf8')
    const text = await schemaText
    reply.header('cache-control', 'no-cache')
    if (hasCurrent(req, reply, text)) return reply.code(304).send()
    return reply.type('text/plain; charset=utf-8').send(text)
  })
  return engine
}
