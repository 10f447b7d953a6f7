/** The page of the GraphQL guide that a reader saves and opens. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { marked, type Tokens } from 'marked'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/kit/config/config.ts'
import { createWorld, type World } from '../world.ts'
import { launchBrowser, picture } from './chromium.ts'

let browser: Browser
let world: World
let folder: string

const { arena } = readConfig({ NODE_ENV: 'test', JOBS: 'off' })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-guide-'))
  world = await createWorld({
    config: { production: false, jobs: true, arena: { ...arena, matchmaker: true } },
  })
  browser = await launchBrowser()
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
  const isLive = async () => {
    await page.goto(`file://${file}`)
    await page.getByText(/ vs /).waitFor({ timeout: 40_000 })
    return page.locator('li').nth(3).waitFor({ timeout: 20_000 })
  }
  // The match that it finds may be at its end.
  await isLive().catch(isLive).catch(isLive)
  expect(await page.locator('pre').textContent()).toMatch(/\S/)
  await picture(page, 'guide-live')
}, 240_000)
