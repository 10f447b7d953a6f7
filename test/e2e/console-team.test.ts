/** The team in the console: invitations, roles, and members who leave. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doorTexts } from '../../console/texts/door-texts.ts'
import { pageNames, texts as shell } from '../../console/texts/shell-texts.ts'
import { teamTexts as texts } from '../../console/texts/team-texts.ts'
import { codeAt, stepAt } from '../../src/accounts/totp.ts'
import { ask, fromConsole, openSession, password, signIn } from '../console/browser.ts'
import { patienceMs, picture } from './chromium.ts'
import {
  type Console,
  chooseAction,
  createConsole,
  press,
  settled,
  type Visit,
} from './console-visit.ts'

let visits: Console
let visit: Visit
let page: Page
/** The page of the person who is invited. */
let theirs: Page
beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('live/team')
  page = visit.page
  theirs = await (await visits.browser.newContext()).newPage()
  theirs.setDefaultTimeout(patienceMs)
})
afterAll(() => visits?.end())

const invite = async (email: string, role: string) => {
  await page.getByRole('button', { name: texts.invite, exact: true }).first().click()
  await visit.dialog().getByLabel(texts.email).fill(email)
  await visit.dialog().getByRole('radio', { name: role }).check({ force: true })
  await press(visit.dialog(), texts.invite)
  const shown = page.getByRole('dialog', { name: texts.linkTitle })
  await shown.waitFor()
  const link = (await shown.locator('code, pre').first().textContent()) ?? ''
  await press(shown, shell.done)
  await shown.waitFor({ state: 'detached' })
  return link
}

const row = (email: string) => page.getByRole('row').filter({ hasText: email })

test('a person is invited, chooses a password and is signed in', async () => {
  const link = await invite('carla@example.com', texts.roleNames.ANALYST)
  await row('carla@example.com').waitFor()
  const { pathname, hash } = new URL(link)
  await theirs.goto(`${visits.world.base}${pathname}${hash}`)
  await theirs.getByRole('heading', { level: 1, name: doorTexts.join('') }).waitFor()
  await theirs.getByText(doorTexts.invited(visit.email)).waitFor()
  await theirs.getByText(texts.roleHints.ANALYST).waitFor()
  expect(await theirs.getByLabel(doorTexts.email).inputValue()).toBe('carla@example.com')
  await picture(theirs, 'join')
  await theirs.getByLabel(doorTexts.newPassword).first().fill('short')
  await press(theirs, doorTexts.joinNow)
  await theirs.getByText(`${doorTexts.newPassword} must have at least 12 characters`).waitFor()
  expect(await theirs.getByRole('alert').count()).toBe(0)
  await theirs.getByLabel(doorTexts.newPassword).first().fill(password)
  await press(theirs, doorTexts.joinNow)
  await theirs.waitForURL(/overview/)
  await settled(theirs)
  await page.reload()
  await settled(page)
  const member = page.getByRole('table', { name: texts.members }).getByRole('row')
  await member.filter({ hasText: 'carla@example.com' }).getByText('Analyst').waitFor()
})

test('another role shows other pages', async () => {
  expect(await theirs.locator('nav a').allTextContents()).not.toContain(pageNames.keys)
  await chooseAction(row('carla@example.com'), texts.edit)
  await visit.dialog().getByRole('radio', { name: texts.roleNames.ADMIN }).check({ force: true })
  await press(visit.dialog(), shell.save)
  await visit.said(texts.saved)
  await expect
    .poll(async () => {
      await theirs.reload()
      await settled(theirs)
      return theirs.locator('nav a').allTextContents()
    })
    .toContain(pageNames.keys)
})

test('a member chooses a new password through a link, and signs in with it', async () => {
  await chooseAction(row('carla@example.com'), texts.resetLink)
  const shown = page.getByRole('dialog', { name: texts.resetLinkTitle })
  const link = (await shown.locator('code, pre').first().textContent()) ?? ''
  await press(shown, shell.done)
  const { pathname, hash } = new URL(link)
  const stranger = await visits.browser.newPage()
  await stranger.goto(`${visits.world.base}${pathname}${hash}`)
  const chosen = 'another long password'
  await stranger.getByLabel(doorTexts.newPassword).first().fill(chosen)
  await press(stranger, doorTexts.choose)
  await stranger.getByText(doorTexts.chosen).waitFor()
  await stranger.close()
  const credentials = { email: 'carla@example.com', password: chosen }
  expect((await signIn(visits.world, credentials)).status).toBe(200)
})

test('the second factor of another member is removed, and they sign in without it', async () => {
  const { world } = visits
  const { email, cookie } = await openSession(world)
  const run = async (query: string) => (await ask(world, cookie, fromConsole, query)).data
  const { startTotp } = await run(
    `mutation { startTotp(input: { currentPassword: "${password}" }) { ... on StartTotpPayload { secret } } }`,
  )
  const code = codeAt(startTotp.secret, stepAt(new Date()))
  await run(`mutation { confirmTotp(input: { code: "${code}" }) { __typename } }`)
  expect((await signIn(world, { email, password })).status).toBe(401)
  await visit.open('live/team')
  await row(email).getByText(texts.hasSecondFactor, { exact: true }).waitFor()
  await chooseAction(row(email), texts.edit)
  await visit
    .dialog()
    .getByRole('switch', { name: texts.removeSecondFactor })
    .check({ force: true })
  await press(visit.dialog(), shell.save)
  await visit.said(texts.saved)
  await row(email).getByText(texts.noSecondFactor, { exact: true }).waitFor()
  expect((await signIn(world, { email, password })).status).toBe(200)
})

test('an invitation is revoked, and its link says so', async () => {
  const link = await invite('dora@example.com', texts.roleNames.EDITOR)
  await chooseAction(row('dora@example.com'), texts.revoke)
  await visit.said(texts.revoked)
  await row('dora@example.com').waitFor({ state: 'detached' })
  const { pathname, hash } = new URL(link)
  const stranger = await visits.browser.newPage()
  await stranger.goto(`${visits.world.base}${pathname}${hash}`)
  await stranger.getByText(doorTexts.invitationOver).waitFor()
  expect(await stranger.getByText('dora@example.com').count()).toBe(0)
  await stranger.close()
})

test('a deleted member is signed out', async () => {
  await chooseAction(row('carla@example.com'), texts.delete)
  await visit.dialog().getByRole('textbox').fill('carla@example.com')
  await press(visit.dialog(), texts.delete)
  await visit.said(texts.deleted)
  await expect
    .poll(async () => {
      await theirs.goto(`${visits.world.base}/console/live/users`)
      return theirs.waitForURL(/sign-in/, { timeout: 2_000 }).then(
        () => true,
        () => false,
      )
    })
    .toBe(true)
  expect(visit.faults.filter((fault) => !/40\d/.test(fault))).toEqual([])
})
