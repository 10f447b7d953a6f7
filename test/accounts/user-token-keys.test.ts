/** Tokens that partners sign themselves, with keys that they register or publish. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { partOf, tokenCalls } from './user-token-calls.ts'

let world: World
let call: ReturnType<typeof tokenCalls>
/** A server of the partner, and what it answers. */
const server = createServer((_, response) => {
  requested++
  const { status, body, headers } = answer
  response.writeHead(status, headers).end(body)
})
let requested = 0
let answer: { status: number; body: string; headers?: Record<string, string> }
const addressOf = (path: string) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`

beforeAll(async () => {
  world = await createWorld({ config: { webhookAllowPrivate: true } })
  call = tokenCalls(world)
  await world.givePoints('ann', 1)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  requested = 0
})
afterAll(async () => {
  server.close()
  await world.end()
})

const pairOf = (alg: string) => {
  if (alg === 'EdDSA') return generateKeyPairSync('ed25519')
  if (alg.startsWith('ES'))
    return generateKeyPairSync('ec', {
      namedCurve: { ES256: 'P-256', ES384: 'P-384' }[alg] ?? 'P-521',
    })
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}
const jwkOf = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid })

/** The status of a read with a token and a key that sees the current state of the application. */
const statusWith = async (token: string, userId = 'ann') =>
  (await call.balance(userId, await call.freshKey(), token)).status

describe('a registered key', () => {
  it.each(['RS256', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'with the algorithm %s is accepted',
    async (alg) => {
      const { privateKey, publicKey } = pairOf(alg)
      const other = pairOf(alg)
      const keys = [jwkOf(other.publicKey, 'older'), { ...jwkOf(publicKey, 'newer'), comment: 'x' }]
      const { application } = await call.setUp({ userTokenSigner: { jwks: { keys } } })
      expect(application.userTokenSigner.jwks.keys[1]).toEqual(jwkOf(publicKey, 'newer'))
      const sign = (by: KeyObject, kid: string, claims = {}) => call.sign(by, { alg, kid }, claims)
      expect(await statusWith(await sign(privateKey, 'newer'))).toBe(200)
      expect(await statusWith(await sign(other.privateKey, 'older'))).toBe(200)
      expect(await statusWith(await sign(other.privateKey, 'newer'))).toBe(401)
      expect(await statusWith(await sign(privateKey, 'newer'), 'ben')).toBe(403)
      expect(await statusWith(await sign(privateKey, 'newer', { aud: 'tessera' }))).toBe(401)
      const live = { aud: call.audience.replace('test', 'live') }
      expect(await statusWith(await sign(privateKey, 'newer', live))).toBe(401)
    },
  )

  it('is never used as a secret, and `none` is not accepted as a signature', async () => {
    const { privateKey, publicKey } = pairOf('RS256')
    await call.setUp({ userTokenSigner: { jwks: { keys: [jwkOf(publicKey, 'one')] } } })
    const pem = publicKey.export({ type: 'spki', format: 'pem' })
    const secrets = [Buffer.from(pem), Buffer.from(JSON.stringify(jwkOf(publicKey, 'one')))]
    for (const secret of secrets)
      for (const kid of ['one', '1'])
        expect(await statusWith(await call.sign(secret, { alg: 'HS256', kid }))).toBe(401)
    const [, claims, signature] = (await call.sign(privateKey, { alg: 'RS256', kid: 'one' })).split(
      '.',
    )
    for (const end of ['', signature])
      expect(await statusWith(`${partOf({ alg: 'none', kid: 'one' })}.${claims}.${end}`)).toBe(401)
  })

  it('limits its tokens to a day, and to the scopes that they name', async () => {
    const { privateKey, publicKey } = pairOf('EdDSA')
    await call.setUp({ userTokenSigner: { jwks: { keys: [jwkOf(publicKey, 'one')] } } })
    const sign = (claims: object) => call.sign(privateKey, { alg: 'EdDSA', kid: 'one' }, claims)
    const now = Math.floor(Date.now() / 1000)
    expect(await statusWith(await sign({ iat: now - 86_500, exp: now + 60 }))).toBe(401)
    expect(await statusWith(await sign({ exp: now + 10 * 86_400 }))).toBe(200)
    expect(await statusWith(await sign({ scope: 'PLAY' }))).toBe(403)
    expect(await statusWith(await sign({ scope: 'openid READ' }))).toBe(200)
  })

  it('of another application or partner is not accepted', async () => {
    const { privateKey, publicKey } = pairOf('ES256')
    await call.setUp({ userTokenSigner: { jwks: { keys: [jwkOf(publicKey, 'one')] } } })
    const other = await world.createPartner()
    const aud = `tessera:test:${other.partnerId}`
    const token = await call.sign(privateKey, { alg: 'ES256', kid: 'one' }, { aud })
    expect((await call.balance('ann', other.test.public, token)).status).toBe(401)
  })

  it('signs tokens that are revoked together with all others of the user', async () => {
    const { privateKey, publicKey } = pairOf('ES256')
    await call.setUp({ userTokenSigner: { jwks: { keys: [jwkOf(publicKey, 'one')] } } })
    const token = await call.sign(privateKey, { alg: 'ES256', kid: 'one' }, { sub: 'ben' })
    expect(await statusWith(token, 'ben')).toBe(404)
    await world.post('/v1/users/ben/token/revoke', world.keys.secret)
    expect(await statusWith(token, 'ben')).toBe(401)
  })

  it('is refused if it is secret, weak, unknown or one too many', async () => {
    const { privateKey, publicKey } = pairOf('RS256')
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    const odd = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey
    const good = jwkOf(publicKey, 'one')
    for (const keys of [
      [jwkOf(privateKey, 'one')],
      [{ kty: 'oct', k: 'c2VjcmV0' }],
      [jwkOf(weak, 'one')],
      [jwkOf(odd, 'one')],
      [{ kty: 'RSA' }],
      [{ ...good, alg: 'HS256' }],
      ['text'],
      [null],
      [],
      'none',
      Array.from({ length: 11 }, () => good),
    ]) {
      const { errors } = await call.setUp({ userTokenSigner: { jwks: { keys } } })
      expect(errors, JSON.stringify(keys)).toHaveLength(1)
      expect(errors[0].path.slice(0, 2)).toEqual(['userTokenSigner', 'jwks'])
    }
  })
})

describe('a JWKS address', () => {
  const publish = (keys: object[]) => {
    answer = { status: 200, body: JSON.stringify({ keys }) }
  }

  it('is fetched once, and again only after a while', async () => {
    const { privateKey, publicKey } = pairOf('ES256')
    publish([jwkOf(publicKey, 'one')])
    const set = await call.setUp({ userTokenSigner: { jwksUrl: addressOf('good') } })
    expect(set.application.userTokenSigner).toEqual({ jwksUrl: addressOf('good'), jwks: null })
    const good = await call.sign(privateKey, { alg: 'ES256', kid: 'one' })
    const codes = await Promise.all(Array.from({ length: 20 }, () => statusWith(good)))
    expect(new Set(codes)).toEqual(new Set([200]))
    const unknown = await call.sign(privateKey, { alg: 'ES256', kid: 'two' })
    expect(await Promise.all([1, 2, 3].map(() => statusWith(unknown)))).toEqual([401, 401, 401])
    expect(requested).toBe(1)
  })

  it.each([
    ['fails', { status: 500, body: '{}' }],
    ['is too large', { status: 200, body: `{"keys":[],"x":"${'x'.repeat(70_000)}"}` }],
    ['is no JSON', { status: 200, body: 'keys' }],
    ['is no JWKS', { status: 200, body: '{"keys": 5}' }],
    ['redirects', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
  ])('that %s makes its tokens count for nothing, and is left in peace', async (name, given) => {
    answer = given
    await call.setUp({ userTokenSigner: { jwksUrl: addressOf(encodeURIComponent(name)) } })
    const { privateKey } = pairOf('ES256')
    const token = await call.sign(privateKey, { alg: 'ES256', kid: 'one' })
    for (let i = 0; i < 5; i++) expect(await statusWith(token)).toBe(401)
    expect(requested).toBe(1)
  })

  it('replaces registered keys, and is replaced by them', async () => {
    const keys = [jwkOf(pairOf('ES256').publicKey, 'one')]
    const jwksUrl = addressOf('good')
    const both = await call.setUp({ userTokenSigner: { jwksUrl, jwks: { keys } } })
    expect(both.errors[0].message).toContain('Exactly one key must be specified')
    await call.setUp({ userTokenSigner: { jwksUrl } })
    const replaced = await call.setUp({ userTokenSigner: { jwks: { keys } } })
    expect(replaced.application.userTokenSigner).toEqual({ jwksUrl: null, jwks: { keys } })
    const again = await call.setUp({ userTokenSigner: { jwksUrl } })
    expect(again.application.userTokenSigner).toEqual({ jwksUrl, jwks: null })
    const removed = await call.setUp({ userTokenSigner: null })
    expect(removed.application.userTokenSigner).toBeNull()
  })
})

it('an address that is not public is neither registered nor fetched', async () => {
  const strict = await createWorld()
  try {
    const calls = tokenCalls(strict)
    for (const jwksUrl of [
      addressOf('x'),
      'https://127.0.0.1/x',
      'https://localhost/x',
      'https://[::1]/x',
      'https://10.0.0.1/x',
      'https://169.254.169.254/x',
      'http://8.8.8.8/x',
      'https://user:pass@8.8.8.8/x',
      'ftp://8.8.8.8/x',
    ]) {
      const { errors } = await calls.setUp({ userTokenSigner: { jwksUrl } })
      expect(errors[0].path, jwksUrl).toEqual(['userTokenSigner', 'jwksUrl'])
    }
    // As if the check at registration had been passed.
    await strict.runtime.db.application.update({
      where: { id: strict.partner.applicationId },
      data: { userTokenJwksUrl: addressOf('private') },
    })
    const { privateKey, publicKey } = pairOf('ES256')
    answer = { status: 200, body: JSON.stringify({ keys: [jwkOf(publicKey, 'one')] }) }
    const token = await calls.sign(privateKey, { alg: 'ES256', kid: 'one' })
    expect((await calls.balance('ann', await calls.freshKey(), token)).status).toBe(401)
    expect(requested).toBe(0)
  } finally {
    await strict.end()
  }
})
