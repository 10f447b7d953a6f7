/** The guide `docs/daily-streak.md`, as printed and in its order, on a fresh demo. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { picture } from './chromium.ts'
import { type GuideShell, hasJq, openGuide } from './guide-shell.ts'

let guide: GuideShell
beforeAll(async () => {
  guide = await openGuide('daily-streak')
})
afterAll(() => guide?.end())

// What a first attempt has created would be in the way of a second one.
test.runIf(hasJq)(
  'a streak is created, met, and seen to change by itself',
  { retry: 0 },
  async () => {
    let page: Page | undefined
    let faults: string[] = []
    const element = (name: string, text: string) =>
      page?.locator(`tessera-${name}`).getByText(text, { exact: true }).first().waitFor()
    await guide.follow(async (block) => {
      if (block.includes('streak.html')) {
        ;({ page, faults } = await guide.open('streak.html'))
        await element('balance', '10 points')
        await element('streak', '1 freeze')
        await element('streak', '6 more days')
        await expect
          .poll(() => page?.locator('tessera-streak .length').textContent())
          .toMatch(/^1\s*day in a row$/)
        await picture(page, 'daily-streak')
      }
      if (block.includes('/freezes')) await element('streak', '2 freezes')
      if (block.includes('noa-order-1')) await element('balance', '60 points')
    })
    expect(page).toBeDefined()
    expect(faults).toEqual([])
  },
)
