import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 3)
})
afterAll(() => world.end())

const send = (body: unknown, headers: Record<string, string> = {}) =>
  world.call('POST', '/graphql', { headers: { 'x-api-key': world.keys.public, ...headers }, body })

const codeOf = async (query: string) => {
  const { body, status } = await send({ query })
  expect(status).toBeLessThan(500)
  return body.errors?.[0]?.extensions?.code
}

const repeat = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')

describe('a document', () => {
  test('may be 12 deep, and not 13', async () => {
    const down = (depth: number): string =>
      depth <= 1 ? 'externalId' : `plays(first: 1) { nodes { user { ${down(depth - 3)} } } }`
    expect(await codeOf(`{ user(by: { externalId: "ann" }) { ${down(10)} } }`)).toBeUndefined()
    expect(await codeOf(`{ user(by: { externalId: "ann" }) { ${down(13)} } }`)).toBe(
      'DOCUMENT_TOO_COMPLEX',
    )
  })

  test('may select one field under 15 aliases, and not 16', async () => {
    const aliases = (count: number) => `{ ${repeat(count, (i) => `a${i}: games { name }`)} }`
    expect(await codeOf(aliases(15))).toBeUndefined()
    expect(await codeOf(aliases(16))).toBe('DOCUMENT_TOO_COMPLEX')
  })

  test('may nest 30 fragments without a field between them, and not 31', async () => {
    const nest = (count: number) =>
      `{ ${'... { '.repeat(count)} games { name } ${'} '.repeat(count)} }`
    expect(await codeOf(nest(30))).toBeUndefined()
    expect(await codeOf(nest(31))).toBe('DOCUMENT_TOO_COMPLEX')
    const chain = repeat(31, (i) => `fragment F${i} on Query { ...F${i + 1} }`)
    expect(await codeOf(`{ ...F0 } ${chain} fragment F31 on Query { games { name } }`)).toBe(
      'DOCUMENT_TOO_COMPLEX',
    )
  })

  test('cannot hide aliases in fragments', async () => {
    const spend = (i: number) =>
      `p${i}: playGame(input: { user: { externalId: "ann" }, gameType: ENIGMA_BOXES }) { __typename }`
    const plays = () => world.runtime.db.play.count()
    const before = await plays()
    const hidden = repeat(4, (j) => `... on Mutation { ${repeat(8, (i) => spend(j * 8 + i))} }`)
    expect(await codeOf(`mutation { ${hidden} }`)).toBe('DOCUMENT_TOO_COMPLEX')
    const spread = `mutation { ...A ...B } ${['A', 'B']
      .map((name, j) => `fragment ${name} on Mutation { ${repeat(9, (i) => spend(j * 9 + i))} }`)
      .join(' ')}`
    expect(await codeOf(spread)).toBe('DOCUMENT_TOO_COMPLEX')
    expect(await plays()).toBe(before)
  })

  test('may not request millions of rows', async () => {
    const list = (args: string, inner: string) =>
      `leaderboard(${args}) { nodes { user { ... on User { ${inner} } } } }`
    const plays = (args: string) => `plays(${args}) { nodes { uuid } }`
    const more = (args: string) => `plays(${args}) { nodes { user { ${plays(args)} } } }`
    expect(await codeOf(`{ ${list('first: 5', plays('first: 5'))} }`)).toBeUndefined()
    for (const args of ['first: 100', 'last: 100', 'first: 2147483647'])
      expect(await codeOf(`{ ${list(args, more(args))} }`), args).toBe('DOCUMENT_TOO_COMPLEX')
    // A negative size does not offset the cost of another list.
    const debt = `debt: ${list('first: -2147483648', 'uuid')}`
    expect(await codeOf(`{ ${debt} ${list('first: 100', more('first: 100'))} }`)).toBe(
      'DOCUMENT_TOO_COMPLEX',
    )
  })

  test('has names of 255 characters at most', async () => {
    const named = (length: number) => codeOf(`query ${'x'.repeat(length)} { games { name } }`)
    expect(await named(255)).toBeUndefined()
    expect(await named(256)).toBe('DOCUMENT_TOO_COMPLEX')
    expect(await codeOf(`{ games { name } } # ${'x'.repeat(256)}`)).toBeUndefined()
  })

  test('has 100 KB at most', async () => {
    const { status, body } = await send({ query: `{ games { name } }${' '.repeat(102_400)}` })
    expect(status).toBe(413)
    expect(body.errors[0].extensions.code).toBe('BODY_TOO_LARGE')
  })

  test('that is nested very deeply is refused without a crash', async () => {
    const value = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const input = `{ user: { externalId: "ann" }, eventType: "signup", metadata: ${value} }`
    for (const query of [
      `mutation { awardPoints(input: ${input}) { __typename } }`,
      `${'{ games '.repeat(5_000)}${'}'.repeat(5_000)}`,
    ]) {
      const { status, body } = await send({ query }, { 'x-api-secret': world.keys.secret })
      expect(status).toBeLessThan(500)
      expect(body.errors[0].extensions?.code).not.toBe('INTERNAL')
    }
    expect((await world.get('/livez')).status).toBe(200)
  })

  test('costs as much as the operation that is executed', async () => {
    const dear =
      'leaderboard(first: 100) { nodes { user { ... on User { plays(first: 100) { nodes { uuid } } } } } }'
    const query = `query Cheap { games { name } } query Dear { ${dear} }`
    const ask = async (operationName: string) =>
      (await send({ query, operationName })).body.errors?.[0].extensions.code
    expect(await ask('Cheap')).toBeUndefined()
    expect(await ask('Dear')).toBe('DOCUMENT_TOO_COMPLEX')
  })

  test('is executed by an empty operation name as by none, and in a batch', async () => {
    const item = { query: 'query A { games { name } }', operationName: '' }
    expect((await send(item)).body.data.games).toHaveLength(3)
    const { body } = await send([item, item])
    for (const { data } of body) expect(data.games).toHaveLength(3)
  })

  test('that is refused gets an error status where the media type allows', async () => {
    const accept = 'application/graphql-response+json'
    const deep = `{ ${'user(by: { externalId: "ann" }) { plays { nodes { '.repeat(5)} uuid ${'} } } '.repeat(5)} }`
    for (const query of [
      `{ ${'games '.repeat(2_000)} }`,
      deep,
      `{ ${'games { name } '.repeat(400)} }`,
    ]) {
      expect((await send({ query }, { accept })).status).toBe(400)
      expect((await send({ query })).status).toBe(200)
    }
  })

  test('may spread the same fragments in many places', async () => {
    const parts = ['name', 'gameType', 'status', 'price', 'description']
    const fragments = repeat(5, (i) => `fragment F${i} on Game { name gameType ${parts[i]} }`)
    const spreads = repeat(5, (i) => `...F${i}`)
    expect(
      await codeOf(`{ ${repeat(8, (i) => `a${i}: games { ${spreads} }`)} } ${fragments}`),
    ).toBeUndefined()
  })

  test('cannot loop through fragments', async () => {
    expect(await codeOf('{ ...A } fragment A on Query { games { name } ...A }')).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    )
  })
})

