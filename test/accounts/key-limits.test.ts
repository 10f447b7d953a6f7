import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createApiKey } from '../../src/accounts/api-key.ts'
import { networkFilter, readNetwork } from '../../src/kit/security/network.ts'
import { awake } from '../timing.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let now = Date.now()

beforeAll(async () => {
  // Behind a proxy, so that a test can choose the address of its requests.
  world = await createWorld({ clock: () => new Date(now), config: { trustProxy: 1 } })
})
afterAll(() => world.end())

type Limits = { expiresAt?: Date; allowedNetworks?: string[] }

const makeKey = async (limits: Limits, kind: 'PUBLIC' | 'SECRET' = 'PUBLIC') =>
  (await createApiKey(world.runtime, { ...world.tenant, kind, ...limits })).key

const hourMs = 3600_000
const from = (address: string) => ({ 'x-forwarded-for': address })

/** What each face answers to a public key that comes from an address. */
const answers = async (key: string, address: string) => {
  const headers = { ...from(address), 'x-api-key': key }
  const rest = await world.call('GET', '/v1/games', { headers })
  const query = { query: '{ games { name } }' }
  const graphql = await world.call('POST', '/graphql', { headers, body: query })
  return [rest.body.errorCode, graphql.body.errors?.[0].extensions.code, rest.status]
}

/** How a WebSocket with a key ends. */
const watch = (key: string, address: string) => {
  let connect = () => {}
  const connected = new Promise<void>((resolve) => {
    connect = resolve
  })
  const closed = new Promise<unknown>((resolve) => {
    createClient({
      url: `${world.base.replace('http', 'ws')}/graphql`,
      webSocketImpl: class extends WebSocket {
        constructor(url: string, protocol: string) {
          super(url, protocol, { headers: from(address) })
        }
      },
      connectionParams: { 'x-api-secret': key },
      retryAttempts: 0,
      lazy: false,
      onNonLazyError: () => {},
      on: { closed: resolve, connected: connect },
    })
  })
  return { closed, connected }
}

test('a key stops working at its expiry, in REST and in GraphQL', async () => {
  const key = await makeKey({ expiresAt: new Date(now + hourMs) })
  expect(await answers(key, '198.51.100.1')).toEqual([undefined, undefined, 200])
  now += hourMs
  const expired = ['API_KEY_EXPIRED', 'API_KEY_EXPIRED', 403]
  expect(await answers(key, '198.51.100.1')).toEqual(expired)
})

test('a key works from its networks only, IPv4 and IPv6', async () => {
  const key = await makeKey({ allowedNetworks: ['203.0.113.0/24', '2001:db8:1::/48', '192.0.2.9'] })
  const good = [undefined, undefined, 200]
  const refused = ['API_KEY_NETWORK_NOT_ALLOWED', 'API_KEY_NETWORK_NOT_ALLOWED', 403]
  for (const address of ['203.0.113.77', '2001:db8:1:2::3', '192.0.2.9', '::ffff:203.0.113.5'])
    expect(await answers(key, address), address).toEqual(good)
  for (const address of ['203.0.114.1', '2001:db8:2::1', '192.0.2.10', '::1', 'nonsense'])
    expect(await answers(key, address), address).toEqual(refused)
})

test('the documented errors come before those of expiry and network', async () => {
  const { partnerId } = await world.createPartner()
  const { db } = world.runtime
  const tenant = { partnerId, environment: 'TEST' } as const
  const expiresAt = new Date(now + 1)
  const networks = { expiresAt, allowedNetworks: ['203.0.113.0/24'] }
  const { key } = await createApiKey(world.runtime, { ...tenant, kind: 'PUBLIC', ...networks })
  now += hourMs
  await db.partner.update({ where: { id: partnerId }, data: { closedAt: new Date() } })
  expect((await answers(key, '198.51.100.1'))[0]).toBe('PARTNER_NOT_FOUND')
})

describe('a WebSocket', () => {
  test('from another network is refused', async () => {
    const key = await makeKey({ allowedNetworks: ['203.0.113.0/24'] }, 'SECRET')
    const reason = 'API key may not be used from this network address'
    expect(await watch(key, '198.51.100.1').closed).toMatchObject({ code: 4403, reason })
  })

  test('is closed when its key expires', async () => {
    const networks = { allowedNetworks: ['203.0.113.0/24'] }
    const key = await makeKey({ expiresAt: new Date(now + hourMs), ...networks }, 'SECRET')
    const { closed, connected } = watch(key, '203.0.113.8')
    await connected
    const startedAt = awake()
    now += hourMs
    expect(await closed).toMatchObject({ code: 4403, reason: 'API key has expired' })
    expect(awake() - startedAt).toBeLessThan(5_000)
  })
})

test('an expiry in the past and invalid networks are refused', async () => {
  const create = `mutation ($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { ... on ValidationError { errors { path } } }
  }`
  const fieldsOf = async (input: object) => {
    const by = { bearer: await world.signInAs('OWNER') }
    const { body } = await world.graphql(create, { input: { kind: 'PUBLIC', ...input } }, by)
    return body.data.createApiKey.errors.map(({ path }: { path: string[] }) => path.join('.'))
  }
  const past = new Date(now).toISOString()
  expect(await fieldsOf({ expiresAt: past })).toEqual(['expiresAt'])
  const networks = ['10.0.0.0/8', '10.0.0.0/33', 'example.com']
  expect(await fieldsOf({ allowedNetworks: networks })).toEqual([
    'allowedNetworks.1',
    'allowedNetworks.2',
  ])
  const many = Array.from({ length: 51 }, (_, i) => `10.0.${i}.0/24`)
  expect(await fieldsOf({ allowedNetworks: many })).toEqual(['allowedNetworks'])
})

test.each([
  ['203.0.113.77/24', '203.0.113.0/24'],
  ['203.0.113.77', '203.0.113.77/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::1/32', '2001:db8::/32'],
  ['2001:db8::1', '2001:db8::1/128'],
  ['203.0.113.0/33', null],
  ['203.0.113.0/', null],
  ['203.0.113.0/-1', null],
  ['203.0.113.0/24/1', null],
  ['10/8', null],
  ['0x7f.1', null],
  ['fe80::1%eth0', null],
  ['::ffff:10.0.0.0/104', null],
  ['', null],
])('%s is stored as %s', (text, network) => {
  expect(readNetwork(text)).toBe(network)
  if (network) expect(networkFilter([network])(text.split('/')[0] ?? '')).toBe(true)
})
