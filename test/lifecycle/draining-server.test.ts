import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import v8 from 'node:v8'
import { afterEach, expect, test } from 'vitest'
import { DrainingServer } from '../../src/kit/http/draining-server.ts'
import { createDatabase, createWorld } from '../world.ts'

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

const serve = async (handler: RequestListener) => {
  const server = new DrainingServer({ keepAliveTimeout: 60_000 }, handler)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

/** A connection, with everything that it has received and how it ended. */
const open = (port: number) => {
  const socket = connect({ port, host: '127.0.0.1' })
  sockets.push(socket)
  const client = { socket, text: '', error: '' }
  socket.on('data', (chunk) => {
    client.text += chunk
  })
  socket.on('error', ({ message }) => {
    client.error = message
  })
  return client
}

const get = (path = '/') => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const answersOf = ({ text }: { text: string }) => text.match(/HTTP\/1\.1 200/g)?.length ?? 0

const waitFor = async (isSo: () => boolean) => {
  for (let i = 0; i < 500 && !isSo(); i++) await sleep(10)
  expect(isSo()).toBe(true)
}

test('a request that is in the kernel when the server closes is answered, on existing and new connections', async () => {
  const { server, port } = await serve((_, response) => response.end('done'))
  const kept = Array.from({ length: 20 }, () => open(port))
  for (const { socket } of kept) socket.write(get())
  await waitFor(() => kept.every((client) => answersOf(client) === 1))
  for (const { socket } of kept) socket.write(get())
  const fresh = Array.from({ length: 20 }, () => open(port))
  for (const { socket } of fresh) socket.write(get())
  const closed = new Promise((resolve) => server.close(resolve))
  await closed
  expect(kept.map((client) => [answersOf(client), client.error])).toEqual(kept.map(() => [2, '']))
  expect(fresh.map((client) => [answersOf(client), client.error])).toEqual(fresh.map(() => [1, '']))
  await expect(once(open(port).socket, 'connect')).rejects.toThrow(/ECONNREFUSED/)
})

test('a response to a slow reader arrives completely', async () => {
  const size = 20_000_000
  const { server, port } = await serve((_, response) => response.end(Buffer.alloc(size, 'x')))
  const client = open(port)
  client.socket.pause()
  client.socket.write(get())
  await sleep(100)
  const closed = new Promise((resolve) => server.close(resolve))
  await sleep(100)
  client.socket.resume()
  await closed
  await waitFor(() => client.socket.destroyed)
  expect(client.text.length).toBeGreaterThan(size)
  expect(client.error).toBe('')
})

test('an idle connection is closed at once, a busy one after its response', async () => {
  let answer = () => {}
  const { server, port } = await serve((_, response) => {
    answer = () => response.end('late')
  })
  const [resting, waiting] = [open(port), open(port)]
  waiting.socket.write(get())
  let isClosed = false
  const closed = new Promise<void>((resolve) => server.close(() => resolve())).then(() => {
    isClosed = true
  })
  await once(resting.socket, 'close')
  expect(isClosed).toBe(false)
  answer()
  await closed
  await waitFor(() => answersOf(waiting) === 1)
})

test('a client that has connected but sent nothing yet may still send its request', async () => {
  const { server, port } = await serve((_, response) => response.end('done'))
  const [silent, idle] = [open(port), open(port)]
  idle.socket.write(get())
  await waitFor(() => answersOf(idle) === 1)
  const closed = new Promise((resolve) => server.close(resolve))
  await once(idle.socket, 'close')
  silent.socket.write(get())
  await closed
  await waitFor(() => silent.socket.destroyed)
  expect([answersOf(silent), silent.error]).toEqual([1, ''])
})

test('a stopping server answers pipelined requests, and the last response closes the connection', async () => {
  const database = await createDatabase()
  const { server } = await createWorld({ database })
  const client = open(server.port)
  await once(client.socket, 'connect')
  client.socket.write(get('/readyz').repeat(3))
  await server.stop()
  await database.drop()
  await waitFor(() => client.socket.destroyed)
  const heads = client.text.split('HTTP/1.1 ').slice(1)
  expect(heads.map((head) => head.slice(0, 3))).toEqual(['503', '503', '503'])
  expect(heads.map((head) => /connection: close/i.test(head))).toEqual([false, false, true])
})

test('a closed server is not kept in memory', async () => {
  const count = () => v8.queryObjects(DrainingServer, { format: 'count' })
  const before = count()
  for (let i = 0; i < 5; i++) {
    const { server } = await serve((_, response) => response.end())
    await new Promise((resolve) => server.close(resolve))
  }
  // The last one may still be on the stack.
  await waitFor(() => count() <= before + 1)
}, 180_000)
