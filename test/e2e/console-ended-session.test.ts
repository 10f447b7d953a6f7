/** A session that ends while somebody works: they sign in over the page, and nothing on it is lost. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignEditorTexts, campaignsTexts } from '../../console/texts/campaigns-texts.ts'
import { doorTexts as texts } from '../../console/texts/door-texts.ts'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { teamTexts } from '../../console/texts/team-texts.ts'
import { codeAt, stepAt } from '../../src/accounts/totp.ts'
import { ask, createMember, fromConsole, password } from '../console/browser.ts'
import { type Console, createConsole, type Visit } from './console-visit.ts'

let visits: Console
beforeAll(async () => {
  visits = await createConsole()
})
afterAll(() => visits?.end())

const ended = ({ page }: Pick<Visit, 'page'>) =>
  page.getByRole('dialog', { name: texts.endedTitle })

/** The session of a page, as the browser sends it. */
const cookieOf = async (page: Page) => {
  const [{ name, value } = { name: '', value: '' }] = await page.context().cookies()
  return `${name}=${value}`
}

const endSession = (page: Page) => page.context().clearCookies()

const signInAgain = async (visit: Visit, typed: string) => {
  await ended(visit).getByLabel(texts.password).first().fill(typed)
  await ended(visit).getByRole('button', { name: texts.signIn, exact: true }).click()
}

/** A refused request is a line in the log of the browser. */
const otherFaults = ({ faults }: Visit) => faults.filter((fault) => !/40[01]/.test(fault))

test('a form in a dialog is sent after the sign-in, as it was filled in', async () => {
  const visit = await visits.visit('test/campaigns')
  const { page, button, dialog } = visit
  await button(campaignsTexts.create).first().click()
  const form = dialog(campaignsTexts.create)
  await form.getByLabel(campaignsTexts.name).fill('Late night')
  await endSession(page)
  await form.getByRole('button', { name: campaignsTexts.create }).click()
  await ended(visit).waitFor()
  expect(await ended(visit).getByLabel(texts.email).inputValue()).toBe(visit.email)
  await visit.picture('ended-session')
  await page.setViewportSize({ width: 390, height: 844 })
  await visit.picture('ended-session-phone')
  await page.emulateMedia({ colorScheme: 'dark' })
  await visit.picture('ended-session-phone-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.keyboard.press('Escape')
  await signInAgain(visit, 'not my password')
  await ended(visit).getByRole('alert').waitFor()
  expect(await form.getByLabel(campaignsTexts.name).inputValue()).toBe('Late night')
  await signInAgain(visit, password)
  await visit.said(campaignsTexts.created)
  await ended(visit).waitFor({ state: 'detached' })
  await visit.arrived('Late night')
  expect(otherFaults(visit)).toEqual([])
  await page.context().close()
})

test('a form on a page is saved after the sign-in, with the code of the second factor', async () => {
  const visit = await visits.visit('test/campaigns')
  const { page, button, world } = visit
  const run = async (query: string) => {
    const { data } = await ask(world, await cookieOf(page), fromConsole, query)
    return data
  }
  const { body } = await world.graphql(`mutation {
    createCampaign(input: { slug: "early-bird", name: "Early bird" }) {
      ... on CreateCampaignPayload { campaign { id } } } }`)
  const { id } = body.data.createCampaign.campaign
  const { startTotp } = await run(
    `mutation { startTotp(input: { currentPassword: "${password}" }) { ... on StartTotpPayload { secret } } }`,
  )
  const step = stepAt(new Date())
  const first = codeAt(startTotp.secret, step)
  await run(`mutation { confirmTotp(input: { code: "${first}" }) { __typename } }`)
  await visit.open(`test/campaigns/${encodeURIComponent(id)}?tab=setup`)
  const description = page.getByLabel(campaignsTexts.descriptionLabel)
  await description.fill('For those who come first.')
  await endSession(page)
  await button(shell.save).click()
  await signInAgain(visit, password)
  // A code counts once, so this is that of the next period.
  await ended(visit)
    .getByLabel(texts.code)
    .fill(codeAt(startTotp.secret, step + 1))
  await ended(visit).getByRole('button', { name: texts.signIn, exact: true }).click()
  await visit.said(campaignEditorTexts.saved)
  expect(await description.inputValue()).toBe('For those who come first.')
  expect(otherFaults(visit)).toEqual([])
  await page.context().close()
})

test('somebody else who signs in gets the page anew', async () => {
  const visit = await visits.visit('live/team')
  const { page, button } = visit
  const other = await createMember(visits.world, 'ANALYST')
  await endSession(page)
  await button(teamTexts.invite).first().click()
  await page.evaluate('globalThis.isSamePage = true')
  await visit.dialog(teamTexts.inviteTitle).getByLabel(teamTexts.email).fill('x@example.com')
  await visit.dialog(teamTexts.inviteTitle).getByRole('button', { name: teamTexts.invite }).click()
  await ended(visit).getByLabel(texts.email).fill(other.email)
  await signInAgain(visit, password)
  await expect.poll(() => page.evaluate('globalThis.isSamePage')).toBeUndefined()
  await visit.arrived(teamTexts.title)
  await page.getByRole('row').filter({ hasText: other.email }).getByText(teamTexts.you).waitFor()
  expect(await ended(visit).count()).toBe(0)
  await page.context().close()
})
