import type { FieldNode, GraphQLFieldExtensions, GraphQLObjectType } from 'graphql'
import { expect, test } from 'vitest'
import type { Access } from '../../src/kit/access/context.ts'
import type { Route } from '../../src/rest/route.ts'
import { routes } from '../../src/rest/routes.ts'
import { operationOf } from '../../src/rest/variables.ts'
import { schema } from '../../src/schema.ts'

/** The weakest first: each credential includes those before it. */
const ranks: Access[] = ['anyone', 'public', 'secret', 'member', 'operator']

const rootFieldOf = (route: Route) => {
  const { operation, selectionSet } = operationOf(route.operation)
  const [selection] = selectionSet.selections as FieldNode[]
  return `${operation} ${selection?.name.value}`
}

/** The credential that a root field of the schema requires. */
const accessOf = (type: GraphQLObjectType | null | undefined, name = '') => {
  const extensions = type?.getFields()[name]?.extensions as GraphQLFieldExtensions<never, never> & {
    pothosOptions: { authScopes?: { key: [Access] } }
  }
  return extensions.pothosOptions.authScopes?.key[0] ?? 'anyone'
}

const rows = [...Map.groupBy(routes, rootFieldOf)].map(([field, routes]) => {
  const [operation, name] = field.split(' ')
  const type = operation === 'query' ? schema.getQueryType() : schema.getMutationType()
  return { field, access: accessOf(type, name), keys: routes.map(({ key }) => key) }
})

test('every route has one root field', () => {
  const selections = (route: Route) => operationOf(route.operation).selectionSet.selections.length
  expect(routes.filter((route) => selections(route) !== 1)).toEqual([])
  expect(rows.length).toBeGreaterThan(80)
})

// A key may ask who it is; only a member is shown a member.
const isForAll = ({ field }: { field: string }) => field === 'query viewer'

test.each(rows.filter((row) => !isForAll(row)))(
  '$field requires the credential that its routes require',
  ({ access, keys }) => {
    const weakest = ranks.find((rank) => keys.includes(rank))
    expect(access).toBe(weakest)
  },
)
