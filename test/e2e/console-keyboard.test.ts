/** Addresses, back and forward, the keyboard, and a table of 100,000 users. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentsTexts } from '../../console/texts/agents-texts.ts'
import { applicationsTexts } from '../../console/texts/applications-texts.ts'
import { arenaGamesTexts } from '../../console/texts/arena-games-texts.ts'
import { campaignsTexts } from '../../console/texts/campaigns-texts.ts'
import { codesTexts } from '../../console/texts/codes-texts.ts'
import { exportsTexts } from '../../console/texts/exports-texts.ts'
import { goalsTexts } from '../../console/texts/goals-texts.ts'
import { keysTexts } from '../../console/texts/keys-texts.ts'
import { lotteriesTexts } from '../../console/texts/lotteries-texts.ts'
import { keyTexts, paletteTexts } from '../../console/texts/palette-texts.ts'
import { partnersTexts } from '../../console/texts/partners-texts.ts'
import { rewardsTexts } from '../../console/texts/rewards-texts.ts'
import { segmentsTexts } from '../../console/texts/segments-texts.ts'
import { pageNames, texts } from '../../console/texts/shell-texts.ts'
import { teamTexts } from '../../console/texts/team-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import { webhooksTexts } from '../../console/texts/webhooks-texts.ts'
import { makeLottery } from '../lotteries/lottery.ts'
import { type Console, createConsole, settled } from './console-visit.ts'

const many = 100_000

let visits: Console
let lottery: Awaited<ReturnType<typeof makeLottery>>
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
  lottery = await makeLottery(world, { name: 'Orchard draw' })
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
  await look('Person 77777', /^Person 77777/)
  await look('autumn', /^Autumn leaves/)
  expect(await found(/^Person/).count(), 'results of the search before').toBe(0)
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

test('the palette finds draws, tickets, codes, offer rules, endpoints, keys, members and settings', async () => {
  const { page, picture, email } = await visits.visit('test/overview')
  const { world } = visits
  const run = async (query: string) => (await world.graphql(query, {}, world.keys)).body.data
  const { lotteries, codes } = await run(`mutation {
    lotteries: enterLottery(input: { lottery: { slug: "${lottery.slug}" }, user: { externalId: "newest" },
      email: "newest@example.com" }) { ... on EnterLotteryPayload { lotteryTicket { ticketRef } } }
    codes: createCodeBatch(input: { campaign: { slug: "autumn-leaves" }, codeCount: 1, points: 1,
      label: "Pear leaflets" }) { ... on CreateCodeBatchPayload { codes } }
    setOfferRule(input: { stage: NEW, offerType: WELCOME_BONUS, title: "Basket of plums" }) { __typename }
    createWebhookEndpoint(input: { url: "https://8.8.8.8/plums", eventNames: ["*"] }) { __typename } }`)
  const dialog = page.getByRole('dialog')
  const look = async (typed: string, name: RegExp) => {
    await page.keyboard.press('Control+K')
    await dialog.getByRole('textbox').fill(typed)
    await dialog.getByRole('button', { name }).first().waitFor()
  }
  const go = (name: RegExp) => dialog.getByRole('button', { name }).first().click()
  const { ticketRef } = lotteries.lotteryTicket
  const draw = paletteTexts.draw('Orchard draw', 1)
  await look('orchard draw 1', new RegExp(`^${draw}`))
  await picture('palette-draw')
  await go(new RegExp(`^${draw}`))
  await page.getByRole('heading', { level: 2, name: lotteriesTexts.drawName(1) }).waitFor()
  await look(ticketRef.toLowerCase(), new RegExp(`^${ticketRef}`))
  await page.keyboard.press('Escape')
  const [code] = codes.codes
  const ofCode = new RegExp(`^${paletteTexts.code('Pear leaflets')}`)
  await look(code.replace('-', ' '), ofCode)
  expect(await dialog.getByRole('button', { name: /^Find users/ }).count()).toBe(0)
  await picture('palette-code')
  await go(ofCode)
  await page.getByRole('heading', { level: 1, name: 'Pear leaflets' }).waitFor()
  expect(page.url()).not.toContain(code.slice(-8))
  await look('plums', /^8\.8\.8\.8\/plums/)
  await dialog.getByRole('button', { name: /^Basket of plums/ }).waitFor()
  await page.keyboard.press('Escape')
  const { apiKeys } = await run('{ apiKeys(first: 1) { nodes { lastFour } } }')
  const ofKey = new RegExp(paletteTexts.key(apiKeys.nodes[0].lastFour))
  await look(apiKeys.nodes[0].lastFour, ofKey)
  await page.keyboard.press('Escape')
  await look(email, new RegExp(`^${email}`))
  await page.keyboard.press('Escape')
  await look('two-factor', new RegExp(`^${paletteTexts.places.secondFactor[0]}`))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: pageNames.account }).waitFor()
  await page.context().close()
})

test('the palette shows what the role may see and do', async () => {
  const { page } = await visits.visit('test/overview', 'ANALYST')
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('Control+K')
  await dialog.getByRole('textbox').fill('new')
  await dialog.getByRole('button', { name: paletteTexts.create.exports }).waitFor()
  expect(await dialog.getByRole('button', { name: /^(Create|Invite|Add)/ }).count()).toBe(0)
  await dialog.getByRole('textbox').fill('autumn')
  await dialog.getByRole('button', { name: /^Autumn leaves/ }).waitFor()
  await page.context().close()
})

/** The pages that a created object is opened on, with the title of the dialog. */
const creations = [
  ['campaigns', campaignsTexts.create],
  ['goals', goalsTexts.create],
  ['rewards', rewardsTexts.create],
  ['lotteries', lotteriesTexts.create],
  ['segments', segmentsTexts.create],
  ['codes', codesTexts.create],
  ['webhooks', webhooksTexts.create],
  ['keys', keysTexts.create],
  ['exports', exportsTexts.start],
  ['team', teamTexts.inviteTitle],
  ['applications', applicationsTexts.create],
  ['agents', agentsTexts.create],
  ['arena-games', arenaGamesTexts.submit],
  ['partners', partnersTexts.create],
] as const

