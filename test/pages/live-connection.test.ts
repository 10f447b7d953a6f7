/** The pages' connection against a server that takes no WebSockets. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openConnection } from '../../src/pages/spectators/live-connection.ts'

const complete = 'event: complete\ndata:\n\n'
const next = (seq: number) => `event: next\ndata: {"data":{"result":${seq}}}\n\n`

let streams = 0
/** Each stream sends the next number and completes, like those of a server that stops. */
const server = createServer(({ method }, response) => {
  if (method === 'GET') return response.writeHead(404).end()
  response.setHeader('content-type', 'text/event-stream')
  response.end(next(++streams) + complete)
})

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { fetch } = globalThis
  vi.stubGlobal('location', { origin: base })
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(base + path, init))
})
afterAll(() => {
  vi.unstubAllGlobals()
  server.close()
})

test('a stream that completes early is reopened, and a finished one is not', async () => {
  const heard: number[] = []
  const refused = await new Promise<boolean>((resolve) => {
    openConnection(() => {}).follow<number>({
      query: 'subscription { result }',
      onData: (seq) => heard.push(seq),
      isOver: () => heard.length === 3,
      onEnd: resolve,
    })
  })
  expect(refused).toBe(false)
  expect(heard).toEqual([1, 2, 3])
})
