/** The pages of `examples/widgets`, built as their authors would and played in a browser under a strict policy. */
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { build, preview } from 'vite'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { launch } from '../e2e/widget-visit.ts'
import { createFolder } from '../folder.ts'
import { createWorld, type World } from '../world.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const examples = join(root, 'examples/widgets')
const widgets = join(root, 'packages/widgets/src/widgets.ts')
const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
}

let world: World
let browser: Browser
beforeAll(async () => {
  world = await createWorld()
  await world.runtime.db.application.updateMany({
    where: { partnerId: world.partner.partnerId },
    data: { userTokens: 'REQUIRED' },
  })
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await world?.runtime.db.application.updateMany({
    where: { partnerId: world.partner.partnerId },
    data: { userTokens: 'OPTIONAL' },
  })
  await world?.end()
})

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.unstubAllEnvs()
})

const askToken = async (userId: string): Promise<string> =>
  (await world.post(`/v1/users/${userId}/token`, world.keys.secret, {})).body.data.token

/** A shop: its files, and what its own server says about the user who is signed in. */
const startShop = async (folder: string, userId: string, change = (text: string) => text) => {
  let tokens = 0
  const answer: RequestListener = async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://shop').pathname
    const sendJson = (body: object) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (path === '/session') return sendJson({ apiKey: world.keys.public, baseUrl: world.base })
    if (path === '/token') {
      tokens++
      const token = await askToken(userId)
      return sendJson({ token: tokens === 1 ? token.slice(0, -4) : token })
    }
    const name = path === '/' ? '/index.html' : path
    try {
      const text = change(readFileSync(join(folder, name), 'utf8'))
      response.setHeader('content-type', types[extname(name)] ?? 'text/plain')
      response.setHeader(
        'content-security-policy',
        `default-src 'none'; script-src 'self'${folder.endsWith('html') ? ` ${world.base}` : ''}; style-src 'self'; connect-src 'self' ${world.base}; base-uri 'none'`,
      )
      response.end(text)
    } catch {
      response.writeHead(404).end()
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { base: `http://127.0.0.1:${port}/`, tokens: () => tokens }
}

const open = async (url: string) => {
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 } })
  page.setDefaultTimeout(20_000)
  ends.push(() => void page.close())
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    const text = `${message.text()} ${message.location().url}`
    if (message.type() === 'error' && !/favicon/.test(text)) faults.push(text)
  })
  await page.goto(url)
  return { page, faults }
}

const lastPlay = async (userId: string): Promise<{ rewardLabel: string }> => {
  const { body } = await world.get(`/v1/users/${userId}/plays`, undefined, {
    'x-api-key': world.keys.public,
    'x-user-token': await askToken(userId),
  })
  return body.data[0]
}

/** A copy beside the packages that an example imports. */
const copyOf = (name: string): string => {
  const cache = join(import.meta.dirname, 'node_modules/.cache/tessera')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'example-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of ['demo-keys.js', 'widgets/server.js', 'widgets/html', `widgets/${name}`])
    cpSync(join(examples, '..', file), join(folder, file), { recursive: true })
  return join(folder, 'widgets', name)
}

const buildExample = async (name: 'react' | 'vue') => {
  const outDir = createFolder(`example-${name}`)
  const root = copyOf(name)
  await build({
    root,
    logLevel: 'error',
    resolve: { alias: { '@tessera/widgets': widgets } },
    build: { outDir, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
  })
  return { outDir, root }
}

test('two lines of HTML are a wheel, and the page hears what it won', async () => {
  await world.givePoints('alice', 2)
  const token = await askToken('alice')
  const { base } = await startShop(join(examples, 'html'), 'alice', (text) =>
    text
      .replace('https://tessera.example.com', world.base)
      .replace(
        'api-key="pk_test_…" user-id="alice" user-token="…"',
        `api-key="${world.keys.public}" user-token="${token}"`,
      ),
  )
  const { page, faults } = await open(base)
  await page.getByRole('button', { name: 'Spin' }).click()
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  const { rewardLabel } = await lastPlay('alice')
  await expect.poll(() => page.locator('#said').textContent()).toContain(rewardLabel)
  expect(faults).toEqual([])
})

/** Others on the leaderboard, whom the user's token does not name. */
beforeAll(async () => {
  for (const name of ['ann', 'ben', 'eve']) await world.givePoints(name, 3)
})

test.each([
  ['react', 'Spin'],
  ['vue', 'Open a box'],
] as const)('%s: the tokens come from the page’s server', async (name, word) => {
  await world.givePoints(name, 2)
  const { base, tokens } = await startShop((await buildExample(name)).outDir, name)
  const { page, faults } = await open(base)
  await page.getByRole('button', { name: word }).click()
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  const { rewardLabel } = await lastPlay(name)
  await expect.poll(() => page.locator('#said').textContent()).toBe(rewardLabel)
  if (name === 'react') expect(await page.locator('.row').count()).toBeGreaterThan(3)
  // The first one was not valid any more.
  expect(tokens()).toBe(2)
  expect(faults.filter((fault) => !/status of 40[13]/.test(fault))).toEqual([])
})

test.each([
  ['react', 'Spin'],
  ['vue', 'Open a box'],
] as const)('%s: its own server says who plays, and why it cannot', async (name, word) => {
  const shopper = `shopper of ${name}`.replaceAll(' ', '-')
  await world.givePoints(shopper, 2)
  const { outDir, root } = await buildExample(name)
  vi.stubEnv('TESSERA_URL', world.base)
  vi.stubEnv('TESSERA_PUBLIC_KEY', world.keys.public)
  vi.stubEnv('TESSERA_SECRET_KEY', world.keys.secret)
  vi.stubEnv('SHOPPER', shopper)
  const server = await preview({
    root,
    logLevel: 'silent',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  })
  ends.push(() => void server.close())
  const { port } = server.httpServer.address() as AddressInfo
  const base = `http://127.0.0.1:${port}/`
  const { page, faults } = await open(base)
  await page.getByRole('button', { name: word }).click()
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  const { rewardLabel } = await lastPlay(shopper)
  await expect.poll(() => page.locator('#said').textContent()).toBe(rewardLabel)
  expect(faults).toEqual([])

  vi.stubEnv('TESSERA_SECRET_KEY', '')
  vi.stubEnv('DATA_DIR', outDir)
  const refused = await fetch(`${base}token`, { method: 'POST' })
  expect(refused.status).toBe(500)
  expect(await refused.json()).toEqual({
    message: 'There is no demo partner yet. Start Tessera: npm start',
  })
})
