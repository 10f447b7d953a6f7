/** The cost of a document can be computed from the schema as text alone, and is what the server requests. */
import {
  buildSchema,
  type ConstDirectiveNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sdlOf } from '../../src/kit/schema/sdl.ts'
import { schema } from '../../src/schema.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let known: GraphQLSchema
beforeAll(async () => {
  world = await createWorld()
  known = buildSchema(sdlOf(schema))
})
afterAll(() => world.end())

type Values = Record<string, unknown>

const directiveOf = (field: GraphQLField<unknown, unknown>, name: string): Values | undefined => {
  const found: ConstDirectiveNode | undefined = field.astNode?.directives?.find(
    (directive) => directive.name.value === name,
  )
  return (
    found &&
    Object.fromEntries(
      (found.arguments ?? []).map((item) => [item.name.value, valueFromASTUntyped(item.value)]),
    )
  )
}

type Sized = { fields: readonly string[]; size: number }

/** What a client computes, by the descriptions of the directives. */
const costOf = (query: string, variables: Values = {}): number => {
  const document = parse(query)
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION
        ? [[definition.name.value, definition] as const]
        : [],
    ),
  )
  const sizeOf = (
    field: GraphQLField<unknown, unknown>,
    node: FieldNode,
  ): { size: number; sized: Sized | null } => {
    const list = directiveOf(field, 'listSize')
    if (!list) return { size: 1, sized: null }
    const args = getArgumentValues(field, node, variables)
    const slicing = ((list.slicingArguments ?? []) as string[]).map((name) => args[name])
    const named = slicing.find((value) => value != null) as number | undefined
    const size = Math.min(
      named ?? (list.assumedSize as number),
      named === undefined ? Infinity : 100,
    )
    const fields = list.sizedFields as string[] | undefined
    return fields ? { size: 1, sized: { fields, size } } : { size, sized: null }
  }
  const sumOf = (
    type: GraphQLNamedType,
    { selections }: SelectionSetNode,
    sized: Sized | null,
  ): number =>
    selections.reduce((sum, node) => {
      if (node.kind !== Kind.FIELD) {
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
        const name = fragment?.typeCondition?.name.value
        const narrowed = (name && known.getType(name)) || type
        return sum + (fragment ? sumOf(narrowed, fragment.selectionSet, sized) : 0)
      }
      const isComposite = isObjectType(type) || isInterfaceType(type)
      const field = isComposite ? type.getFields()[node.name.value] : undefined
      if (!field) return sum + 1
      const weight = Number(directiveOf(field, 'cost')?.weight ?? 1)
      const { size, sized: below } = sizeOf(field, node)
      const times = sized?.fields.includes(field.name) ? sized.size : size
      return (
        sum +
        weight +
        (node.selectionSet ? times * sumOf(getNamedType(field.type), node.selectionSet, below) : 0)
      )
    }, 0)
  const [operation] = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  )
  const root = operation && known.getRootType(operation.operation)
  if (!operation || !root) throw new Error('no operation')
  if (operation.operation === 'mutation') {
    const prices = operation.selectionSet.selections.flatMap((node) =>
      node.kind === Kind.FIELD
        ? [directiveOf(root.getFields()[node.name.value] as never, 'cost')]
        : [],
    )
    return prices.reduce((sum, item) => sum + Number(item?.weight), 0)
  }
  return Math.max(100, sumOf(root, operation.selectionSet, null))
}

const requested = async (query: string, variables: Values = {}) => {
  const { body } = await world.call('POST', '/graphql', {
    headers: { 'x-api-secret': world.keys.secret, 'x-tessera-dry-run': '1' },
    body: { query, variables },
  })
  return body.extensions.cost.requested
}

const users = `users(first: 50) {
  nodes { id displayName plays(first: 10) { nodes { id gameType } } }
  totalCount { value } pageInfo { hasNextPage endCursor } }`

describe('the cost computed from the schema is what the server requests for', () => {
  test.each([
    ['a page in a page', `{ ${users} }`, {}],
    [
      'edges and the default size',
      '{ campaigns { edges { cursor node { id slug name phase } } } }',
      {},
    ],
    ['a page read backward', '{ users(last: 60) { nodes { id uuid externalId } } }', {}],
    ['a variable', 'query ($n: Int) { users(first: $n) { nodes { id uuid } } }', { n: 90 }],
    [
      'an omitted variable',
      'query ($n: Int) { users(first: $n) { nodes { ...U ...U } } } fragment U on User { id uuid externalId }',
      {},
    ],
    [
      'plain lists in a page',
      '{ campaigns(first: 100) { nodes { eventRules { eventType points } } } }',
      {},
    ],
    ['a field with a weight', '{ users(first: 30) { nodes { rank externalId } } }', {}],
    [
      'fragments on an interface',
      '{ node(id: "x") { id ... on User { uuid plays(first: 60) { nodes { id uuid } } } ... on Campaign { slug } } }',
      {},
    ],
    [
      'a funnel',
      '{ journeyFunnel(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") { stages { stage enteredCount } transitions { count } } users(first: 60) { nodes { id } } }',
      {},
    ],
    [
      'a mutation',
      'mutation { awardPoints(input: { user: { externalId: "a" }, eventType: "s" }) { __typename } }',
      {},
    ],
    [
      'two mutations',
      'mutation { a: awardPoints(input: { user: { externalId: "a" }, eventType: "s" }) { __typename } b: eraseUser(input: { user: { externalId: "a" } }) { __typename } }',
      {},
    ],
  ])('%s', async (_, query, variables) => {
    const cost = costOf(query, variables)
    expect(cost).toBeGreaterThanOrEqual(100)
    expect(await requested(query, variables)).toBe(cost)
  })
})

test('what depends on other arguments has the least as its weight', async () => {
  const query = (to: string) =>
    `{ analytics(metrics: [PLAYS], from: "2026-01-01T00:00:00Z", to: "${to}", interval: HOUR) { total } users(first: 100) { nodes { id } } }`
  const least = costOf(query('2026-01-02T00:00:00Z'))
  expect(await requested(query('2026-06-01T00:00:00Z'))).toBeGreaterThan(least)
  expect(await requested(query('2026-01-01T00:00:00Z'))).toBeGreaterThanOrEqual(least)
})

test('the schema as text builds, and has a price for every mutation', () => {
  const mutations = Object.values(known.getMutationType()?.getFields() ?? {})
  expect(mutations.length).toBeGreaterThan(100)
  expect(mutations.filter((field) => !directiveOf(field, 'cost')).map(({ name }) => name)).toEqual(
    [],
  )
})
