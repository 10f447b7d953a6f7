import { lookup } from 'node:dns/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { Agent, request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { lookupPublic } from '../../src/kit/security/address.ts'
import { createWorld, type World } from '../world.ts'
import { createReceiver } from './receiver.ts'
import { storeEndpoint, waitUntil } from './stored.ts'

/** Hosts that lead, in one spelling or another, to this machine or to a network that is not public. */
const forbidden = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.255.255.254',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '①②⑦.0.0.1',
  '127%2e0%2e0%2e1',
  '0.0.0.0',
  '0',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::7f00:1]',
  '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[5f00::1]',
  '169.254.169.254',
  '100.64.0.1',
  '100.127.255.255',
  '10.0.0.1',
  '10.255.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'ｌｏｃａｌｈｏｓｔ',
  'x.localhost',
  'x.localhost.',
  'foo.internal',
  'metadata.google.internal',
  'printer.local',
  'router.home.arpa',
  'a.localdomain',
]

/** Addresses next to forbidden ranges, which are public. */
const allowed = [
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '169.253.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.0.1',
  '198.17.0.1',
  '223.255.255.1',
  '[2606:4700:4700::1111]',
  '[2a00:1450:4001::1]',
]

let world: World
beforeAll(async () => {
  world = await createWorld({ config: { jobs: true, webhookRetrySeconds: [0] } })
})
afterAll(() => world.end())

const create = (url: string, key: string, path = '/v1/webhooks') =>
  world.post(path, key, { url, events: ['*'] })

const expectRefused = (
  { status, body }: { status: number; body: Record<string, unknown> },
  message?: RegExp,
) => {
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 400, status: 'error', errorCode: 'VALIDATION_FAILED' })
  const [first] = body.errors as { field: string; message: string }[]
  expect(first?.field).toBe('url')
  if (message) expect(first?.message).toMatch(message)
}

describe('an endpoint', () => {
  test.each(forbidden)('at %s is refused in LIVE and in TEST', async (host) => {
    const notPublic = /private, loopback or link-local/
    for (const url of [`https://${host}/hook`, `https://${host}:8443/hook?a=b`])
      expectRefused(await create(url, world.partner.live.secret), notPublic)
    expectRefused(await create(`http://${host}/hook`, world.keys.secret), notPublic)
  })

  test.each([1, 22, 25, 79, 81, 442, 444, 1023])('on port %i is refused', async (port) => {
    const url = `https://8.8.8.8:${port}/hook`
    expectRefused(await create(url, world.partner.live.secret), /port 80, 443, or 1024 and above/)
  })

  test.each([80, 443, 1024, 65_535])('on port %i is accepted', async (port) => {
    const { status } = await create(`https://8.8.8.8:${port}/hook`, world.partner.live.secret)
    expect(status).toBe(200)
  })

  test('cannot be moved to such an address, nor created there by GraphQL or by a member', async () => {
    const { body } = await create('https://8.8.8.8/hook', world.partner.live.secret)
    const path = `/v1/webhooks/${body.data.id}`
    const key = world.partner.live.secret
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', 'localhost.']) {
      const url = `https://${host}/hook`
      expectRefused(await world.call('PATCH', path, { key, body: { url } }))
      expectRefused(await create(url, await world.signInAs('OWNER'), '/dashboard/webhooks'))
      const answer = await world.graphql(
        `mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) {
          __typename ... on ValidationError { errors { path } } } }`,
        { input: { url, eventNames: ['*'] } },
        world.partner.live,
      )
      expect(answer.body.data.createWebhookEndpoint).toEqual({
        __typename: 'ValidationError',
        errors: [{ path: ['url'] }],
      })
    }
    expect((await world.get(path, key)).body.data.url).toBe('https://8.8.8.8/hook')
    await world.call('DELETE', path, { key })
  })

  test.each(allowed)('at %s is accepted: https in LIVE, http in TEST', async (host) => {
    for (const [url, key] of [
      [`https://${host}/hook`, world.partner.live.secret],
      [`http://${host}/hook`, world.keys.secret],
    ] as const) {
      const { status, body } = await create(url, key)
      expect(status).toBe(200)
      expect(body.data.url).toBe(new URL(url).href)
      await world.call('DELETE', `/v1/webhooks/${body.data.id}`, { key })
    }
  })

  test('without TLS is refused in LIVE', async () => {
    expectRefused(await create('http://8.8.8.8/', world.partner.live.secret), /https/)
  })

  test.each([
    'https://user@8.8.8.8/',
    'https://user:password@8.8.8.8/',
    'https://:password@8.8.8.8/',
    'https://8.8.8.8:443@127.0.0.1/',
    'https://127.0.0.1@8.8.8.8/',
  ])('with a user or a password is refused: %s', async (url) => {
    expectRefused(await create(url, world.keys.secret), /user or a password/)
  })

  test.each([
    'ftp://8.8.8.8/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'gopher://8.8.8.8/',
    'ws://8.8.8.8/',
    'unix:/var/run/docker.sock',
    '//8.8.8.8/',
    '/hook',
    '8.8.8.8',
    'https://',
    'https:// 8.8.8.8/',
    'https://[::1/',
    'https://8.8.8.8:99999/',
    'not a URL',
    '',
  ])('at %j is refused', async (url) => {
    for (const key of [world.keys.secret, world.partner.live.secret])
      expectRefused(await create(url, key))
  })

  test('keeps its port and query and loses its fragment', async () => {
    const key = world.partner.live.secret
    const { status, body } = await create('https://8.8.8.8:8443/a/../b?c=d#e', key)
    expect(status).toBe(200)
    expect(body.data.url).toBe('https://8.8.8.8:8443/b?c=d')
    await world.call('DELETE', `/v1/webhooks/${body.data.id}`, { key })
  })
})

