/** The files of the console as its build leaves them, and the page at every other path. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mountConsolePage } from '../../src/pages/console-page.ts'
import { createFolder } from '../folder.ts'

const script = 'export const shown = "text that is long enough to be worth compressing"'
const index = `<!doctype html><meta property="csp-nonce" nonce="%CSP_NONCE%">
<script type="module" nonce="%CSP_NONCE%" src="/console/assets/app-abc123.js"></script>`

const serve = async (folder: string) => {
  const app = Fastify()
  const limit = async () => null
  await mountConsolePage(app, { runtime: { log: pino({ level: 'silent' }) }, limit }, folder)
  return app
}

let place: string
let folder: string
let app: FastifyInstance
beforeAll(async () => {
  place = createFolder('console')
  folder = join(place, 'built')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)
  put('index.html', index)
  put('assets/app-abc123.js', script)
  put('assets/app-abc123.js.br', brotliCompressSync(script))
  put('assets/app-abc123.js.gz', gzipSync(script))
  put('icon.svg', '<svg/>')
  app = await serve(folder)
})
afterAll(async () => {
  await app.close()
  rmSync(place, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('a page of the console', () => {
  test.each([
    '/console',
    '/console/',
    '/console/users',
    '/console/users/1/ledger?tab=2',
    '/console/session',
  ])('at %s is the application, with a nonce of its own', async (url) => {
    const [first, second] = [await get(url), await get(url)]
    expect(first.statusCode).toBe(200)
    const [, nonce] = /nonce="([\w+/=]{24})">\n/.exec(first.body) ?? []
    expect(first.body).toBe(index.replaceAll('%CSP_NONCE%', String(nonce)))
    expect(first.headers).toMatchObject({
      'content-security-policy':
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; ` +
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
        "img-src 'self' data:; font-src 'self'; frame-src 'self'; manifest-src 'self'",
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'cache-control': 'no-store',
    })
    expect(second.body).not.toBe(first.body)
  })

  test('has headers for HEAD', async () => {
    const { statusCode, headers, body } = await app.inject({
      method: 'HEAD',
      url: '/console/users',
    })
    expect([statusCode, body, headers['content-type']]).toEqual([
      200,
      '',
      'text/html; charset=utf-8',
    ])
  })
})

describe('a file of the build', () => {
  const asset = '/console/assets/app-abc123.js'

  test.each([
    ['br', 'gzip, deflate, br', brotliCompressSync(script)],
    ['gzip', 'gzip', gzipSync(script)],
    ['gzip', 'br;q=0, *', gzipSync(script)],
    [undefined, 'identity', Buffer.from(script)],
    [undefined, '', Buffer.from(script)],
  ])('is sent as %s to a client that accepts %j', async (encoding, accepted, content) => {
    const { statusCode, headers, rawPayload } = await get(asset, { 'accept-encoding': accepted })
    expect(statusCode).toBe(200)
    expect(headers['content-encoding']).toBe(encoding)
    expect(rawPayload).toEqual(content)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
    })
  })

  test('is revalidated on each request if its name is not hashed', async () => {
    const { headers, body } = await get('/console/icon.svg')
    expect([body, headers['cache-control'], headers['content-type']]).toEqual([
      '<svg/>',
      'no-cache',
      'image/svg+xml',
    ])
    const again = await get('/console/icon.svg', { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('that does not exist is 404, and files outside the build are not served', async () => {
    writeFileSync(join(place, 'secret.txt'), 'hidden words')
    for (const path of [
      '/console/assets/app-old.js',
      '/console/assets/',
      '/console/assets/app-abc123.js.br',
      '/console/assets/../../secret.txt',
      '/console/assets/..%2f..%2fsecret.txt',
      ...[
        '/console/assets/%2e%2e/%2e%2e/secret.txt',
        '/console/assets//etc/passwd',
        '/console/assets/%00',
      ],
    ]) {
      const { statusCode, body } = await get(path)
      expect(body, path).not.toContain('hidden words')
      expect(statusCode, path).toBe(404)
    }
  })
})

test('a console that is not built says how to build it', async () => {
  const empty = await serve(join(place, 'nowhere'))
  const { statusCode, body } = await empty.inject({ url: '/console/users' })
  expect(statusCode).toBe(503)
  expect(body).toContain('npm run pages')
  await empty.close()
})
