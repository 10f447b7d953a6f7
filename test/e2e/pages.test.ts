import { mkdirSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
let browser: Browser

beforeAll(async () => {
  world = await createWorld({ config: { production: false } })
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
})

afterAll(async () => {
  await browser?.close()
  await world?.end()
})

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

/** Opens a page and hands it over with every request it made to another host. */
const open = async (path: string, size: keyof typeof sizes): Promise<[Page, string[]]> => {
  const page = await browser.newPage({ viewport: sizes[size] })
  page.setDefaultTimeout(15_000)
  const foreign: string[] = []
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(world.base))
      foreign.push(request.url())
  })
  await page.goto(world.base + path, { waitUntil: 'load' })
  return [page, foreign]
}

/** Keeps a picture when SCREENSHOTS names a folder. */
const picture = async (page: Page, name: string) => {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

for (const size of ['phone', 'desktop'] as const) {
  test(`the start page has working links, on a ${size}`, async () => {
    const [page, foreign] = await open('/', size)
    await picture(page, `home-${size}`)
    expect(await page.getByRole('link').allTextContents()).toHaveLength(6)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(sizes[size].width)
    await page.getByRole('link', { name: /^REST reference/ }).click()
    await page.getByText('Award points to a user').waitFor()
    await picture(page, `docs-${size}`)
    expect(foreign).toEqual([])
    await page.close()
  })
}

test('an award can be tried out in the REST reference', async () => {
  const [page] = await open('/docs', 'desktop')
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const scheme = page.locator('.auth-container', { hasText: 'x-api-secret' })
  await scheme.getByRole('textbox').fill(world.keys.secret)
  await picture(page, 'docs-authorize')
  await scheme.getByRole('button', { name: /apply/i }).click()
  await page.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByText('Award points to a user').click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page
    .locator('textarea.body-param__text')
    .fill('{"userId":"docs-user","eventType":"signup"}')
  await page.getByRole('button', { name: 'Execute', exact: true }).click()
  await page.getByText('Points awarded successfully').first().waitFor()
  await picture(page, 'docs-award')
  await page.close()
})

test('GraphiQL opens with a working query', async () => {
  const [page, foreign] = await open('/graphql', 'desktop')
  await page.getByRole('button', { name: /execute query/i }).click()
  await page.locator('.result-window', { hasText: 'NEON_WHEEL' }).waitFor()
  await picture(page, 'graphiql-welcome')
  expect(foreign).toEqual([])
  await page.close()
})

test('the same operations run in GraphiQL', async () => {
  const query = `mutation { awardPoints(input: { user: { externalId: "graphiql-user" }, eventType: "signup" }) {
    ... on AwardPointsPayload { user { balance } } ... on Error { code message } } }`
  // The editor closes the string and the object by itself.
  const headers = `{"x-api-secret":"${world.keys.secret}`
  const [page, foreign] = await open(`/graphql?query=${encodeURIComponent(query)}`, 'desktop')
  await page.getByRole('button', { name: 'Headers' }).click()
  await page.locator('.graphiql-editor:visible').last().click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(headers)
  await picture(page, 'graphiql-before')
  await page.getByRole('button', { name: /execute query/i }).click()
  await page.locator('.result-window', { hasText: 'balance' }).waitFor()
  await picture(page, 'graphiql-after')
  expect(foreign).toEqual([])
  await page.close()
})
