/** `@tessera/webhooks` as it is packed: its README, and what it refuses. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headersOf } from '../../../src/kit/security/signature.ts'
import { freePort } from '../../server-process.ts'
import { createWorld, type World } from '../../world.ts'
import {
  bundledBytes,
  createProject,
  examplesOf,
  faultsOf,
  nodes,
  type Project,
} from './project.ts'

const examples = examplesOf('webhooks')
/** Calls a handler of the README that is a module, with a request of the environment. */
const call = `
const { FILE, BODY, HEADERS, TESSERA_WEBHOOK_SECRET } = process.env
const module = await import(FILE)
const request = new Request('http://localhost/hook', { method: 'POST', body: BODY, headers: JSON.parse(HEADERS) })
const { status } = module.POST ? await module.POST(request) : await module.default.fetch(request, { TESSERA_WEBHOOK_SECRET })
console.log(status)`
/** Serves an API route of Next.js. */
const serve = `
import { createServer } from 'node:http'
import handler from './pages/api/hook.js'
createServer(handler).listen(process.env.PORT)`

let project: Project
let world: World
beforeAll(async () => {
  world = await createWorld({ config: { jobs: true, webhookAllowPrivate: true } })
  project = await createProject(['webhooks'], ['express', 'fastify'], examples)
  project.put('call.mjs', call)
  project.put('serve.mjs', serve)
}, 240_000)
afterAll(async () => {
  await world?.end()
  project?.end()
})

test('publint and attw find nothing', async () => {
  expect(await faultsOf('webhooks')).toBe('')
}, 60_000)

test('the examples fit the types', async () => {
  expect(Object.keys(examples).length).toBeGreaterThan(5)
  // Express ships no types.
  expect(await project.check({ 'express.d.ts': "declare module 'express'" })).toBe('')
}, 120_000)

test('the files of Next.js have names that it serves', () => {
  const routes = Object.keys(examples).filter((file) => /^(app|pages)\//.test(file))
  expect(routes).toHaveLength(2)
  // Its default `pageExtensions`; a route.mjs would be answered with 404.
  for (const file of routes) expect(file).toMatch(/\.(tsx|ts|jsx|js)$/)
})

test('the core takes 2 KB at most in a bundle, compressed', async () => {
  const entry = "import { verifyWebhook } from '@tessera/webhooks'\nconsole.log(verifyWebhook)"
  expect(await bundledBytes(project, entry)).toBeLessThan(2 * 1024)
})

/** An event of the server as it would be sent now. */
const signed = (secret: string, { data = '{"userId":"ann"}', type = 'points.awarded' } = {}) => {
  const body = `{"event":"${type}","data":${data},"timestamp":"2026-01-31T12:00:00.000Z"}`
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    body,
    headers: headersOf({ eventId: 'e1', type, body, timestamp, secret, previousSecret: null }),
  }
}
const secretOf = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`
const secret = secretOf('a secret of an endpoint')
const otherSecret = secretOf('another secret')

describe.each(nodes)('with Node.js %s', (version, node) => {
  test.each(['express.mjs', 'fastify.mjs', 'verify.mjs', 'serve.mjs'])(
    'the server of %s takes what Tessera sends, and refuses others',
    async (file) => {
      const port = await freePort()
      const url = `http://localhost:${port}/hook`
      const { body } = await world.post('/v1/webhooks', world.keys.secret, { url, events: ['*'] })
      const server = project.start(node, [file], {
        PORT: String(port),
        TESSERA_WEBHOOK_SECRET: body.data.secret,
      })
      try {
        const forge = (headers = {}) =>
          fetch(url, { method: 'POST', body: '{"event":"test"}', headers }).catch(() => null)
        let forged = await forge()
        for (; !forged; forged = await forge()) await new Promise((go) => setTimeout(go, 50))
        expect(forged.status).toBe(401)
        expect((await forge(signed(otherSecret).headers))?.status).toBe(401)
        await world.givePoints(`${version} user`, 1)
        await server.until({ 'express.mjs': /user has 100 points/ }[file] ?? /points\.awarded/)
        const path = `/v1/webhooks/deliveries?endpointId=${body.data.id}&event=points.awarded`
        const deliveries = async () => (await world.get(path, world.keys.secret)).body.data
        await expect.poll(deliveries).toEqual([expect.objectContaining({ status: 'DELIVERED' })])
      } finally {
        await server.end()
        await world.call('DELETE', `/v1/webhooks/${body.data.id}`, { key: world.keys.secret })
      }
    },
  )

  test.each(['./worker.mjs', './app/hook/route.js'])('the handler of %s', async (file) => {
    const send = ({ body, headers }: ReturnType<typeof signed>) =>
      project.run(node, ['call.mjs'], {
        FILE: file,
        BODY: body,
        HEADERS: JSON.stringify(headers),
        TESSERA_WEBHOOK_SECRET: secret,
      })
    expect(await send(signed(secret))).toBe('points.awarded\n200\n')
    expect(await send(signed(otherSecret))).toMatch(/^401\n/)
  })

  test('the test of the README passes', async () => {
    expect(await project.run(node, ['--test', 'handler.test.mjs'])).toMatch(/pass 1\n.*fail 0/s)
  })
})

