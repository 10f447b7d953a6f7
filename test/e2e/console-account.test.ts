/** The account of a member: second factor, password, and where they are signed in. */
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountTexts as texts } from '../../console/texts/account-texts.ts'
import { campaignsTexts } from '../../console/texts/campaigns-texts.ts'
import { doorTexts } from '../../console/texts/door-texts.ts'
import { timeZoneTexts } from '../../console/texts/period-texts.ts'
import { settingsTexts } from '../../console/texts/settings-texts.ts'
import { pageNames, texts as shell } from '../../console/texts/shell-texts.ts'
import { codeAt, stepAt } from '../../src/accounts/totp.ts'
import { password, signIn } from '../console/browser.ts'
import { type Console, chooseAction, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
let page: Page
beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/account')
  page = visit.page
})
afterAll(() => visits?.end())

let secret = ''
let recoveryCodes: string[] = []
/** A code of the authenticator app. Each is valid once, so the second is that of the next period. */
let lastStep = 0
const nextCode = async () => {
  const step = Math.max(lastStep + 1, stepAt(new Date()))
  lastStep = step
  // A server takes codes of the next period, too, but not later ones.
  while (stepAt(new Date()) + 1 < step) await new Promise((resolve) => setTimeout(resolve, 500))
  return codeAt(secret, step)
}

const isOn = () => page.getByText(texts.secondFactorOn, { exact: true })

const signInWith = async (to: Page, secondFactor: string, firstFactor = password) => {
  await to.getByLabel(doorTexts.email).fill(visit.email)
  await to.getByLabel(doorTexts.password).first().fill(firstFactor)
  await press(to, doorTexts.signIn)
  await to.getByRole('heading', { name: doorTexts.codeTitle }).waitFor()
  await to.getByRole('textbox', { name: doorTexts.code }).fill(secondFactor)
  await press(to, doorTexts.continue)
}

test('a second factor is turned on with the code of an app', async () => {
  await press(page, texts.turnOn)
  await visit.dialog().getByLabel(texts.currentPassword).first().fill('not my password')
  await press(visit.dialog(), texts.continue)
  await visit
    .dialog()
    .getByText(/is wrong/i)
    .waitFor()
  await visit.dialog().getByLabel(texts.currentPassword).first().fill(password)
  await press(visit.dialog(), texts.continue)
  const key = page.getByRole('group', { name: texts.key })
  secret = (await key.textContent()) ?? ''
  expect(secret).toMatch(/^[A-Z2-7]{16,}$/)
  await page.getByRole('img', { name: texts.qrCode }).waitFor()
  await visit
    .dialog()
    .getByRole('textbox', { name: texts.code })
    .fill(await nextCode())
  await press(visit.dialog(), texts.turnOn)
  const codes = await page.getByRole('group', { name: texts.recoveryTitle }).textContent()
  recoveryCodes = (codes ?? '').split('\n')
  expect(recoveryCodes).toHaveLength(10)
  await press(visit.dialog(), texts.kept)
  await isOn().waitFor()
})

test('a member who signed out gets back in with the second factor only', async () => {
  await page.getByRole('button', { name: shell.account }).click()
  await page.getByRole('menuitem', { name: shell.signOut }).click()
  await page.waitForURL(/sign-in/)
  await signInWith(page, '000000')
  await page.getByRole('alert').waitFor()
  await page.getByRole('textbox', { name: doorTexts.code }).fill(await nextCode())
  await press(page, doorTexts.continue)
  await page.waitForURL(/\/console\/test\/overview/)
  await page.locator('nav').getByRole('link', { name: pageNames.account }).click()
  await visit.arrived(texts.title)
})

