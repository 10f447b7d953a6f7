/** The keys with which partners sign tokens of users: registered, or published at an address (JWKS). */
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { createRemoteJWKSet, customFetch, type JSONWebKeySet, type JWK } from 'jose'
import { LRUCache } from 'lru-cache'
import { createOutgoingClient, type OutgoingClient } from '../kit/http/outgoing-client.ts'
import type { Runtime } from '../kit/runtime.ts'
import { singleton } from '../kit/singleton.ts'
import { jsonObject } from '../kit/validation.ts'

export type Jwks = JSONWebKeySet

/** The signature algorithms that partners may use. All are asymmetric, so a public key is never used as a secret. */
export const signatures = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

const maxKeys = 10
const minRsaBits = 2048
const curves = ['prime256v1', 'secp384r1', 'secp521r1']

const publicParts = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg', 'use', 'key_ops']
const privateParts = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** Why a key cannot be registered; null if it can. */
const faultOf = (key: unknown): string | null => {
  if (typeof key !== 'object' || key === null) return 'must be a public key'
  const { alg } = key as JWK
  if (privateParts.some((part) => part in key)) return 'must not contain a secret or private key'
  if (alg !== undefined && !signatures.includes(alg))
    return `must have one of ${signatures.join(', ')} as alg`
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
      key: key as JsonWebKey,
      format: 'jwk',
    })
    const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {}
    if (asymmetricKeyType === 'rsa')
      return modulusLength < minRsaBits ? `must have ${minRsaBits} bits at least` : null
    if (asymmetricKeyType === 'ed25519' || curves.includes(namedCurve)) return null
  } catch {}
  return 'is not a key that can be used'
}

/** Public keys as a JWKS. All other fields are removed. */
export const PublicKeys = () =>
  jsonObject().superRefine(({ keys }, ctx) => {
    if (!Array.isArray(keys) || keys.length === 0 || keys.length > maxKeys)
      return ctx.addIssue(`must be a JWKS with 1 to ${maxKeys} keys`)
    keys.forEach((key, i) => {
      const message = faultOf(key)
      if (message) ctx.addIssue({ code: 'custom', path: ['keys', i], message })
    })
  })

/** The public keys of a validated JWKS, without other fields. */
export const publicKeysOf = ({
  keys,
}: Record<string, unknown>): { keys: Record<string, string>[] } => ({
  keys: (keys as object[]).map((key) =>
    Object.fromEntries(Object.entries(key).filter(([part]) => publicParts.includes(part))),
  ),
})

/** The time limit for fetching keys, from the DNS lookup to the end of the response. */
const timeoutMs = 5_000
const maxBytes = 64 * 1024
/** The cooldown before missing keys are fetched again, so that no caller can make this server fetch continuously. */
const cooldownMs = 30_000
/** How long keys are cached. Keys that are no longer published may be accepted this long. */
const freshMs = 600_000

const readBounded = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > maxBytes) throw new Error('the answer is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Fetches the keys of an address with the restrictions of deliveries: only public addresses, no redirects. */
const createFetch = (client: OutgoingClient) => {
  let failedAt = Number.NEGATIVE_INFINITY
  return async (address: string, { signal }: { signal: AbortSignal }): Promise<Response> => {
    if (performance.now() - failedAt < cooldownMs) throw new Error('the address failed just now')
    try {
      const headers = { accept: 'application/jwk-set+json, application/json' }
      const { statusCode, body } = await client.request(address, { headers, signal })
      const text = await readBounded(body as AsyncIterable<Buffer>)
      if (statusCode !== 200) throw new Error(`the address answered ${statusCode}`)
      const found = JSON.parse(text)
      if (!Array.isArray(found?.keys)) throw new Error('the address has no JWKS')
      return Response.json(found)
    } catch (error) {
      failedAt = performance.now()
      throw error
    }
  }
}

type Published = ReturnType<typeof createRemoteJWKSet>

const publishedOf = singleton('published keys of partners', ({ config }: Runtime) => ({
  client: createOutgoingClient(config, { connectMs: timeoutMs, keepAliveTimeout: 1_000 }),
  sets: new LRUCache<string, Published>({ max: 1_000 }),
}))

/** The keys that are published at an address. They are cached, and fetched again when a key is missing. */
export const publishedKeys = (runtime: Runtime, address: string): Published => {
  const { client, sets } = publishedOf(runtime)
  let keys = sets.get(address)
  if (!keys) {
    keys = createRemoteJWKSet(new URL(address), {
      timeoutDuration: timeoutMs,
      cooldownDuration: cooldownMs,
      cacheMaxAge: freshMs,
      [customFetch]: createFetch(client),
    })
    sets.set(address, keys)
  }
  return keys
}
