/** Bounds of variables: what is just within them, what is just above, and that nothing sent is repeated in full. */
import { buildSchema, type GraphQLScalarType, type OperationDefinitionNode, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { coerceVariables, valueLimits } from '../../src/kit/schema/variable-values.ts'

const schema = buildSchema(`
  scalar JSON
  input Item { name: String, data: JSON, items: [Item], grid: [[Int]] }
  type Query { a: Int }
`)

const coerce = (type: string, value: unknown) => {
  const [operation] = parse(`query ($v: ${type}) { a }`).definitions
  const { variableDefinitions = [] } = operation as OperationDefinitionNode
  return coerceVariables(schema, variableDefinitions, { v: value })
}
const faultOf = (type: string, value: unknown) => coerce(type, value).fault?.message

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
const list = (count: number, item: unknown = {}) => Array.from({ length: count }, () => item)
/** An item that is this many levels deep, at two levels for each item in a list. */
const deep = (levels: number): object => (levels > 1 ? { items: [deep(levels - 2)] } : {})

describe('within the bounds', () => {
  test.each([
    ['a list of 1,000 items', '[Item!]', list(valueLimits.items)],
    ['free-form JSON of any number of keys and items', 'JSON', { ...keys(500), l: list(2_000) }],
    ['free-form JSON in an input', 'Item', { data: keys(500) }],
    ['16 levels', 'Item', deep(valueLimits.depth)],
  ])('%s is taken as it is', (_, type, value) => {
    expect(coerce(type, value)).toEqual({ coerced: { v: value } })
  })

  test('a single item is a list of one, and a variable may be missing', () => {
    expect(coerce('[Item]', { name: 'a' })).toEqual({ coerced: { v: [{ name: 'a' }] } })
    expect(coerce('Item', undefined).fault).toBeUndefined()
  })
})

describe('above a bound', () => {
  test.each([
    ['keys', 'Item', keys(101), '"v"; it must have at most 100 keys'],
    [
      'keys, of prototypes',
      'Item',
      JSON.parse(`{"__proto__":1,${JSON.stringify(keys(100)).slice(1)}`),
      '"v"; it must have at most 100 keys',
    ],
    ['keys of an item', '[Item]', [{}, keys(101)], '"v[1]"; it must have at most 100 keys'],
    ['items', '[Item]', list(1_001), '"v"; it must have at most 1000 items'],
    [
      'items of an item',
      'Item',
      { items: list(1_001) },
      '"v.items"; it must have at most 1000 items',
    ],
    [
      'items of a list in a list',
      'Item',
      { grid: [[], list(1_001, 1)] },
      '"v.grid[1]"; it must have',
    ],
    ['levels', 'Item', deep(18), 'must be at most 16 levels deep'],
    ['keys of a text', 'Item', { name: keys(101) }, '"v.name"; it must not be an object or a list'],
    ['keys of a list in the place of an item', 'Item', [keys(100)], '"v"; it must be an object'],
    ['items of a text', '[String]', [list(51, [1])], '"v[0]"; it must not be an object or a list'],
  ])('the number of %s is refused, with its place', (_, type, value, message) => {
    expect(faultOf(type, value)).toContain(message)
  })
})

describe('the first of many faults', () => {
  test('ends the reading: what comes after the second is not read', () => {
    const counted = buildSchema('scalar Counted type Query { a: Int }')
    let read = 0
    const type = counted.getType('Counted') as GraphQLScalarType
    type.parseValue = () => {
      read++
      throw new Error('wrong')
    }
    const [operation] = parse('query ($v: [Counted]) { a }').definitions
    const { variableDefinitions = [] } = operation as OperationDefinitionNode
    const { fault } = coerceVariables(counted, variableDefinitions, { v: list(1_000, 1) })
    expect(fault?.message).toContain('at "v[0]"')
    expect(read).toBeLessThanOrEqual(2)
  })

  test.each([
    ['unknown keys', 'Item', keys(100), 'Field "k0" is not defined by type "Item"'],
    ['a long unknown key', 'Item', { ['k'.repeat(90_000)]: 1 }, 'is not defined by type "Item"'],
    ['wrong items', '[Int]', list(1_000, 'x'.repeat(90)), 'at "v[0]"; Int cannot represent'],
    ['a long text', 'Int', 'x'.repeat(90_000), 'Int cannot represent'],
    ['a long text of emoji', 'Int', '😀'.repeat(20_000), 'Int cannot represent'],
    ['an object in the place of a text', 'Item', { name: keys(100) }, 'String cannot represent'],
  ])('is reported alone and in short: %s', (_, type, value, message) => {
    const fault = faultOf(type, value) ?? ''
    expect(fault).toContain(message)
    expect(fault.length).toBeLessThan(610)
    expect(fault.isWellFormed()).toBe(true)
  })
})
