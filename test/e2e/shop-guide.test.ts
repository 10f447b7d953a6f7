/** The guide `docs/shop.md`, as printed and in its order, on a fresh demo. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { picture } from './chromium.ts'
import { type GuideShell, hasJq, openGuide } from './guide-shell.ts'

let guide: GuideShell
beforeAll(async () => {
  guide = await openGuide('shop')
})
afterAll(() => guide?.end())

// What a first attempt has created would be in the way of a second one.
test.runIf(hasJq)('rewards are put on sale, bought and handed out', { retry: 0 }, async () => {
  let page: Page | undefined
  let faults: string[] = []
  const element = (name: string, text: string) =>
    page?.locator(`tessera-${name}`).getByText(text, { exact: true }).first().waitFor()
  await guide.follow(async (block) => {
    if (block.includes('shop.html')) {
      ;({ page, faults } = await guide.open('shop.html'))
      await element('balance', '10 points')
      await element('shop', 'A free coffee')
      await element('rewards', 'Tote bag')
      await picture(page, 'shop-guide')
    }
    if (block.includes('kim-order-2')) await element('balance', '60 points')
    if (block.includes('/fulfill')) await element('rewards', 'Parcel 4711')
  })
  expect(page).toBeDefined()
  expect(faults).toEqual([])
})
