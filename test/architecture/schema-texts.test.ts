/** The descriptions of the schema: what they name exists, and they say nothing twice. */
import {
  type GraphQLField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { rights } from '../../src/kit/access/rights.ts'
import { errorTable } from '../../src/kit/errors.ts'
import { saysNull } from '../../src/kit/schema/null-text.ts'
import { listEventKinds } from '../../src/kit/streams/events.ts'
import { schema } from '../../src/schema.ts'

type Text = { at: string; text: string }

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))

const fieldsOf = (type: GraphQLNamedType) =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
    ? Object.values(type.getFields())
    : []

const argsOf = (field: object) =>
  'args' in field ? (field as GraphQLField<unknown, unknown>).args : []

const texts: Text[] = types.flatMap((type) => [
  { at: type.name, text: type.description ?? '' },
  ...fieldsOf(type).flatMap((field) => [
    { at: `${type.name}.${field.name}`, text: field.description ?? '' },
    ...argsOf(field).map((arg) => ({
      at: `${type.name}.${field.name}(${arg.name})`,
      text: arg.description ?? '',
    })),
  ]),
  ...(isEnumType(type) ? type.getValues() : []).map((value) => ({
    at: `${type.name}.${value.name}`,
    text: value.description ?? '',
  })),
])

/** Everything that a text may name. */
const known = new Set<string>([
  ...types.map(({ name }) => name),
  ...types
    .flatMap(fieldsOf)
    .flatMap((field) => [field.name, ...argsOf(field).map(({ name }) => name)]),
  ...types.flatMap((type) => fieldsOf(type).map((field) => `${type.name}.${field.name}`)),
  ...types.flatMap((type) => (isEnumType(type) ? type.getValues() : [])).map(({ name }) => name),
  ...Object.keys(errorTable),
  ...Object.keys(rights),
  ...listEventKinds().map(({ type }) => type),
  ...schema.getDirectives().map(({ name }) => `@${name}`),
])

/** Values, and names of REST and of the protocol, which are not in the schema. */
const elsewhere = new Set<string>([
  ...['true', 'false', 'extensions', 'errorCode', 'redemptionId', 'Bearer', 'Z'],
  ...['USD', 'UTC', 'IST', 'SUCCEEDED', 'Anonymous', 'issuance', 'adjustments'],
  ...['adjustment', 'game_play', 'game_reward', 'offer_claimed', 'shortfall_repaid'],
])

/** Whether a text in backticks is a name, or a path of names, and no value, pattern or example. */
const isName = (code: string) => /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(code)

const unknownIn = ({ at, text }: Text): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => {
    if (!isName(code) || known.has(code) || elsewhere.has(code)) return []
    // `value.field` of something that the text itself describes.
    if (code.split('.').every((part) => known.has(part))) return []
    return [`${at}: ${code}`]
  })

test('every name in backticks exists', () => {
  expect(texts.flatMap(unknownIn)).toEqual([])
})

test('a name that does not exist is found', () => {
  expect(unknownIn({ at: 'X', text: 'As `ArenaMatchGameType` says, or `User.balance`.' })).toEqual([
    'X: ArenaMatchGameType',
  ])
})

test('no sentence stands twice in a description', () => {
  const doubled = texts.filter(({ text }) => {
    const sentences = text.split(/(?<=\.) /)
    return new Set(sentences).size < sentences.length
  })
  expect(doubled.map(({ at }) => at)).toEqual([])
})

describe('every argument', () => {
  test('has a description', () => {
    const arguments_ = texts.filter(({ at }) => at.includes('('))
    expect(arguments_.length).toBeGreaterThan(400)
    expect(arguments_.filter(({ text }) => text === '').map(({ at }) => at)).toEqual([])
  })
})

test('a field that may be null says when', () => {
  const silent = types
    .filter((type) => type !== schema.getMutationType())
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter(({ type, description }) => !isNonNullType(type) && !saysNull(description))
        .map(({ name }) => `${type.name}.${name}`),
    )
  expect(silent).toEqual([])
})