describe('a request', () => {
  const item = { query: '{ games { name } }' }

  test('is read in a batch until three operations were refused; known ones always', async () => {
    const known = { query: '{ games { name } }' }
    await send(known)
    const invalid = [{ query: '{' }, { query: '{ nope }' }, { query: `{ nodes(ids: 1, a: 1) }` }]
    const unknown = { query: '{ games { name } } # unknown' }
    const { body } = await send([unknown, ...invalid, { query: '{ nope2 }' }, known])
    const codes = body.map(({ errors }: { errors?: [{ extensions: { code: string } }] }) =>
      errors ? errors[0].extensions.code : null,
    )
    expect(codes).toEqual([
      null,
      'GRAPHQL_PARSE_FAILED',
      'GRAPHQL_VALIDATION_FAILED',
      'GRAPHQL_VALIDATION_FAILED',
      'DOCUMENT_TOO_COMPLEX',
      null,
    ])
  })

  test('is read in a batch while its new documents have 4,000 tokens; known ones always', async () => {
    await send(item)
    // Each has 1,805 tokens, and is valid until its field refuses so many ids.
    const long = (name: string) => ({
      query: `query ${name} { nodes(ids: [${repeat(1_790, () => '"a"')}]) { id } }`,
    })
    const short = { query: '{ games { gameType name } }' }
    const { body } = await send([long('A'), long('B'), short, long('C'), item])
    expect(
      body.map(({ errors }: { errors?: [{ message: string }] }) => errors?.[0].message ?? null),
    ).toEqual([
      'Invalid request parameters',
      'Invalid request parameters',
      null,
      'The new documents of a batch may have 4000 tokens at most',
      null,
    ])
    expect((await send(long('C'))).body.errors[0].message).toBe('Invalid request parameters')
  })

  test('may hold a batch of 10, and not of 11', async () => {
    const { body } = await send(Array.from({ length: 10 }, () => item))
    expect(body).toHaveLength(10)
    expect((await send(Array.from({ length: 11 }, () => item))).status).toBe(413)
  })

  test.each([
    '{',
    'null',
    '5',
    '"x"',
    '[]',
    '[null]',
    '{"query":5}',
    '{"query":"{","variables":[]}',
  ])('with the body %s is refused without an internal error', async (body) => {
    const answer = await send(body)
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).not.toMatch(/"data":\{|"INTERNAL"/)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'of a form, which any page can send, is refused: %s',
    async (type) => {
      expect((await send(JSON.stringify(item), { 'content-type': type })).status).toBe(415)
    },
  )

  test('by GET can read, but not change anything', async () => {
    const get = (query: string, more = '') =>
      world.get(`/graphql?query=${encodeURIComponent(query)}${more}`, world.keys.public)
    expect((await get(item.query)).body.data.games).toHaveLength(3)
    const before = await world.runtime.db.play.count()
    const play =
      'mutation { playGame(input: { user: { externalId: "ann" }, gameType: NEON_WHEEL }) { __typename } }'
    expect((await get(play)).status).toBe(405)
    expect((await get(`query A { games { name } } ${play}`, '&operationName=')).status).toBe(400)
    expect(await world.runtime.db.play.count()).toBe(before)
    for (const variables of ['{', '[]', '5', '%00'])
      expect((await get(item.query, `&variables=${variables}`)).status, variables).toBeLessThan(500)
  })
})

test('in production only members can introspect the schema', async () => {
  const query = '{ __schema { queryType { name } } __type(name: "Query") { name } }'
  for (const by of [{}, world.keys, { public: `pk_test_${'0'.repeat(43)}` }]) {
    const { body } = await world.graphql(query, {}, by)
    expect(body.errors[0].extensions.code).toBe('INTROSPECTION_REFUSED')
    expect(body.data).toBeUndefined()
  }
  // Refused before it is validated, and so before it is counted.
  for (const invalid of ['{ __schema { nope } }', '{ ...F } fragment F on Nothing { __type }']) {
    const { body } = await world.graphql(invalid)
    expect(body.errors[0].extensions.code).toBe('INTROSPECTION_REFUSED')
    const byGet = await world.get(`/graphql?query=${encodeURIComponent(invalid)}`)
    expect(byGet.body.errors[0].extensions.code).toBe('INTROSPECTION_REFUSED')
    const [inBatch] = (await send([{ query: invalid }])).body
    expect(inBatch.errors[0].extensions.code).toBe('INTROSPECTION_REFUSED')
  }
  const member = await world.graphql(query, {}, { bearer: await world.signInAs('OWNER') })
  expect(member.body.data.__schema.queryType.name).toBe('Query')
  // The document is known to be valid now; the caller is still checked.
  expect((await world.graphql(query, {}, {})).body.data).toBeUndefined()
  expect((await world.graphql('{ __typename }', {}, {})).body.data).toEqual({ __typename: 'Query' })
  expect((await world.get('/graphql', undefined, { accept: 'text/html' })).text).not.toMatch(
    /<html/,
  )
})
