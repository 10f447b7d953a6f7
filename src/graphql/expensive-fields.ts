/** Finds the fields that make an operation expensive. */
import {
  type ExecutionArgs,
  type FieldNode,
  type GraphQLNamedType,
  getArgumentValues,
  getNamedType,
  getNullableType,
  getOperationAST,
  isListType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { fragmentsOf, schemaFieldOf } from './document-limits.ts'

/** A field by its path, and its cost including the fields below it. */
type Cost = { path: string; cost: number }

/** The declared cost of a field, without the library's assumptions about lists. */
type Weight = number | { field?: number; multiplier?: number } | undefined

const itemsOfList = 10

const weightOf = (type: GraphQLNamedType, node: FieldNode, { variableValues }: ExecutionArgs) => {
  const field = schemaFieldOf(type, node)
  const said = field?.extensions.complexity as Weight | ((args: unknown) => Weight)
  const weight =
    typeof said === 'function' && field
      ? said(getArgumentValues(field, node, variableValues))
      : (said as Weight)
  const times = field && isListType(getNullableType(field.type)) ? itemsOfList : 1
  return typeof weight === 'object'
    ? { own: weight.field ?? 1, times: weight.multiplier ?? times }
    : { own: weight ?? 1, times }
}

/**
 * The most expensive fields, highest cost first: lists, and fields with a cost of their own. A list counts with
 * its items, once per selection.
 */
export const findExpensiveFields = (args: ExecutionArgs, count: number): Cost[] => {
  const operation = getOperationAST(args.document, args.operationName)
  const root = operation && args.schema.getRootType(operation.operation)
  if (!root) return []
  const fragments = fragmentsOf(args.document)
  const costs: Cost[] = []
  const costOf = (
    type: GraphQLNamedType,
    { selections }: SelectionSetNode,
    path: string,
    places: number,
  ): number => {
    let sum = 0
    for (const node of selections) {
      if (node.kind !== Kind.FIELD) {
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
        const condition = fragment?.typeCondition?.name.value
        const narrowed = (condition && args.schema.getType(condition)) || type
        if (fragment) sum += costOf(narrowed, fragment.selectionSet, path, places)
        continue
      }
      const name = `${path}${(node.alias ?? node.name).value}`
      const { own, times } = weightOf(type, node, args)
      const field = schemaFieldOf(type, node)
      const below =
        field && node.selectionSet
          ? costOf(getNamedType(field.type), node.selectionSet, `${name}.`, places * times)
          : 0
      const cost = own + times * below
      if (own > 1 || times > 1) costs.push({ path: name, cost: Math.round(places * cost) })
      sum += cost
    }
    return sum
  }
  costOf(root, operation.selectionSet, '', 1)
  return costs.sort((a, b) => b.cost - a.cost).slice(0, count)
}
