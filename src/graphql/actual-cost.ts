/** What an answer cost, after it was executed: lists count with the items that they have. */
import {
  type ExecutionArgs,
  type GraphQLNamedType,
  getNamedType,
  getOperationAST,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql'
import { variablesOf, weightOf } from './cost.ts'
import { fragmentsOf, isIntrospective, schemaFieldOf } from './document-limits.ts'

type Answered = Readonly<Record<string, unknown>>

/** The objects of a value: itself, the items of a list, or none. */
const objectsOf = (value: unknown): Answered[] => {
  if (Array.isArray(value)) return value.flatMap(objectsOf)
  return value && typeof value === 'object' ? [value as Answered] : []
}

/**
 * The cost of the answer to a query, by the weights of its estimate. Null when nothing is given back: for mutations, which
 * have fixed prices, and for introspection.
 */
export const actualCostOf = (requested: ExecutionArgs, data: unknown): number | null => {
  const { document, operationName, schema } = requested
  const args = { ...requested, variableValues: variablesOf(requested) }
  const operation = getOperationAST(document, operationName)
  const type = schema.getQueryType()
  if (operation?.operation !== OperationTypeNode.QUERY || !type) return null
  if (isIntrospective(document, operationName)) return null
  const fragments = fragmentsOf(document)
  const costOf = (
    type: GraphQLNamedType,
    object: Answered,
    { selections }: SelectionSetNode,
  ): number => {
    let sum = 0
    for (const node of selections) {
      if (node.kind !== Kind.FIELD) {
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
        const condition = fragment?.typeCondition?.name.value
        const narrowed = (condition && schema.getType(condition)) || type
        if (fragment) sum += costOf(narrowed, object, fragment.selectionSet)
        continue
      }
      const value = object[(node.alias ?? node.name).value]
      // A field that was skipped, or of another type of the same interface.
      if (value === undefined) continue
      sum += weightOf(type, node, args).own
      const field = schemaFieldOf(type, node)
      if (!field || !node.selectionSet) continue
      for (const below of objectsOf(value))
        sum += costOf(getNamedType(field.type), below, node.selectionSet)
    }
    return sum
  }
  return Math.ceil(
    objectsOf(data).reduce((sum, root) => sum + costOf(type, root, operation.selectionSet), 0),
  )
}
