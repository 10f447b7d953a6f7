/** GraphQL over HTTP: limits, credentials, and errors with the codes of REST. */

import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ExecutionArgs, GraphQLError, getOperationAST, type OperationTypeNode } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { type Callers, type Context, isGoodCaller } from './core/context.ts'
import { toTesseraError } from './core/error-mapping.ts'
import { TesseraError } from './core/errors.ts'
import type { Runtime } from './core/runtime.ts'
import type { TakeSeat } from './core/seats.ts'
import { createCors } from './graphql-cors.ts'
import { createFaults } from './graphql-cost.ts'
import { createDocuments } from './graphql-documents.ts'
import { fieldOf, readCallers, watchCallers } from './rest/credentials.ts'
import type { Parts } from './rest/mount.ts'
import { remember, replay } from './rest/replay.ts'

const maxBodyBytes = 100 * 1024
const maxOperationsOfBatch = 10
/** The schema as text, which a test compares with the schema that is served. */
const schemaFile = new URL('../schema.graphql', import.meta.url)

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a GraphQL request, which may send both kinds of key. */
    callers: Callers
  }
}

type ServerContext = { req: FastifyRequest; reply: FastifyReply; callers: Callers }

type Documents = ReturnType<typeof createDocuments>

/** Others are answered between the operations of a batch. */
const takeTurns = (): Plugin<Context, ServerContext> => {
  const turns = new WeakMap<FastifyRequest, Promise<void>>()
  return {
    onParams: ({ context: { req } }) => {
      if (!Array.isArray(req.body)) return
      const turn = (turns.get(req) ?? Promise.resolve()).then(() => setImmediate())
      turns.set(req, turn)
      return turn
    },
  }
}

/** Limits what is parsed, validated and executed. */
const limitDocuments = (
  documents: Documents,
  faultsOf: GraphqlServer['faultsOf'],
): Plugin<Context> => ({
  onParse: ({ params, setParseFn }) => setParseFn(() => documents.parse(String(params.source))),
  onValidate: ({ params, setResult }) => setResult(documents.validate(params.documentAST)),
  onExecute: ({ args, setResultAndStopExecution }) => {
    const errors = faultsOf(args)
    if (errors.length > 0) setResultAndStopExecution({ errors })
  },
  onSubscribe: ({ args, setResultAndStopExecution }) => {
    const errors = faultsOf(args)
    if (errors.length > 0) setResultAndStopExecution({ errors })
  },
})

/** An event stream takes a seat until its connection ends; a WebSocket has had its seat from the beginning. */
const seatStreams = (takeSeat: TakeSeat): Plugin<Context> => ({
  onSubscribe: ({ args, setResultAndStopExecution }) => {
    const { req, reply } = args.contextValue as Partial<ServerContext>
    if (!req || !reply) return
    const leave = takeSeat(req.caller, req.ip)
    if (leave) {
      reply.raw.once('close', leave)
      // The client may be gone already.
      if (reply.raw.destroyed) leave()
      return
    }
    const http = { status: 429, headers: { 'retry-after': '1' } }
    const error = new GraphQLError('Too many event streams', {
      extensions: { code: 'RATE_LIMITED', http },
    })
    setResultAndStopExecution({ errors: [error] })
  },
})

