/** Documents that go from a root field along every edge of the schema that can be reached from it. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import { schema } from '../../src/schema.ts'

export type Root = 'query' | 'mutation' | 'subscription'
type Field = GraphQLField<unknown, unknown>
type Args = Record<string, unknown>

/** One way from a root to a field. Its document selects all leaves there, or those that are given. */
export type Way = {
  edge: string
  leaves: string[]
  /** The document up to the selection of the field. It begins with that of the way to its parent. */
  open: string
  document(leaves?: string[]): string
}

/**
 * Keeps ways whose field showed no object, and tells whether a way goes on from one: it shows nothing, either. A document
 * selects `__typename` at its end only.
 */
export const deadEnds = () => {
  const ends: string[] = []
  return {
    note: ({ open }: Way, texts: string[]) => {
      if (!texts.some((text) => text.includes('"__typename"'))) ends.push(`${open} {`)
    },
    has: ({ open }: Way) => ends.some((end) => open.startsWith(end)),
  }
}

export const rootFields = (root: Root): Field[] =>
  Object.values(schema.getRootType(root as never)?.getFields() ?? {})

/** A valid value of a type. */
const exampleOf = (type: GraphQLArgument['type']): unknown => {
  if (isNonNullType(type)) return exampleOf(type.ofType)
  if (isListType(type)) return []
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type) && type.isOneOf) {
    const [field] = Object.values(type.getFields())
    return field && { [field.name]: exampleOf(new GraphQLNonNull(getNullableType(field.type))) }
  }
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter(isRequiredInputField)
        .map((field) => [field.name, exampleOf(field.type)]),
    )
  const scalars: Record<string, unknown> = {
    Int: 1,
    Float: 1,
    SafeInt: 1,
    Boolean: false,
    JSON: {},
    DateTime: '2030-01-01T00:00:00.000Z',
    TimeZone: 'Europe/Paris',
  }
  return scalars[String(type)] ?? 'x'
}

const literal = (type: GraphQLArgument['type'], value: unknown): string => {
  if (isNonNullType(type)) return literal(type.ofType, value)
  if (isEnumType(type)) return String(value)
  if (isListType(type))
    return `[${(value as unknown[]).map((item) => literal(type.ofType, item)).join(', ')}]`
  if (!isInputObjectType(type)) return JSON.stringify(value)
  const fields = type.getFields()
  const entries = Object.entries(value as Args).map(
    ([name, inner]) => `${name}: ${literal((fields[name] as GraphQLArgument).type, inner)}`,
  )
  return `{ ${entries.join(', ')} }`
}

/** How many fields may be nested in a document. */
const deepest = 12

/** Enough for everything that was planted on one timeline. */
const itemsOfList = 5

/** A field with its arguments: those given, a few items of each list, and examples of required ones. */
const called = (field: Field, given: Args = {}, items = itemsOfList): string => {
  const args = field.args.flatMap((arg) => {
    if (arg.name in given) return `${arg.name}: ${literal(arg.type, given[arg.name])}`
    if (arg.name === 'first') return `first: ${items}`
    return isRequiredArgument(arg) ? `${arg.name}: ${literal(arg.type, exampleOf(arg.type))}` : []
  })
  return args.length > 0 ? `${field.name}(${args.join(', ')})` : field.name
}

const isLeaf = (field: Field): boolean => {
  const type = getNamedType(field.type)
  return !isObjectType(type) && !isAbstractType(type)
}

const membersOf = (type: GraphQLNamedType): readonly GraphQLObjectType[] =>
  isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? [type] : []

/** Leaf fields of a type, each as written in a selection. */
const leavesOf = (type: GraphQLNamedType): string[] =>
  membersOf(type).flatMap((member) =>
    Object.values(member.getFields())
      .filter(isLeaf)
      .map((field) => `... on ${member.name} { ${member.name}_${field.name}: ${called(field)} }`),
  )

/**
 * All ways from a root field: each field of each type that can be reached, by the shortest path to its
 * type.
 * @param args of the root field, and of fields on the way by `Type.field`
 * @param only the one type to take of those that the root field may give
 */
export const waysFrom = (
  root: Root,
  field: Field,
  args: Record<string, Args> = {},
  only?: string,
): Way[] => {
  const ways: Way[] = []
  const seen = new Set<string>()
  const visit = (edge: string, type: GraphQLNamedType, open: string, close: string) => {
    const leaves = leavesOf(type)
    const document = (chosen = leaves) =>
      membersOf(type).length === 0
        ? `${open}${close}`
        : `${open} { __typename ${chosen.join(' ')} }${close}`
    ways.push({ edge, leaves, open, document })
    return membersOf(type)
      .filter(({ name }) => !seen.has(name) && seen.add(name))
      .map((member) => ({
        member,
        open: `${open} { ... on ${member.name} {`,
        close: ` } }${close}`,
      }))
  }
  const head = `${root} { ${called(field, args[field.name])}`
  const type = only ? schema.getType(only) : getNamedType(field.type)
  const visited = visit(`${root} ${field.name}`, type as GraphQLNamedType, head, ' }')
  const waiting = visited.map((place) => ({ ...place, depth: 1 }))
  for (let place = waiting.shift(); place; place = waiting.shift()) {
    const { member, open, close, depth } = place
    // Deeper fields cannot be queried: with their leaves, a document would be too deep.
    if (depth + 2 > deepest) continue
    for (const inner of Object.values(member.getFields())) {
      if (isLeaf(inner)) continue
      const edge = `${member.name}.${inner.name}`
      // Deeply nested lists would cost too much.
      const step = `${open} ${called(inner, args[edge], depth < 4 ? itemsOfList : 1)}`
      const found = visit(edge, getNamedType(inner.type), step, close)
      waiting.push(...found.map((place) => ({ ...place, depth: depth + 1 })))
    }
  }
  return ways
}
