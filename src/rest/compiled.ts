/**
 * Operations of routes, compiled to functions. They never change. Running them takes a third of the time that
 * executing their documents takes.
 */

import { RequestCache } from '@pothos/plugin-scope-auth'
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLInputType,
  GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  typeFromAST,
  type VariableDefinitionNode,
  visit,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Context } from '../kit/access/context.ts'
import { forgetLoaders } from '../kit/schema/edge.ts'
import { coerceVariables } from '../kit/schema/variable-values.ts'
import { plainValuesOf } from './plain-values.ts'
import { operationOf, type Values } from './variables.ts'

/** A value without the fields that its type does not have. Free-form JSON and values of other types stay as they are. */
const knownOf = (type: GraphQLInputType, value: unknown): unknown => {
  const inner = getNullableType(type)
  if (isListType(inner))
    return Array.isArray(value) ? value.map((item) => knownOf(inner.ofType, item)) : value
  if (!isInputObjectType(inner) || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value
  const known: Values = {}
  for (const { name, type } of Object.values(inner.getFields()))
    if (name in value) known[name] = knownOf(type, (value as Values)[name])
  return known
}

/** Returns the function that takes unknown fields out of variables. */
const knownFieldsOf = (
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): ((variables: Values) => Values) => {
  const types = definitions.map(
    ({ variable, type }) =>
      [variable.name.value, typeFromAST(schema, type) as GraphQLInputType] as const,
  )
  return (variables) => {
    const known = { ...variables }
    for (const [name, type] of types) if (name in known) known[name] = knownOf(type, known[name])
    return known
  }
}

/** @param isChecked the variables satisfy the schema of the input, in values that coercion would not change */
type Execute = (
  variables: Values,
  context: Context,
  isChecked?: boolean,
) => Promise<ExecutionResult<Values>>

/** The operation as a query, with variables that are passed as they are. */
const unchecked = (document: DocumentNode): DocumentNode =>
  visit(document, {
    OperationDefinition: (operation) => ({ ...operation, operation: OperationTypeNode.QUERY }),
    VariableDefinition: (definition) => ({
      ...definition,
      type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } } as const,
      defaultValue: undefined,
    }),
  })

const asQueries = new WeakMap<GraphQLSchema, GraphQLSchema>()

/**
 * The schema with mutations in the place of queries. A route has one field, so nothing has to run in series. The code
 * that runs fields in series keeps each request in memory until the whole heap is collected
 * (docs/decisions/server-start-and-memory.md).
 */
const mutationsAsQueries = (schema: GraphQLSchema): GraphQLSchema => {
  const known = asQueries.get(schema)
  if (known) return known
  const { mutation, ...config } = schema.toConfig()
  const made = new GraphQLSchema({ ...config, query: mutation, assumeValid: true })
  asQueries.set(schema, made)
  return made
}

const compile = (schema: GraphQLSchema, document: DocumentNode) => {
  const { operation, selectionSet } = operationOf(document)
  const isMutation = operation === OperationTypeNode.MUTATION
  if (isMutation && selectionSet.selections.length > 1)
    throw new Error(
      'a mutation of a route has one root field, because its fields would run at once',
    )
  const query = compileQuery<Values>(
    isMutation ? mutationsAsQueries(schema) : schema,
    unchecked(document),
  )
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
 * Executes an operation as GraphQL does, but ignores unknown fields of inputs. It is compiled on first use. Variables that are not plain are coerced by
 * GraphQL itself, because the compiler turns undefined into null and does not support `@oneOf`.
 */
export const compiled = (schema: GraphQLSchema, document: DocumentNode): Execute => {
  let query: ReturnType<typeof compile> | undefined
  const operation = operationOf(document)
  const definitions = operation.variableDefinitions ?? []
  const plainValues = plainValuesOf(schema, definitions)
  const knownFields = knownFieldsOf(schema, definitions)
  const name = spanNameOf(operation)
  return async (variables, context, isChecked = false) => {
    const plain = isChecked ? variables : plainValues(variables)
    const { fault, coerced } = plain
      ? { coerced: plain }
      : coerceVariables(schema, definitions, knownFields(variables))
    if (fault) return { errors: [fault] }
    query ??= compile(schema, document)
    const { tracing } = context
    const { query: run } = query
    // The weak map of the library would keep the context until the whole heap is collected.
    const execute = async () => {
      try {
        return await run(undefined, context, coerced)
      } finally {
        RequestCache.clearForContext(context)
        forgetLoaders(context)
      }
    }
    return tracing ? tracing.span({ name }, execute) : execute()
  }
}
