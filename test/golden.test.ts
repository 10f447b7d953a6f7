import { existsSync, readFileSync } from 'node:fs'
import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isIntrospectionType,
  isNonNullType,
  isSpecifiedScalarType,
  Kind,
  type SelectionSetNode,
  validate,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { goldenFiles, migrationFaults } from '../scripts/golden-files.ts'
import { unsetOf } from '../src/rest/directives.ts'
import { variantsOf } from '../src/rest/route.ts'
import { routes } from '../src/rest/routes.ts'
import { prepare } from '../src/rest/run.ts'
import { operationOf } from '../src/rest/variables.ts'
import { schema } from '../src/schema.ts'

const files = goldenFiles()

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is looked into
const document: any = JSON.parse(files['openapi.json'] ?? '{}')

describe('golden files', () => {
  test.each(Object.keys(files))('%s matches the code', (name) => {
    const path = new URL(`../${name}`, import.meta.url)
    const inRepository = existsSync(path) ? readFileSync(path, 'utf8') : ''
    expect(inRepository === files[name], `${name} is stale: run \`npm run golden\``).toBe(true)
  })

  test('a merged migration is not changed', () => {
    expect(migrationFaults()).toEqual([])
  })
})

test('docs/access.md has a row for every root field and every route', () => {
  const text = readFileSync(new URL('../docs/access.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (?:\*\*|↳ )([^|*]+?)(?:\*\*)? \|/gm)].map(
    ([, title]) => title,
  )
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const fields = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}))
  const titles = [
    ...fields.filter((name) => name !== 'node' && name !== 'nodes'),
    ...routes.map(({ method, path }) => `${method} ${path}`),
  ]
  const has = (title: string) => rows.some((row) => row === title || row?.startsWith(`${title}.`))
  const missing = titles.filter((title) => !has(title))
  expect(missing, 'docs/access.md is stale: run `npm run access`').toEqual([])
})

describe('a route', () => {
  test.each(routes)('$method $path has only operations that fit the schema', (route) => {
    // REST leaves out of an input what the caller leaves out, so that one key of a @oneOf is left.
    const isOfOneOf = ({ message }: Error) =>
      /OneOf Input Object "\w+"( must specify exactly one key)?\.$/.test(message)
    for (const { operation } of variantsOf(route)) {
      const faults = validate(schema, operation).filter((fault) => !isOfOneOf(fault))
      expect(faults.map(String)).toEqual([])
    }
    // A server prepares a route at its first request.
    expect(() => prepare(schema, route)).not.toThrow()
  })

  test.each(routes)('$method $path declares the 404 for a null', ({ written, notFound }) => {
    const isNullable = (type: GraphQLOutputType, { selections }: SelectionSetNode): boolean => {
      const [field] = selections
      const parent = getNamedType(type)
      if (field?.kind !== Kind.FIELD || !('getFields' in parent)) return false
      const { [field.name.value]: found } = (parent as GraphQLObjectType).getFields()
      if (!found || unsetOf(field) !== undefined) return false
      // An error fails the route before its null is seen.
      const isNeverNull =
        isNonNullType(found.type) || found.extensions['isNullWithErrorOnly'] === true
      if (!isNeverNull) return true
      if (field.alias?.value === 'result' || !field.selectionSet) return false
      return isNullable(found.type, field.selectionSet)
    }
    const { selectionSet, operation: kind } = operationOf(written)
    const root = schema.getRootType(kind) as GraphQLObjectType
    if (isNullable(root, selectionSet)) expect(notFound).not.toEqual([])
  })
})

describe('the schema', () => {
  const withoutDescription = (type: GraphQLNamedType): string[] => {
    const names = type.description ? [] : [type.name]
    if (isEnumType(type))
      for (const { name, description } of type.getValues())
        if (!description) names.push(`${type.name}.${name}`)
    if (['Query', 'Mutation', 'Subscription'].includes(type.name))
      for (const field of Object.values((type as GraphQLObjectType).getFields()))
        if (!field.description) names.push(`${type.name}.${field.name}`)
    return names
  }

  test('has a description on every type, root field and enum value', () => {
    const ours = Object.values(schema.getTypeMap()).filter(
      (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
    )
    expect(ours.flatMap(withoutDescription)).toEqual([])
  })
})

describe('the OpenAPI document', () => {
  const nodesOf = (value: unknown): Record<string, unknown>[] =>
    typeof value === 'object' && value !== null
      ? [value as Record<string, unknown>, ...Object.values(value).flatMap(nodesOf)]
      : []

  const operations = Object.entries<Record<string, never>>(document.paths).flatMap(([path, item]) =>
    // biome-ignore lint/suspicious/noExplicitAny: a document of any shape is looked into
    Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation })),
  )

  const follow = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce((place, key) => place?.[key], document)

  test('is version 3.1 with a title, a version and a path for each line of docs/routes.txt', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
    expect(operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      (files['docs/routes.txt'] ?? '')
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/).slice(0, 2).join(' '))
        .sort(),
    )
  })

  test('has only references that resolve', () => {
    const references = nodesOf(document).flatMap(({ $ref }) => ($ref ? [String($ref)] : []))
    expect(references.length).toBeGreaterThan(0)
    expect(references.filter((reference) => follow(reference) === undefined)).toEqual([])
  })

  test.each(operations)('$method $path declares its parameters, security and answers', (row) => {
    const { path, operation } = row
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = operation.parameters.map((parameter: { $ref?: string }) =>
      parameter.$ref ? follow(parameter.$ref) : parameter,
    )
    const required = declared.filter(({ in: place }: { in: string }) => place === 'path')
    expect(required.map(({ name }: { name: string }) => name)).toEqual(inPath)
    for (const parameter of required) expect(parameter.required).toBe(true)
    for (const scheme of operation.security.flatMap(Object.keys))
      expect(document.components.securitySchemes[scheme].type).toMatch(/^(apiKey|http)$/)
    const refusals = operation.security.length > 0 ? ['401', '403'] : []
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^20\d$/), ...refusals, '429', '503']),
    )
    for (const answer of Object.values<{ $ref?: string }>(operation.responses))
      expect(answer.$ref ? follow(answer.$ref) : answer).toHaveProperty('description')
    for (const { required: names, properties } of nodesOf(operation))
      if (Array.isArray(names) && properties)
        expect(Object.keys(properties)).toEqual(expect.arrayContaining(names))
  })

  test('is at most 4 KB an operation', () => {
    expect(files['openapi.json']?.length).toBeLessThanOrEqual(4_000 * operations.length)
  })

  test.each(operations)('$method $path answers objects that have names', ({ operation }) => {
    const [status] = Object.keys(operation.responses).filter((code) => code.startsWith('2'))
    const { schema } = operation.responses[status as string].content['application/json']
    const { meta: _, ...data } = schema.properties ?? schema.allOf[1].properties
    expect(nodesOf(data).filter((schema) => schema.properties)).toEqual([])
  })

  test('gives every operation an id of its own', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
