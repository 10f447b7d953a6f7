import fc from 'fast-check'
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
  parseType,
  typeFromAST,
} from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { junkJson, junkText, seed } from '../rest/junk.ts'
import { createWorld, type World } from '../world.ts'
import { type Operation, operationsOf } from './documents.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 20)
  await makeCampaign(world, 'summer-sale', { slug: 'ann' })
})
afterAll(() => world.end())

const operations = [...operationsOf('query', 1), ...operationsOf('mutation', 1)].filter(
  ({ args }) => args.length > 0,
)

const base64url = (text: string) => Buffer.from(text).toString('base64url')

const moments = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '2026-02-30T00:00:00.000Z']
const nodeTypes = ['User', 'Play', 'ApiKey', 'LedgerEntry', 'RewardRule', 'Query', 'Node', 'X']
const cursorNumbers = fc.constantFrom(1, 0, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 1.5)

/** Texts that look as if the API had made them: ids, and cursors of each kind of list. */
const forged = fc.oneof(
  fc
    .tuple(fc.constantFrom(...nodeTypes), fc.constantFrom('00000000-0000-7000-8000-000000000000'))
    .map(([type, id]) => base64url(`${type}:${id}`)),
  fc
    .tuple(cursorNumbers, fc.constantFrom(...moments), junkText, cursorNumbers)
    .map((cursor) => base64url(JSON.stringify(cursor))),
  fc.oneof(cursorNumbers, junkJson).map((value) => base64url(JSON.stringify(value))),
)

const text = fc.oneof(junkText, fc.constantFrom('ann', 'signup'), forged)
const int = fc.oneof(fc.constantFrom(0, 1, -1, 5, 100, 2 ** 31 - 1, -(2 ** 31)), fc.integer())

/** Mostly a value that passes the type system, rarely arbitrary JSON. */
const mostly = (good: fc.Arbitrary<unknown>) =>
  fc.oneof({ arbitrary: good, weight: 15 }, { arbitrary: junkJson, weight: 1 })

/** A value for a type of the schema, mostly a valid one. */
const valueFor = (type: GraphQLInputType): fc.Arbitrary<unknown> => {
  const inner = getNullableType(type)
  if (isListType(inner)) return mostly(fc.array(valueFor(inner.ofType), { maxLength: 5 }))
  if (isEnumType(inner))
    return mostly(fc.constantFrom(...inner.getValues().map(({ name }) => name)))
  if (isInputObjectType(inner)) {
    const fields = Object.values(inner.getFields())
    if (inner.isOneOf)
      return mostly(
        fc.oneof(...fields.map(({ name, type }) => fc.record({ [name]: valueFor(type) }))),
      )
    return mostly(
      fc.record(Object.fromEntries(fields.map(({ name, type }) => [name, valueFor(type)])), {
        requiredKeys: fields.filter(isRequiredInputField).map(({ name }) => name),
      }),
    )
  }
  switch (getNamedType(inner).name) {
    case 'Int':
    case 'SafeInt':
      return mostly(int)
    case 'Boolean':
      return mostly(fc.boolean())
    case 'DateTime':
      return mostly(fc.constantFrom(...moments))
    case 'JSON':
      return junkJson
    default:
      return mostly(text)
  }
}

const call = fc.nat(operations.length - 1).chain((n) => {
  const operation = operations[n] as Operation
  const values = operation.args.map(({ type, required }) => {
    const value = valueFor(typeFromAST(schema, parseType(type) as never) as GraphQLInputType)
    return required ? value : fc.option(value, { nil: undefined, freq: 1 })
  })
  return fc.record({ operation: fc.constant(operation), values: fc.tuple(...values) })
})

const answered = new Set<string>()

test(`random input in any argument causes no internal error (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(call, async ({ operation: { name, args, document }, values }) => {
      const variables = Object.fromEntries(args.map((arg, i) => [arg.name, values[i]]))
      // Forward and backward arguments together are refused before anything is tried.
      if (variables.after !== undefined) for (const arg of ['last', 'before']) delete variables[arg]
      const answer = await world.graphql(document, variables)
      expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(500)
      expect(answer.text, name).not.toMatch(/"INTERNAL"|"DOCUMENT_TOO_COMPLEX"/)
      expect(answer.text, name).not.toMatch(/prisma|postgres|node_modules/i)
      if (answer.body.data) answered.add(name)
    }),
    { numRuns: Math.max(300, 10 * operations.length), seed },
  )
  // If junk never passed the first check, the test would prove nothing.
  expect(answered.size).toBeGreaterThan(operations.length / 2)
})
