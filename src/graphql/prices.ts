/** The prices of the mutations of an operation. */
import {
  type ExecutionArgs,
  type FieldNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { type Pricing, pointsOfRequest } from '../kit/http/price.ts'
import { fragmentsOf } from './document-limits.ts'

/** A mutation by the name of its result, and its price in points. */
export type Priced = { path: string; cost: number }

/** The variables; null if they are invalid, so that the operation will not be executed. */
type Variables = () => Readonly<Record<string, unknown>> | null

/** Coerced on first use: most operations have constant prices. */
const variablesOf = (
  { schema, variableValues }: ExecutionArgs,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Variables => {
  let known: ReturnType<Variables> | undefined
  return () => {
    known ??=
      getVariableValues(schema, variableDefinitions, variableValues ?? {}, { maxErrors: 1 })
        .coerced ?? null
    return known
  }
}

const isIncluded = (node: SelectionNode, variables: Variables): boolean => {
  if (!node.directives?.length) return true
  const values = variables()
  if (!values) return false
  const skip = getDirectiveValues(GraphQLSkipDirective, node, values)
  return !skip?.if && getDirectiveValues(GraphQLIncludeDirective, node, values)?.if !== false
}

/** The root fields that are executed. Those with the same name in the answer are executed once. */
const rootFieldsOf = (
  { document }: ExecutionArgs,
  { selectionSet }: OperationDefinitionNode,
  variables: Variables,
): Map<string, FieldNode> => {
  const fragments = fragmentsOf(document)
  const found = new Map<string, FieldNode>()
  const collect = ({ selections }: SelectionSetNode) => {
    for (const node of selections) {
      if (!isIncluded(node, variables)) continue
      if (node.kind === Kind.FIELD) found.set((node.alias ?? node.name).value, node)
      else {
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
        if (fragment) collect(fragment.selectionSet)
      }
    }
  }
  collect(selectionSet)
  return found
}

/** The mutations of an operation of a valid document, in their order. */
export const pricesOf = (args: ExecutionArgs): Priced[] => {
  const operation = getOperationAST(args.document, args.operationName)
  if (operation?.operation !== OperationTypeNode.MUTATION) return []
  const fields = args.schema.getMutationType()?.getFields() ?? {}
  const variables = variablesOf(args, operation)
  const prices: Priced[] = []
  for (const [path, node] of rootFieldsOf(args, operation, variables)) {
    const field = fields[node.name.value]
    if (!field) continue // `__typename`
    const pricing = field.extensions.price as Pricing
    if (typeof pricing === 'number') prices.push({ path, cost: pricing })
    else {
      const values = variables()
      const cost = values ? pricing(getArgumentValues(field, node, values)) : pointsOfRequest
      prices.push({ path, cost })
    }
  }
  return prices
}