describe('an address that is not public', () => {
  /** Listeners on this machine that count who connects. */
  const listeners: { server: Server; connections: number; port: number }[] = []
  beforeAll(async () => {
    for (const host of ['0.0.0.0', '::1']) {
      const listener = { server: createServer(), connections: 0, port: 0 }
      listener.server.on('connection', (socket) => {
        listener.connections++
        socket.destroy()
      })
      const listens = await new Promise<boolean>((resolve) => {
        listener.server.once('error', () => resolve(false))
        listener.server.listen(0, host, () => resolve(true))
      })
      if (!listens) continue // a machine without IPv6
      listener.port = (listener.server.address() as AddressInfo).port
      listeners.push(listener)
    }
  })
  afterEach(() => {
    for (const listener of listeners) listener.connections = 0
  })
  afterAll(() => {
    for (const { server } of listeners) server.close()
  })

  const connections = () => listeners.reduce((sum, listener) => sum + listener.connections, 0)

  /** Awards in LIVE, and returns the errors of the attempts at these addresses. */
  const attemptsAt = async (urls: string[]) => {
    const tenant = { partnerId: world.partner.partnerId, environment: 'LIVE' } as const
    const ids = new Map<string, string>()
    for (const url of urls) ids.set(await storeEndpoint(world, { ...tenant, url }), url)
    await world.givePoints('ann', 1, 'signup', world.partner.live.secret)
    const { db } = world.runtime
    const where = { endpointId: { in: [...ids.keys()] } }
    await waitUntil(
      'all attempts were made',
      async () =>
        (await db.webhookDelivery.count({ where: { ...where, status: 'FAILED' } })) === ids.size,
    )
    const deliveries = await db.webhookDelivery.findMany({ where, include: { log: true } })
    await db.webhookEndpoint.updateMany({
      where: { id: { in: [...ids.keys()] } },
      data: { status: 'DISABLED' },
    })
    return deliveries.map(({ endpointId, log }) => [
      ids.get(endpointId),
      log.map(({ error }) => error),
    ])
  }

  test('can be reached from here without the check', async () => {
    for (const { port, server } of listeners) {
      const { family } = server.address() as AddressInfo
      const socket = connect(port, family === 'IPv6' ? '::1' : '127.0.0.1')
      await new Promise((resolve) => socket.once('close', resolve))
    }
    expect(connections()).toBe(listeners.length)
  })

  test('gets no connection, even when it is already stored', async () => {
    const urls = forbidden.flatMap((host) =>
      listeners.flatMap(({ port }) => [`http://${host}:${port}/hook`, `https://${host}:${port}/`]),
    )
    for (const [url, errors] of await attemptsAt(urls))
      expect([url, errors]).toEqual([url, ['The address is not public']])
    expect(connections()).toBe(0)
  })

  test('on a reserved port is refused with a message about the port', async () => {
    const urls = [22, 25, 1023].map((port) => `http://127.0.0.1:${port}/hook`)
    for (const [url, errors] of await attemptsAt(urls))
      expect([url, errors]).toEqual([url, ['The URL must have port 80, 443, or 1024 and above']])
  })

  test('gets no connection by a host name either', async () => {
    const local = hostname()
    const resolved = await lookup(local).catch(() => null)
    const [listener] = listeners
    // Where the name of this machine resolves, it is to the machine itself.
    if (resolved && /^(127\.|10\.|172\.|192\.168\.|::1|f)/.test(resolved.address)) {
      const url = `http://${local}:${listener?.port}/hook`
      expect(await attemptsAt([url])).toEqual([[url, ['The address is not public']]])
      expectRefused(await create(`https://${local}/`, world.partner.live.secret), /private/)
    }
    const sender = new Agent({ connect: { lookup: lookupPublic } })
    await expect(
      request(`http://localhost:${listener?.port}/`, { dispatcher: sender }),
    ).rejects.toThrow('The address is not public')
    await sender.close()
    expect(connections()).toBe(0)
    const careless = new Agent()
    await expect(
      request(`http://localhost:${listener?.port}/`, { dispatcher: careless }),
    ).rejects.toThrow()
    await careless.close()
    expect(connections()).toBeGreaterThan(0)
  })

  test('is refused by the look-up whether one or all addresses are asked for', async () => {
    for (const options of [{}, { all: true }, { family: 4 }, { family: 4, all: true }]) {
      const error = await new Promise((resolve) => {
        lookupPublic('localhost', options, (error) => resolve(error))
      })
      expect(error).toMatchObject({ message: 'The address is not public' })
    }
    const answer = await new Promise((resolve) => {
      lookupPublic('8.8.8.8', { all: true }, (error, addresses) => resolve([error, addresses]))
    })
    expect(answer).toEqual([null, [{ address: '8.8.8.8', family: 4 }]])
    const item = await new Promise((resolve) => {
      lookupPublic('8.8.8.8', {}, (error, address, family) => resolve([error, address, family]))
    })
    expect(item).toEqual([null, '8.8.8.8', 4])
  })
})

test('a redirect is never followed, whatever its status', async () => {
  const open = await createWorld({
    config: { jobs: true, webhookAllowPrivate: true, webhookRetrySeconds: [0] },
  })
  const target = await createReceiver()
  const statuses = [300, 301, 302, 303, 307, 308]
  const receivers = await Promise.all(
    statuses.map((status) => createReceiver(() => ({ status, headers: { location: target.url } }))),
  )
  for (const { url } of receivers)
    expect((await open.post('/v1/webhooks', open.keys.secret, { url, events: ['*'] })).status).toBe(
      200,
    )
  await open.givePoints('ann', 1)
  const { db } = open.runtime
  await waitUntil(
    'all were tried',
    async () => (await db.webhookDelivery.count({ where: { status: 'FAILED' } })) === 6,
  )
  const log = await db.webhookAttempt.findMany()
  expect(log.map(({ responseStatus }) => responseStatus).sort()).toEqual(statuses)
  expect(target.received).toEqual([])
  for (const receiver of [target, ...receivers]) await receiver.end()
  await open.end()
})
