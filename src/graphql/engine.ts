/** Executes documents for HTTP and WebSocket: the library with our limits. */

import { setImmediate } from 'node:timers/promises'
import { RequestCache } from '@pothos/plugin-scope-auth'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  getOperationAST,
} from 'graphql'
import { createYoga, type GraphQLParams, type Plugin } from 'graphql-yoga'
import type { Callers, Context } from '../kit/access/context.ts'
import { fieldTextOf } from '../kit/access/credentials.ts'
import { toTesseraError } from '../kit/http/error-mapping.ts'
import type { Parts } from '../kit/http/http-parts.ts'
import { forgetLoaders } from '../kit/schema/edge.ts'
import {
  type Budgeted,
  createAdmission,
  createPayment,
  giveBackUnused,
  isDryRun,
  withCost,
} from './budget.ts'
import { createCosts } from './cost.ts'
import { sayDeprecations } from './deprecations.ts'
import { documentLimits, refuseIntrospection, tooComplex } from './document-limits.ts'
import { createDocuments, type Documents, tokensOf } from './documents.ts'
import { createEventStreams, type StreamContext } from './event-streams.ts'
import { createMask, refusal, refusedCodeOf, settleStatus, withoutHttp } from './faults.ts'
import {
  createNamedDocuments,
  maxOperationsOfBatch,
  type NamedDocuments,
  type Params,
  paramsOf,
  readTrustedDocuments,
} from './named-documents.ts'
import { createSharing, type OpenShared } from './shared-streams.ts'
import { measureOperations, noteOperations, traceOperations } from './telemetry.ts'
import { measureFields } from './timings.ts'

/** GraphiQL, the page where developers try the schema. */

export const demoQuery = `# Welcome to Tessera. Press the button to run this with the key under "Headers" below.
query Welcome {
  games { gameType name price }
  leaderboard(first: 10) {
    totalCount { value }
    nodes { rank user { externalId lifetimePoints playCount score } }
  }
}
`

/** Options of the library. */
const graphiql = (production: boolean, demoKey = 'pk_test_') => ({
  graphiql: production
    ? (false as const)
    : {
        title: 'Tessera',
        defaultQuery: demoQuery,
        headers: JSON.stringify({ 'x-api-key': demoKey }, null, 2),
      },
  // Imported on demand: nine megabytes of text.
  renderGraphiQL: async (
    options: Parameters<typeof import('@graphql-yoga/render-graphiql').renderGraphiQL>[0],
  ) => (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options),
})

/** The outcome of a request: of all operations of a batch. */
export type OperationOutcome = {
  hasMutation: boolean
  /** Number of operations that were refused before they were executed. */
  refused: number
  /** Tokens of the documents that were read, without cached ones. */
  tokens: number
}

/** The most operations of a batch that are refused one by one. After them, unknown documents are not read. */
const maxRefused = 3

type ServerContext = StreamContext &
  Budgeted & {
    outcome: OperationOutcome
  }

/** The context of a connection or a request. */
type CallerParts = Pick<Context, 'callers' | 'ip' | 'requestId' | 'header'>

const callerPartsOf = ({ id, ip, headers, callers }: FastifyRequest): CallerParts => ({
  requestId: id,
  ip,
  header: (name) => fieldTextOf(headers, name),
  callers,
})

/** Uses the body that Fastify has parsed, so that it is not read twice. */
const readParams = (): Plugin<Context, ServerContext> => ({
  onRequestParse: ({ serverContext, setRequestParser }) =>
    setRequestParser(() => {
      try {
        return paramsOf(serverContext.req) as GraphQLParams
      } catch (error) {
        throw refusal(toTesseraError(error))
      }
    }),
})

/** Finds the document that was named instead of sent. The library refuses parameters that are not an object. */
const findDocuments = (named: NamedDocuments): Plugin<Context> => ({
  onParams: ({ params, setParams }) => {
    if (params && typeof params === 'object') setParams(named.resolve(params) as GraphQLParams)
  },
  onValidate: ({ params, context }) => {
    const sent = (context as { params?: Params }).params
    if (sent)
      return ({ valid }) => {
        if (valid) named.keep(sent, params.documentAST)
      }
  },
})

