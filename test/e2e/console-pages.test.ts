/** The console in a real browser: the sign-in, and each page. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledgerTexts } from '../../console/texts/ledger-texts.ts'
import { pageNames, texts } from '../../console/texts/shell-texts.ts'
import { createMember, password } from '../console/browser.ts'
import { createWorld, type World } from '../world.ts'
import { launchBrowser, patienceMs, watchFaults } from './chromium.ts'
import { settled } from './console-visit.ts'

let world: World
let browser: Browser
let page: Page
let email: string
let faults: string[]

beforeAll(async () => {
  world = await createWorld()
  ;({ email } = await createMember(world))
  browser = await launchBrowser()
  page = await browser.newPage()
  page.setDefaultTimeout(patienceMs)
  faults = watchFaults(page, world.base, /401/)
})
afterAll(async () => {
  await browser?.close()
  await world?.end()
})

test('a page without a session leads to the sign-in and back', async () => {
  await page.goto(`${world.base}/console/test/users`)
  await page.waitForURL(/sign-in/)
  await page.fill('input[type=email]', email)
  await page.fill('input[type=password]', 'not the password')
  await page.click('button[type=submit]')
  await page.getByRole('alert').waitFor()
  await page.fill('input[type=password]', password)
  await page.click('button[type=submit]')
  await page.waitForURL(/\/console\/test\/users/)
  await page.getByRole('heading', { level: 1, name: pageNames.users }).waitFor()
})

test('each page of the navigation opens, violates no policy and sends no request to other hosts', async () => {
  const names = await page.locator('nav a').allTextContents()
  expect(names.length).toBeGreaterThan(20)
  faults.length = 0
  for (const name of names) {
    await page.locator('nav').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await settled(page)
    expect(await page.getByRole('alert').count(), name).toBe(0)
    expect(faults, name).toEqual([])
  }
}, 240_000)

test('the page that is shown is seen in a navigation that is longer than the screen', async () => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await page.goto(`${world.base}/console/test/overview`)
  await page.getByRole('button', { name: texts.account }).click()
  await page.getByRole('menuitem', { name: texts.account }).click()
  await page.getByRole('heading', { level: 1, name: pageNames.account }).waitFor()
  const endOf = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox()) ?? { y: 0, height: 0 }
    return y + height
  }
  await expect
    .poll(async () => (await endOf('nav [aria-current=page]')) < (await endOf('nav')))
    .toBe(true)
  await page.setViewportSize({ width: 1280, height: 720 })
})

test('the ledger is searched by user, event type and direction, and leads to the user', async () => {
  for (const [userId, eventType] of [
    ['ledger-ann', 'signup'],
    ['ledger-ben', 'signup'],
    ['ledger-ben', 'purchase'],
  ])
    await world.post('/v1/points/award', world.keys.secret, { userId, eventType })
  const rows = page.locator('tbody tr')
  await page.goto(`${world.base}/console/test/ledger`)
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByLabel(ledgerTexts.searchUser).fill('ledger-ben')
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('combobox', { name: ledgerTexts.event }).click()
  await page.getByRole('option', { name: 'purchase' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await page.goto(`${world.base}/console/test/ledger?direction=SPENT`)
  await page.getByText(ledgerTexts.pointsHint('90')).waitFor()
  await page.getByText(texts.nothingFound).waitFor()
  await page.goto(`${world.base}/console/test/ledger?direction=RECEIVED&event=purchase`)
  await rows.getByRole('link', { name: 'ledger-ben' }).click()
  await page.waitForURL(/\/console\/test\/users\//)
  expect(faults).toEqual([])
}, 60_000)
