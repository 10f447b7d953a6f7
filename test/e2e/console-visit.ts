/** Members in the console: a server, a real browser, and pages that are signed in. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import type { MemberRole } from '../../src/generated/prisma/enums.ts'
import type { Clock } from '../../src/kit/clock.ts'
import type { Config } from '../../src/kit/config/config.ts'
import { cookieIn, createMember, password, signIn } from '../console/browser.ts'
import { createWorld } from '../world.ts'
import { launchBrowser, patienceMs, picture, watchFaults } from './chromium.ts'
import { noteChanges } from './driven.ts'

/** Waits until the page has its data. */
export const settled = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

/** Presses a button of a page, or of a part of it. */
export const press = (of: Page | Locator, name: string) =>
  of.getByRole('button', { name, exact: true }).last().click()

/** The name of the button that opens the menu of a row. */
export const menuName = new RegExp(`^${shell.actionsFor('')}`)

/** The button that opens the menu of a row. */
export const menuOf = (row: Locator) => row.getByRole('button', { name: menuName }).first()

/** Chooses an action in the menu of a row. */
export const chooseAction = async (row: Locator, action: string): Promise<void> => {
  await menuOf(row).click()
  await row.page().getByRole('menuitem', { name: action, exact: true }).click()
}

/** Records the texts of notifications, which close by themselves, perhaps before a test looks. */
const keepNotifications = `{
  const seen = new Set()
  globalThis.said = []
  new MutationObserver(() => {
    for (const notification of document.querySelectorAll('.mantine-Notification-description')) {
      if (seen.has(notification)) continue
      seen.add(notification)
      globalThis.said.push(notification.textContent)
    }
  }).observe(document, { childList: true, subtree: true })
}`

/** The preview of a campaign runs no scripts, so not that one either. */
const notRunInPreview = /^Blocked script execution in 'about:blank'/

/** Waits for a notification. It counts once: the next one of the same text is another. */
const untilSaid = (page: Page, text: string) =>
  expect
    .poll(() =>
      page.evaluate((text) => {
        const { said } = globalThis as unknown as { said: string[] }
        const place = said.indexOf(text)
        return place < 0 ? said.join(', ') : said.splice(0, place + 1).at(-1)
      }, text),
    )
    .toBe(text)

const toolsOf = (page: Page) => ({
  /** Opens a page, such as `test/campaigns`. */
  open: async (path: string) => {
    await page.goto(`/console/${path}`)
    await settled(page)
  },
  /** Waits until the page of this title is there. */
  arrived: async (title: string) => {
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await settled(page)
  },
  button: (name: string) => page.getByRole('button', { name, exact: true }),
  /** The dialog or drawer of this title, or the one that is open. */
  dialog: (name?: string) =>
    name === undefined ? page.getByRole('dialog').last() : page.getByRole('dialog', { name }),
  /** The row of a table that holds a text. */
  row: (text: string | RegExp) => page.getByRole('row').filter({ hasText: text }),
  said: (text: string) => untilSaid(page, text),
  picture: (name: string) => picture(page, name),
})

export type Console = Awaited<ReturnType<typeof createConsole>>
export type Visit = Awaited<ReturnType<Console['visit']>>

/** A server and a browser. `config` and `clock` require a separate server. */
export const createConsole = async (config?: Partial<Config>, clock?: Clock) => {
  const world = await createWorld({ ...(config && { config }), ...(clock && { clock }) })
  const browser = noteChanges(await launchBrowser())

  /** A new member, signed in, at a page below `/console`. An operator is an owner, too. */
  const visit = async (
    path: string,
    role: MemberRole | 'OPERATOR' = 'OWNER',
    partnerId = world.partner.partnerId,
  ) => {
    const isOperator = role === 'OPERATOR'
    const { id, email } = await createMember(world, isOperator ? 'OWNER' : role, partnerId)
    await world.runtime.db.member.update({ where: { id }, data: { isOperator } })
    const session = await signIn(world, { email, password })
    const context = await browser.newContext({
      baseURL: world.base,
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
    })
    const [name = '', value = ''] = cookieIn(session).split('=')
    await context.addCookies([{ name, value, url: world.base }])
    await context.addInitScript(keepNotifications)
    const page = await context.newPage()
    page.setDefaultTimeout(patienceMs)
    const faults = watchFaults(page, world.base, notRunInPreview)
    const tools = toolsOf(page)
    await tools.open(path)
    return { world, page, faults, email, ...tools }
  }

  return {
    world,
    browser,
    visit,
    end: async () => {
      await browser.close()
      await world.end()
    },
  }
}
