/** The operations of the console, compiled to ids and types for its bundle and to documents for the server. */
import { hash } from 'node:crypto'
import { printSchema } from 'graphql'
import { expect, test } from 'vitest'
import { compileOperations, schemaWithoutErrors } from '../../scripts/operations.ts'
import { createDocuments } from '../../src/graphql/documents.ts'
import { schema } from '../../src/schema.ts'

const compile = (files: Record<string, string>) =>
  compileOperations(
    schema,
    Object.entries(files).map(([path, text]) => ({ path: `console/${path}.graphql`, text })),
  )

const words = (text: string | undefined) => text?.replaceAll(/\s+/g, ' ').trim()

const userRow = 'fragment UserRow on User { externalId journey { ...Place } }'
const place = 'fragment Place on Journey { segments: tags }'
const users = 'query Users($first: Int) { users(first: $first) { nodes { ...UserRow } } }'

test('an operation becomes a document with the fragments of other files, and with the id of each object', async () => {
  const { documents } = await compile({ a: userRow, b: users, c: place })
  const [[id, text] = []] = Object.entries(documents)
  expect(words(text)).toBe(
    'query Users($first: Int) { users(first: $first) { nodes { id ...UserRow } } } ' +
      'fragment UserRow on User { id externalId journey { ...Place } } ' +
      'fragment Place on Journey { segments: tags }',
  )
  expect(id).toBe(hash('sha256', String(text)))
  expect(Object.keys(documents)).toHaveLength(1)
  expect(createDocuments(schema).read(String(text))).toHaveProperty('document')
})

test('the bundle gets the id, the kind and the types of an operation, but not its text', async () => {
  const { documents, modules } = await compile({
    'users/user-list': `${users} ${userRow}`,
    b: place,
  })
  expect(Object.keys(modules)).toEqual(['user-list', 'types'])
  const [id] = Object.keys(documents)
  expect(modules['user-list']).toContain(
    `export const users: Operation<types.UsersQuery, types.UsersQueryVariables> = {"id":"${id}","name":"Users","kind":"query"}`,
  )
  expect(modules['user-list']).not.toContain('externalId')
  expect(modules.types).toContain('readonly segments: unknown')
  expect(words(modules.types)).toContain('UsersQueryVariables = Exact<{ first?: number | null')
})

test('the types of a result are distinguished by `__typename`, which is selected once', async () => {
  const refused = '__typename ... on Error { code }'
  const { documents, modules } = await compile({
    a: `mutation End($id: ID!) { endSignIn(input: { signInId: $id }) {
      ... on EndSignInPayload { signIn { createdAt } } ${refused} } }
      query One($id: ID!) { node(id: $id) { ... on Campaign { name } } }`,
  })
  const [end, item] = Object.values(documents).map(words)
  expect(end).toContain(
    '{ ... on EndSignInPayload { signIn { id createdAt } } __typename ... on Error { code } }',
  )
  expect(item).toContain('node(id: $id) { __typename id ... on Campaign { id name } }')
  expect(words(modules.types)).toContain("readonly __typename: 'NotFoundError', readonly code:")
})

test('an operation that does not match the schema is refused, with its location', async () => {
  const broken = { 'users/list': 'query Users {\n  users { nodes { nope } }\n}' }
  await expect(compile(broken)).rejects.toThrow(/"nope" on type "User"/)
  await expect(compile(broken)).rejects.toThrow('console/users/list.graphql:2:19')
  await expect(compile({ a: 'query Users {' })).rejects.toThrow('Syntax Error')
})

test.each([
  ['has no name', { a: '{ games { name } }' }, 'begins with a capital'],
  ['has a name that is no type', { a: 'query games { games { name } }' }, 'begins with a capital'],
  [
    'has the name of another',
    { a: users + userRow + place, b: 'query Users { games { name } }' },
    'only one operation named "Users"',
  ],
  [
    'is in the second of two files of a name',
    { 'a/x': 'query A { games { name } }', 'b/x': 'query B { games { name } }' },
    'Two files are called x.graphql',
  ],
])('an operation that %s is refused', async (_, files, why) => {
  await expect(compile(files as unknown as Record<string, string>)).rejects.toThrow(why)
})

test('what is null only with an error is never null in its types, because it takes no answer with errors', async () => {
  const sdl = printSchema(schema)
  const file = {
    path: 'console/a.graphql',
    text: `query Page($id: ID!) { users { nodes { externalId } } arenaAgent(id: $id) { name } }
      mutation Out { signOut { __typename } }`,
  }
  const { modules } = await compileOperations(schemaWithoutErrors(sdl), [file])
  const types = words(modules.types)
  expect(types).toMatch(/readonly users: \{/)
  expect(types).toMatch(/readonly arenaAgent: \{[^|]*\| null/)
  expect(types).not.toMatch(/readonly signOut: [^;]*null/)
})
