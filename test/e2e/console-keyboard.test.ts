/** Addresses, back and forward, the keyboard, and a table of 100,000 users. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysTexts } from '../../console/texts/keys-texts.ts'
import { pageNames, texts } from '../../console/texts/shell-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import { makeLottery } from '../lotteries/lottery.ts'
import { type Console, createConsole, settled } from './console-visit.ts'

const many = 100_000

let visits: Console
beforeAll(async () => {
  visits = await createConsole({})
  const { world } = visits
  await world.server.database.pool.query({
    text: `INSERT INTO end_user (id, partner_id, environment, external_id, display_name, score_reached_at,
        balance, lifetime_points, entries)
      SELECT gen_random_uuid(), $1::uuid, 'TEST', 'many-' || n, 'Person ' || n, now(), 0, 0, 0
      FROM generate_series(1, $2::int) n`,
    values: [world.partner.partnerId, many],
  })
  await world.givePoints('newest', 1)
  const { text } = await world.graphql(
    `mutation {
      createCampaign(input: { slug: "autumn-leaves", name: "Autumn leaves" }) { __typename }
      createReward(input: { name: "Harvest badge", kind: BADGE }) { __typename }
      createSegment(input: { name: "Friends of the orchard", country: "FI" }) { __typename }
      createCodeBatch(input: { campaign: { slug: "autumn-leaves" }, codeCount: 1, points: 1,
        label: "Orchard leaflets" }) { __typename }
      createGoal(input: { slug: "five-apples", name: "Apple picker", window: EVER, repeat: ONCE,
        tasks: [{ target: 5, measure: { facts: [ACTIVITY] } }] }) { __typename } }`,
    {},
    world.keys,
  )
  expect(text).not.toContain('Error')
  await makeLottery(world, { name: 'Orchard draw' })
}, 600_000)
afterAll(() => visits?.end())

const rows = (page: Page) => page.getByRole('table', { name: usersTexts.title }).getByRole('link')
const turn = async (page: Page, label: string) => {
  const first = await rows(page).first().textContent()
  await page.getByRole('button', { name: label, exact: true }).click()
  await expect.poll(() => rows(page).first().textContent()).not.toBe(first)
}

test('100,000 users are paged from both ends, and each page has an address', async () => {
  const { page } = await visits.visit('test/users')
  await turn(page, texts.last)
  const last = await rows(page).allTextContents()
  expect(last).toHaveLength(25)
  await turn(page, texts.previous)
  const shown = await rows(page).allTextContents()
  expect(shown).not.toEqual(last)
  await page.reload()
  await settled(page)
  expect(await rows(page).allTextContents()).toEqual(shown)
  await turn(page, texts.next)
  expect(await rows(page).allTextContents()).toEqual(last)
  await page.goBack()
  await expect.poll(() => rows(page).allTextContents()).toEqual(shown)
  await page.goForward()
  await expect.poll(() => rows(page).allTextContents()).toEqual(last)
  await page.context().close()
})

test('a search is in the address, and "back" returns from the user to the results', async () => {
  const { page } = await visits.visit('test/users')
  await page.keyboard.press('/')
  await page.keyboard.type('many-9999')
  await expect.poll(() => rows(page).count()).toBe(11)
  expect(page.url()).toContain('search=many-9999')
  await page.getByRole('link', { name: 'Person 99991' }).click()
  await page.getByRole('tab', { name: usersTexts.tabs.plays }).click()
  await page.waitForURL(/tab=plays/)
  await page.goBack()
  await page.goBack()
  await expect.poll(() => rows(page).count()).toBe(11)
  expect(await page.getByRole('searchbox').inputValue()).toBe('many-9999')
  await page.goForward()
  await page.getByRole('heading', { level: 1, name: 'Person 99991' }).waitFor()
  await page.context().close()
})

test('the palette finds pages, users and other objects by name', async () => {
  const { page, picture } = await visits.visit('test/overview')
  const found = (name: RegExp) => page.getByRole('dialog').getByRole('button', { name })
  const look = async (typed: string, name: RegExp) => {
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').getByRole('textbox').fill(typed)
    await found(name).first().waitFor()
  }
  await look('api k', /^API keys/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: keysTexts.title }).waitFor()
  await look('Person 77777', /^Person 77777/)
  await found(/^Person 77777/).click()
  await page.getByRole('heading', { level: 1, name: 'Person 77777' }).waitFor()
  await look('autumn', /^Autumn leaves/)
  await found(/^Autumn leaves/).click()
  await page.getByRole('heading', { level: 1, name: 'Autumn leaves' }).waitFor()
  await look('five-app', /^Apple picker/)
  await picture('palette-goal')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Apple picker' }).waitFor()
  await look('harvest', /^Harvest badge/)
  await found(/^Harvest badge/).click()
  await page.getByRole('heading', { level: 1, name: 'Harvest badge' }).waitFor()
  await look('orchard', /^Orchard draw/)
  await found(/^Friends of the orchard/).waitFor()
  await picture('palette-several')
  await found(/^Orchard leaflets/).click()
  await page.getByRole('heading', { level: 1, name: 'Orchard leaflets' }).waitFor()
  await page.context().close()
})

test('Enter in the palette opens the first match: a page before results arrive, otherwise the first result', async () => {
  const { page, arrived } = await visits.visit('test/users')
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const isQuery = (url: URL) => url.pathname === '/graphql'
  await page.route(isQuery, async (route) => {
    await held
    await route.continue()
  })
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog').locator('input:focus').waitFor()
  await page.keyboard.type('camp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/test\/campaigns$/)
  answer()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog').locator('input:focus').waitFor()
  await page.keyboard.type('Person 4242')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Person 4242/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await arrived('Person 4242')
  await page.context().close()
})

test('the slash key focuses the search field of the page, or opens the palette if there is none', async () => {
  const { page } = await visits.visit('test/users')
  await page.keyboard.press('/')
  expect(await page.evaluate('document.activeElement.type')).toBe('search')
  await page.locator('nav').getByRole('link', { name: pageNames.overview }).click()
  await page.getByRole('heading', { level: 1, name: pageNames.overview }).waitFor()
  await page.keyboard.press('/')
  await page.getByRole('dialog').getByPlaceholder(texts.searchPlaceholder).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.context().close()
})

test('the first Tab of a page skips the navigation', async () => {
  const { page } = await visits.visit('test/users')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#content/)
  await page.context().close()
})
