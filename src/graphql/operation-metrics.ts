/** Measures operations by root field, not by name: clients choose the names, the schema has a fixed set of fields. */
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
import { errorTable } from '../kit/errors.ts'
import type { Metrics } from '../kit/observability/metrics.ts'

type Asked = { kind: string; field: string }

/** If no valid operation was sent. */
const nothing: Asked = { kind: 'none', field: 'none' }

const known = new WeakMap<DocumentNode, Map<string, Asked>>()

type Started = Pick<ExecutionArgs, 'document' | 'operationName'>

const read = (document: DocumentNode, operationName: string | null | undefined): Asked => {
  const operation = getOperationAST(document, operationName)
  if (!operation) return nothing
  const names = operation.selectionSet.selections.map((one) =>
    one.kind === Kind.FIELD ? one.name.value : '',
  )
  const [field] = new Set(names).size === 1 ? names : []
  return { kind: operation.operation, field: field || 'several' }
}

/** The root field of an operation of a valid document; `several` if it has others or fragments. */
export const askedOf = ({ document, operationName }: Started): Asked => {
  const ofDocument = known.get(document) ?? new Map<string, Asked>()
  known.set(document, ofDocument)
  const name = operationName ?? ''
  const asked = ofDocument.get(name) ?? read(document, operationName)
  // Names that the document does not have are not cached, because clients can send any number of them.
  if (asked !== nothing) ofDocument.set(name, asked)
  return asked
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

const errorsOf = (answer: Answer) => ('errors' in answer ? answer.errors : undefined)

/** Measures an operation on a WebSocket: until its answer, or until its stream is open. */
export const measureRun =
  (metrics: Metrics, run: (args: ExecutionArgs) => Promise<Answer>) =>
  async (args: ExecutionArgs): Promise<Answer> => {
    const asked = askedOf(args)
    const end = metrics.operationSeconds.startTimer(asked)
    const answer = await run(args)
    end()
    countErrors(metrics, asked, errorsOf(answer))
    return answer
  }

/** Counts an operation on a WebSocket that is refused before it is executed. */
export const countRefused = (metrics: Metrics, errors: readonly GraphQLError[]): void =>
  countErrors(metrics, nothing, errors)

/** Measures operations over HTTP. */
export const measureOperations = (metrics: Metrics): Plugin<Context> => {
  const running = new WeakMap<object, { asked: Asked; end: () => void }>()
  const start = ({ args }: { args: Started & { contextValue: Context } }) => {
    const asked = askedOf(args)
    const end = metrics.operationSeconds.startTimer(asked)
    running.set(args.contextValue, { asked, end })
  }
  return {
    onExecute: start,
    onSubscribe: start,
    onExecutionResult: ({ result, context }) => {
      if (!result || Array.isArray(result)) return
      const { asked = nothing, end } = running.get(context) ?? {}
      end?.()
      running.delete(context)
      countErrors(metrics, asked, errorsOf(result as Answer))
    },
  }
}
