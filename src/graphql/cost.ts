/** The cost of an operation of a valid document, before it is executed. */
import {
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  type GraphQLError,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  getOperationAST,
  isListType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'
import { weightsFor } from '../kit/schema/list-size.ts'
import {
  documentLimits,
  fragmentsOf,
  isIntrospection,
  isIntrospective,
  schemaFieldOf,
  tooComplex,
} from './document-limits.ts'
import { type Priced, pricesOf } from './prices.ts'

type VariableArgs = Pick<ExecutionArgs, 'document' | 'operationName' | 'variableValues'>

/** A field by its path, and its cost including the fields below it. */
type Cost = { path: string; cost: number }

/** The weight of a field, and how often what is below it is estimated to occur. */
export const weightOf = (
  type: GraphQLNamedType,
  node: FieldNode,
  { variableValues }: Pick<ExecutionArgs, 'variableValues'>,
) => {
  const field = schemaFieldOf(type, node)
  // `__typename`, and the fields of introspection, which are counted by what they answer.
  if (!field || isIntrospection(node)) return { own: 1, times: 1, itemsOfPage: null }
  return weightsFor(field, () => getArgumentValues(field, node, variableValues))
}

/** The variables of an operation, with the defaults of those that the request omits. */
export const variablesOf = ({ document, operationName, variableValues }: VariableArgs) => {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? []
  const defaults = definitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  )
  const given = Object.entries(variableValues ?? {}).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(given) }
}

/** The points of a field of an answer are its weight, and those of the fields below it for each object that it may return. */
const costOfOperation = (
  args: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>,
  /** Is given each list and each field with a weight of its own. A list counts with its items, once per selection. */
  see?: (cost: Cost) => void,
): number => {
  const operation = getOperationAST(args.document, args.operationName)
  const root = operation && args.schema.getRootType(operation.operation)
  if (!root) return 0
  const fragments = fragmentsOf(args.document)
  type Place = { path: string; times: number; itemsOfPage: number | null }
  const costOf = (
    type: GraphQLNamedType,
    { selections }: SelectionSetNode,
    place: Place,
  ): number => {
    let sum = 0
    for (const node of selections) {
      if (node.kind !== Kind.FIELD) {
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
        const condition = fragment?.typeCondition?.name.value
        const narrowed = (condition && args.schema.getType(condition)) || type
        if (fragment) sum += costOf(narrowed, fragment.selectionSet, place)
        continue
      }
      const field = schemaFieldOf(type, node)
      const path = see ? `${place.path}${(node.alias ?? node.name).value}` : ''
      const { own, times: usual, itemsOfPage } = weightOf(type, node, args)
      // `nodes` and `edges` have the items of their page.
      const isOfPage =
        place.itemsOfPage !== null && field && isListType(getNullableType(field.type))
      const times = isOfPage ? (place.itemsOfPage as number) : usual
      const below =
        field && node.selectionSet && !isIntrospection(node)
          ? costOf(getNamedType(field.type), node.selectionSet, {
              path: `${path}.`,
              times: place.times * times,
              itemsOfPage,
            })
          : 0
      const cost = own + times * below
      if (own > 1 || times > 1 || itemsOfPage !== null)
        see?.({ path, cost: Math.round(place.times * cost) })
      sum += cost
    }
    return sum
  }
  return costOf(root, operation.selectionSet, { path: '', times: 1, itemsOfPage: null })
}

/** The most expensive fields, highest cost first. */
const findExpensiveFields = (args: ExecutionArgs, count: number): Cost[] => {
  const costs: Cost[] = []
  costOfOperation(args, (cost) => costs.push(cost))
  return costs.sort((a, b) => b.cost - a.cost).slice(0, count)
}

type Variables = Readonly<Record<string, unknown>>

/**
 * The number of introspection fields in the answer to an operation. Counting stops above `limit`. The values of
 * these fields are known, so nothing needs to be estimated.
 */