/** Yields to other requests between the operations of a batch. */
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

/**
 * Parses a document that is not cached.
 * @throws GraphQLError DOCUMENT_TOO_COMPLEX for a batch of too many
 */
const parseNew = (documents: Documents, text: string, outcome: OperationOutcome) => {
  if (outcome.refused >= maxRefused)
    throw tooComplex(`Not read, because ${maxRefused} operations of the batch were refused`)
  try {
    const document = documents.parse(text)
    outcome.tokens += tokensOf(document)
    if (outcome.tokens > documentLimits.tokensOfBatch)
      throw tooComplex(
        `The new documents of a batch may have ${documentLimits.tokensOfBatch} tokens at most`,
      )
    return document
  } catch (error) {
    outcome.refused++
    throw error
  }
}

const limitDocuments = ({
  documents,
  validate,
}: Pick<GraphqlEngine, 'documents' | 'validate'>): Plugin<Context, ServerContext> => ({
  onParse: ({ params, context, setParseFn }) =>
    setParseFn(() => {
      const { outcome } = context as Partial<ServerContext>
      const text = String(params.source)
      return outcome && !documents.has(text)
        ? parseNew(documents, text, outcome)
        : documents.parse(text)
    }),
  onValidate: ({ params: { documentAST }, context, setResult }) => {
    const { params, req, outcome } = context as typeof context & ServerContext
    const faults = validate(documentAST, params.operationName, req.callers)
    if (faults.length > 0) outcome.refused++
    setResult(faults)
  },
})

/** Weak maps would keep the context until the whole heap is collected (docs/decisions/server-start-and-memory.md). */
const forget = (context: Context): void => {
  RequestCache.clearForContext(context)
  forgetLoaders(context)
}

const forgetContext = (): Plugin<Context> => ({
  onExecute: ({ args: { contextValue } }) => ({ onExecuteDone: () => forget(contextValue) }),
})

/** Charges the cost of an operation and reports it in the answer. */
const spendPoints = (admit: GraphqlEngine['admit']): Plugin<Context, ServerContext> => ({
  onExecute: async ({ args, setResultAndStopExecution }) => {
    const errors = await admit(args)
    const { outcome } = args.contextValue as Partial<ServerContext>
    if (errors.length > 0) {
      if (outcome) outcome.refused++
      return setResultAndStopExecution({ errors })
    }
    const kind = getOperationAST(args.document, args.operationName)?.operation
    if (outcome && kind === 'mutation') outcome.hasMutation = true
    if (isDryRun(args.contextValue as Partial<ServerContext>))
      return setResultAndStopExecution({ data: null })
    const budgeted = args.contextValue as typeof args.contextValue & Budgeted
    return {
      onExecuteDone: async ({ result }) => {
        if (isStream(result)) return
        await giveBackUnused(args, result as ExecutionResult, budgeted)
        withCost(result as ExecutionResult, budgeted)
      },
    }
  },
  onSubscribe: async ({ args, setResultAndStopExecution }) => {
    // Subscriptions on a WebSocket have been admitted by its handler.
    if (!(args.contextValue as Partial<ServerContext>).req) return
    const errors = await admit(args)
    if (errors.length > 0) setResultAndStopExecution({ errors })
    else if (isDryRun(args.contextValue as Partial<ServerContext>))
      setResultAndStopExecution({ data: null })
  },
  onExecutionResult: ({ result, context }) => {
    if (!result || Array.isArray(result) || isStream(result)) return
    if (!result.extensions?.cost) withCost(result as ExecutionResult, context)
  },
})

const isStream = (result: object) => Symbol.asyncIterator in result