test('other sign-ins are listed, and ended one by one or together', async () => {
  const rows = page.getByRole('table', { name: texts.signIns }).getByRole('row')
  /** Another browser signs in, is signed out by `end`, and notices it. */
  const endOther = async (code: string, end: () => Promise<void>) => {
    const before = await rows.count()
    const other = await (await visits.browser.newContext()).newPage()
    await other.goto(`${visits.world.base}/console/sign-in`)
    await signInWith(other, code)
    await other.waitForURL(/overview/)
    await page.reload()
    await expect.poll(() => rows.count()).toBeGreaterThan(before)
    await end()
    await other.goto(`${visits.world.base}/console/test/account`)
    await other.waitForURL(/sign-in/)
    await other.close()
  }
  await endOther(recoveryCodes[0] ?? '', async () => {
    const count = await rows.count()
    // This browser has no such action, and the newest of the others comes first.
    await chooseAction(page.locator('main'), texts.end)
    await visit.said(texts.ended)
    await expect.poll(() => rows.count()).toBe(count - 1)
  })
  await endOther(recoveryCodes[2] ?? '', async () => {
    await press(page, texts.endOthers)
    await visit.said(texts.endedOthers)
    await expect.poll(() => rows.count()).toBe(2)
  })
})

test('the password is changed, and a wrong one is refused at its field', async () => {
  const changed = 'an entirely different password'
  await press(page, texts.changePassword)
  const dialog = visit.dialog()
  await dialog.getByLabel(texts.currentPassword).first().fill('not my password')
  await dialog.getByLabel(texts.newPassword).first().fill(changed)
  await press(dialog, texts.changePassword)
  await dialog.getByText(/is wrong/i).waitFor()
  await dialog.getByLabel(texts.currentPassword).first().fill(password)
  await press(dialog, texts.changePassword)
  await visit.said(texts.passwordChanged)
  const refused = await signIn(visits.world, { email: visit.email, password })
  expect(refused.status).toBe(401)
  const known = await signIn(visits.world, { email: visit.email, password: changed })
  expect(known.body.errorCode).toBe('SECOND_FACTOR_REQUIRED')
})

test('the second factor is turned off with a recovery code', async () => {
  await press(page, texts.turnOff)
  await visit
    .dialog()
    .getByRole('textbox', { name: texts.code })
    .fill(recoveryCodes[1] ?? '')
  await press(visit.dialog(), texts.turnOff)
  await visit.said(texts.turnedOff)
  await isOn().waitFor({ state: 'detached' })
  expect(visit.faults.filter((fault) => !/40[01]/.test(fault))).toEqual([])
})

test('times are shown and typed in the time zone of the partner, and fields say both where they differ', async () => {
  const { world } = visits
  const tenant = { partnerId: world.partner.partnerId, environment: 'TEST' as const }
  const startsAt = new Date('2030-01-15T09:00:00Z')
  const { id } = await world.runtime.db.campaign.create({
    data: {
      ...tenant,
      id: randomUUID(),
      slug: `winter-${randomUUID()}`,
      name: 'Winter',
      startsAt,
      version: 1,
    },
  })
  const there = await visits.visit('test/settings')
  const cdp = await there.page.context().newCDPSession(there.page)
  await cdp.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' })
  await there.page.reload()
  await there.arrived(settingsTexts.title)
  await there.page.getByText(timeZoneTexts.short('UTC'), { exact: true }).waitFor()
  await there.page.getByText(settingsTexts.own('New York')).waitFor()
  await there.page.getByRole('combobox', { name: settingsTexts.label }).fill('Kolkata')
  await there.page.getByRole('option', { name: 'Asia/Kolkata' }).click()
  await press(there.page, shell.save)
  await there.said(settingsTexts.saved)
  await there.page.getByText(timeZoneTexts.short('Kolkata'), { exact: true }).waitFor()
  await there.picture('settings')
  const read = () => world.runtime.db.campaign.findUniqueOrThrow({ where: { id } })
  expect((await read()).startsAt).toEqual(startsAt)

  await there.open(`test/campaigns/${id}?tab=setup`)
  const field = there.page.getByRole('button', { name: campaignsTexts.starts }).first()
  await there.page.getByText('15 Jan 2030, 14:30').waitFor()
  await there.page.getByText(/In New York, where you are: Jan 15, 2030, 4:00/).waitFor()
  await there.picture('settings-both-zones')
  await field.click()
  await there.page.getByRole('spinbutton', { name: shell.calendar.hours }).fill('10')
  await there.page.getByRole('button', { name: shell.calendar.apply }).click()
  await press(there.page, shell.save)
  await expect.poll(async () => (await read()).startsAt).toEqual(new Date('2030-01-15T05:00:00Z'))
  expect(there.faults).toEqual([])
})
