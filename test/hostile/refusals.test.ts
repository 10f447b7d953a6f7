/**
 * Requests that are refused cost little, whatever they consist of. FUZZ_SEED=… repeats a run. Passwords and tokens are
 * hashed by other threads, which do not count. Neighbours that were looked for: operations of the schema and
 * every route of REST, with shapes of excess by a seed, by POST, GET, event streams, WebSockets and batches.
 */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type GraphQLInputType, parseType, typeFromAST } from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'
import { type Operation, operationsOf } from '../graphql/documents.ts'
import { seed } from '../rest/junk.ts'
import type { Answer } from '../world.ts'
import { chooser, documents, plant, shapes, validValue } from './excess.ts'
import { hostileServer, slowness, times } from './hostile-server.ts'
import { openSocket, subscribe } from './socket-client.ts'

const server = hostileServer({ JOBS: 'off', NODE_ENV: 'production' })

const mostMs = 50

/** CPU time in milliseconds of the server's threads, but for those that hash. */
const cpuMs = () => {
  const tasks = `/proc/${server().pid}/task`
  const times = readdirSync(tasks).map((task) => {
    const read = (file: string) => readFileSync(`${tasks}/${task}/${file}`, 'utf8')
    try {
      return read('comm').trim() === 'libuv-worker' ? 0 : Number(read('schedstat').split(' ')[0])
    } catch {
      // A thread may end at any time.
      return 0
    }
  })
  return times.reduce((sum, ns) => sum + ns, 0) / 1e6
}

type Refused = { isRefused: boolean; text: string }

/** Sends a request up to three times, until it costs little. Accepted ones may cost what they are charged. */
const expectCheap = async (name: string, send: () => Promise<Refused>) => {
  let cheapest = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3 && cheapest >= mostMs; i++) {
    const before = cpuMs()
    const { isRefused, text } = await send()
    const used = cpuMs() - before
    // A shared machine changes its speed within seconds, so it is measured beside what was slow.
    const fairMs = used < mostMs ? used : used / slowness()
    expect(() => JSON.parse(text), `${name}: ${text.slice(0, 300)}`).not.toThrow()
    cheapest = isRefused ? Math.min(cheapest, fairMs) : 0
  }
  expect(cheapest, `milliseconds of ${name}`).toBeLessThan(mostMs)
}

/** The JSON of an answer, which may be the only event of a stream. */
const jsonOf = (text: string, headers: Headers) => {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream')
  return isStream ? (/^data: (.+)$/m.exec(text)?.[1] ?? '') : text
}

const refusedOf = ({ status, headers, ...answer }: Answer): Refused => {
  const text = jsonOf(answer.text, headers)
  return { isRefused: status >= 400 || text.includes('"errors":'), text }
}

let salt = 0
const json = { 'content-type': 'application/json' }

describe('a document', () => {
  test.each(Object.keys(documents))('is refused cheaply: %s', async (name) => {
    const make = () => documents[name]?.(salt++) ?? ''
    await expectCheap('POST', async () =>
      refusedOf(await server().post('/graphql', { query: make() })),
    )
    await expectCheap('an event stream', async () =>
      refusedOf(
        await server().post('/graphql', { query: make() }, { accept: 'text/event-stream' }),
      ),
    )
    const url = `/graphql?query=${encodeURIComponent(make())}`
    if (url.length < 15_000)
      await expectCheap('GET', async () => refusedOf(await server().send(url)))
    const count = Math.min(10, Math.floor(95_000 / (JSON.stringify(make()).length + 15)))
    await expectCheap('a batch', async () =>
      refusedOf(
        await server().post(
          '/graphql',
          times(count, () => ({ query: make() })),
        ),
      ),
    )
  })

  test('is refused cheaply over a WebSocket', async () => {
    const socket = await openSocket(server())
    for (const name of Object.keys(documents))
      await expectCheap(name, async () => {
        const answer = await subscribe(
          socket,
          { query: documents[name]?.(salt++) ?? '' },
          `${salt}`,
        )
        return { isRefused: answer.type === 'error', text: JSON.stringify(answer) }
      })
    socket.close()
  })
})

const cases = (count: number) =>
  fc.sample(fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), { seed, numRuns: count })

const operations = [...operationsOf('query', 1), ...operationsOf('mutation', 1)].filter(
  ({ args }) => args.length > 0,
)

const typeOf = (type: string) => typeFromAST(schema, parseType(type) as never) as GraphQLInputType

/** The variables of an operation, valid but for one place in one of them. */
const variablesOf = ({ args }: Operation, bytes: number, choose: ReturnType<typeof chooser>) => {
  const bad = choose(args)
  const shape = choose(Object.keys(shapes))
  const entries = args
    .filter((arg) => arg !== bad && arg.required)
    .map(({ name, type }) => `"${name}":${JSON.stringify(validValue(typeOf(type)))}`)
  const junk = plant(typeOf(bad.type), shapes[shape]?.(bytes) ?? '', choose)
  return {
    name: `${shape} in ${bad.name}`,
    text: `{${[...entries, `"${bad.name}":${junk}`].join(',')}}`,
  }
}

