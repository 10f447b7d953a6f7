/**
 * Introspection that multiplies by aliases in fragments, and who may introspect at all. Neighbours that were looked for:
 * no credential and each kind of key, fields in fragments and under aliases, invalid documents; GET and batches
 * (test/graphql/limits.test.ts), event streams and WebSockets (test/graphql/any-transport.test.ts).
 */
import { readFileSync } from 'node:fs'
import { getIntrospectionQuery } from 'graphql'
import { describe, expect, test } from 'vitest'
import { attack, type HostileServer, hostileServer, times } from './hostile-server.ts'

const development = hostileServer({ JOBS: 'off' })
const production = hostileServer({ JOBS: 'off', NODE_ENV: 'production' })

const aliases = (count: number, text: string) => times(count, (i) => `a${i}: ${text}`).join(' ')

/** Types, their fields, the types of these, and so on. */
const evil: Record<string, string> = {
  'aliases in fragments on __Type and __Field': `{ __schema { types { ...A } } }
    fragment A on __Type { ${aliases(4, 'fields { ...B }')} }
    fragment B on __Field { ${aliases(4, 'type { ...C }')} }
    fragment C on __Type { ${aliases(4, 'fields { ...D }')} }
    fragment D on __Field { ${aliases(4, 'type { name }')} name }`,
  'aliases in fragments on __Schema and the query': `query { ...Q } fragment Q on Query { ${aliases(10, '__schema { ...S }')} }
    fragment S on __Schema { ${aliases(10, 'types { ...T }')} }
    fragment T on __Type { fields { args { type { name } } } possibleTypes { fields { name } } }`,
  'types of fields of types': `{ __schema { types { fields { type { ofType { ${aliases(8, 'fields { name description type { name kind } }')} } } } } } }`,
  'a type by name under forty aliases': `{ ${aliases(40, '__type(name: "Query") { ...T }')} }
    fragment T on __Type { fields { name args { name type { name } } type { ofType { fields { name description args { name } type { name } } } } } }`,
}

const standard = getIntrospectionQuery({
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
})

const signIn = async (server: HostileServer) => {
  const { body } = await server.post('/dashboard/auth/login', server.demo.developer)
  return { authorization: `Bearer ${body.data.accessToken}` }
}

describe('in development', () => {
  test.each(Object.keys(evil))('%s are refused', (name) =>
    attack(development, async () => {
      for (let i = 0; i < 3; i++) {
        const { status, body } = await development().graphql(`${evil[name]} # ${i}`)
        expect(status).toBe(200)
        expect(body.errors[0].extensions.code).toBe('DOCUMENT_TOO_COMPLEX')
        expect(body.data).toBeUndefined()
      }
    }),
  )

  test('the full standard introspection query works', async () => {
    for (const query of [standard, getIntrospectionQuery()]) {
      const { body } = await development().graphql(query, {})
      expect(body.errors).toBeUndefined()
      expect(body.data.__schema.types.length).toBeGreaterThan(100)
    }
  })
})

describe('in production', () => {
  test('a key cannot introspect', () =>
    attack(production, async () => {
      const { publicTest, secretTest } = production().demo.keys
      for (const headers of [
        {},
        { 'x-api-key': publicTest },
        { 'x-api-secret': secretTest },
      ] as Record<string, string>[])
        for (const query of [
          standard,
          '{ __type(name: "Query") { name } }',
          '{ ...A } fragment A on Query { a: __schema { queryType { name } } }',
          // Refused before it is validated.
          '{ __schema { nope } ...B } fragment B on Nothing { x }',
        ]) {
          const { status, body } = await production().graphql(query, {
            ...headers,
            accept: 'application/graphql-response+json',
          })
          expect(status).toBe(403)
          expect(body.errors[0].extensions.code).toBe('INTROSPECTION_REFUSED')
          expect(body.data).toBeUndefined()
        }
    }))

  test('a member can introspect, and the schema is served as a file', async () => {
    const { body } = await production().graphql(standard, await signIn(production()))
    expect(body.data.__schema.types.length).toBeGreaterThan(100)
    const file = await production().send('/schema.graphql')
    expect(file.headers.get('content-type')).toContain('text/plain')
    expect(file.text).toBe(readFileSync('schema.graphql', 'utf8'))
  })

  test('a member cannot amplify an introspection query', () =>
    attack(production, async () => {
      const headers = await signIn(production())
      for (const query of Object.values(evil)) {
        const { body } = await production().graphql(query, headers)
        expect(body.errors[0].extensions.code).toBe('DOCUMENT_TOO_COMPLEX')
      }
    }))
})
