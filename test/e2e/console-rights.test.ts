/** What members with limited rights see, and how LIVE differs from TEST. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentsTexts } from '../../console/texts/agents-texts.ts'
import { keysTexts } from '../../console/texts/keys-texts.ts'
import { ledgerTexts } from '../../console/texts/ledger-texts.ts'
import { pageNames, texts } from '../../console/texts/shell-texts.ts'
import { stageRulesTexts } from '../../console/texts/stage-rules-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import {
  type Console,
  chooseAction,
  createConsole,
  menuOf,
  press,
  settled,
} from './console-visit.ts'

let visits: Console
beforeAll(async () => {
  visits = await createConsole()
  await visits.world.givePoints('alice', 1)
})
afterAll(() => visits?.end())

/** Checks that a button is disabled, says why and opens nothing. */
const expectRefused = async (page: Page, name: string, role: string) => {
  const button = page.getByRole('button', { name, exact: true }).first()
  await button.waitFor()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await button.hover()
  await page.getByRole('tooltip').getByText(texts.missingRight(role)).waitFor()
  await button.click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
}

/** Checks that an action of the first row is disabled, says why and opens nothing. */
const expectRefusedInMenu = async (page: Page, name: string, role: string) => {
  await menuOf(page.locator('main')).click()
  const action = page.getByRole('menuitem', { name })
  expect(await action.getAttribute('aria-disabled')).toBe('true')
  await action.getByText(texts.missingRight(role)).waitFor()
  await action.click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('Escape')
  await action.waitFor({ state: 'detached' })
}

test('an analyst sees why a button is disabled', async () => {
  const { page } = await visits.visit('test/users', 'ANALYST')
  await page.getByRole('link', { name: 'alice' }).click()
  await expectRefused(page, usersTexts.adjust, 'ANALYST')
  const pages = await page.locator('nav a').allTextContents()
  expect(pages).not.toContain(pageNames.keys)
  await page.goto(`${visits.world.base}/console/test/keys`)
  await page.getByText(texts.noAccess).waitFor()
  await page.getByText(texts.missingRight('ANALYST')).waitFor()
  await page.context().close()
})

test('an analyst can neither reverse an entry nor revoke tokens', async () => {
  const { page, open } = await visits.visit('test/ledger', 'ANALYST')
  await expectRefusedInMenu(page, ledgerTexts.reverse, 'ANALYST')
  await open('test/users')
  await page.getByRole('link', { name: 'alice' }).click()
  await expectRefusedInMenu(page, ledgerTexts.reverse, 'ANALYST')
  await expectRefused(page, usersTexts.revokeTokens, 'ANALYST')
  await page.context().close()
})

test('an analyst sees the rules of stages, and cannot save others', async () => {
  const { page } = await visits.visit('test/stage-rules', 'ANALYST')
  const events = page.getByRole('textbox', { name: stageRulesTexts.fields.newMaxEvents })
  await events.fill('5')
  await expectRefused(page, texts.save, 'ANALYST')
  await events.press('Enter')
  const { classificationSettings } = visits.world.runtime.db
  expect(await classificationSettings.count()).toBe(0)
  await page.context().close()
})

test('an editor can reverse an entry, but sees no applications', async () => {
  const { page, open, dialog } = await visits.visit('test/ledger', 'EDITOR')
  await chooseAction(page.locator('main'), ledgerTexts.reverse)
  await dialog().waitFor()
  await press(dialog(), texts.cancel)
  expect(await page.locator('nav a').allTextContents()).not.toContain(pageNames.applications)
  await open('test/applications')
  await page.getByText(texts.noAccess).waitFor()
  await page.getByText(texts.missingRight('EDITOR')).waitFor()
  await page.context().close()
})

test('a developer sees the arena and their own account only', async () => {
  const { page } = await visits.visit('test/agents', 'DEVELOPER')
  expect(await page.locator('nav a').allTextContents()).toEqual(
    (
      [
        'arena-games',
        'sessions',
        'agents',
        'matches',
        'acceptances',
        'earnings',
        'account',
      ] as const
    ).map((name) => pageNames[name]),
  )
  await page.context().close()
})

test('the arena can be changed in LIVE only, and TEST says so', async () => {
  const { page } = await visits.visit('test/agents', 'DEVELOPER')
  const button = page.getByRole('button', { name: agentsTexts.create }).first()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('note').getByRole('link', { name: texts.toLive }).click()
  await page.waitForURL(/\/console\/live\/agents/)
  await button.click()
  await page.getByRole('dialog').waitFor()
  await page.context().close()
})

test('only operators see the pages of the platform', async () => {
  const { page } = await visits.visit('live/platform', 'OWNER')
  await page.getByText(texts.noAccess).waitFor()
  await page.context().close()
})

const switchTo = (page: Page, environment: string) =>
  page
    .getByRole('radiogroup', { name: texts.environment })
    .getByText(environment, { exact: true })
    .click()

const frameOf = `getComputedStyle(document.documentElement, '::after').borderTopWidth`

test('live data is framed and labelled, and the switch opens the same page of the other environment', async () => {
  const { page } = await visits.visit('live/users')
  expect(await page.evaluate(frameOf)).toBe('4px')
  await expect.poll(() => page.title()).toContain(texts.live)
  await switchTo(page, texts.test)
  await page.waitForURL(/\/console\/test\/users/)
  await page.getByRole('link', { name: 'alice' }).waitFor()
  expect(await page.evaluate(frameOf)).not.toBe('4px')
  await page.getByRole('link', { name: 'alice' }).click()
  await page.getByRole('button', { name: usersTexts.adjust }).waitFor()
  // A thing of TEST is not in LIVE: the switch leads to the list.
  await switchTo(page, texts.live)
  await page.waitForURL(/\/console\/live\/users$/)
  await page.getByText(usersTexts.empty).waitFor()
  await page.context().close()
})

test('an action that cannot be undone asks for a name in LIVE, but not in TEST', async () => {
  const visit = await visits.visit('live/keys')
  const { page } = visit
  const revoke = () => chooseAction(page.locator('main'), keysTexts.revoke)
  await revoke()
  const confirm = visit.dialog().getByRole('button', { name: keysTexts.revoke, exact: true })
  expect(await confirm.isDisabled()).toBe(true)
  const field = visit.dialog().getByRole('textbox')
  const name = /“([^”]+)”/.exec((await visit.dialog().textContent()) ?? '')?.[1] ?? ''
  await field.fill(`${name}?`)
  expect(await confirm.isDisabled()).toBe(true)
  await field.fill(name)
  await confirm.click()
  await visit.said(keysTexts.revokedDone)
  await page.goto(`${visits.world.base}/console/test/keys`)
  await settled(page)
  await revoke()
  expect(await visit.dialog().getByRole('textbox').count()).toBe(0)
  await press(visit.dialog(), texts.cancel)
  await page.context().close()
})