/** What the library makes URLs of must be a host. */
const requireHost = async ({ headers: { host } }: FastifyRequest) => {
  if (host && (/[/?#@\\]/.test(host) || !URL.canParse(`http://${host}`)))
    throw new TesseraError('BAD_REQUEST', { message: 'The Host header is not a host' })
}

/** Each operation of a batch counts as a request. A batch that is too large is refused whole. */
const operationsOf = (body: unknown): number =>
  Array.isArray(body) ? Math.min(Math.max(body.length, 1), maxOperationsOfBatch) : 1

/** The kinds of the operations of a body; undefined for those that cannot be read. */
const kindsOf = (documents: Documents, body: unknown): (OperationTypeNode | undefined)[] =>
  [body]
    .flat()
    .slice(0, maxOperationsOfBatch)
    .map((params) => {
      const { query, operationName } = (params ?? {}) as Record<string, unknown>
      try {
        const name = typeof operationName === 'string' ? operationName : undefined
        return getOperationAST(documents.parse(String(query)), name)?.operation
      } catch {
        return undefined
      }
    })

const toGraphQLError = (runtime: Runtime, error: unknown): GraphQLError => {
  let cause = error
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError
  if (cause instanceof GraphQLError) return error as GraphQLError
  // What is thrown outside of a field is a document or variables that cannot be read.
  const isUnreadable = cause instanceof SyntaxError || cause instanceof RangeError
  const known =
    !(error instanceof GraphQLError) && isUnreadable
      ? new TesseraError('BAD_REQUEST')
      : toTesseraError(cause)
  if (known.status >= 500) runtime.log.error({ err: cause }, 'a field failed')
  return new GraphQLError(known.message, {
    ...(error instanceof GraphQLError && {
      nodes: error.nodes ?? null,
      path: error.path ?? null,
    }),
    extensions: {
      code: known.code,
      ...(known.errors && { errors: known.errors }),
      http: { status: known.status },
    },
  })
}

const demoQuery = `# Welcome to Tessera. Put your keys under "Headers" below; a secret key may read this, too.
query Welcome {
  games { gameType name pointsToUnlock }
  leaderboard(first: 10) {
    totalCount
    nodes { rank userId totalPoints gamesPlayed score }
  }
}
`

/** What a connection or a request says of itself. */
type CallerParts = Pick<Context, 'callers' | 'ip' | 'requestId' | 'header'>

export type GraphqlServer = {
  yoga: ReturnType<typeof createYoga<ServerContext, Context>>
  /** What resolvers get. */
  contextOf(parts: CallerParts): Context
  /** Why a valid document is not executed; empty when it may be. */
  faultsOf(args: ExecutionArgs): readonly GraphQLError[]
  /** Errors as a caller may see them. */
  mask(errors: readonly unknown[]): readonly GraphQLError[]
}

/** Answers GraphQL over HTTP at `/graphql`, subscriptions as server-sent events. */
export const mountGraphql = (app: FastifyInstance, parts: Parts): GraphqlServer => {
  const { runtime, schema, authenticate, limit, takeSeat } = parts
  const { production } = runtime.config
  const documents = createDocuments(schema)
  const faultsOf = createFaults(schema, production)
  const cors = createCors(runtime.config)
  const contextOf = ({ callers, ip, requestId, header }: CallerParts): Context => ({
    ...runtime,
    callers,
    ip,
    requestId,
    ...(header && { header }),
  })
  /** Event streams that are open. */
  const streams = new Set<FastifyReply['raw']>()
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.destroy()
  })
  const yoga = createYoga<ServerContext, Context>({
    schema,
    logging: false,
    landingPage: false,
    batching: { limit: maxOperationsOfBatch },
    cors: false,
    parserAndValidationCache: false,
    maskedErrors: { maskError: (error) => toGraphQLError(runtime, error) },
    graphiql: production
      ? false
      : {
          title: 'Tessera',
          defaultQuery: demoQuery,
          headers: '{\n  "x-api-key": "pk_test_"\n}',
        },
    // Nine megabytes of text for whoever opens the page.
    renderGraphiQL: async (options) =>
      (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options),
    context: ({ req, callers }) =>
      contextOf({
        requestId: req.id,
        ip: req.ip,
        header: (name) => fieldOf(req.headers, name),
        callers,
      }),
    plugins: [takeTurns(), limitDocuments(documents, faultsOf), seatStreams(takeSeat)],
  })
  app.decorateRequest('callers', null as never)
  /** A stream ends with the right of whoever opened it. */
  const keepOpen = ({ callers, headers, ip }: FastifyRequest, { raw }: FastifyReply) => {
    const stopWatching = watchCallers(callers, headers, ip, authenticate, () => raw.destroy())
    const end = () => {
      streams.delete(raw)
      stopWatching()
    }
    streams.add(raw)
    raw.once('close', end)
    // The client may be gone already.
    if (raw.destroyed) end()
  }
  app.options('/graphql', cors.preflight)
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    bodyLimit: maxBodyBytes,
    onRequest: [requireHost, cors.allow],
    preHandler: async (req, reply) => {
      req.callers = await readCallers(req.headers, req.ip, authenticate)
      const { secret, member, public: key } = req.callers
      req.caller = [secret, member, key].find(isGoodCaller) ?? null
      for (let n = operationsOf(req.body); n > 0; n--) await limit(req, reply, req.caller)
      if (req.headers['idempotency-key'] === undefined) return
      const kinds = kindsOf(documents, req.method === 'POST' ? req.body : req.query)
      if (kinds.some((kind) => kind === 'query' || kind === 'subscription'))
        throw new TesseraError('IDEMPOTENCY_KEY_NOT_ALLOWED')
      if (kinds.every((kind) => kind === 'mutation')) return replay(runtime, req, reply)
    },
    handler: async (req, reply) => {
      const { callers } = req
      const response = await yoga.handleNodeRequestAndResponse(req, reply, { req, reply, callers })
      for (const [name, value] of response.headers) reply.header(name, value)
      reply.code(response.status)
      if (response.headers.get('content-type')?.startsWith('text/event-stream'))
        keepOpen(req, reply)
      return reply.send(req.idempotent ? await response.text() : (response.body ?? ''))
    },
    onSend: async (req, reply, body) => {
      reply.header('cache-control', 'no-store')
      await remember(runtime, req, reply, body)
      return body
    },
  })
  let schemaText: Promise<string> | undefined
  app.get('/schema.graphql', async (req, reply) => {
    await limit(req, reply, null)
    schemaText ??= readFile(schemaFile, 'utf8')
    return reply.type('text/plain; charset=utf-8').send(await schemaText)
  })
  return {
    yoga,
    contextOf,
    faultsOf,
    mask: (errors) => errors.map((error) => toGraphQLError(runtime, error)),
  }
}
