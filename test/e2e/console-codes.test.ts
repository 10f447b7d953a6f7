/** Codes in the console: created, looked up and revoked, in a real browser. */
import { v7 as uuid } from 'uuid'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { codesTexts } from '../../console/texts/codes-texts.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { type Console, createConsole, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
/** The path of the campaign whose codes they are. */
let path: string

beforeAll(async () => {
  visits = await createConsole()
  const { world } = visits
  const campaign = { slug: 'spring-deal', name: 'Spring Deal', instantWinRules: null }
  await makeCampaign(world, 'summer-sale', campaign)
  const { body } = await world.graphql('{ campaign(by: { slug: "spring-deal" }) { id } }')
  path = `test/campaigns/${body.data.campaign.id}`
  visit = await visits.visit('test/campaigns')
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

test('the first codes of a campaign are shown once, looked up and revoked', async () => {
  const { page, open, button, dialog, row } = visit
  await open(`${path}?tab=codes`)
  await button(codesTexts.create).click()
  const form = dialog(codesTexts.create)
  await form.getByLabel(codesTexts.count).fill('3')
  await form.getByLabel(codesTexts.label).fill('Leaflet')
  await form.getByRole('button', { name: codesTexts.create }).click()
  const made = dialog(codesTexts.ready('3'))
  const codes = (await made.getByLabel(codesTexts.allCodes).inputValue()).split('\n')
  expect(codes).toHaveLength(3)
  await visit.picture('codes-made')
  await page.keyboard.press('Escape')
  const saved = page.waitForEvent('download')
  await made.getByRole('button', { name: codesTexts.download }).click()
  expect((await saved).suggestedFilename()).toBe('spring-deal-leaflet-codes.csv')
  await made.getByRole('button', { name: codesTexts.done }).click()
  await visit.arrived('Leaflet')
  const endings = codes.map((code) => `…${code.slice(-4)}`)
  for (const ending of endings) await row(ending).getByText('Redeemable').waitFor()
  await page.getByRole('searchbox', { name: codesTexts.ending }).fill(String(endings[1]).slice(1))
  await row(String(endings[0])).waitFor({ state: 'detached' })
  await row(String(endings[1])).waitFor()

  await open('test/codes')
  await page.getByLabel(codesTexts.lookUp).getByRole('textbox').fill(String(codes[0]).toLowerCase())
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Redeemable').waitFor()
  await visit.picture('codes')
  expect(page.url()).not.toContain(String(codes[0]).toLowerCase())
  await button(codesTexts.revokeCode).click()
  await dialog(codesTexts.revokeCode).getByRole('button', { name: codesTexts.revokeCode }).click()
  await visit.said(codesTexts.revokedCode)
  await page.getByRole('status').getByText('Revoked').first().waitFor()
  await visit.picture('code-revoked')
  await page.getByRole('status').getByRole('link', { name: 'Leaflet' }).click()
  await button(codesTexts.revoke).click()
  await visit.picture('codes-revoke')
  await dialog(codesTexts.revoke).getByRole('button', { name: codesTexts.revoke }).click()
  await visit.said(codesTexts.revokedDone)
  await page.getByText('Revoked').first().waitFor()
  await visit.picture('code-batch')
  await open('test/audit-log')
  const revoked = row(`revoked a code ${String(codes[0]).slice(-4)}`)
  await revoked.getByRole('link', { name: String(codes[0]).slice(-4) }).click()
  await visit.arrived('Leaflet')
  await open('test/codes')
  await page.getByText(codesTexts.empty).waitFor()
  await page.getByRole('switch', { name: codesTexts.showRevoked }).click()
  await row('Leaflet').waitFor()
})

test('codes are created for one of many campaigns, found by part of its name', async () => {
  const { page, open, button, dialog, world } = visit
  await world.runtime.db.campaign.createMany({
    data: Array.from({ length: 150 }, (_, n) => ({
      id: uuid(),
      ...world.tenant,
      slug: `weekly-${n}`,
      name: `Weekly ${n}`,
      status: n === 7 ? ('ENDED' as const) : ('ACTIVE' as const),
    })),
  })
  await open('test/codes')
  await button(codesTexts.create).first().click()
  const form = dialog(codesTexts.create)
  await form.getByLabel(codesTexts.label).fill('Poster')
  await form.getByRole('button', { name: codesTexts.create }).click()
  const campaign = form.getByRole('combobox', { name: codesTexts.campaign })
  await campaign.fill('spring')
  await page.getByRole('option', { name: /^Spring Deal/ }).click()
  await campaign.fill('weekly 7')
  await page.getByRole('option', { name: /^Weekly 70/ }).waitFor()
  // An ended campaign takes no codes.
  expect(await page.getByRole('option', { name: 'Weekly 7 weekly-7', exact: true }).count()).toBe(0)
  await visit.picture('codes-campaign')
  await page.getByRole('option', { name: /^Weekly 70/ }).click()
  await form.getByRole('button', { name: codesTexts.create }).click()
  await button(codesTexts.done).click()
  await visit.arrived('Poster')
  await page.getByRole('link', { name: 'Weekly 70' }).waitFor()
})
