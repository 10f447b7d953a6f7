/** Metrics, log lines and spans of operations. They name the root field: clients choose names, the schema has a fixed set of fields. */
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  getOperationAST,
  Kind,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../kit/access/context.ts'
import { type ErrorCode, errorTable } from '../kit/errors.ts'
import type { LogAccess, LoggedOperation } from '../kit/http/access-log.ts'
import { callerAttributesOf } from '../kit/http/request-trace.ts'
import type { Metrics } from '../kit/observability/metrics.ts'
import { errorTypeOf, type Span, type Tracing } from '../kit/observability/tracing.ts'
import { type Budgeted, payerOf } from './budget.ts'

type Asked = { kind: string; field: string }

/** If no valid operation was sent. */
const nothing: Asked = { kind: 'none', field: 'none' }

const known = new WeakMap<DocumentNode, Map<string, Asked>>()

type Started = Pick<ExecutionArgs, 'document' | 'operationName'>

const read = (document: DocumentNode, operationName: string | null | undefined): Asked => {
  const operation = getOperationAST(document, operationName)
  if (!operation) return nothing
  const names = operation.selectionSet.selections.map((selection) =>
    selection.kind === Kind.FIELD ? selection.name.value : '',
  )
  const [field] = new Set(names).size === 1 ? names : []
  return { kind: operation.operation, field: field || 'several' }
}

/** The root field of an operation of a valid document; `several` if it has others or fragments. */
const askedOf = ({ document, operationName }: Started): Asked => {
  const ofDocument = known.get(document) ?? new Map<string, Asked>()
  known.set(document, ofDocument)
  const name = operationName ?? ''
  const requested = ofDocument.get(name) ?? read(document, operationName)
  // Names that the document does not have are not cached, because clients can send any number of them.
  if (requested !== nothing) ofDocument.set(name, requested)
  return requested
}

const codeOf = ({ extensions }: GraphQLError): string => {
  const code = String(extensions.code)
  return Object.hasOwn(errorTable, code) ? code : 'OTHER'
}

const countErrors = (
  { operationErrors }: Metrics,
  { field }: Asked,
  errors: readonly GraphQLError[] = [],
): void => {
  for (const error of errors) operationErrors.inc({ field, code: codeOf(error) })
}

type Answer = ExecutionResult | AsyncIterable<ExecutionResult>
type Run = (args: ExecutionArgs) => Promise<Answer>

const errorsOf = (answer: Answer) => ('errors' in answer ? answer.errors : undefined)

/** Measures an operation on a WebSocket: until its answer, or until its stream is open. */
export const measureRun =
  (metrics: Metrics, run: Run): Run =>
  async (args) => {
    const requested = askedOf(args)
    const end = metrics.operationSeconds.startTimer(requested)
    const answer = await run(args)
    end()
    countErrors(metrics, requested, errorsOf(answer))
    return answer
  }

/** Counts an operation on a WebSocket that is refused before it is executed. */
export const countRefused = (metrics: Metrics, errors: readonly GraphQLError[]): void =>
  countErrors(metrics, nothing, errors)

/** Measures operations over HTTP. */
export const measureOperations = (metrics: Metrics): Plugin<Context> => {
  const running = new WeakMap<object, { asked: Asked; end: () => void }>()
  const start = ({ args }: { args: Started & { contextValue: Context } }) => {
    const requested = askedOf(args)
    const end = metrics.operationSeconds.startTimer(requested)
    running.set(args.contextValue, { asked: requested, end })
  }
  return {
    onExecute: start,
    onSubscribe: start,
    onExecutionResult: ({ result, context }) => {
      if (!result || Array.isArray(result)) return
      const { asked: requested = nothing, end } = running.get(context) ?? {}
      end?.()
      running.delete(context)
      countErrors(metrics, requested, errorsOf(result as Answer))
    },
  }
}

/** Clients choose names, which may be as long as their documents. */
const maxNameLength = 64

type Operation = Pick<ExecutionArgs, 'document' | 'operationName' | 'contextValue'>

/** An operation as the access log and spans name it. */
const loggedOperationOf = ({
  document,
  operationName,
  contextValue,
}: Operation): LoggedOperation => ({
  name: getOperationAST(document, operationName)?.name?.value.slice(0, maxNameLength),
  field: askedOf({ document, operationName }).field,
  /** Known once it has been admitted or refused. */
  get cost() {
    return (contextValue as Partial<Budgeted>).cost
  },
})

/** Records the operations of an HTTP request. It must come before the plugins that may refuse them. */
export const noteOperations = (): Plugin<Context> => {
  const note = ({ args }: { args: Operation }) => {
    const { req } = args.contextValue as { req?: { operations: LoggedOperation[] | null } }
    if (!req) return
    req.operations ??= []
    req.operations.push(loggedOperationOf(args))
  }
  return { onExecute: note, onSubscribe: note }
}

/** Logs an operation on a WebSocket when it is answered, or when its stream is open. */
export const logRun =
  (log: LogAccess | undefined, run: Run): Run =>
  async (args) => {
    if (!log) return run(args)
    const startedAt = performance.now()
    const answer = await run(args)
    const { callers, requestId, tracing } = args.contextValue as Context
    const [error] = ('errors' in answer && answer.errors) || []
    log({
      method: 'WEBSOCKET',
      route: '/graphql',
      caller: payerOf(callers),
      operations: [loggedOperationOf(args)],
      error: error?.extensions.code as ErrorCode | undefined,
      ms: performance.now() - startedAt,
      traceId: tracing?.current()?.spanContext().traceId,
      requestId,
    })
    return answer
  }

const failIn = (tracing: Tracing, span: Span, answer: Answer) => {
  const [error] = ('errors' in answer && answer.errors) || []
  if (error) tracing.fail(span, errorTypeOf(error.originalError ?? error))
}

/** Executes an operation, or opens its stream, in a span of its own. */
const traced =
  (tracing: Tracing, run: (args: ExecutionArgs) => unknown): Run =>
  async (args) => {
    const { name, field, cost } = loggedOperationOf(args)
    const kind = getOperationAST(args.document, args.operationName)?.operation ?? 'none'
    const attributes = {
      'graphql.operation.type': kind,
      ...(name && { 'graphql.operation.name': name }),
      ...(cost && { 'tessera.cost': cost }),
    }
    return tracing.span({ name: `${kind} ${field}`, attributes }, async (span) => {
      const answer = (await run(args)) as Answer
      failIn(tracing, span, answer)
      return answer
    })
  }

export const traceOperations = (tracing: Tracing): Plugin<Context> => ({
  onExecute: ({ executeFn, setExecuteFn }) =>
    setExecuteFn(traced(tracing, executeFn) as typeof executeFn),
  onSubscribe: ({ subscribeFn, setSubscribeFn }) =>
    setSubscribeFn(traced(tracing, subscribeFn) as typeof subscribeFn),
})

/** Traces an operation on a WebSocket like a request. Each starts a trace, because connections are long-lived. */
export const traceRun = (tracing: Tracing | undefined, run: Run): Run =>
  tracing
    ? (args) => {
        const { callers, requestId } = args.contextValue as Context
        const attributes = {
          'http.route': '/graphql',
          'tessera.request.id': requestId,
          ...callerAttributesOf(payerOf(callers)),
        }
        const parts = { name: 'WEBSOCKET /graphql', kind: 'SERVER', parent: null } as const
        return tracing.span({ ...parts, attributes }, () => run(args))
      }
    : run
