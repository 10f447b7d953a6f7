/** Unknown fields of bodies are ignored, at every depth. GraphQL refuses them. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import type { Values } from './variables.ts'

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
export const knownFieldsOf = (
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
