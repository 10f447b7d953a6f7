/** Rewards that are for sale, in the console: each kind, its card, its codes, and what users have bought. */
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  rewardCardTexts as cardTexts,
  rewardCodesTexts as codesTexts,
  rewardFactsTexts as factsTexts,
  rewardFormTexts as formTexts,
  grantsTexts,
  rewardsTexts as texts,
} from '../../console/texts/rewards-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import { type Shop, shopOf } from '../programme/shop.ts'
import { type Console, chooseAction, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
let shop: Shop

beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/rewards')
  shop = shopOf(visits.world)
  const { body } = await visits.world.graphql(`mutation {
    vips: createSegment(input: { name: "VIPs", engagementTier: WHALE }) { __typename }
    unproven: createSegment(input: { name: "Visitors on a phone", device: MOBILE }) { __typename } }`)
  expect(JSON.stringify(body)).not.toMatch(/error/i)
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const rewardNow = (slug: string) =>
  visit.world.runtime.db.reward.findFirstOrThrow({ where: { slug, environment: 'TEST' } })

/** Opens the form of a new reward, with its kind and its name. */
const begin = async (kind: keyof typeof formTexts.kinds, name: string) => {
  await visit.button(texts.create).first().click()
  const form = visit.dialog(texts.create)
  await form.getByRole('radio', { name: formTexts.kinds[kind].label, exact: true }).check()
  await form.getByRole('textbox', { name: formTexts.name, exact: true }).fill(name)
  return form
}

const finish = async (form: Locator, name: string) => {
  await form.getByRole('button', { name: texts.create }).click()
  await visit.said(texts.createdDone)
  await visit.arrived(name)
}

const sell = async (form: Locator, price: string) => {
  await form.getByRole('switch', { name: formTexts.isForSale }).check()
  await form.getByRole('textbox', { name: formTexts.price }).fill(price)
}

test('an item is put into the shop, and its card follows what is typed', async () => {
  const { page } = visit
  const form = await begin('ITEM', 'Coffee mug')
  const card = form.locator('.reward')
  expect(await form.getByLabel(formTexts.slug).inputValue()).toBe('coffee-mug')
  await form.getByLabel(formTexts.slug).fill('mug')
  await form.getByLabel(formTexts.description).fill('Holds 300 ml, and keeps your secrets.')
  await form.getByLabel(formTexts.stock).fill('20')
  await form.getByText(cardTexts.notForSale).waitFor()
  await sell(form, '150')
  await card.getByRole('heading', { name: 'Coffee mug' }).waitFor()
  await card.getByText('Holds 300 ml').waitFor()
  await card.getByText(texts.priceOf('150'), { exact: true }).waitFor()
  await form.getByRole('textbox', { name: formTexts.limit }).fill('1')
  await form.getByLabel(formTexts.window).first().click()
  await page.getByRole('option', { name: formTexts.windows.MONTH }).click()
  await card.getByText('At most 1 a month').waitFor()
  await form.getByRole('textbox', { name: formTexts.position }).fill('2')
  await form.getByRole('combobox', { name: formTexts.segment }).click()
  await page.getByRole('option', { name: 'VIPs' }).waitFor()
  expect(await page.getByRole('option', { name: 'Visitors on a phone' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await visit.picture('reward-create-item')
  await form.getByText(cardTexts.states.TOO_FEW).click()
  await card.getByText('60 points short').waitFor()
  await form.getByText(cardTexts.states.SOLD_OUT).click()
  await card.getByText('Sold out').waitFor()
  await finish(form, 'Coffee mug')
  await page.getByText(factsTexts.limits.MONTH('1')).waitFor()
  await visit.button(cardTexts.show).click()
  await page.locator('.reward').getByRole('heading', { name: 'Coffee mug' }).waitFor()
  expect(await rewardNow('mug')).toMatchObject({
    ...{ kind: 'ITEM', price: 150, stock: 20, position: 2, points: null, segmentId: null },
    ...{ limitMax: 1, limitWindow: 'MONTH' },
  })
})

test('a taken slug is reported at its field', async () => {
  await visit.open('test/rewards')
  const form = await begin('ITEM', 'Mug')
  await form.getByRole('button', { name: texts.create }).click()
  await form.getByText(/already exists/).waitFor()
  expect(await form.getByText(shellTexts.errorTitle).count()).toBe(0)
  await press(form, shellTexts.cancel)
})

test('points cannot be sold, and free plays have a game, a number and days', async () => {
  const form = await begin('POINTS', 'Lucky day')
  expect(await form.getByRole('switch', { name: formTexts.isForSale }).count()).toBe(0)
  await form.getByRole('radio', { name: formTexts.kinds.FREE_PLAYS.label }).check()
  await form.getByLabel(formTexts.game).first().click()
  await visit.page.getByRole('option', { name: 'Cosmic Slots' }).click()
  await form.getByRole('textbox', { name: formTexts.playCount }).fill('3')
  await form.getByRole('textbox', { name: formTexts.validDays }).fill('14')
  await form.locator('.reward').getByText('3 free plays').waitFor()
  await sell(form, '40')
  await finish(form, 'Lucky day')
  await visit.page.getByText(factsTexts.within('14')).waitFor()
  expect(await rewardNow('lucky-day')).toMatchObject({
    ...{ kind: 'FREE_PLAYS', gameType: 'COSMIC_SLOTS', freePlays: 3, validDays: 14 },
    ...{ price: 40, points: null, stock: null },
  })
})

test('a reward of codes asks for its codes, and pasted ones are added', async () => {
  const { page, open, button, dialog } = visit
  await open('test/rewards')
  const form = await begin('CODE', 'Voucher')
  await form.getByText(formTexts.codesLater).waitFor()
  expect(await form.getByLabel(formTexts.stock).count()).toBe(0)
  await sell(form, '100')
  await finish(form, 'Voucher')
  await page.getByText(codesTexts.none).waitFor()
  await visit.picture('reward-without-codes')
  await button(codesTexts.add).click()
  await dialog(codesTexts.add)
    .getByLabel(codesTexts.pasted)
    .fill('SUMMER-1\n\n  SUMMER-2 \nSUMMER-3')
  await dialog(codesTexts.add).getByText(codesTexts.found('3')).waitFor()
  await visit.picture('codes-pasted')
  await press(dialog(codesTexts.add), codesTexts.add)
  await dialog(codesTexts.add).getByText(codesTexts.added('3')).waitFor()
  await press(dialog(codesTexts.add), shellTexts.done)
  await page.getByText(codesTexts.usage('3', '3')).waitFor()
  await page.getByText(codesTexts.few('3')).waitFor()
  expect((await rewardNow('voucher')).stock).toBe(3)
})

/** Codes as long as some partners have them, so that a list takes several requests. */
const codes = Array.from({ length: 1_200 }, (_, n) => `AUTUMN-${n}-${'X'.repeat(150)}`)

test('a file is read in the browser and sent in parts, and codes that were there are named', async () => {
  const { page, button, dialog } = visit
  let requests = 0
  page.on('request', (request) => {
    if (request.postData()?.includes('AUTUMN-')) requests++
  })
  await button(codesTexts.add).click()
  const form = dialog(codesTexts.add)
  const lines = ['no;code', '1;SUMMER-2', ...codes.map((code, n) => `${n + 2};"${code}"`), '9;']
  await form.locator('input[type=file]').setInputFiles({
    name: 'autumn.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  })
  await form.getByText(codesTexts.found('1,201')).waitFor()
  expect(await form.getByLabel(codesTexts.column).first().inputValue()).toBe('code')
  await visit.picture('codes-of-file')
  await press(form, codesTexts.add)
  await form.getByText(codesTexts.added('1,200')).waitFor()
  await form.getByText(codesTexts.duplicates('1')).waitFor()
  await form.getByText(codesTexts.line('2', 'SUMMER-2')).waitFor()
  await visit.picture('codes-added')
  await press(form, shellTexts.done)
  await page.getByText(codesTexts.usage('1,203', '1,203')).waitFor()
  expect(requests).toBeGreaterThan(2)
  expect((await rewardNow('voucher')).stock).toBe(1_203)
  await visit.picture('reward-codes')
})

test('a list that was interrupted is sent to its end', async () => {
  const { page, button, dialog, faults } = visit
  await button(codesTexts.add).click()
  const form = dialog(codesTexts.add)
  await form.getByLabel(codesTexts.pasted).fill('WINTER-1\nWINTER-2')
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('WINTER-')
      ? route.fulfill({ status: 500 })
      : route.continue(),
  )
  await press(form, codesTexts.add)
  await form.getByText(codesTexts.interrupted).waitFor()
  await page.unroute('**/graphql')
  await press(form, codesTexts.sendRest)
  await form.getByText(codesTexts.added('2')).waitFor()
  await press(form, shellTexts.done)
  expect(faults.splice(0)).toEqual([expect.stringContaining('500')])
})

test('the list shows prices and what is left, filters what is for sale, and has the order of the shop', async () => {
  const { page, open, row } = visit
  await shop.badge({ name: 'Pioneer' })
  await shop.sold('ITEM', 900, { name: 'Poster', stock: 1, position: 1 })
  const ann = await shop.newUser(10)
  await shop.buy(ann, 'poster')
  await open('test/rewards')
  await row('Pioneer').waitFor()
  await page.getByLabel(texts.sale).first().click()
  await page.getByRole('option', { name: texts.sales.yes, exact: true }).click()
  await row('Pioneer').waitFor({ state: 'detached' })
  await row('Coffee mug').getByText(texts.priceOf('150')).waitFor()
  await row('Poster').getByText(texts.noneLeft).waitFor()
  await page.getByLabel(texts.sort).first().click()
  await page.getByRole('option', { name: texts.sorts.POSITION }).click()
  await expect
    .poll(() => page.locator('tbody tr a').allTextContents())
    .toEqual(['Lucky day', 'Voucher', 'Poster', 'Coffee mug'])
  await visit.picture('rewards-for-sale')
})

test('a reward is taken off the shop, and keeps its limit for later', async () => {
  const { page, button, dialog, row } = visit
  await row('Coffee mug').getByRole('link').click()
  await visit.arrived('Coffee mug')
  await button(texts.edit).click()
  const form = dialog(texts.editTitle)
  await form.getByRole('switch', { name: formTexts.isForSale }).uncheck()
  await press(form, shellTexts.save)
  await visit.said(texts.saved)
  await page.getByText(texts.notForSale, { exact: true }).waitFor()
  expect(await rewardNow('mug')).toMatchObject({ price: null, limitMax: 1, position: 2 })
  await button(texts.edit).click()
  await sell(form, '250')
  await press(form, shellTexts.save)
  await visit.said(texts.saved)
  expect(await rewardNow('mug')).toMatchObject({ price: 250, limitMax: 1, position: 2 })
})

test('the page of a user shows what was bought and for how much, and it is cancelled', async () => {
  const { page, open, dialog, row, world } = visit
  await world.givePoints('mina', 5)
  await shop.buy('mina', 'mug')
  await shop.buy('mina', 'lucky-day')
  await shop.buy('mina', 'voucher')
  await open('test/users')
  await page.getByRole('link', { name: 'mina' }).click()
  await visit.arrived('mina')
  await page.getByRole('tab', { name: usersTexts.tabs.rewards }).click()
  await row('Coffee mug')
    .getByText(grantsTexts.boughtFor(texts.priceOf('250')))
    .waitFor()
  await row('Lucky day').getByText(grantsTexts.playsLeft('3')).waitFor()
  await row('Voucher').getByText(grantsTexts.codeNotSeen).waitFor()
  await visit.picture('user-bought')
  await chooseAction(row('Lucky day'), grantsTexts.cancelBought)
  await dialog()
    .getByText(grantsTexts.cancelAndRefund(texts.priceOf('40')))
    .waitFor()
  await dialog().getByLabel(grantsTexts.message).fill('The game is under repair.')
  await visit.picture('cancel-and-refund')
  await press(dialog(), grantsTexts.cancelBought)
  await visit.said(grantsTexts.cancelled)
  await row('Lucky day').getByText('The game is under repair.').waitFor()
  await row('Lucky day')
    .getByText(grantsTexts.refunded(texts.priceOf('40')))
    .waitFor()
  expect(await row('Lucky day').getByRole('button').count()).toBe(0)
  const { body } = await world.get('/v1/users/mina/balance', world.keys.secret)
  expect(body.data.totalPoints).toBe(500 - 250 - 100)
})
