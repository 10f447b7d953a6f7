/** The schema as text, with what its fields cost: directives of the GraphQL cost specification. */
import {
  type ConstDirectiveNode,
  DirectiveLocation,
  type FieldDefinitionNode,
  GraphQLBoolean,
  GraphQLDirective,
  type GraphQLField,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
} from 'graphql'
import type { Pricing } from '../http/price.ts'
import { defaultItems, knownWeights, maxItems } from './list-size.ts'

const names = new GraphQLList(new GraphQLNonNull(GraphQLString))

const costDirective = new GraphQLDirective({
  name: 'cost',
  description:
    'Points of a field (ibm.github.io/graphql-specs/cost-spec.html). A field without it costs 1, also a scalar. To them come the points of the fields below, for each object of the field. A document of mutations costs the sum of the weights of its mutations, or its fields with 1 for each mutation, whichever is more; every operation costs at least 100. A weight that depends on arguments is the least.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: { weight: { type: new GraphQLNonNull(GraphQLString), description: 'The points.' } },
})

const listSizeDirective = new GraphQLDirective({
  name: 'listSize',
  description: `How many objects a field may return, each of which costs the fields below. The first slicing argument with a value counts, at most ${maxItems}; without one, \`assumedSize\`.`,
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    assumedSize: { type: GraphQLInt, description: 'The number without a slicing argument.' },
    slicingArguments: { type: names, description: 'The arguments that say the number.' },
    sizedFields: {
      type: names,
      description: 'The fields of the returned object that have so many objects.',
    },
    requireOneSlicingArgument: {
      type: GraphQLBoolean,
      defaultValue: true,
      description: 'Whether exactly one slicing argument is needed.',
    },
  },
})

/** The directives of the schema beyond those of the specification. */
export const costDirectives = [costDirective, listSizeDirective]

type Value = string | number | boolean | readonly string[]

const valueNode = (value: Value): string => JSON.stringify(value)

const directiveNode = (name: string, values: Record<string, Value>): ConstDirectiveNode => {
  const args = Object.entries(values).map(([key, value]) => `${key}: ${valueNode(value)}`)
  const document = parse(`type T { f: Int @${name}(${args.join(', ')}) }`)
  const [type] = document.definitions
  const fields = type?.kind === Kind.OBJECT_TYPE_DEFINITION ? type.fields : []
  return fields?.[0]?.directives?.[0] as ConstDirectiveNode
}

const text = (weight: number) => String(weight)

/** The price of a mutation; the least, if it depends on the input. */
const priceOf = (pricing: Pricing): number =>
  typeof pricing === 'number' ? pricing : pricing.least

const directivesOf = (field: GraphQLField<unknown, unknown>): ConstDirectiveNode[] => {
  const { price } = field.extensions as { price?: Pricing }
  if (price !== undefined) return [directiveNode('cost', { weight: text(priceOf(price)) })]
  const { own, times, isPage, isList } = knownWeights(field)
  const cost = own === 1 ? [] : [directiveNode('cost', { weight: text(own) })]
  if (isPage)
    return [
      ...cost,
      directiveNode('listSize', {
        assumedSize: defaultItems,
        slicingArguments: ['last', 'first'],
        sizedFields: ['edges', 'nodes'],
        requireOneSlicingArgument: false,
      }),
    ]
  return isList && !isLeafType(getNamedType(field.type))
    ? [...cost, directiveNode('listSize', { assumedSize: times })]
    : cost
}

/** Fields that have the size of their page. */
const isOfPage = (typeName: string, field: string) =>
  typeName.endsWith('Connection') && (field === 'edges' || field === 'nodes')

/** The schema in the schema definition language, sorted. */
export const sdlOf = (schema: GraphQLSchema): string => {
  const document = parse(printSchema(lexicographicSortSchema(schema)))
  const withCost = (typeName: string, node: FieldDefinitionNode): FieldDefinitionNode => {
    const type = schema.getType(typeName)
    const isComposite = isObjectType(type) || isInterfaceType(type)
    const field = isComposite ? type.getFields()[node.name.value] : undefined
    if (!field || isOfPage(typeName, field.name)) return node
    return { ...node, directives: [...(node.directives ?? []), ...directivesOf(field)] }
  }
  const definitions = document.definitions.map((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION ||
    definition.kind === Kind.INTERFACE_TYPE_DEFINITION
      ? {
          ...definition,
          fields: definition.fields?.map((field) => withCost(definition.name.value, field)) ?? [],
        }
      : definition,
  )
  return `${print({ ...document, definitions })}\n`
}
