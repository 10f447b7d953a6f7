/** The brand in the console: its page, and its part of a campaign. */
import type { FrameLocator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brandTexts } from '../../console/texts/brand-texts.ts'
import { campaignEditorTexts } from '../../console/texts/campaigns-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { type Console, createConsole } from './console-visit.ts'

let visits: Console
beforeAll(async () => {
  visits = await createConsole()
})
afterAll(() => visits?.end())

test('a brand is set beside a page in both themes, and a campaign replaces a value of it', async () => {
  const visit = await visits.visit('test/brand')
  const { page, open, button } = visit
  const [light, dark] = [brandTexts.previewIn.light, brandTexts.previewIn.dark].map((title) =>
    page.frameLocator(`iframe[title="${title}"]`),
  ) as [FrameLocator, FrameLocator]
  const colorOf = (frame: FrameLocator) =>
    frame.locator('main button').evaluate((shown) => getComputedStyle(shown).backgroundColor)
  await page.getByLabel(brandTexts.color, { exact: true }).fill('#FFC400')
  await page.getByText(/Light pages show #\w{6}: darker/).waitFor()
  await page.getByLabel(brandTexts.logo, { exact: true }).fill('https://cdn.example.com/logo.svg')
  await page.getByText(brandTexts.loadedFrom('cdn.example.com')).waitFor()
  await page.getByLabel(brandTexts.promoter, { exact: true }).fill('Acme Ltd')
  await page.getByText(brandTexts.termsKinds.text, { exact: true }).click()
  await page.getByLabel(brandTexts.termsText).fill('One entry each.')
  await page.getByRole('combobox', { name: brandTexts.language }).click()
  await page.getByRole('option', { name: brandTexts.languages.DE }).click()
  await light.getByText('Code einlösen').waitFor()
  await light.getByText(/von Acme Ltd/).waitFor()
  await expect.poll(() => colorOf(dark)).toBe('rgb(255, 196, 0)')
  await expect.poll(() => colorOf(light)).not.toBe('rgb(255, 196, 0)')
  for (const width of [390, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded()
      await visit.picture(`brand-${width}-${colorScheme}`)
    }
  await page.setViewportSize({ width: 1280, height: 900 })
  await button(shellTexts.save).click()
  await visit.said(brandTexts.saved)

  const slug = await makeCampaign(visits.world, 'summer-sale')
  const campaignNow = () =>
    visits.world.runtime.db.campaign.findFirstOrThrow({ where: { slug, environment: 'TEST' } })
  const { id } = await campaignNow()
  await open(`test/campaigns/${encodeURIComponent(encodeNodeId('Campaign', id))}?tab=setup`)
  const preview = page.frameLocator('iframe')
  await preview.getByText(/von Acme Ltd/).waitFor()
  await page.getByText(brandTexts.inherited('Acme Ltd')).waitFor()
  await page.getByLabel(brandTexts.promoter, { exact: true }).fill('Spring Ltd')
  await preview.getByText(/von Spring Ltd/).waitFor()
  await visit.picture('campaign-brand')
  await button(shellTexts.save).click()
  await visit.said(campaignEditorTexts.saved)
  expect(await campaignNow()).toMatchObject({ promoter: 'Spring Ltd', color: null, terms: null })

  await open('test/brand')
  await button(brandTexts.copyToLive).click()
  await visit.dialog().getByRole('button', { name: brandTexts.copyToLive }).click()
  await visit.said(brandTexts.copied)
  const { brand } = visit.world.runtime.db
  expect(await brand.count({ where: { promoter: 'Acme Ltd' } })).toBe(2)
  expect(visit.faults).toEqual([])
  await page.context().close()
})