const countIntrospection = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  limit: number,
): number => {
  const fragments = fragmentsOf(document)
  let size = 0
  const count = (type: GraphQLObjectType, value: unknown, { selections }: SelectionSetNode) => {
    for (const node of selections) {
      if (size > limit) return
      if (node.kind !== Kind.FIELD) {
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
        if (fragment) count(type, value, fragment.selectionSet)
      } else if (value || isIntrospection(node)) {
        size++
        const field = schemaFieldOf(type, node)
        if (!field?.resolve || !node.selectionSet) continue
        const args = getArgumentValues(field, node, variables)
        const result = field.resolve(value, args, null, { schema } as GraphQLResolveInfo)
        for (const item of [result].flat())
          if (item) count(getNamedType(field.type) as GraphQLObjectType, item, node.selectionSet)
      }
    }
  }
  const root = schema.getRootType(operation.operation)
  if (root) count(root, null, operation.selectionSet)
  return size
}

/** The number of fields in the answer to the standard introspection query with all options. */
const standardIntrospection = (schema: GraphQLSchema): number => {
  const document = parse(
    getIntrospectionQuery({
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      experimentalDirectiveDeprecation: true,
      oneOf: true,
    }),
  )
  const operation = getOperationAST(document) as OperationDefinitionNode
  return countIntrospection(schema, document, operation, {}, Number.POSITIVE_INFINITY)
}

/** Types whose values change the cost of a field. */
const pricedTypes = /^(DateTime|StatisticsInterval)!?$/

/** The part of a variable that can change the cost of an operation. */
const pricedPart = (value: unknown, type: string): unknown => {
  if (Array.isArray(value)) return value.length
  return typeof value === 'number' || pricedTypes.test(type) ? value : null
}

/** The costs of operations, cached by document and by the priced parts of their variables. */
const createCounts = (schema: GraphQLSchema) => {
  const complexities = new WeakMap<DocumentNode, Map<string, number>>()
  let standard: number | undefined

  return {
    complexityOf: (args: ExecutionArgs): number => {
      const { document, operationName } = args
      const operation = getOperationAST(document, operationName)
      if (!operation) return 0
      const variables = args.variableValues ?? {}
      const priced = operation.variableDefinitions?.map(({ variable, type }) =>
        pricedPart(variables[variable.name.value], print(type)),
      )
      const key = JSON.stringify([operation.name?.value, priced])
      const known = complexities.get(document) ?? new Map<string, number>()
      complexities.set(document, known)
      if (known.size > 20) known.clear()
      let complexity = known.get(key)
      if (complexity === undefined) {
        complexity = costOfOperation({ schema, document, operationName, variableValues: variables })
        known.set(key, complexity)
      }
      return complexity
    },
    /** Introspection fields of an operation relative to the standard introspection query: 0 is none. */
    introspectionOf: ({ document, operationName, variableValues }: ExecutionArgs): number => {
      const operation = getOperationAST(document, operationName)
      if (!operation || !isIntrospective(document, operationName)) return 0
      standard ??= standardIntrospection(schema)
      return (
        countIntrospection(schema, document, operation, variableValues ?? {}, standard) / standard
      )
    },
  }
}

/** The cost of an operation with the prices of its mutations, and the errors if its complexity is too high. */
export type Costs = (args: ExecutionArgs) => {
  complexity: number
  prices: readonly Priced[]
  errors: readonly GraphQLError[]
}

const tooExpensive = (args: ExecutionArgs, complexity: number): GraphQLError => {
  const expensiveFields = findExpensiveFields(args, 3)
  const named = expensiveFields.map(({ path, cost }) => `${path} (${cost})`).join(', ')
  const error = tooComplex(
    `The operation costs ${complexity} points; ${documentLimits.complexity} is the limit. Dearest: ${named}`,
  )
  Object.assign(error.extensions, {
    cost: complexity,
    limit: documentLimits.complexity,
    expensiveFields,
  })
  return error
}

export const createCosts = (schema: GraphQLSchema): Costs => {
  const { complexityOf, introspectionOf } = createCounts(schema)
  return (requested) => {
    const args = { ...requested, variableValues: variablesOf(requested) }
    if (introspectionOf(args) > 1) {
      const message = 'The document asks for more of the schema than the whole of it'
      return { complexity: 0, prices: [], errors: [tooComplex(message)] }
    }
    const complexity = Math.ceil(complexityOf(args))
    const errors = complexity > documentLimits.complexity ? [tooExpensive(args, complexity)] : []
    return { complexity, prices: pricesOf(args), errors }
  }
}
