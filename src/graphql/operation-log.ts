/** Adds the GraphQL operations to the access log. */
import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../kit/access/context.ts'
import type { ErrorCode } from '../kit/errors.ts'
import type { LogAccess, LoggedOperation } from '../kit/http/access-log.ts'
import { type Budgeted, payerOf } from './budget.ts'
import { askedOf } from './operation-metrics.ts'

/** Clients choose names, which may be as long as their documents. */
const maxNameLength = 64

type Asked = Pick<ExecutionArgs, 'document' | 'operationName' | 'contextValue'>

/** An operation as the access log and spans name it. */
export const loggedOperationOf = ({
  document,
  operationName,
  contextValue,
}: Asked): LoggedOperation => ({
  name: getOperationAST(document, operationName)?.name?.value.slice(0, maxNameLength),
  field: askedOf({ document, operationName }).field,
  /** Known once it has been admitted or refused. */
  get cost() {
    return (contextValue as Partial<Budgeted>).cost
  },
})

/** Records the operations of an HTTP request. It must come before the plugins that may refuse them. */
export const noteOperations = (): Plugin<Context> => {
  const note = ({ args }: { args: Asked }) => {
    const { req } = args.contextValue as { req?: { operations: LoggedOperation[] | null } }
    if (!req) return
    req.operations ??= []
    req.operations.push(loggedOperationOf(args))
  }
  return { onExecute: note, onSubscribe: note }
}

type Answer = ExecutionResult | AsyncIterable<ExecutionResult>

/** Logs an operation on a WebSocket when it is answered, or when its stream is open. */
export const logRun =
  (log: LogAccess | undefined, run: (args: ExecutionArgs) => Promise<Answer>): typeof run =>
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
