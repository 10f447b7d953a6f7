/** The pages' connection against a server that takes no WebSockets. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openConnection } from '../../src/pages/spectators/live-connection.ts'

const complete = 'event: complete\ndata:\n\n'
const next = (seq: number) => `event: next\ndata: {"data":{"result":${seq}}}\n\n`

let streams = 0
const variables: object[] = []
/** Each stream sends the next number and completes, like those of a server that stops. */
const server = createServer((request, response) => {
  if (request.method === 'GET') return response.writeHead(404).end()
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    variables.push(JSON.parse(body).variables)
    response.setHeader('content-type', 'text/event-stream')
    response.end(next(++streams) + complete)
  })
})

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vi.stubGlobal('location', { origin })
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('addEventListener', () => {})
})
afterAll(() => {
  vi.unstubAllGlobals()
  server.close()
})

test('a stream that completes early is reopened after its last event, and a finished one is not', async () => {
  const states: string[] = []
  const connection = openConnection((state) => states.push(state))
  const heard: number[] = []
  const results = connection.watch<number>(
    'subscription { result }',
    { of: 'match' },
    { resume: (seq) => (seq === 3 ? null : { afterSeq: seq }) },
  )
  for await (const seq of results) heard.push(seq)
  expect(heard).toEqual([1, 2, 3])
  expect(variables).toEqual([
    { of: 'match' },
    { of: 'match', afterSeq: 1 },
    { of: 'match', afterSeq: 2 },
  ])
  expect(states).toEqual(['live', 'reconnecting', 'live', 'reconnecting', 'live'])
})