test(`variables are refused cheaply by POST, GET, event stream and WebSocket (seed ${seed})`, async () => {
  const { publicTest, secretTest } = server().demo.keys
  const credentials: Record<string, string>[] = [
    {},
    { 'x-api-key': publicTest },
    { 'x-api-secret': secretTest },
  ]
  const socket = await openSocket(server())
  const query = (text: string) => `"query":${JSON.stringify(text)}`
  for (const choices of cases(250)) {
    const choose = chooser(choices)
    const operation = choose(operations)
    const how = choose(['POST', 'event stream', 'GET', 'WebSocket'])
    const headers = { ...json, ...choose(credentials) }
    const room = (how === 'GET' ? 14_000 : 100_000) - JSON.stringify(operation.document).length
    if (room < 5_000) continue
    const { name, text } = variablesOf(operation, room - 3_000, choose)
    if (Buffer.byteLength(text) > room) continue
    const body = `{${query(operation.document)},"variables":${text}}`
    const url = `/graphql?${new URLSearchParams({ query: operation.document, variables: text })}`
    await expectCheap(`${operation.name} by ${how}: ${name}`, async () => {
      if (how === 'GET') return refusedOf(await server().send(url, { headers }))
      if (how !== 'WebSocket') {
        const accept = how === 'POST' ? 'application/json' : 'text/event-stream'
        return refusedOf(await server().post('/graphql', body, { ...headers, accept }))
      }
      const answer = await subscribe(socket, body, `${salt++}`)
      const isRefused = /"errors":|"error"/.test(JSON.stringify(answer))
      return { isRefused, text: JSON.stringify(answer) }
    })
  }
  socket.close()
})

type Described = {
  security: object[]
  requestBody?: { content: Record<string, { schema: { properties?: object } }> }
}
type RestCall = { method: string; path: string; fields: string[]; headers: Record<string, string> }

/** The calls of REST that take a body, with a credential that is strong enough to have it read. */
const callsOf = async (): Promise<RestCall[]> => {
  const { demo, send, post } = server()
  const { body } = await post('/dashboard/auth/login', demo.admin)
  const credentials: Record<string, Record<string, string>> = {
    publicKey: { 'x-api-key': demo.keys.publicTest },
    secretKey: { 'x-api-secret': demo.keys.secretTest },
    bearer: { authorization: `Bearer ${body.data.accessToken}` },
  }
  const document = (await send('/openapi.json')).body
  return Object.entries<Record<string, Described>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'get')
      .map(([method, { security, requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        fields: Object.keys(requestBody?.content['application/json']?.schema.properties ?? {}),
        headers: credentials[Object.keys(security[0] ?? {})[0] ?? ''] ?? {},
      })),
  )
}

test(`bodies are refused cheaply by every route of REST (seed ${seed})`, async () => {
  const calls = await callsOf()
  // Every route, and then some of them again.
  for (const [i, choices] of cases(250).entries()) {
    const choose = chooser(choices)
    const { method, path, fields, headers } = calls[i] ?? choose(calls)
    const shape = choose(Object.keys(shapes))
    const junk = shapes[shape]?.(path.endsWith('/track') ? 505_000 : 255_000 - 2_000) ?? ''
    const bad = choose([...fields, null])
    const entries = fields.map((name) => `"${name}":${name === bad ? junk : '"ann"'}`)
    const body = bad === null ? junk : `{${entries.join(',')}}`
    const url = path.replace(/\{\w+\}/g, 'ann')
    await expectCheap(`${method} ${path}: ${shape} as ${bad ?? 'the body'}`, async () =>
      refusedOf(await server().send(url, { method, headers: { ...json, ...headers }, body })),
    )
  }
})

/** The requests that ended the process, and their relatives. */
test('many keys and many items are refused at the first, without being repeated', async () => {
  const { secretTest } = server().demo.keys
  const keys = shapes['many keys']?.(80_000)
  const items = shapes['empty objects']?.(80_000)
  const ask = (operation: string, type: string, value = '') =>
    server().post(
      '/graphql',
      `{"query":"${operation.startsWith('nodes') ? 'query' : 'mutation'} ($v: ${type}) { ${operation} { __typename } }","variables":{"v":${value}}}`,
    )
  for (const [operation, type, value, message] of [
    ['signIn(input: $v)', 'SignInInput!', keys, 'must have at most 100 keys'],
    [
      'trackActivities(input: $v)',
      'TrackActivitiesInput!',
      `{"activities":${items}}`,
      '1000 items',
    ],
    ['nodes(ids: $v)', '[ID!]!', items, 'must have at most 1000 items'],
  ] as const) {
    const { text, body } = await ask(operation, type, value)
    expect(body.errors).toHaveLength(1)
    expect(body.errors[0].message).toContain(message)
    expect(text.length).toBeLessThan(1_000)
  }
  const entry = { email: 'ann@example.com', lotterySlug: 'daily-pick' }
  const { status, body } = await server().post(
    '/v1/lotteries/entries',
    `${JSON.stringify(entry).slice(0, -1)},"lines":[${keys}]}`,
    { 'x-api-secret': secretTest },
  )
  expect(status).toBe(400)
  expect(body.errors).toEqual([
    { field: 'lines.0', code: 'too_big', message: 'lines.0 must have at most 100 keys' },
  ])
})