describe('verifyWebhook', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the types are checked with the examples
  let sdk: any
  beforeAll(async () => {
    const file = join(project.folder, 'node_modules/@tessera/webhooks/dist/webhooks.js')
    sdk = await import(pathToFileURL(file).href)
  })
  const codeOf = async (body: string, headers: object, options: object = { secret }) =>
    sdk.verifyWebhook(body, headers, options).then(
      () => 'OK',
      (error: { code?: string; name: string }) => error.code ?? error.name,
    )

  test('gives the event with its id, as text and as bytes, from either kind of headers', async () => {
    const { body, headers } = signed(secret)
    const expected = { ...JSON.parse(body), id: 'e1' }
    expect(await sdk.verifyWebhook(body, headers, { secret })).toEqual(expected)
    const bytes = new TextEncoder().encode(body)
    expect(await sdk.verifyWebhook(bytes, new Headers(headers), { secret })).toEqual(expected)
  })

  test('refuses a changed body, id, time or signature', async () => {
    const { body, headers } = signed(secret)
    expect(await codeOf(body.replace('ann', 'bob'), headers)).toBe('WRONG_SIGNATURE')
    for (const [name, value] of [
      ['webhook-id', 'e2'],
      ['webhook-timestamp', String(Number(headers['webhook-timestamp']) + 1)],
      ['webhook-signature', 'v1,AAAA'],
      ['webhook-signature', 'v1,not base64!'],
      ['webhook-signature', `v2,${headers['webhook-signature']?.slice(3)}`],
      ['webhook-signature', 'nonsense'],
    ] as const)
      expect(await codeOf(body, { ...headers, [name]: value }), value).toBe('WRONG_SIGNATURE')
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(await codeOf(body, { ...headers, [name]: undefined })).toBe('MISSING_HEADER')
    expect(await codeOf(body, {})).toBe('MISSING_HEADER')
  })

  test('refuses what was signed too long ago, or is not an event', async () => {
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000)
    const body = signed(secret).body
    for (const [seconds, code] of [
      [-310, 'OLD_TIMESTAMP'],
      [310, 'OLD_TIMESTAMP'],
      [-290, 'OK'],
      [290, 'OK'],
    ] as const) {
      const headers = await sdk.signWebhook(body, { secret, sentAt: at(seconds) })
      expect(await codeOf(body, headers)).toBe(code)
    }
    const old = await sdk.signWebhook(body, { secret, sentAt: at(-60) })
    expect(await codeOf(body, old, { secret, toleranceSeconds: 30 })).toBe('OLD_TIMESTAMP')
    for (const text of ['', 'no JSON', '[]', '{"data":{}}', 'null'])
      expect(await codeOf(text, await sdk.signWebhook(text, { secret }))).toBe('MALFORMED_BODY')
  })

  test('takes both secrets after a rotation, on either side', async () => {
    const newer = otherSecret
    const { body } = signed(secret)
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = headersOf({
      eventId: 'e1',
      type: 'points.awarded',
      body,
      timestamp,
      secret: newer,
      previousSecret: secret,
    })
    for (const one of [secret, newer])
      expect(await codeOf(body, headers, { secret: one })).toBe('OK')
    const list = { secret: [newer, secret] }
    expect(await codeOf(body, signed(secret).headers, list)).toBe('OK')
    expect(await codeOf(body, signed(newer).headers, { secret: [] })).toBe('WRONG_SIGNATURE')
  })

  test.each(['', 'sk_test_1', 'whsec_', 'whsec_*'])('says that %j is no secret', async (wrong) => {
    expect(await codeOf(signed(secret).body, signed(secret).headers, { secret: wrong })).toBe(
      'TypeError',
    )
  })

  test('signs what the library of Standard Webhooks verifies', async () => {
    const { Webhook } = await import('standardwebhooks')
    const { body } = signed(secret)
    const headers = await sdk.signWebhook(body, { secret, id: 'e9' })
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  })
})

describe('a handler', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the types are checked with the examples
  let createFetchHandler: any
  beforeAll(async () => {
    const file = join(project.folder, 'node_modules/@tessera/webhooks/dist/fetch.js')
    ;({ createFetchHandler } = await import(pathToFileURL(file).href))
  })

  test('answers 500 when onEvent throws, 413 to a large body, 405 to GET', async () => {
    const errors: unknown[] = []
    const handler = createFetchHandler({
      secret,
      onEvent: () => Promise.reject(new Error('no database')),
      onError: (error: unknown) => errors.push(error),
    })
    const { body, headers } = signed(secret)
    const post = (text: string) =>
      handler(new Request('http://localhost/', { method: 'POST', body: text, headers }))
    expect((await post(body)).status).toBe(500)
    expect(String(errors)).toBe('Error: no database')
    expect((await post('x'.repeat(2 * 1024 * 1024))).status).toBe(413)
    expect((await handler(new Request('http://localhost/'))).status).toBe(405)
  })

  test('of Express says what is wrong when a parser has read the body before', async () => {
    const file = join(project.folder, 'node_modules/@tessera/webhooks/dist/express.js')
    const { createExpressHandler } = await import(pathToFileURL(file).href)
    const handler = createExpressHandler({ secret, onEvent: () => {} })
    const request = { method: 'POST', headers: {}, body: {}, readableEnded: true }
    const error = await new Promise<Error>((next) => handler(request, {}, next))
    expect(error.message).toMatch(/before express\.json\(\)/)
  })
})
