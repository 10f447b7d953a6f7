/** Fields inside a list take a constant number of statements, however many items it has. */
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'
import { statementCounter } from '../count-statements.ts'
import { createWorld, type World } from '../world.ts'
import { connections, type LongList, makeLists } from './long-lists.ts'

const few = 10
const many = 50

let world: World
let lists: Record<string, LongList>
let fewest: ReturnType<typeof statementCounter>

beforeAll(async () => {
  world = await createWorld()
  lists = await makeLists(world)
  fewest = statementCounter(world)
}, 120_000)
afterAll(() => world.end())

type Field = GraphQLField<unknown, unknown>

/** The public part of a type is read as an object is. */
const isObject = (type: unknown): boolean =>
  isObjectType(type) || (isInterfaceType(type) && type.name.startsWith('Public'))

const fieldsOf = (type: unknown): Field[] =>
  isObject(type) ? Object.values((type as GraphQLObjectType).getFields()) : []

const typeOf = (place: string) => {
  const [type = '', field = ''] = place.split('.')
  const found = fieldsOf(schema.getType(type)).find(({ name }) => name === field)
  const connection = getNamedType(found?.type as never)
  const nodes = fieldsOf(connection).find(({ name }) => name === 'nodes')
  return getNamedType(nodes?.type as never)
}

/** Fields of an item that lead to other objects and need no argument. */
const edgesOf = (place: string): Field[] =>
  fieldsOf(typeOf(place)).filter(
    ({ type, args }) =>
      isObject(getNamedType(type)) &&
      args.every((arg) => !String(arg.type).endsWith('!') || arg.defaultValue !== undefined),
  )

const selection = ({ name, type, args }: Field): string => {
  const called = args.some((arg) => arg.name === 'first') ? `${name}(first: 2)` : name
  const isConnection = getNamedType(type).name.endsWith('Connection')
  return `${called} ${isConnection ? '{ nodes { __typename } }' : '{ __typename }'}`
}

/** Each field inside each list: `Type.list`, and the field. */
const nested = connections.flatMap(([place]) =>
  edgesOf(place).map((edge) => [`${place} → ${edge.name}`, place, edge] as const),
)

const countStatements = async (place: string, edge: Field) => {
  const { rows, wrap, ...list } = lists[place] as LongList
  // Only members read notes.
  const by = edge.name === 'notes' ? (lists['User.notes'] as LongList).by : list.by
  if (rows.made < many) await rows.add(many - rows.made)
  const name = place.slice(place.indexOf('.') + 1)
  const read = (first: number) => async () => {
    const query = wrap(`${name}(first: ${first}) { nodes { ${selection(edge)} } }`)
    const { body, text } = await world.call('POST', '/graphql', { headers: by, body: { query } })
    expect(body.errors, text.slice(0, 500)).toBeUndefined()
  }
  // The newest item alone may lack the edge: not every ledger entry is of a play.
  const some = await fewest(read(few))
  return { some, all: await fewest(read(many), some) }
}

for (const [title, place, edge] of nested) {
  test(title, async () => {
    const { some, all } = await countStatements(place, edge)
    // The rows of fifty lists may lead to more than the 256 keys of a batch.
    const more = /Connection|^\[/.test(String(edge.type)) ? 1 : 0
    expect(all, `${some} for ${few} items`).toBeLessThanOrEqual(some + more)
  })
}
