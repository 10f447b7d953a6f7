/** The enum of codes has what GraphQL can give, and nothing that only routes give. */
import { globSync, readFileSync } from 'node:fs'
import { type GraphQLEnumType, type GraphQLUnionType, isUnionType } from 'graphql'
import { expect, test } from 'vitest'
import { errorTable } from '../../src/kit/errors.ts'
import { schema } from '../../src/schema.ts'

const isOfRest = (code: string) => errorTable[code as keyof typeof errorTable].isOfRest === true

const root = new URL('../../', import.meta.url).pathname

/** The files of routes and pages, of links that are no part of GraphQL, and the table itself. */
const ofRoutes =
  /^src\/(rest|pages|generated)\/|src\/app\.ts|kit\/error-table|export-link\.ts|\.test\./

const texts = globSync('src/**/*.{ts,tsx,sql}', { cwd: root })
  .filter((path) => !ofRoutes.test(path))
  .map((path) => readFileSync(root + path, 'utf8'))

const values = (schema.getType('ErrorCode') as GraphQLEnumType).getValues()
const codes = Object.keys(errorTable)

test('the enum has all codes but those of REST', () => {
  expect(values.map(({ name }) => name).sort()).toEqual(
    codes.filter((code) => !isOfRest(code)).sort(),
  )
})

test('each code that is not of REST can be thrown outside of routes', () => {
  const unused = codes.filter(
    (code) => !isOfRest(code) && !texts.some((text) => text.includes(`'${code}'`)),
  )
  expect(unused).toEqual([])
})

test('no mutation declares a code of REST', () => {
  const unions = Object.values(schema.getTypeMap()).filter((type): type is GraphQLUnionType =>
    isUnionType(type),
  )
  const declared = unions.flatMap(({ description }) => description?.match(/`[A-Z_]+`/g) ?? [])
  expect(declared.length).toBeGreaterThan(100)
  expect(
    declared.filter((code) => codes.includes(code.slice(1, -1)) && isOfRest(code.slice(1, -1))),
  ).toEqual([])
})

test('no text of a code speaks of routes', () => {
  for (const { description } of values)
    expect(description).not.toMatch(/(GET|POST|PATCH|PUT|DELETE) \/|Administrator/)
})
