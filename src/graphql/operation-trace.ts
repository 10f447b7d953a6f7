/** The span of each operation of GraphQL. */
import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../kit/access/context.ts'
import { callerAttributesOf } from '../kit/http/request-trace.ts'
import { errorTypeOf, type Span, type Tracing } from '../kit/observability/tracing.ts'
import { payerOf } from './budget.ts'
import { loggedOperationOf } from './operation-log.ts'

type Answer = ExecutionResult | AsyncIterable<ExecutionResult>
type Run = (args: ExecutionArgs) => Promise<Answer>

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
