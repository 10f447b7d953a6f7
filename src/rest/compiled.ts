/**
 * Operations of routes, compiled to functions. They never change. Running them takes a third of the time that
 * executing their documents takes.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Context } from '../core/context.ts'
import { noteMutation, routeReads } from '../core/replica/routing.ts'
import { plainValuesOf } from './plain-values.ts'
import { operationOf, type Values } from './variables.ts'

/** @param isChecked the variables satisfy the schema of the input, in values that coercion would not change */
type Execute = (
  variables: Values,
  context: Context,
  isChecked?: boolean,
) => Promise<ExecutionResult<Values>>

/** The operation with variables that are passed as they are. */
const unchecked = (document: DocumentNode): DocumentNode =>
  visit(document, {
    VariableDefinition: (definition) => ({
      ...definition,
      type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } } as const,
      defaultValue: undefined,
    }),
  })

const compile = (schema: GraphQLSchema, document: DocumentNode) => {
  const query = compileQuery<Values>(schema, unchecked(document))
  if (!isCompiledQuery(query))
    throw new AggregateError(query.errors ?? [], 'an operation does not compile')
  return query
}

/** `mutation awardPoints`, as spans of GraphQL are named. */
const spanNameOf = ({ operation, selectionSet }: OperationDefinitionNode): string => {
  const [first] = selectionSet.selections
  return `${operation} ${first?.kind === Kind.FIELD ? first.name.value : ''}`
}

/**
 * Executes an operation as GraphQL does. It is compiled on first use. Variables that are not plain are coerced by GraphQL
 * itself, because the compiler turns undefined into null and does not support `@oneOf`.
 */
export const compiled = (schema: GraphQLSchema, document: DocumentNode): Execute => {
  let query: ReturnType<typeof compile> | undefined
  const operation = operationOf(document)
  const definitions = operation.variableDefinitions ?? []
  const plainValues = plainValuesOf(schema, definitions)
  const name = spanNameOf(operation)
  return async (variables, context, isChecked = false) => {
    const plain = isChecked ? variables : plainValues(variables)
    const { errors, coerced } = plain
      ? { coerced: plain }
      : getVariableValues(schema, definitions, variables)
    if (errors) return { errors }
    query ??= compile(schema, document)
    const { tracing, replica } = context
    const { query: run } = query
    const execute = async () => run(undefined, context, coerced)
    const traced = () => (tracing ? tracing.span({ name }, execute) : execute())
    if (!replica) return traced()
    if (operation.operation === 'query') {
      await routeReads(context)
      return traced()
    }
    return traced().finally(() => noteMutation(context))
  }
}
