/** Types of the schema that several fields share. */
import {
  type GraphQLInputType,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))

/** What an input takes, whatever its types are called. */
const contentOf = (type: GraphQLInputType, within: readonly GraphQLInputType[] = []): string => {
  if (isNonNullType(type)) return `${contentOf(type.ofType, within)}!`
  if (isListType(type)) return `[${contentOf(type.ofType, within)}]`
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name)
    return `enum(${names.sort().join(' ')})`
  }
  if (!isInputObjectType(type) || within.includes(type)) return type.name
  const fields = Object.values(type.getFields()).map(
    (field) => `${field.name}: ${contentOf(field.type, [...within, type])}`,
  )
  return `{${fields.sort().join(', ')}}`
}

const isListInput = (type: GraphQLNamedType) =>
  isInputObjectType(type) && /(Filter|Order)$/.test(type.name)

test('every custom scalar with a public specification has its address', () => {
  const custom = types.filter(isScalarType).filter((type) => !isSpecifiedScalarType(type))
  expect(custom.length).toBeGreaterThan(3)
  for (const { name, specifiedByURL, description } of custom) {
    // The notation of a move is ours; its description says where it is.
    if (name === 'ArenaAction') expect(description).toContain('ArenaAgentGameType')
    else expect(specifiedByURL, name).toMatch(/^https:\/\//)
  }
})

test('no two filters or orders are equal', () => {
  const inputs = types.filter(isListInput) as GraphQLInputType[]
  expect(inputs.length).toBeGreaterThan(20)
  const byContent = Map.groupBy(inputs, (type) => contentOf(type))
  const equal = [...byContent.values()].filter(({ length }) => length > 1)
  expect(equal.map((same) => same.map(String))).toEqual([])
})

test('a list by the time of creation alone shares its order with all others', () => {
  const fields = schema.getQueryType()?.getFields()
  for (const name of ['apiKeys', 'codeBatches', 'ledgerEntries', 'grants'])
    expect(String(fields?.[name]?.args.find(({ name }) => name === 'orderBy')?.type)).toBe(
      'CreatedAtOrder',
    )
})
