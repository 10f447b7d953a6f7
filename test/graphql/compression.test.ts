import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

/** The answer as it comes over the wire. */
const ask = (query: string, headers: Record<string, string>) =>
  new Promise<{ encoding: string | undefined; vary: string; bytes: Buffer }>((resolve, reject) => {
    const sent = request(`${world.base}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-secret': world.keys.secret,
        ...headers,
      },
    })
    sent.on('error', reject).on('response', async (response) => {
      const bytes = Buffer.concat(await response.toArray())
      const { 'content-encoding': encoding, vary = '' } = response.headers
      resolve({ encoding, vary, bytes })
    })
    sent.end(JSON.stringify({ query }))
  })

const large = `{ ${Array.from({ length: 15 }, (_, i) => `a${i}: games { name gameType description }`).join(' ')} }`

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])('a large answer is compressed as %s', async (encoding, open) => {
  const answer = await ask(large, { 'accept-encoding': encoding })
  const plain = await ask(large, {})
  expect([answer.encoding, plain.encoding]).toEqual([encoding, undefined])
  expect(answer.vary).toMatch(/accept-encoding/i)
  expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 3)
  const { data } = JSON.parse(open(answer.bytes).toString())
  expect(data).toEqual(JSON.parse(plain.bytes.toString()).data)
})

test('a small answer is not', async () => {
  expect((await ask('{ games { name } }', { 'accept-encoding': 'br' })).encoding).toBeUndefined()
})

test('an answer of a mutation is not, since it may hold secrets', async () => {
  const award = (i: number) =>
    `a${i}: awardPoints(input: { user: { externalId: "u${i}" }, eventType: "signup" }) { __typename }`
  const many = `mutation { ${Array.from({ length: 15 }, (_, i) => award(i)).join(' ')} }`
  const padded = many.replaceAll(/a(\d+): award/g, `a${'x'.repeat(60)}$1: award`)
  const { encoding, bytes } = await ask(padded, { 'accept-encoding': 'br, gzip' })
  expect(bytes.length).toBeGreaterThan(1_024)
  expect(encoding).toBeUndefined()
})

test('an event stream is not', async () => {
  const accept = 'text/event-stream'
  const { encoding } = await ask(large, { accept, 'accept-encoding': 'br, gzip' })
  expect([undefined, 'none']).toContain(encoding)
})
