/** The page of the GraphQL guide that a reader saves and opens. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { marked, type Tokens } from 'marked'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/core/config.ts'
import { createWorld, type World } from '../world.ts'

let browser: Browser
let world: World
let folder: string

const { arena } = readConfig({ NODE_ENV: 'test', JOBS: 'off' })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-guide-'))
  world = await createWorld({
    config: { production: false, jobs: true, arena: { ...arena, matchmaker: true } },
  })
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
})
afterAll(async () => {
  await browser?.close()
  await world?.end()
  rmSync(folder, { recursive: true })
})

test('a saved page of the guide shows a live match', async () => {
  const guide = readFileSync(new URL('../../docs/graphql.md', import.meta.url), 'utf8')
  const block = marked
    .lexer(guide)
    .find((token): token is Tokens.Code => token.type === 'code' && /live\.html/.test(token.lang))
  const file = join(folder, 'live.html')
  writeFileSync(file, (block?.text ?? '').replaceAll('http://localhost:4000', world.base))
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } })
  await page.goto(`file://${file}`)
  await page.getByText(/ vs /).waitFor({ timeout: 40_000 })
  await expect.poll(() => page.locator('li').count(), { timeout: 40_000 }).toBeGreaterThan(3)
  expect(await page.locator('pre').textContent()).toMatch(/\S/)
  const pictures = process.env.SCREENSHOTS
  if (pictures) {
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: `${pictures}/guide-live.png` })
  }
}, 120_000)
