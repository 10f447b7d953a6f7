/** GraphQL over HTTP: limits, credentials, and errors with the codes of REST. */

import { complexityFromQuery } from '@pothos/plugin-complexity'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type ASTVisitor,
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  print,
  type ValidationContext,
  validate,
} from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { type Callers, type Context, isGoodCaller } from './core/context.ts'
import { toTesseraError } from './core/error-mapping.ts'
import { TesseraError } from './core/errors.ts'
import type { Runtime } from './core/runtime.ts'
import type { TakeSeat } from './core/seats.ts'
import { fieldOf, readCallers } from './rest/credentials.ts'
import type { Parts } from './rest/mount.ts'
import { remember, replay } from './rest/replay.ts'

const limits = {
  depth: 12,
  aliasesOfOneField: 15,
  complexity: 5_000,
  bodyBytes: 100 * 1024,
  operationsOfBatch: 10,
}

/** Refuses a document that asks for one field under many aliases. */
const limitAliases = (context: ValidationContext): ASTVisitor => {
  const counts = new Map<string, number>()
  return {
    Field: (node) => {
      if (!node.alias) return
      const name = `${context.getParentType()?.name}.${node.name.value}`
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      if (count === limits.aliasesOfOneField + 1)
        context.reportError(
          new GraphQLError(
            `A field may have ${limits.aliasesOfOneField} aliases at most in a document: ${name}`,
            { nodes: node },
          ),
        )
    },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a GraphQL request, which may send both kinds of key. */
    callers: Callers
  }
}

type ServerContext = { req: FastifyRequest; reply: FastifyReply; callers: Callers }

type Cost = { complexity: number; depth: number }
const costs = new WeakMap<DocumentNode, Map<string, Cost>>()

/** What a document asks for. Of its variables only numbers matter: how long its lists may be. */
const costOf = (
  schema: GraphQLSchema,
  { document, contextValue, variableValues }: ExecutionArgs,
): Cost => {
  const variables = variableValues ?? {}
  const numbers = JSON.stringify(
    Object.entries(variables).filter(([, value]) => typeof value === 'number'),
  )
  const known = costs.get(document) ?? new Map<string, Cost>()
  costs.set(document, known)
  if (known.size > 100) known.clear()
  let cost = known.get(numbers)
  if (!cost) {
    cost = complexityFromQuery(print(document), { schema, ctx: contextValue as Context, variables })
    known.set(numbers, cost)
  }
  return cost
}

const limitDocuments = (schema: GraphQLSchema, production: boolean): Plugin<Context> => ({
  onValidate: ({ addValidationRule }) => addValidationRule(limitAliases),
  onExecute: ({ args, setResultAndStopExecution }) => {
    const errors = faultsOf(schema, production, args)
    if (errors.length > 0) setResultAndStopExecution({ errors })
  },
  onSubscribe: ({ args, setResultAndStopExecution }) => {
    const errors = faultsOf(schema, production, args)
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

/** Why a document that is valid is not executed. */
const faultsOf = (
  schema: GraphQLSchema,
  production: boolean,
  args: ExecutionArgs,
): readonly GraphQLError[] => {
  const { callers } = args.contextValue as Context
  if (production && !hasGoodCaller(callers)) {
    const errors = validate(schema, args.document, [NoSchemaIntrospectionCustomRule])
    if (errors.length > 0) return errors
  }
  const { complexity, depth } = costOf(schema, args)
  const fault =
    depth > limits.depth
      ? `The document is ${depth} deep; ${limits.depth} is the limit`
      : complexity > limits.complexity
        ? `The document has a complexity of ${complexity}; ${limits.complexity} is the limit`
        : undefined
  return fault ? [new GraphQLError(fault, { extensions: { code: 'DOCUMENT_TOO_COMPLEX' } })] : []
}

/** Each operation of a batch counts as a request. A batch that is too large is refused whole. */
const operationsOf = (body: unknown): number =>
  Array.isArray(body) ? Math.min(Math.max(body.length, 1), limits.operationsOfBatch) : 1

const hasGoodCaller = (callers: Callers) => Object.values(callers).some(isGoodCaller)

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
    batching: { limit: limits.operationsOfBatch },
    cors: {
      origin: '*',
      credentials: false,
      allowedHeaders: [
        'content-type',
        'x-api-key',
        'x-request-id',
        'authorization',
        'x-environment',
        'x-session-token',
      ],
    },
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
    plugins: [limitDocuments(schema, production), seatStreams(takeSeat)],
  })
  app.decorateRequest('callers', null as never)
  app.route({
    method: ['GET', 'POST', 'OPTIONS'],
    url: '/graphql',
    bodyLimit: limits.bodyBytes,
    preHandler: async (req, reply) => {
      req.callers = await readCallers(req.headers, req.ip, authenticate)
      const { secret, member, public: key } = req.callers
      req.caller = [secret, member, key].find(isGoodCaller) ?? null
      for (let n = operationsOf(req.body); n > 0; n--) await limit(req, reply, req.caller)
      if (req.method === 'POST') return replay(runtime, req, reply)
    },
    handler: async (req, reply) => {
      const { callers } = req
      const response = await yoga.handleNodeRequestAndResponse(req, reply, { req, reply, callers })
      for (const [name, value] of response.headers) reply.header(name, value)
      reply.code(response.status)
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
        streams.add(reply.raw)
        reply.raw.once('close', () => streams.delete(reply.raw))
      }
      return reply.send(req.idempotent ? await response.text() : (response.body ?? ''))
    },
    onSend: async (req, reply, body) => {
      reply.header('cache-control', 'no-store')
      await remember(runtime, req, reply, body)
      return body
    },
  })
  return {
    yoga,
    contextOf,
    faultsOf: (args) => faultsOf(schema, production, args),
    mask: (errors) => errors.map((error) => toGraphQLError(runtime, error)),
  }
}
