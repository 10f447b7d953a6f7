/** What happens to open streams when the server stops. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { demoKeys, type ServerProcess, startServer } from '../server-process.ts'
import { createDatabase, type TestDatabase } from '../world.ts'

let database: TestDatabase
let server: ServerProcess
const start = async () => {
  server = await startServer(database, { DRAIN_DELAY_MS: '0', JOBS: 'off' })
}
beforeAll(async () => {
  database = await createDatabase()
})
beforeEach(start)
afterEach(() => server.kill('SIGKILL'))
afterAll(() => database.drop())

const headers = () => ({
  'content-type': 'application/json',
  accept: 'text/event-stream',
  'x-api-secret': demoKeys(database).secretTest,
})

const watch = (since: string | null) =>
  JSON.stringify({
    query: 'subscription ($since: ID) { eventPublished(afterEventId: $since) { uuid } }',
    variables: { since },
  })

const open = (since: string | null = null) =>
  fetch(`${server.base}/graphql`, { method: 'POST', headers: headers(), body: watch(since) })

/** The text of a stream until it ends or contains `until`. */
const read = async (stream: Response, until?: string) => {
  let text = ''
  for await (const bytes of stream.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(bytes).toString()
    if (until && text.includes(until)) break
  }
  return text
}

const award = async () =>
  (await server.award(headers()['x-api-secret'], { userId: 'ann', eventType: 'daily_login' }))
    ?.ledgerId as string

const stop = async () => {
  const startedAt = Date.now()
  await server.kill('SIGTERM')
  return Date.now() - startedAt
}

test('a stream ends with `complete`, and continues with the missed events', async () => {
  const first = await open()
  let said = ''
  const reading = (async () => {
    for await (const bytes of first.body as ReadableStream<Uint8Array>)
      said += Buffer.from(bytes).toString()
  })()
  let seen = ''
  // Its position is taken after its headers are sent; events before that are not shown.
  await expect
    .poll(async () => {
      seen = await award()
      await sleep(50)
      return said.includes(seen)
    })
    .toBe(true)
  expect(await stop()).toBeLessThan(5_000)
  await reading
  expect(said).toMatch(/\n\nevent: complete\ndata:\n\n$/)

  await start()
  const missed = await award()
  const next = await read(await open(seen), missed)
  expect(next).toContain(missed)
  expect(next).not.toContain(seen)
})

test('streams opened while the server stops get 503', async () => {
  const { hostname, port } = new URL(server.base)
  const stream = await open()
  const sockets = [connect(Number(port), hostname), connect(Number(port), hostname)]
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  // Connections that have sent nothing for a second would be closed.
  sockets[0]?.write('POST /graphql HTTP/1.1\r\n')
  sockets[1]?.write('GET /graphql HTTP/1.1\r\n')
  const stopped = stop()
  await read(stream)
  const fields = Object.entries({ host: hostname, ...headers() }).map((field) => field.join(': '))
  const [post, upgrade] = [
    [...fields, `content-length: ${watch(null).length}`],
    [`host: ${hostname}`, 'connection: upgrade', 'upgrade: websocket'],
  ].map((lines) => `${lines.join('\r\n')}\r\n\r\n`) as [string, string]
  sockets[0]?.write(post + watch(null))
  sockets[1]?.write(upgrade)
  for (const answer of await Promise.all(sockets.map((socket) => text(socket)))) {
    expect(answer).toMatch(/^HTTP\/1.1 503 /)
    expect(answer).toMatch(/\r\nretry-after: 1\r\n/i)
  }
  expect(await stopped).toBeLessThan(5_000)
})

test('clients that do not read or respond do not delay the stop', async () => {
  const { hostname, port } = new URL(server.base)
  const socket = new WebSocket(`ws://${hostname}:${port}/graphql`, 'graphql-transport-ws')
  await once(socket, 'open')
  socket.pause()
  const deaf = connect(Number(port), hostname)
  await once(deaf, 'connect')
  const body = watch('')
  deaf.write(
    `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n` +
      Object.entries(headers())
        .map((field) => `${field.join(': ')}\r\n`)
        .join('') +
      `\r\n${body}`,
  )
  await once(deaf, 'readable')
  deaf.pause()
  expect(await stop()).toBeLessThan(8_000)
  expect(await server.exited).toBe(0)
  socket.terminate()
  deaf.destroy()
})
