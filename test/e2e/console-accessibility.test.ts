/** axe-core on every page of the console, in both themes, on a phone and on a desktop; no page is wider than its screen. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationsTexts } from '../../console/texts/applications-texts.ts'
import { doorTexts } from '../../console/texts/door-texts.ts'
import { goalsTexts } from '../../console/texts/goals-texts.ts'
import { ledgerTexts } from '../../console/texts/ledger-texts.ts'
import { keyTexts } from '../../console/texts/palette-texts.ts'
import { rewardsTexts } from '../../console/texts/rewards-texts.ts'
import { picture } from './chromium.ts'
import { makePaths } from './console-paths.ts'
import { type Console, createConsole, menuName, settled } from './console-visit.ts'

let visits: Console
let paths: string[]
beforeAll(async () => {
  visits = await createConsole()
  paths = [...(await makePaths(visits.world)), 'users?search=nobody-has-this-name', 'users/nobody']
}, 240_000)
afterAll(() => visits?.end())

type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] }

/** The violations that axe finds: each rule with the elements that break it. */
const violationsOf = async (page: Page, rules?: string[]): Promise<string[]> => {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe.source)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    violations: Violation[]
  }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  )
}

const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }

/** The theme changes only colors, so the other rules are tried in one of them. */
const looks = [
  ['desktop', 'light', desktop, undefined],
  ['phone', 'light', phone, undefined],
  ['phone', 'dark', phone, ['color-contrast']],
  ['desktop', 'dark', desktop, ['color-contrast']],
] as const

/** The narrowest screen and a very wide one. */
const extremes = [
  ['narrow', 'light', { width: 320, height: 640 }, []],
  ['wide', 'light', { width: 2560, height: 1440 }, []],
] as const

/** Waits until animations have ended: colors in transition between themes have no defined contrast. */
const atRest = (page: Page) =>
  page.evaluate(`(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const moves = document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
    await Promise.allSettled(moves.map(({ finished }) => finished))
  })()`)

/** The faults of the open page, in both themes, on a phone and on a desktop. */
const faultsOf = async (page: Page): Promise<string[]> => {
  const found: string[] = []
  for (const [name, colorScheme, size, rules] of [...looks, ...extremes]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    await atRest(page)
    await settled(page)
    const where = `${new URL(page.url()).pathname} on a ${name}, ${colorScheme}:`
    if (rules?.length !== 0)
      found.push(
        ...(await violationsOf(page, rules && [...rules])).map((item) => `${where} ${item}`),
      )
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    if (width > size.width) found.push(`${where} it is ${width} wide`)
    const path = page.url().slice(visits.world.base.length + '/console/'.length)
    const file = path.replace(/\w{30,}/g, 'id').replace(/\W+/g, '-')
    await picture(page, `${file}-${name}-${colorScheme}`)
  }
  return found
}

test('every page is free of violations', async () => {
  const { page, faults } = await visits.visit('live/overview', 'OPERATOR')
  const found: string[] = []
  for (const path of paths) {
    await page.goto(`${visits.world.base}/console/live/${path}`)
    await settled(page)
    const current = await faultsOf(page)
    found.push(...current)
  }
  expect(found).toEqual([])
  // `users/nobody` has an invalid id.
  const refused = 'Failed to load resource: the server responded with a status of 400 (Bad Request)'
  expect(faults).toEqual([refused])
  await page.context().close()
}, 1_200_000)

/** Pages with a button that opens a dialog. */
const dialogs = [
  ['goals', goalsTexts.create],
  ['rewards', rewardsTexts.create],
  ['applications', applicationsTexts.create],
] as const

/** Pages with a list, and an action in the menu of a row. */
const actions = [
  ['ledger', ledgerTexts.reverse],
  ['applications', applicationsTexts.edit],
  ['applications', applicationsTexts.deactivate],
] as const

/** Opens the menus of rows until one has an action that can be used. */
const openMenuWith = async (page: Page, action: string) => {
  const item = page.getByRole('menuitem', { name: action, exact: true })
  for (const menu of await page.getByRole('button', { name: menuName }).all()) {
    await menu.click()
    await page.getByRole('menuitem').first().waitFor()
    if ((await item.count()) > 0) return item
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
  }
  throw new Error(`no row has the action ${action}`)
}

test('the palette with results, the keys, a sign-in over a form and the page of an invitation are free of violations', async () => {
  const { page, email } = await visits.visit('live/overview', 'OWNER')
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog').getByRole('textbox').fill(email)
  await page.getByRole('dialog').getByText(email).first().waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: keyTexts.title }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  const { text } = await visits.world.graphql(
    'mutation { inviteMember(input: { email: "eve@example.com", role: EDITOR }) { ... on InviteMemberPayload { link } } }',
    {},
    { bearer: await visits.world.signInAs('OWNER') },
  )
  const door = await visits.browser.newPage()
  const [, token] = /#token=(\w+)/.exec(text) ?? []
  await door.goto(`${visits.world.base}/console/invitation#token=${token}`)
  await door.getByRole('heading', { level: 1, name: doorTexts.join('') }).waitFor()
  expect(await faultsOf(door)).toEqual([])
  await page.goto(`${visits.world.base}/console/live/goals`)
  await settled(page)
  await page.getByRole('button', { name: goalsTexts.create }).first().click()
  await page.getByRole('dialog').getByLabel(goalsTexts.name).fill('Five apples')
  await page.context().clearCookies()
  await page.getByRole('dialog').getByRole('button', { name: goalsTexts.create }).click()
  await page.getByRole('dialog', { name: doorTexts.endedTitle }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('dialogs, the palette, the sign-in and the start page are free of violations', async () => {
  const { page } = await visits.visit('live/keys', 'OWNER')
  await page.getByRole('button', { name: 'Create a key' }).first().click()
  await page.getByRole('dialog').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog').waitFor()
  expect(await faultsOf(page)).toEqual([])
  for (const [path, button] of dialogs) {
    await page.goto(`${visits.world.base}/console/live/${path}`)
    await settled(page)
    await page
      .locator('button:not([aria-disabled=true])')
      .getByText(button, { exact: true })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    expect(await faultsOf(page)).toEqual([])
  }
  for (const [path, action] of actions) {
    await page.goto(`${visits.world.base}/console/live/${path}`)
    await settled(page)
    const item = await openMenuWith(page, action)
    expect(await faultsOf(page)).toEqual([])
    await item.click()
    await page.getByRole('dialog').waitFor()
    expect(await faultsOf(page)).toEqual([])
  }
  await page.context().close()
  const door = await visits.browser.newPage()
  for (const path of ['/console/sign-in', '/']) {
    await door.goto(visits.world.base + path)
    await door.getByRole('heading', { level: 1 }).waitFor()
    expect(await faultsOf(door)).toEqual([])
  }
})
