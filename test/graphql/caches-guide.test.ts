/** The code of `docs/caches.md`, and whether it knows every type without an id. */
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import {
  buildClientSchema,
  type IntrospectionQuery,
  introspectionFromSchema,
  isObjectType,
} from 'graphql'
import { expect, test } from 'vitest'
import { typesWithoutId } from '../../scripts/caches-guide.ts'
import { cacheIntrospectionOf, possibleTypesOf } from '../../scripts/client-files.ts'
import { schema } from '../../src/schema.ts'

const guide = readFileSync(new URL('../../docs/caches.md', import.meta.url), 'utf8')

/** What a block of the guide exports. */
const exportOf = (file: string, name: string) => {
  const [, code = ''] = guide.split(`\`\`\`js ${file}\n`)
  const [block = ''] = code.split('```')
  return runInNewContext(`${block.replaceAll('export const', 'const')}\n${name}`)
}

const fieldsOf = (name: string) => {
  const type = schema.getType(name)
  return isObjectType(type) ? Object.keys(type.getFields()) : undefined
}

test('a type with an id is a node', () => {
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && type.getFields()['id'])
      expect(type.getInterfaces().map(String), type.name).toContain('Node')
})

test('policies for Apollo are for types without an id, and only one object is single', () => {
  const policies = exportOf('apollo.js', 'typePolicies')
  const { single, parts } = typesWithoutId(schema)
  expect(Object.keys(policies).sort()).toEqual([...single, ...parts].sort())
  for (const name of Object.keys(policies)) expect(fieldsOf(name), name).not.toContain('id')
  for (const name of single) expect(policies[name]).toEqual({ keyFields: [] })
  for (const name of parts) expect(policies[name]).toEqual({ merge: true })
})

test('the files of the client have every type and field', () => {
  const cached = buildClientSchema(cacheIntrospectionOf(schema) as IntrospectionQuery)
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    const found = cached.getType(type.name)
    expect(isObjectType(found) && Object.keys(found.getFields()).sort(), type.name).toEqual(
      Object.keys(type.getFields()).sort(),
    )
  }
  const { Node, PublicArenaGame } = possibleTypesOf(schema)
  expect(PublicArenaGame).toEqual(['ArenaGame', 'ArenaGameView'])
  expect(Node).toContain('User')
})

test('keys for urql name every type without an id, as the list of the guide does', () => {
  const keys = exportOf('urql.js', 'keysOf')(introspectionFromSchema(schema, { oneOf: true }))
  const [, list = ''] = guide.split('## Types without an id\n')
  const listed = new Set([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  const named = Object.keys(keys).filter(
    (name) =>
      !name.startsWith('__') &&
      !['Query', 'Mutation', 'Subscription'].includes(name) &&
      !/(Connection|Edge|Payload|Error)$/.test(name),
  )
  expect(named.filter((name) => !listed.has(name))).toEqual([])
  for (const name of named) expect(keys[name]()).toBeNull()
})
