/** What is to be handed out, in the console: one by one, and many at once. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fulfillmentTexts as texts } from '../../console/texts/fulfillment-texts.ts'
import { grantsTexts, rewardsTexts } from '../../console/texts/rewards-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { type Shop, shopOf } from '../programme/shop.ts'
import {
  type Console,
  chooseAction,
  createConsole,
  menuOf,
  press,
  type Visit,
} from './console-visit.ts'

let visits: Console
let visit: Visit
let shop: Shop

beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/fulfillment')
  shop = shopOf(visits.world)
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const grantOf = (externalId: string) =>
  visit.world.runtime.db.rewardGrant.findFirstOrThrow({
    where: { user: { externalId, environment: 'TEST' } },
  })

const balanceOf = async (externalId: string) => {
  const { world } = visit
  const { body } = await world.get(`/v1/users/${externalId}/balance`, world.keys.secret)
  return body.data.totalPoints
}

const users = () => visit.page.locator('tbody tr td:first-of-type a').allTextContents()

const choose = async (label: string, option: string) => {
  await visit.page.getByLabel(label).first().click()
  await visit.page.getByRole('option', { name: option, exact: true }).click()
}

test('an empty list leads to the rewards, and fills with what users buy, oldest first', async () => {
  const { page, open, row } = visit
  await page.getByText(texts.none).waitFor()
  await visit.picture('fulfillment-empty')
  await shop.sold('ITEM', 150, { name: 'Coffee mug' })
  await shop.sold('CODE', 50, { name: 'Voucher' })
  await shop.addCodes('voucher', ['A1', 'A2', 'A3'])
  for (const user of ['ann', 'ben', 'cleo', 'dan', 'eve']) {
    await visit.world.givePoints(user, 3)
    await shop.buy(user, user === 'eve' ? 'voucher' : 'coffee-mug')
  }
  await open('test/fulfillment')
  expect(await users()).toEqual(['ann', 'ben', 'cleo', 'dan'])
  await row('ann').getByText(grantsTexts.toHandOut).waitFor()
  await row('ann')
    .getByText(grantsTexts.boughtFor(rewardsTexts.priceOf('150')))
    .waitFor()
  await visit.picture('fulfillment')
  await choose(texts.kind, texts.kinds.CODE)
  await row('eve').getByText(grantsTexts.codeNotSeen).waitFor()
  await open('test/fulfillment')
})

test('one is handed out with a message, which the list of what is handed out shows', async () => {
  const { dialog, row } = visit
  await row('ann').getByRole('button', { name: grantsTexts.handOut }).click()
  await dialog().getByLabel(grantsTexts.message).fill('Parcel 00340434161094')
  await visit.picture('hand-out')
  await press(dialog(), grantsTexts.handOut)
  await visit.said(grantsTexts.handedOut)
  await row('ann').waitFor({ state: 'detached' })
  await choose(texts.status, texts.statuses.FULFILLED)
  await row('ann').getByText('Parcel 00340434161094').waitFor()
  expect(await row('ann').getByRole('button').count()).toBe(0)
  expect(await row('ann').getByRole('checkbox').count()).toBe(0)
  expect(await grantOf('ann')).toMatchObject({ status: 'FULFILLED' })
})

test('one that could not be handed out is tried again', async () => {
  const { dialog, row } = visit
  await choose(texts.status, texts.statuses.ISSUED)
  await chooseAction(row('ben'), grantsTexts.fail)
  await dialog().getByLabel(grantsTexts.message).fill('The parcel came back.')
  await press(dialog(), grantsTexts.fail)
  await visit.said(grantsTexts.failed)
  await row('ben').waitFor({ state: 'detached' })
  await choose(texts.status, texts.statuses.FAILED)
  await row('ben').getByText(grantsTexts.failures.NOT_FULFILLED).waitFor()
  await row('ben').getByText('The parcel came back.').waitFor()
  await visit.picture('fulfillment-failed')
  await chooseAction(row('ben'), grantsTexts.retry)
  await visit.said(grantsTexts.retriedItem)
  expect(await grantOf('ben')).toMatchObject({ status: 'ISSUED', message: null })
})

test('one is cancelled, and its user has the price back', async () => {
  const { dialog, row } = visit
  await choose(texts.status, texts.statuses.ISSUED)
  await chooseAction(row('ben'), grantsTexts.cancelBought)
  await press(dialog(), grantsTexts.keep)
  await chooseAction(row('ben'), grantsTexts.cancelBought)
  await press(dialog(), grantsTexts.cancelBought)
  await visit.said(grantsTexts.cancelled)
  await row('ben').waitFor({ state: 'detached' })
  expect(await balanceOf('ben')).toBe(300)
})

test('the list is filtered by user, reward and kind', async () => {
  const { page, open, row } = visit
  await page.getByLabel(texts.searchUser).fill('dan')
  await expect.poll(users).toEqual(['dan'])
  await open('test/fulfillment')
  await choose(texts.kind, texts.kinds.CODE)
  await expect.poll(users).toEqual(['eve'])
  await open('test/fulfillment')
  await page.getByRole('combobox', { name: grantsTexts.reward }).fill('mug')
  await page.getByRole('option', { name: /^Coffee mug/ }).click()
  await expect.poll(users).toEqual(['cleo', 'dan'])
  await row('dan').getByRole('link', { name: 'Coffee mug' }).click()
  await visit.arrived('Coffee mug')
  await page.getByText(rewardsTexts.waiting('2')).waitFor()
  await visit.picture('reward-to-hand-out')
  await page.getByRole('link', { name: rewardsTexts.showQueue }).click()
  await visit.arrived(texts.title)
  await expect.poll(users).toEqual(['cleo', 'dan'])
  await open('test/fulfillment')
})

test('many are handed out at once, and one that was cancelled meanwhile is named', async () => {
  const { page, button, dialog, row } = visit
  await page.getByLabel(texts.choose('Coffee mug', 'cleo')).check()
  await page.getByText(shellTexts.chosen('1')).waitFor()
  await page.getByLabel(shellTexts.chooseAll).check()
  await page.getByText(shellTexts.chosen('2')).waitFor()
  await visit.picture('fulfillment-chosen')
  const { id } = await grantOf('dan')
  expect(await shop.cancel(id)).toMatchObject({ status: 'CANCELLED' })
  await button(texts.handOutAll('2')).click()
  await dialog().getByLabel(texts.message).fill('Sent on Monday.')
  await visit.picture('hand-out-many')
  await press(dialog(), texts.handOutAll('2'))
  await dialog().getByText(texts.handedOut('1')).waitFor()
  await dialog().getByText(texts.refused('1')).waitFor()
  await dialog().getByText(texts.ofUser('Coffee mug', 'dan')).waitFor()
  await visit.picture('handed-out-many')
  await press(dialog(), shellTexts.done)
  await page.getByText(texts.none).waitFor()
  await choose(texts.status, texts.statuses.FULFILLED)
  await row('cleo').getByText('Sent on Monday.').waitFor()
  // Newest first: what was bought last.
  await expect.poll(users).toEqual(['cleo', 'ann'])
  expect(await balanceOf('dan')).toBe(300)
})

test('an analyst sees the list, and can hand out nothing', async () => {
  await shop.buy('dan', 'coffee-mug')
  const { page, button, row } = await visits.visit('test/fulfillment', 'ANALYST')
  expect(await button(grantsTexts.handOut).first().getAttribute('aria-disabled')).toBe('true')
  await menuOf(row('dan')).click()
  for (const name of [grantsTexts.fail, grantsTexts.cancelBought]) {
    const action = page.getByRole('menuitem', { name })
    expect(await action.getAttribute('aria-disabled'), name).toBe('true')
  }
  await page.keyboard.press('Escape')
  await page.getByLabel(shellTexts.chooseAll).check()
  expect(await button(texts.handOutAll('1')).getAttribute('aria-disabled')).toBe('true')
  await page.context().close()
})
