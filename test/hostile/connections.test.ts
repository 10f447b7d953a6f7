/** WebSockets and event streams count like requests, and nobody holds more of them than their share. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { attack, hostileServer, times } from './hostile-server.ts'

const perSecond = { secret: 30, anonymous: 15 }
const seats = { address: 20, key: 3 }
const server = hostileServer({
  RATE_LIMIT: `secret=${perSecond.secret},public=15,anonymous=${perSecond.anonymous}`,
  CONNECTION_LIMIT: `address=${seats.address},key=${seats.key}`,
  TRUST_PROXY: '127.0.0.0/8',
})

let hosts = 0
/** An unused address, each in its own /64. */
const newAddress = () => `2001:db8:0:${(++hosts).toString(16)}::1`

const open = async (ip: string): Promise<WebSocket | null> => {
  const url = `${server().base.replace('http', 'ws')}/graphql`
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers: { 'x-forwarded-for': ip } })
  try {
    await once(socket, 'open')
    return socket
  } catch (error) {
    expect(String(error)).toContain('429')
    return null
  }
}

const introduce = async (socket: WebSocket, payload: object = {}) => {
  const answer = Promise.race([once(socket, 'message'), once(socket, 'close')])
  socket.send(JSON.stringify({ type: 'connection_init', payload }))
  const [first] = await answer
  return typeof first === 'number' ? first : JSON.parse(String(first)).type
}

const opened = (sockets: (WebSocket | null)[]) => sockets.filter((socket) => socket !== null)
const end = (sockets: (WebSocket | null)[]) => {
  for (const socket of sockets) socket?.terminate()
}

/** The most that a limit of `max` per second allows during an attack. */
const allowed = (startedAt: number, max: number) =>
  max * (Math.floor((Date.now() - startedAt) / 1000) + 1)

test('upgrades count as requests of their address, a /64 in IPv6', () =>
  attack(server, async () => {
    const [, , , net] = newAddress().split(':')
    const startedAt = Date.now()
    const sockets = await Promise.all(times(120, (i) => open(`2001:db8:0:${net}::${i + 1}`)))
    expect(opened(sockets).length).toBeLessThanOrEqual(
      Math.min(seats.address, allowed(startedAt, perSecond.anonymous)),
    )
    expect(opened(sockets).length).toBeGreaterThan(0)
    end(sockets)
  }))

test('an address has a limit of connections, idle or not, and closed ones are released', () =>
  attack(server, async () => {
    const ip = newAddress()
    const held: WebSocket[] = []
    while (held.length < seats.address) {
      const socket = await open(ip)
      if (socket) {
        expect(await introduce(socket)).toBe('connection_ack')
        held.push(socket)
      } else await sleep(300)
    }
    await sleep(1_100)
    expect(await open(ip)).toBeNull()
    // Event streams count toward the same limit.
    const stream = await server().post(
      '/graphql',
      { query: 'subscription { arenaLiveMatchesChanged { matches { uuid } } }' },
      { accept: 'text/event-stream', 'x-forwarded-for': ip },
    )
    expect(stream.text).toContain('RATE_LIMITED')
    expect(stream.status).toBe(429)
    held.pop()?.terminate()
    let again = await open(ip)
    for (; !again; again = await open(ip)) await sleep(300)
    end([...held, again])
  }))

test('a key has a limit of connections, from any number of addresses', () =>
  attack(server, async () => {
    const params = { 'x-api-secret': server().demo.keys.secretLive }
    const sockets = await Promise.all(times(seats.key + 2, () => open(newAddress())))
    const answers = await Promise.all(opened(sockets).map((socket) => introduce(socket, params)))
    expect(answers.filter((answer) => answer === 'connection_ack')).toHaveLength(seats.key)
    expect(answers.filter((answer) => answer === 1013)).toHaveLength(2)
    end(sockets)
    await sleep(300)
  }))

test('subscriptions count in the bucket of their key, together with requests', () =>
  attack(server, async () => {
    const key = server().demo.keys.secretTest
    const socket = (await open(newAddress())) as WebSocket
    expect(await introduce(socket, { 'x-api-secret': key })).toBe('connection_ack')
    const errors: { code: string; retryAfter?: number }[] = []
    socket.on('message', (data) => errors.push(JSON.parse(String(data)).payload[0].extensions))
    const startedAt = Date.now()
    const query = 'subscription { nothing }'
    const batch = times(10, () => ({ query: '{ __typename }' }))
    for (const id of times(90, String))
      socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query } }))
    const answers = await Promise.all(
      times(40, () => server().post('/graphql', batch, { 'x-api-secret': key })),
    )
    while (errors.length < 90) await sleep(20)
    // Five small operations cost as much as one request.
    const requests = answers.filter(({ status }) => status === 200).length * 2
    const limited = errors.filter(({ code }) => code === 'RATE_LIMITED')
    const subscriptions = errors.length - limited.length
    // As over HTTP, where a header says it, too.
    expect(limited.filter(({ retryAfter }) => !(Number(retryAfter) >= 1))).toEqual([])
    expect(subscriptions).toBeGreaterThan(0)
    expect(requests + subscriptions / 5).toBeLessThanOrEqual(allowed(startedAt, perSecond.secret))
    end([socket])
  }))

test('a connection that floods is closed', () =>
  attack(server, async () => {
    const socket = (await open(newAddress())) as WebSocket
    await introduce(socket)
    const closed = once(socket, 'close')
    for (const _ of times(400, String)) socket.send('{"type":"ping"}')
    await closed
  }))

test.each([
  ['is too large', 1009, (socket: WebSocket) => socket.send('x'.repeat(200_000))],
  ['is no UTF-8', 1007, (socket: WebSocket) => socket.send(Buffer.from([0xff]), { binary: false })],
  ['is no message', 4400, (socket: WebSocket) => socket.send('[')],
])('a frame that %s ends its connection with %i, and prints nothing', async (_, code, send) => {
  const socket = await open(newAddress())
  if (!socket) throw new Error('the connection was refused')
  await introduce(socket)
  const before = server().output()
  const closed = once(socket, 'close')
  send(socket)
  expect((await closed)[0]).toBe(code)
  // What the connection before has printed arrives before the answer on a new one.
  end([await open(newAddress())])
  expect(server().output().slice(before.length)).not.toMatch(/Internal error|\bat .*:\d+:\d+/)
})
