/** Entries of the ledger are taken back in the console, from its page and from the page of their user. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  pointPolicyTexts as policy,
  ledgerTexts as texts,
} from '../../console/texts/ledger-texts.ts'
import { periodTexts } from '../../console/texts/period-texts.ts'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { pointsByHand } from '../points/by-hand.ts'
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
let page: Page
let hand: ReturnType<typeof pointsByHand>
const secret = () => visits.world.partner.live.secret
beforeAll(async () => {
  visits = await createConsole()
  const { world } = visits
  await world.givePoints('alice', 1, 'signup', secret())
  await world.givePoints('alice', 1, 'purchase', secret())
  await world.givePoints('ben', 1, 'signup', secret())
  hand = pointsByHand(world)
  await hand.adjust('ben', -30, {}, { secret: secret() })
  visit = await visits.visit('live/ledger')
  page = visit.page
})
afterAll(() => visits?.end())

const newestOf = async (userId: string) => (await hand.history(userId, { secret: secret() }))[0]

const reverseIn = (row: ReturnType<Visit['row']>) => chooseAction(row, texts.reverse)

/** The row of an award: that of its reversal names its event type, too. */
const award = (eventType: string) =>
  visit.row('alice').filter({ has: page.getByText(eventType, { exact: true }) })

test('an entry is reversed with a reason, after the id of the user is typed', async () => {
  await reverseIn(award('signup'))
  const dialog = visit.dialog(texts.reverseTitle('100', 'signup'))
  const before = Number((await newestOf('alice')).balanceAfter)
  await dialog.getByText(`from ${before} to ${before - 100}`).waitFor()
  const confirm = dialog.getByRole('button', { name: texts.reverse, exact: true })
  await dialog.getByLabel(texts.reverseReason).fill('signed up twice')
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByLabel(shell.typeToConfirm('alice')).fill('alice')
  await visit.picture('ledger-reverse')
  await confirm.click()
  await visit.said(texts.reversed)
  expect(await newestOf('alice')).toMatchObject({
    points: -100,
    balanceAfter: before - 100,
    eventType: 'reversal',
    correction: { reason: 'signed up twice' },
  })
  await award('signup').getByText(texts.reversedBy('signed up twice')).waitFor()
  expect(await menuOf(award('signup')).count()).toBe(0)
  await visit.row(texts.takesBack('100', 'signup')).getByText('-100', { exact: true }).waitFor()
  await visit.picture('ledger')
})

test('what cannot be reversed says why', async () => {
  const says = async (row: ReturnType<Visit['row']>, reason: string) => {
    await menuOf(row).click()
    const action = page.getByRole('menuitem', { name: texts.reverse })
    expect(await action.getAttribute('aria-disabled')).toBe('true')
    await action.getByText(reason).waitFor()
    await action.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Escape')
    await action.waitFor({ state: 'detached' })
  }
  await says(visit.row(texts.takesBack('100', 'signup')), texts.isFinal)
  const spent = visit.row('ben').filter({ has: page.getByText('signup', { exact: true }) })
  await says(spent, texts.balanceTooLow('100', '70'))
})

test('an entry that somebody else reverses meanwhile is reversed once', async () => {
  await page.getByRole('link', { name: 'alice' }).first().click()
  await visit.arrived('alice')
  const row = page.getByRole('row').filter({ hasText: 'purchase' })
  await reverseIn(row)
  const dialog = visit.dialog()
  await dialog.getByLabel(texts.reverseReason).fill('mine')
  await dialog.getByLabel(shell.typeToConfirm('alice')).fill('alice')
  const { world } = visits
  const { id } = await world.runtime.db.ledgerEntry.findFirstOrThrow({
    where: { eventType: 'purchase', user: { externalId: 'alice' } },
  })
  const theirs = await hand.reverse(id, 'theirs', { secret: secret() })
  await press(dialog, texts.reverse)
  await dialog.getByRole('alert').getByText('The ledger entry has already been reversed').waitFor()
  await press(dialog, shell.cancel)
  await row.getByText(texts.reversedBy('theirs')).waitFor()
  expect(await newestOf('alice')).toMatchObject({ uuid: theirs.ledgerEntry.uuid })
  await visit.picture('user-ledger')
  expect(visit.faults).toEqual([])
})

