import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/kit/config/config.ts'
import { routes } from '../../src/rest/routes.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({
    config: {
      publicUrl: 'https://tessera.example.com',
      securityContact: 'mailto:security@example.com',
    },
  })
  await world.givePoints('ann', 1)
})
afterAll(() => world.end())

const cacheControl = ({ headers }: { headers: Headers }) => headers.get('cache-control')

describe('a client that has an answer', () => {
  const balance = (tag?: string, secret = world.keys.secret) =>
    world.get('/v1/users/ann/balance', secret, { ...(tag && { 'if-none-match': tag }) })

  it('is told that it is current, until it changes', async () => {
    const { status, text, headers } = await balance()
    const tag = headers.get('etag') as string
    expect([status, tag]).toEqual([200, expect.stringMatching(/^W\/"/)])
    expect(headers.get('vary')).toContain('x-api-secret')
    for (const known of [tag, tag.slice(2), `"x", ${tag}`, '*']) {
      const again = await balance(known)
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
    }
    expect((await balance('"x"')).text).toBe(text)
    await world.givePoints('ann', 1)
    expect((await balance(tag)).status).toBe(200)
  })

  it('is refused without a key, as everybody', async () => {
    const tag = (await balance()).headers.get('etag') as string
    expect((await balance(tag, 'sk_test_wrong')).status).toBe(401)
  })

  it('of public data needs no key', async () => {
    const { headers } = await world.get('/v1/arena/games')
    const again = await world.get('/v1/arena/games', undefined, {
      'if-none-match': headers.get('etag') as string,
    })
    expect(again.status).toBe(304)
  })
})

describe('no cache stores', () => {
  it.each(routes)('an error of $method $path', async ({ method, path }) => {
    const answer = await world.call(method, path.replace(/\{\w+\}/g, 'x'))
    if (answer.status >= 400) expect(cacheControl(answer), answer.text).toBe('no-store')
  })

  it('a profile, a balance, tokens, except that of the client', async () => {
    const { keys, get, post } = world
    const profile = await get('/v1/user-journeys/users/ann', keys.public)
    const balance = await get('/v1/users/ann/balance', keys.secret)
    const member = await get('/dashboard/auth/me', await world.signInAs('OWNER'))
    const tokens = await post('/dashboard/auth/login', undefined, {
      email: 'a@b.example',
      password: 'x',
    })
    expect([profile, balance, member, tokens].map(({ status }) => status)).toEqual([
      200, 200, 200, 401,
    ])
    for (const answer of [profile, balance, member])
      expect(cacheControl(answer)).toBe('private, no-cache')
    expect(cacheControl(tokens)).toBe('no-store')
  })

  it('an answer of GraphQL: data, errors, streams', async () => {
    expect(cacheControl(await world.graphql('{ user(by: { externalId: "ann" }) { email } }'))).toBe(
      'no-store',
    )
    expect(
      cacheControl(await world.graphql('{ user(by: { externalId: "ann" }) { email } }', {}, {})),
    ).toBe('no-store')
    expect(cacheControl(await world.graphql('{'))).toBe('no-store')
    const stream = await fetch(`${world.base}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-api-secret': world.keys.secret,
      },
      body: JSON.stringify({ query: 'subscription { eventPublished { uuid } }' }),
    })
    expect([stream.status, cacheControl(stream)]).toEqual([200, 'no-store'])
    await stream.body?.cancel()
  })

  it('but public data may be stored', async () => {
    expect(cacheControl(await world.get('/v1/arena/games'))).toBeNull()
  })
})

describe('a service at an https address', () => {
  it.each(['/', '/livez', '/v1/games', '/v1/nope', '/docs/'])(
    'tells browsers to stay with https: %s',
    async (path) => {
      const { headers } = await world.get(path)
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    },
  )

  it('publishes where vulnerabilities are reported', async () => {
    const { status, headers, text } = await world.get('/.well-known/security.txt')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const [contact, expires, , canonical] = text.split('\n')
    expect(contact).toBe('Contact: mailto:security@example.com')
    expect(canonical).toBe('Canonical: https://tessera.example.com/.well-known/security.txt')
    const days = (Date.parse(String(expires?.slice('Expires: '.length))) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(30)
    expect(days).toBeLessThan(365)
  })
})

describe('a service at an http address', () => {
  let plain: World
  beforeAll(async () => {
    plain = await createWorld()
  })
  afterAll(() => plain.end())

  it('does not require https, and has no security.txt without a contact', async () => {
    expect((await plain.get('/livez')).headers.get('strict-transport-security')).toBeNull()
    expect((await plain.get('/.well-known/security.txt')).status).toBe(404)
  })
})

it('the reference of the API does not keep keys in the browser', async () => {
  const { text } = await world.get('/docs/reference/reference.js')
  expect(text).toContain('persistAuth: false')
})

it.each([
  ['security@example.com', 'mailto:security@example.com'],
  ['https://example.com/security', 'https://example.com/security'],
  ['http://example.com', null],
  ['mailto:a@b.example\nContact: evil', null],
])('SECURITY_CONTACT %j is %j', (text, contact) => {
  const read = () => readConfig({ SECURITY_CONTACT: text }).securityContact
  if (contact) expect(read()).toBe(contact)
  else expect(read).toThrow('SECURITY_CONTACT: must be an e-mail address')
})