/** Event streams share the results of shared fields. WebSockets share their texts, too. */
const shareResults = (openShared: OpenShared): Plugin<Context> => ({
  onSubscribe: ({ args, subscribeFn, setSubscribeFn }) => {
    if ((args.contextValue as Partial<ServerContext>).req)
      setSubscribeFn(async (of: ExecutionArgs) => (await openShared(of)) ?? (await subscribeFn(of)))
  },
})

const settleStatuses = (): Plugin<Context, ServerContext> => ({
  onExecutionResult: ({ result, setResult, context: { req } }) => {
    if (!result || Array.isArray(result) || isStream(result)) return
    const settled = settleStatus(result as ExecutionResult)
    if (settled.errors) req.hasErrors = true
    // In a batch, another operation may have done something.
    if (!Array.isArray(req.body)) req.answeredError = refusedCodeOf(settled)
    setResult(settled)
  },
})

export type GraphqlEngine = {
  yoga: ReturnType<typeof createYoga<ServerContext, Context>>
  documents: Documents
  named: NamedDocuments
  /** The reasons to refuse a document to these callers; empty when it is valid. */
  validate(
    document: DocumentNode,
    operationName: unknown,
    callers: Callers,
  ): readonly GraphQLError[]
  /** The context of resolvers. */
  contextOf(parts: CallerParts): Context
  /** The reasons to refuse an operation of a valid document; empty when it may run. */
  admit(args: ExecutionArgs): Promise<readonly GraphQLError[]>
  /** Masks errors where no HTTP status is sent. */
  mask(errors: readonly unknown[]): readonly GraphQLError[]
  openShared: OpenShared
}

export type EngineOptions = {
  /** Documents of our own pages, which are always trusted. A test validates them, instead of every start. */
  ownDocuments: readonly string[]
  /** A public key that GraphiQL fills in. */
  demoKey?: string | undefined
}

const createValidation =
  (documents: Documents, production: boolean): GraphqlEngine['validate'] =>
  (document, operationName, callers) => {
    const refused = production && refuseIntrospection(document, operationName, callers)
    return refused ? [refused] : documents.validate(document)
  }

export const createEngine = (
  app: FastifyInstance,
  parts: Parts,
  { ownDocuments, demoKey }: EngineOptions,
): GraphqlEngine => {
  const { runtime, schema, take, logAccess } = parts
  const { production, trustedDocuments, onlyTrusted } = runtime.config
  const documents = createDocuments(schema)
  const trusted = readTrustedDocuments(trustedDocuments, ownDocuments)
  const named = createNamedDocuments(documents, trusted, onlyTrusted)
  const admit = createAdmission(createCosts(schema), take)
  const mask = createMask(runtime.log)
  const validate = createValidation(documents, production)
  const contextOf = (caller: CallerParts): Context => ({ ...runtime, ...caller })
  const maskAll = (errors: readonly unknown[]) => withoutHttp(errors.map(mask))
  const openShared = createSharing({ contextOf, forget, pay: createPayment(take), mask: maskAll })
  const yoga = createYoga<ServerContext, Context>({
    schema,
    logging: false,
    landingPage: false,
    batching: { limit: maxOperationsOfBatch },
    cors: false,
    multipart: false,
    parserAndValidationCache: false,
    maskedErrors: { maskError: mask },
    ...graphiql(production, demoKey),
    context: ({ req }) => contextOf(callerPartsOf(req)),
    plugins: [
      readParams(),
      takeTurns(),
      findDocuments(named),
      limitDocuments({ documents, validate }),
      measureOperations(runtime.metrics),
      ...(logAccess ? [noteOperations()] : []),
      spendPoints(admit),
      forgetContext(),
      sayDeprecations(schema),
      ...(runtime.tracing ? [traceOperations(runtime.tracing)] : []),
      createEventStreams(app, parts),
      shareResults(openShared),
      settleStatuses(),
      ...(production ? [] : [measureFields(schema)]),
    ],
  })
  return {
    yoga,
    documents,
    named,
    validate,
    contextOf,
    admit,
    mask: maskAll,
    openShared,
  }
}
