import fc from 'fast-check'
import {
  type DocumentNode,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  isListType,
  typeFromAST,
} from 'graphql'
import { expect, test } from 'vitest'
import { takeTemplate } from '../../src/rest/input-template.ts'
import { plainValuesOf } from '../../src/rest/plain-values.ts'
import { routes } from '../../src/rest/routes.ts'
import { operationOf } from '../../src/rest/variables.ts'
import { schema } from '../../src/schema.ts'
import { junkJson, seed } from './junk.ts'

const numbers = fc.constantFrom(0, 1, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 1.5, Number.NaN)

/** Mostly values that fit the type, so that whole inputs are valid often enough. */
const fitsOf = (type: GraphQLInputType, depth = 0): fc.Arbitrary<unknown> => {
  const inner = getNullableType(type)
  const named = getNamedType(type)
  const odd = fc.oneof(fc.constant(null), fc.constant(undefined), junkJson)
  const fitting = (): fc.Arbitrary<unknown> => {
    if (depth > 4) return fc.constant(undefined)
    if (isListType(inner)) return fc.array(fitsOf(inner.ofType, depth + 1), { maxLength: 3 })
    if (isInputObjectType(inner)) {
      const fields = Object.values(inner.getFields())
      const all = fields.map(({ name, type }) => [name, fitsOf(type, depth + 1)] as const)
      return fc.record(Object.fromEntries(all), { requiredKeys: [] })
    }
    if (isEnumType(named)) return fc.constantFrom(...named.getValues().map(({ name }) => name))
    if (named.name === 'Int') return numbers
    if (named.name === 'Boolean') return fc.boolean()
    return fc.string()
  }
  return fc.oneof({ weight: 12, arbitrary: fitting() }, { weight: 1, arbitrary: odd })
}

const definitionsOf = (operation: DocumentNode) =>
  operationOf(takeTemplate(schema, operation).document).variableDefinitions ?? []

test('variables that are coerced by us are what GraphQL makes of them', () => {
  let plain = 0
  for (const { operation } of routes) {
    const definitions = definitionsOf(operation)
    const coerce = plainValuesOf(schema, definitions)
    const variables = fc.record(
      Object.fromEntries(
        definitions.map(({ variable, type }) => [
          variable.name.value,
          fitsOf(typeFromAST(schema, type) as GraphQLInputType),
        ]),
      ),
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(variables, (values) => {
        const ours = coerce(values)
        if (!ours) return
        plain++
        expect(getVariableValues(schema, definitions, values)).toEqual({ coerced: ours })
      }),
      { seed, numRuns: 50 },
    )
  }
  expect(plain).toBeGreaterThan(routes.length * 10)
})

test.each([
  ['POST', '/v1/points/award', { user: { externalId: 'ann' }, eventType: 'signup' }],
  ['POST', '/v1/games/play', { user: { externalId: 'ann' }, gameType: 'NEON_WHEEL' }],
])('a usual call of %s %s does not need GraphQL', (method, path, input) => {
  const route = routes.find((route) => route.method === method && route.path === path)
  const coerce = plainValuesOf(schema, definitionsOf((route as (typeof routes)[number]).operation))
  expect(coerce({ input })).toEqual({ input })
})
