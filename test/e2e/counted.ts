/** Jobs of a manager, done by what is on the screen, with each click and each field counted. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { MemberRole } from '../../src/generated/prisma/enums.ts'
import { type Console, menuOf, settled } from './console-visit.ts'

/** The field of this label. The label of a required one ends with an asterisk. */
const fieldOf = (within: Page | Locator, label: string) =>
  within.getByLabel(label, { exact: true }).or(within.getByLabel(`${label} *`, { exact: true }))

/** Ways to use a page. Each counts as one, unless it says otherwise. */
const createHands = (page: Page) => {
  let count = 0
  const did = async (action: Promise<unknown>) => {
    count += 1
    await action
  }
  const click = (on: Locator) => did(on.click())
  return {
    countSoFar: () => count,
    click,
    press: (name: string, within: Page | Locator = page) =>
      click(within.getByRole('button', { name, exact: true }).last()),
    pressKey: (key: string) => did(page.keyboard.press(key)),
    /** Follows a link of the navigation. */
    goTo: async (name: string) => {
      await click(page.locator('nav').getByRole('link', { name, exact: true }))
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await settled(page)
    },
    /** Opens the menu of a row and chooses an action: two clicks. */
    chooseAction: async (row: Locator, action: string) => {
      await click(menuOf(row))
      await click(page.getByRole('menuitem', { name: action, exact: true }))
    },
    fill: (label: string, value: string, within: Page | Locator = page) =>
      did(fieldOf(within, label).last().fill(value)),
    /** Fills a field that is found by something other than its label. */
    type: (field: Locator, value: string) => did(field.fill(value)),
    /** Opens a field with a list and chooses an option: one field. */
    choose: async (label: string, option: string | RegExp, within: Page | Locator = page) => {
      await within.getByRole('combobox', { name: label, exact: true }).last().click()
      const exact = typeof option === 'string'
      await did(page.getByRole('option', { name: option, exact }).first().click())
    },
  }
}

/** A page that is used by hand: it is opened once, so it offers no way to open another address. */
export type Hands = Omit<Awaited<ReturnType<Console['visit']>>, 'open'> &
  Omit<ReturnType<typeof createHands>, 'countSoFar'>

type JobOptions = {
  /** The page that the job starts at, below `/console`. */
  from?: string
  role?: MemberRole | 'OPERATOR'
}

/**
 * Does a job in at most so many clicks and fields. Each job has a page of its own, opened once and closed at the end,
 * so a job that fails leaves nothing to the next.
 */
export const doJob = async (
  console: Console,
  most: number,
  work: (hands: Hands) => Promise<void>,
  { from = 'live/overview', role = 'OWNER' }: JobOptions = {},
): Promise<void> => {
  const { open: _open, ...visit } = await console.visit(from, role)
  const { page, faults } = visit
  const opened: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'document' && request.frame() === page.mainFrame())
      opened.push(request.url())
  })
  const { countSoFar, ...hands } = createHands(page)
  try {
    await work({ ...visit, ...hands })
    expect(countSoFar(), 'clicks and fields').toBeLessThanOrEqual(most)
    expect(opened, 'addresses opened after the first').toEqual([])
    expect(faults).toEqual([])
  } finally {
    await page.context().close()
  }
}