test('the palette opens the dialog of each new object once, and the address forgets it', async () => {
  const { page } = await visits.visit('live/account', 'OPERATOR')
  // Codes need a campaign.
  await visits.world.graphql(
    'mutation { createCampaign(input: { slug: "for-codes", name: "For codes" }) { __typename } }',
    {},
    visits.world.partner.live,
  )
  for (const [name, title] of creations) {
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').getByRole('textbox').fill(paletteTexts.create[name])
    await page
      .getByRole('dialog')
      .getByRole('button', { name: paletteTexts.create[name], exact: true })
      .click()
    const opened = page.getByRole('dialog', { name: title, exact: true })
    await opened.waitFor()
    expect(await opened.count(), name).toBe(1)
    if (name !== 'keys') await expect.poll(() => page.url()).not.toContain('create')
    await opened.getByRole('button', { name: texts.cancel }).click()
    await opened.waitFor({ state: 'detached' })
    await page.reload()
    await settled(page)
    expect(await page.getByRole('dialog').count(), name).toBe(0)
  }
  await page.context().close()
})

test('the palette switches to Live and to dark, and shows the keys, as the question mark does', async () => {
  const { page, picture } = await visits.visit('test/users')
  const dialog = page.getByRole('dialog')
  const choose = async (label: string) => {
    await page.keyboard.press('Control+K')
    await dialog.getByRole('textbox').fill(label)
    await dialog.getByRole('button', { name: label, exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: texts.search }).waitFor({ state: 'detached' })
  }
  await choose(paletteTexts.toLive)
  await page.waitForURL(/live\/users/)
  await choose(paletteTexts.dark)
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await choose(paletteTexts.light)
  await page.locator('html[data-mantine-color-scheme=light]').waitFor()
  await choose(paletteTexts.keys)
  const keys = page.getByRole('dialog', { name: keyTexts.title })
  await keys.getByText(keyTexts.search).waitFor()
  await picture('keys')
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await keys.waitFor()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.getByRole('searchbox').fill('')
  await page.keyboard.type('who?')
  expect(await page.getByRole('searchbox').inputValue()).toBe('who?')
  expect(await keys.count()).toBe(0)
  await page.context().close()
})

test('the page of an object says where it is, and leads back, on a phone too', async () => {
  const { page, picture } = await visits.visit('test/campaigns')
  const where = page.getByRole('navigation', { name: texts.breadcrumbs })
  expect(await where.count()).toBe(0)
  await page.getByRole('link', { name: 'Autumn leaves' }).click()
  await page.getByRole('heading', { level: 1, name: 'Autumn leaves' }).waitFor()
  expect(await where.getByRole('listitem').allTextContents()).toEqual([
    pageNames.campaigns,
    'Autumn leaves',
  ])
  await visits.world.runtime.db.campaign.updateMany({
    where: { slug: 'autumn-leaves' },
    data: { name: 'Autumn leaves that fall from all of the trees along the long road to the sea' },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await settled(page)
  await picture('breadcrumbs-phone')
  const box = await where.boundingBox()
  expect(box?.height).toBeLessThan(30)
  await where.getByRole('link', { name: pageNames.campaigns }).click()
  await page.getByRole('heading', { level: 1, name: campaignsTexts.title }).waitFor()
  await page.context().close()
})

test('the header names the partner', async () => {
  const { page } = await visits.visit('test/users')
  const { partnerId } = visits.world.partner
  const { name } = await visits.world.runtime.db.partner.findUniqueOrThrow({
    where: { id: partnerId },
  })
  await page.getByRole('banner').getByText(name).waitFor()
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
