/** A person who uses the console by what it shows. Counts what they do: each click, and each field that they fill. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { settled } from './console-visit.ts'

export const createCounted = (page: Page) => {
  let count = 0
  const did = async (action: Promise<unknown>) => {
    count += 1
    await action
  }
  const button = (name: string, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true }).last()
  return {
    /** Clicks on something. */
    click: (what: Locator) => did(what.click()),
    /** Presses a button. */
    press: (name: string, within?: Locator) => did(button(name, within).click()),
    /** Follows a link of the navigation. */
    goTo: async (name: string) => {
      await did(page.locator('nav').getByRole('link', { name, exact: true }).click())
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await settled(page)
    },
    /** Fills a field. */
    fill: (label: string, value: string, within: Page | Locator = page) =>
      did(within.getByLabel(label, { exact: true }).last().fill(value)),
    /** Types into a field that has no label of its own, such as the one that asks for a name. */
    type: (field: Locator, value: string) => did(field.fill(value)),
    /** Chooses in a field with a list: one field, like a text that is typed. */
    choose: async (label: string, option: string | RegExp, within: Page | Locator = page) => {
      await within.getByRole('combobox', { name: label }).last().click()
      await did(page.getByRole('option', { name: option }).first().click())
    },
    /** Does a job, in at most so many clicks and fields. */
    job: async (most: number, work: () => Promise<void>) => {
      count = 0
      await work()
      expect(count, 'clicks and fields').toBeLessThanOrEqual(most)
      return count
    },
  }
}

export type Counted = ReturnType<typeof createCounted>
