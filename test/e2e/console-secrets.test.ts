/** What the console shows only once, in a real browser. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysTexts } from '../../console/texts/keys-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { type Console, createConsole, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit

beforeAll(async () => {
  visits = await createConsole()
  const { db } = visits.world.runtime
  const id = randomUUID()
  await db.partner.create({ data: { id, slug: id, name: 'Without keys' } })
  await db.application.create({ data: { id: randomUUID(), partnerId: id, name: 'app' } })
  visit = await visits.visit('test/keys', 'OWNER', id)
})
afterAll(() => visits?.end())

test('the first key is shown until the dialog is closed, although its button disappears with the empty list', async () => {
  const { page, open, dialog, button } = visit
  await open('test/keys')
  await page.getByText(keysTexts.empty).waitFor()
  await button(keysTexts.create).last().click()
  await dialog(keysTexts.create).getByLabel(keysTexts.label).fill('Shop')
  await dialog(keysTexts.create).getByRole('button', { name: keysTexts.create }).click()
  const secret = dialog(keysTexts.created1)
  await secret.getByText(/^sk_test_\w+$/).waitFor()
  await visit.row('Shop').waitFor()
  await visit.picture('key-made')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await secret.getByText(/^sk_test_\w+$/).isVisible()).toBe(true)
  await secret.getByRole('button', { name: shellTexts.done }).click()
  await secret.waitFor({ state: 'detached' })
  expect(visit.faults).toEqual([])
})