test('where users owe spent points, such an entry is reversed, and the dialog says what is owed', async () => {
  await visit.open('live/ledger')
  await visit.button(policy.title).click()
  const dialog = visit.dialog()
  await dialog.getByRole('radio', { name: policy.choices.REPAY.label }).check()
  await visit.picture('point-policy')
  await press(dialog, shell.save)
  await visit.said(policy.saved)
  const spent = visit.row('ben').filter({ has: page.getByText('signup', { exact: true }) })
  await reverseIn(spent)
  await dialog.getByText(texts.reverseOwed('30')).waitFor()
  await dialog.getByLabel(texts.reverseReason).fill('a fraud')
  await dialog.getByLabel(shell.typeToConfirm('ben')).fill('ben')
  await visit.picture('ledger-reverse-owed')
  await press(dialog, texts.reverse)
  await visit.said(texts.reversed)
  const user = await visits.world.runtime.db.endUser.findFirstOrThrow({
    where: { externalId: 'ben', environment: 'LIVE' },
  })
  expect(user).toMatchObject({ balance: 0n, shortfall: 30n })
  expect(visit.faults).toEqual([])
})

test('the list is sorted by time, and the header says how', async () => {
  await visit.open('live/ledger')
  const points = () => page.locator('tbody tr td[data-label="Balance after"]').allTextContents()
  const newestFirst = await points()
  const time = page.getByRole('columnheader', { name: texts.time })
  expect(await time.getAttribute('aria-sort')).toBe('descending')
  await time.getByRole('button').click()
  await page.waitForURL(/order=ASC/)
  await expect.poll(points).toEqual(newestFirst.toReversed())
  expect(await time.getAttribute('aria-sort')).toBe('ascending')
  expect(await page.getByText('No records').count()).toBe(0)
})

test('the menu of a row is used by keyboard, and gives the focus back', async () => {
  const menu = menuOf(page.locator('main'))
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await expect
    .poll(() =>
      page
        .getByRole('menuitem')
        .first()
        .evaluate((item) => item === document.activeElement),
    )
    .toBe(true)
  await visit.picture('row-menu')
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
  const hasFocus = () => menu.evaluate((button) => button === document.activeElement)
  await expect.poll(hasFocus).toBe(true)
})

test('filters are saved as a view, and a column is left out, also after a reload', async () => {
  await visit.open('live/ledger')
  await page.getByRole('combobox', { name: texts.event }).click()
  await page.getByRole('option', { name: 'purchase' }).click()
  await page.waitForURL(/event=purchase/)
  await visit.button(shell.view).click()
  await page.getByLabel(shell.viewName).fill('Purchases')
  await visit.button(shell.saveView).click()
  await visit.said(shell.savedView)
  await page.getByRole('checkbox', { name: texts.reference }).uncheck()
  await visit.picture('list-tools')
  await visit.open('live/ledger')
  await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(2)
  expect(await page.getByRole('columnheader', { name: texts.reference }).count()).toBe(0)
  await visit.button(shell.view).click()
  await visit.button('Purchases').click()
  await page.waitForURL(/event=purchase/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: shell.clearOf(texts.event) }).click()
  await expect.poll(() => page.url()).not.toContain('event=')
  expect(visit.faults).toEqual([])
})

test('the ledger of last month, of today and of chosen days is found', async () => {
  await visit.open('live/ledger')
  const choose = (current: string) =>
    page.getByRole('button', { name: new RegExp(`^${periodTexts.period}: ${current}`) }).click()
  await visit.row('alice').first().waitFor()
  await choose(periodTexts.anyTime)
  await visit.picture('ledger-period')
  await press(page, periodTexts.presets['last-month'])
  await page.waitForURL(/period=last-month/)
  await page.getByText(shell.nothingFound).waitFor()
  await choose(periodTexts.presets['last-month'])
  await press(page, periodTexts.presets.today)
  await visit.row('alice').first().waitFor()
  await choose(periodTexts.presets.today)
  const today = new Date().toISOString().slice(0, 10)
  const calendar = page.getByRole('dialog', { name: periodTexts.period })
  await calendar.locator('[aria-current=date]').waitFor()
  await calendar.locator('[aria-current=date]').click()
  await calendar.locator('[aria-current=date]').click()
  await page.waitForURL(new RegExp(`from=${today}&to=${today}`))
  await visit.row('alice').first().waitFor()
})
