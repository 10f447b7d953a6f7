/** Notifications cover no title and no button: of a page, of its header, of a dialog, and the save bar. */
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationsTexts } from '../../console/texts/applications-texts.ts'
import { campaignEditorTexts, campaignsTexts } from '../../console/texts/campaigns-texts.ts'
import { texts } from '../../console/texts/shell-texts.ts'
import { type Console, createConsole, press } from './console-visit.ts'

let visits: Console
beforeAll(async () => {
  visits = await createConsole()
})
afterAll(() => visits?.end())

const toast = (page: Page, text: string) =>
  page.locator('.mantine-Notification-root').filter({ hasText: text })

/** The titles and buttons below a notification. Null if there is no notification. */
const coveredIn = (page: Page): Promise<string[] | null> =>
  page.evaluate(`(() => {
    const toasts = [...document.querySelectorAll('.mantine-Notification-root')]
    if (toasts.length === 0) return null
    const targets = 'h1, header button, header input, main button, main h2, [role=dialog] button, [role=dialog] h2'
    return [...document.querySelectorAll(targets)].flatMap((target) => {
      const { left, right, top, bottom } = target.getBoundingClientRect()
      const points = [[left + 2, top + 2], [right - 2, bottom - 2], [(left + right) / 2, (top + bottom) / 2]]
      const isCovered = points.some(([x, y]) => {
        const shown = document.elementFromPoint(x, y)
        return toasts.some((toast) => toast.contains(shown))
      })
      return isCovered ? [target.outerHTML.slice(0, 120)] : []
    })
  })()`)

/** What a notification covers once it is at rest, before it closes after three seconds. */
const coversNothing = async (page: Page, text: string) => {
  await toast(page, text).first().waitFor()
  let covered: string[] | null = null
  for (let looks = 0; looks < 10; looks++) {
    const now = await coveredIn(page)
    if (now === null) break
    covered = now
    if (covered.length === 0) break
    await page.waitForTimeout(100)
  }
  expect(covered).toEqual([])
}

test.each([
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
])('on a %s, a notification covers no title and no button', async (name, size) => {
  const { page, open, button, dialog, picture, world } = await visits.visit('test/applications')
  await page.setViewportSize(size)
  await button(applicationsTexts.create).first().click()
  await dialog().getByLabel(applicationsTexts.name).fill(`Shop ${name}`)
  await press(dialog(), applicationsTexts.create)
  await coversNothing(page, applicationsTexts.createdDone)
  await picture(`toast-${name}`)
  await button(applicationsTexts.create).first().click()
  await dialog().getByLabel(applicationsTexts.name).waitFor()
  await coversNothing(page, applicationsTexts.createdDone)
  await picture(`toast-dialog-${name}`)
  await press(dialog(), texts.cancel)
  const { body } = await world.graphql(`mutation {
    createCampaign(input: { slug: "toast-${randomUUID()}", name: "Toast" }) {
      ... on CreateCampaignPayload { campaign { id } } } }`)
  const { id } = body.data.createCampaign.campaign
  await open(`test/campaigns/${encodeURIComponent(id)}?tab=setup`)
  await page.getByLabel(campaignsTexts.descriptionLabel).fill('For everybody')
  await button(texts.save).scrollIntoViewIfNeeded()
  await button(texts.save).click()
  await coversNothing(page, campaignEditorTexts.saved)
  await picture(`toast-save-${name}`)
  await toast(page, campaignEditorTexts.saved).waitFor({ state: 'detached' })
  expect(
    await page.evaluate('document.documentElement.style.getPropertyValue("--toasts")'),
  ).toMatch(/^(0px)?$/)
  await page.context().close()
})
