import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
let browser: Browser
let shop: ChildProcess
let shopUrl: string

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, 'localhost', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const startShop = async (port: number, secretKey = world.keys.secret) => {
  const child = spawn(process.execPath, ['examples/shop/shop.js'], {
    env: {
      ...process.env,
      TESSERA_URL: world.base,
      TESSERA_PUBLIC_KEY: world.keys.public,
      TESSERA_SECRET_KEY: secretKey,
      SHOP_PORT: String(port),
    },
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        said += text
        if (said.includes('The shop is open')) resolve()
      })
    child.once('close', () => reject(new Error(said)))
  })
  return child
}

beforeAll(async () => {
  world = await createWorld()
  const port = await freePort()
  shopUrl = `http://localhost:${port}`
  shop = await startShop(port)
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
})
afterAll(async () => {
  await browser?.close()
  shop?.kill('SIGTERM')
  await world?.end()
})

test('says why it does not open', async () => {
  const { port } = new URL(shopUrl)
  await expect(startShop(Number(port))).rejects.toThrow(`Port ${port} is taken`)
  await expect(startShop(await freePort(), 'sk_test_wrong')).rejects.toThrow('Invalid API key')
})

/** Keeps a picture when SCREENSHOTS names a folder. */
const picture = async (page: Page, name: string) => {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.waitForTimeout(500)
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

const balance = async () =>
  (await world.get('/v1/users/sam/balance', world.keys.secret)).body.data.totalPoints

test('a purchase earns points, the wheel takes them, and webhooks tell the store', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(20_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    // The refusal of the cup is one of them.
    if (message.type() === 'error' && !message.text().includes('402')) faults.push(message.text())
  })
  await page.goto(shopUrl)
  await page.getByRole('heading', { name: 'Beans that come by sea.' }).waitFor()
  const bag = (name: string) =>
    page.locator('article', { hasText: name }).getByRole('button', { name: /^Buy/ })

  const shown = (points: number) =>
    page.locator('tessera-balance').getByText(`${points} points`, { exact: true }).waitFor()

  await bag('Tide').click()
  await page.getByText('Thank you for Tide. You have earned 50 points.').waitFor()
  await page.locator('#heard').getByText('sam has earned 50 points').waitFor()
  await bag('Fog').click()
  await expect.poll(balance).toBe(100)
  await shown(100)
  await picture(page, 'shop-bought')

  await page.locator('tessera-wheel').getByRole('button', { name: /spin/i }).click()
  await page.getByText('The wheel says:').waitFor()
  const play = await world.runtime.db.play.findFirstOrThrow()
  const { rewardLabel: label, rewardType, rewardValue } = play
  expect(await page.locator('#said').textContent()).toBe(`The wheel says: ${label}.`)
  await page.locator('#heard').getByText(`sam has played and got: ${label}`).waitFor()
  const left = 50 + (rewardType === 'points' ? rewardValue : 0)
  expect(await balance()).toBe(left)
  await shown(left)
  await picture(page, 'shop-played')

  const cup = page.getByRole('button', { name: 'Get it for 100 points' })
  let points = left
  if (points < 100) {
    await cup.click()
    await page.getByText('That did not work: Insufficient points').waitFor()
  }
  for (; points < 100; points += 50) {
    await bag('Beacon').click()
    await shown(points + 50)
  }
  await cup.click()
  await page.getByText(`The Harbour cup is yours. You have ${points - 100} points left.`).waitFor()
  await shown(points - 100)
  await page.locator('#heard').getByText('sam has spent 100 points').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await picture(page, 'shop-phone')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  expect(faults).toEqual([])
  await page.close()
})

test('nobody but Tessera can tell the store anything', async () => {
  const before = await (await fetch(`${shopUrl}/heard`)).json()
  const forged = await fetch(`${shopUrl}/hook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'webhook-id': 'x', 'webhook-timestamp': '1' },
    body: '{"event":"points.awarded","data":{"userId":"sam","pointsAwarded":1000000}}',
  })
  expect(forged.status).toBe(401)
  expect(await (await fetch(`${shopUrl}/heard`)).json()).toEqual(before)
})

test('without Tessera, the shop says what is missing', async () => {
  const child = spawn(process.execPath, ['examples/shop/shop.js'], {
    env: { ...process.env, TESSERA_URL: 'http://localhost:9', SHOP_PORT: '0' },
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1)
  expect(said).toContain('npm start')
})
