/** Keys in the console: each secret is shown once, and works as the page says. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysTexts as texts } from '../../console/texts/keys-texts.ts'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { type Console, chooseAction, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
let page: Page
beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/keys')
  page = visit.page
})
afterAll(() => visits?.end())

const statusOf = async (key: string) =>
  (await visits.world.graphql('{ viewer { environment } }', {}, { secret: key })).status

/** The secret of the dialog that shows it once. */
const takeSecret = async () => {
  const dialog = page.getByRole('dialog', { name: texts.created1 })
  await dialog.waitFor()
  const secret = (await dialog.locator('code, pre').first().textContent()) ?? ''
  await press(dialog, shell.done)
  await dialog.waitFor({ state: 'detached' })
  return secret
}

const row = (label: string) => page.getByRole('row').filter({ hasText: label })

let first = ''
let second = ''

test('a key is created for a purpose, and invalid networks are reported at their field', async () => {
  await page.getByRole('button', { name: texts.create }).first().click()
  const dialog = visit.dialog()
  await dialog.getByLabel(texts.label).fill('Our shop')
  const networks = dialog.getByLabel(texts.networks).first()
  await networks.fill('not a network')
  await networks.press('Enter')
  await networks.fill('203.0.113.0/24')
  await networks.press('Enter')
  await press(dialog, texts.create)
  await dialog.getByText(/^“not a network” must be/).waitFor()
  expect(await dialog.getByText(/“203/).count()).toBe(0)
  expect(await dialog.getByText(shell.errorTitle).count()).toBe(0)
  await networks.press('Backspace')
  await networks.press('Backspace')
  await press(dialog, texts.create)
  first = await takeSecret()
  expect(first).toMatch(/^sk_test_/)
  expect(await statusOf(first)).toBe(200)
  await row('Our shop').waitFor()
})

test('a label and networks are edited, and an invalid network is reported at its field', async () => {
  const edit = () => chooseAction(row('Our shop'), texts.edit)
  await edit()
  const dialog = visit.dialog()
  const label = dialog.getByLabel(texts.label)
  expect(await label.inputValue()).toBe('Our shop')
  await label.fill('Our shop, checkout')
  const networks = dialog.getByLabel(texts.networks).first()
  await networks.fill('nowhere')
  await networks.press('Enter')
  await press(dialog, shell.save)
  await dialog.getByText(/^“nowhere” must be/).waitFor()
  await networks.press('Backspace')
  await networks.fill('127.0.0.0/8')
  await networks.press('Enter')
  await press(dialog, shell.save)
  await visit.said(texts.saved)
  await row('Our shop, checkout').waitFor()
  expect(await statusOf(first)).toBe(200)
  await edit()
  await dialog.getByText('127.0.0.0/8').waitFor()
  await page.keyboard.press('Escape')
})

test('the new key works next to the rotated one for a while', async () => {
  await chooseAction(row('Our shop'), texts.rotate)
  await press(visit.dialog(), texts.rotate)
  second = await takeSecret()
  expect(second).not.toBe(first)
  expect(await statusOf(first)).toBe(200)
  expect(await statusOf(second)).toBe(200)
})

test('a revoked key is refused, and can be shown in the list', async () => {
  const count = await row('Our shop').count()
  await chooseAction(row(second.slice(-4)), texts.revoke)
  await press(visit.dialog(), texts.revoke)
  await visit.said(texts.revokedDone)
  await expect.poll(() => row('Our shop').count()).toBe(count - 1)
  await expect.poll(() => statusOf(second)).not.toBe(200)
  await page.getByRole('switch', { name: texts.showRevoked }).check({ force: true })
  await row(second.slice(-4)).getByText(texts.revoked).waitFor()
  expect(page.url()).toContain('revoked=yes')
  expect(visit.faults.filter((fault) => !/40[0]/.test(fault))).toEqual([])
})
