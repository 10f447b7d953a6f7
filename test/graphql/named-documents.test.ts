/** Documents that are named by their hash: automatically, or because an operator has listed them. */
import { hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createDocuments } from '../../src/graphql/documents.ts'
import { createNamedDocuments, readTrustedDocuments } from '../../src/graphql/named-documents.ts'
import { schema } from '../../src/schema.ts'
import { createWorld, type World } from '../world.ts'

const sha256 = (text: string) => hash('sha256', text)
const persisted = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } })

/** A valid document that nobody has sent before. */
let n = 0
const fresh = () => `query Fresh${n++} { games { name } }`

let world: World
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-trusted-'))
  world = await createWorld()
})
afterAll(async () => {
  await world.end()
  rmSync(folder, { recursive: true })
})

const post = (body: object, accept = 'application/json', at = world) =>
  at.call('POST', '/graphql', { headers: { 'x-api-key': at.keys.public, accept }, body })

const get = (params: Record<string, string>) =>
  world.get(`/graphql?${new URLSearchParams(params)}`, world.keys.public)

const codeOf = ({ body }: { body: { errors?: { extensions: { code: string } }[] } }) =>
  body.errors?.[0]?.extensions.code

describe('a document that is persisted automatically', () => {
  test('is requested by its hash once it has been sent', async () => {
    const query = fresh()
    const extensions = persisted(sha256(query))
    const unknown = await post({ extensions })
    expect([unknown.status, unknown.body.errors[0].message]).toEqual([
      200,
      'PersistedQueryNotFound',
    ])
    expect(codeOf(unknown)).toBe('PERSISTED_QUERY_NOT_FOUND')
    expect((await post({ extensions }, 'application/graphql-response+json')).status).toBe(404)

    expect((await post({ query, extensions })).body.data.games).toHaveLength(3)
    expect((await post({ extensions })).body.data.games).toHaveLength(3)
    const byGet = await get({ extensions: JSON.stringify(extensions) })
    expect(byGet.body.data.games).toHaveLength(3)
    const byId = await get({ documentId: `sha256:${sha256(query)}` })
    expect(byId.body.data.games).toHaveLength(3)
  })

  test('is persisted by GET, too', async () => {
    const query = fresh()
    const extensions = JSON.stringify(persisted(sha256(query)))
    expect((await get({ query, extensions })).status).toBe(200)
    expect((await get({ extensions })).body.data.games).toHaveLength(3)
  })

  test('runs mutations only by POST', async () => {
    const query = `mutation Named { __typename }`
    const extensions = persisted(sha256(query))
    expect((await post({ query, extensions })).body.data).toEqual({ __typename: 'Mutation' })
    expect((await get({ extensions: JSON.stringify(extensions) })).status).toBe(405)
  })

  test('is refused and not cached when the hash does not match', async () => {
    const [query, other] = [fresh(), fresh()]
    const extensions = persisted(sha256(other))
    const wrong = await post({ query, extensions })
    expect([wrong.status, codeOf(wrong)]).toEqual([400, 'PERSISTED_QUERY_MISMATCH'])
    expect(codeOf(await post({ extensions }))).toBe('PERSISTED_QUERY_NOT_FOUND')
  })

  test('that is invalid is not cached', async () => {
    const query = 'query Invalid { nope }'
    const extensions = persisted(sha256(query))
    expect(codeOf(await post({ query, extensions }))).toBe('GRAPHQL_VALIDATION_FAILED')
    expect(codeOf(await post({ extensions }))).toBe('PERSISTED_QUERY_NOT_FOUND')
  })

  test('may be one of a batch', async () => {
    const query = fresh()
    const extensions = persisted(sha256(query))
    const { body } = await post([{ extensions }, { query, extensions }, { query: fresh() }])
    expect(body.map((item: never) => codeOf({ body: item }))).toEqual([
      'PERSISTED_QUERY_NOT_FOUND',
      undefined,
      undefined,
    ])
  })

  test('may be a mutation with an Idempotency-Key', async () => {
    const query = `mutation Award($id: String!) {
      awardPoints(input: { user: { externalId: $id }, eventType: "signup" }) { __typename } }`
    const extensions = persisted(sha256(query))
    const send = (body: object) =>
      world.call('POST', '/graphql', {
        key: world.keys.secret,
        headers: { 'idempotency-key': 'named' },
        body: { ...body, variables: { id: 'named' } },
      })
    await world.call('POST', '/graphql', {
      key: world.keys.secret,
      body: { query, extensions, variables: { id: 'before' } },
    })
    const [first, second] = [await send({ extensions }), await send({ extensions })]
    expect(first.body.data.awardPoints.__typename).toBe('AwardPointsPayload')
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  test('is named over a WebSocket as well', async () => {
    const query = fresh()
    const extensions = persisted(sha256(query))
    await post({ query, extensions })
    const client = createClient({
      url: `${world.base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'x-api-key': world.keys.public },
    })
    const results: { data?: unknown }[] = []
    for await (const result of client.iterate({ query: '', extensions })) results.push(result)
    expect(results[0]?.data).toMatchObject({ games: expect.any(Array) })
    await client.dispose()
  })

  test('shares the cache of valid documents, and is dropped from it like them', () => {
    const documents = createDocuments(schema)
    const named = createNamedDocuments(documents, readTrustedDocuments(undefined, []), false)
    const text = (i: number) => `query D${i} { games { name } } # ${'x'.repeat(90_000)}`
    const send = (query: string) => {
      const read = documents.read(query)
      if ('document' in read) named.keep({ extensions: persisted(sha256(query)) }, read.document)
    }
    const ask = (query: string) => named.resolve({ extensions: persisted(sha256(query)) }).query
    send(text(0))
    expect(ask(text(0))).toBe(text(0))
    for (let i = 1; i <= 200; i++) send(text(i))
    expect(() => ask(text(0))).toThrow('PersistedQueryNotFound')
    expect(ask(text(200))).toBe(text(200))
  })

  test.each([
    { extensions: { persistedQuery: 5 } },
    { extensions: { persistedQuery: {} } },
    { extensions: { persistedQuery: { version: 2, sha256Hash: 'a'.repeat(64) } } },
    { extensions: persisted('x') },
    { extensions: { persistedQuery: { version: 1, sha256Hash: ['a'] } } },
    { documentId: 5 },
    { documentId: 'x', query: '{ __typename }' },
    { extensions: [] },
  ])('is refused as %j', async (body) => {
    const { status, body: answer } = await post(body)
    expect([status, answer.errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

describe('a document that the operator has listed', () => {
  const listed = 'query Listed { games { name } }'
  const another = 'query Another { __typename }'
  let strict: World
  beforeAll(async () => {
    const manifests = join(folder, 'manifests')
    mkdirSync(manifests)
    writeFileSync(
      join(manifests, 'web.json'),
      JSON.stringify({ [sha256(listed)]: listed, short: listed }),
    )
    writeFileSync(
      join(manifests, 'app.json'),
      JSON.stringify({
        format: 'x',
        version: 1,
        operations: [{ id: sha256(another), body: another }],
      }),
    )
    strict = await createWorld({ config: { trustedDocuments: manifests, onlyTrusted: true } })
  })
  afterAll(() => strict.end())
  const send = (body: object) => post(body, 'application/json', strict)

  test.each([`sha256:${sha256(listed)}`, sha256(listed), 'short'])(
    'is executed by its id %s',
    async (documentId) => expect((await send({ documentId })).body.data.games).toHaveLength(3),
  )

  test('is executed by its text and its persisted hash, too', async () => {
    for (const body of [{ query: listed }, { extensions: persisted(sha256(another)) }])
      expect((await send(body)).body.errors).toBeUndefined()
  })

  test('is the only kind that is executed', async () => {
    const query = fresh()
    for (const body of [{ query }, { query, extensions: persisted(sha256(query)) }]) {
      const { status, body: answer } = await send(body)
      expect([status, codeOf({ body: answer })]).toEqual([403, 'DOCUMENT_NOT_TRUSTED'])
    }
    expect(codeOf(await send({ extensions: persisted(sha256(query)) }))).toBe(
      'PERSISTED_QUERY_NOT_FOUND',
    )
    expect(codeOf(await send({ documentId: 'nope' }))).toBe('PERSISTED_QUERY_NOT_FOUND')
  })

  test('is the only kind that a WebSocket executes', async () => {
    const client = createClient({
      url: `${strict.base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'x-api-key': strict.keys.public },
    })
    const first = (query: string) => client.iterate({ query }).next()
    expect((await first(listed)).value.data.games).toHaveLength(3)
    await expect(first(fresh())).rejects.toMatchObject([
      { extensions: { code: 'DOCUMENT_NOT_TRUSTED' } },
    ])
    await client.dispose()
  })

  test('may be one of our own pages', async () => {
    const { arenaQuery } = await import('../../src/pages/spectators/wire.ts')
    for (const body of [{ query: arenaQuery }, { documentId: sha256(arenaQuery) }])
      expect((await send(body)).body.data.arena.live).toBeTypeOf('object')
  })
})

test.each([
  ['{', /JSON/],
  ['[1]', /is not \{id: text\}/],
  ['{"a": 5}', /is not \{id: text\}/],
  [JSON.stringify({ [sha256('{ a }')]: '{ b }' }), /is not the SHA-256 hash/],
])('a start says why it cannot read %j', (text, why) => {
  const file = join(folder, 'bad.json')
  writeFileSync(file, text)
  expect(() => readTrustedDocuments(file, [])).toThrow(why)
  expect(() => readTrustedDocuments(file, [])).toThrow('TRUSTED_DOCUMENTS')
})
