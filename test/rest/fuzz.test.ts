import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { junkJson, junkText, seed } from './junk.ts'

let world: World
type Operation = { method: string; path: string; query: string[]; body: string[]; key: string }
let operations: Operation[]
let credentials: Record<string, string>

/** The operations of the OpenAPI document. */
const operationsOf = (document: Record<string, never>): Operation[] =>
  Object.entries<Record<string, never>>(document.paths ?? {}).flatMap(([path, item]) =>
    // biome-ignore lint/suspicious/noExplicitAny: a document of any shape is looked into
    Object.entries<any>(item).map(([method, { parameters, requestBody, security }]) => ({
      method: method.toUpperCase(),
      path,
      query: parameters
        .map(({ $ref, ...own }: { $ref?: string }) =>
          // biome-ignore lint/suspicious/noExplicitAny: a document of any shape is looked into
          $ref ? (document as any).components.parameters[$ref.split('/').at(-1) as string] : own,
        )
        .filter(({ in: place }: { in?: string }) => place === 'query')
        .map(({ name }: { name: string }) => name),
      body: Object.keys(requestBody?.content['application/json'].schema.properties ?? {}),
      key: credentials[Object.keys(security[0] ?? { anyone: [] })[0] as string] ?? '',
    })),
  )

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 20)
  const { public: publicKey, secret: secretKey } = world.keys
  credentials = { publicKey, secretKey, bearer: await world.signInAs('OPERATOR') }
  operations = operationsOf((await world.get('/openapi.json')).body)
})
afterAll(() => world.end())

/** Text for a URL: encoded where that is possible, otherwise with raw percent signs. */
const encode = (text: string) => {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}

const request = fc.record({
  operation: fc.nat(),
  inPath: junkText.map((text) => encode(text.slice(0, 300))),
  inQuery: fc.array(junkText.map(encode), { minLength: 3, maxLength: 3 }),
  inBody: fc.array(fc.option(junkJson, { nil: undefined }), { minLength: 8, maxLength: 8 }),
  wholeBody: fc.option(fc.oneof(junkJson, fc.constantFrom('{', '[1,', '\ufeff{}')), { freq: 3 }),
  headers: fc.record(
    {
      'content-type': fc.constantFrom(
        'application/json',
        'text/xml',
        'application/json; charset=x',
      ),
      accept: fc.constantFrom('*/*', 'application/problem+json', 'text/html', ';;,'),
      'idempotency-key': fc.constantFrom('a', 'b', ' ', 'x'.repeat(300), '{}'),
      'x-request-id': fc.constantFrom('a', '<b>', 'x'.repeat(300)),
    },
    { requiredKeys: [] },
  ),
})

test(`random input on any route causes no 5xx, and every answer has the envelope (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(request, async (junk) => {
      const { method, path, query, body, key } = operations[
        junk.operation % operations.length
      ] as Operation
      const search = query.map((name, i) => `${name}=${junk.inQuery[i]}`).join('&')
      const url = `${path.replace(/\{\w+\}/g, junk.inPath)}${search && `?${search}`}`
      const fields = Object.fromEntries(body.map((name, i) => [name, junk.inBody[i]]))
      const answer = await world.call(method, url, {
        key,
        headers: junk.headers as Record<string, string>,
        ...(method !== 'GET' && { body: junk.wholeBody ?? fields }),
      })
      expect(answer.status, answer.text).toBeLessThan(500)
      const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json')
      if (!isProblem && answer.status >= 400)
        expect(answer.body.code, answer.text).toBe(answer.status)
      expect(answer.text).not.toMatch(/prisma|postgres|\bat \S+:\d+:\d+|node_modules/i)
    }),
    { numRuns: 300, seed },
  )
})
