/** A member who has forgotten their password, in a real browser: the form, the mail, the link, the sign-in. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doorTexts } from '../../console/texts/door-texts.ts'
import { teamTexts } from '../../console/texts/team-texts.ts'
import { sendMail } from '../../src/accounts/mail.jobs.ts'
import { codeAt, stepAt } from '../../src/accounts/totp.ts'
import { openMailbox } from '../accounts/mailbox.ts'
import { createMember, password } from '../console/browser.ts'
import { createWorld, type World } from '../world.ts'
import { launchBrowser, patienceMs, watchFaults } from './chromium.ts'
import { noteChanges } from './driven.ts'

let world: World
let browser: Browser
let page: Page
let mailbox: Awaited<ReturnType<typeof openMailbox>>
let member: Awaited<ReturnType<typeof createMember>>
let faults: string[]
const newPassword = 'another horse in the stable'

beforeAll(async () => {
  mailbox = await openMailbox()
  world = await createWorld({
    config: { mail: { smtpUrl: mailbox.url, from: 'no-reply@example.com' } },
  })
  member = await createMember(world)
  browser = noteChanges(await launchBrowser())
  page = await browser.newPage()
  page.setDefaultTimeout(patienceMs)
  faults = watchFaults(page, world.base, /401/)
})
afterAll(async () => {
  await browser?.close()
  await world?.end()
  await mailbox?.close()
})

const signIn = async (secret: string) => {
  await page.fill('input[type=email]', member.email)
  await page.fill('input[type=password]', secret)
  await page.click('button[type=submit]')
}

/** Opens the link of the last mail, at the address of this server. */
const followMail = async () => {
  mailbox.mails.length = 0
  await sendMail(world.runtime)
  const [path] = /\/console\/\S+/.exec(mailbox.mails.at(-1)?.text ?? '') ?? []
  // Another page in between, because a new fragment alone loads nothing.
  await page.goto('about:blank')
  await page.goto(`${world.base}${path}`)
}

test('a forgotten password is replaced through the link in a mail, and the new one works', async () => {
  await page.goto(`${world.base}/console/sign-in`)
  await page.getByRole('link', { name: doorTexts.forgot }).click()
  await page.getByRole('heading', { level: 1, name: doorTexts.forgotTitle }).waitFor()
  await page.fill('input[type=email]', member.email)
  await page.click('button[type=submit]')
  await page.getByText(doorTexts.linkSent(member.email)).waitFor()

  await followMail()
  await page.getByRole('heading', { level: 1, name: doorTexts.chooseTitle }).waitFor()
  await page.fill('input[type=password]', 'short')
  await page.click('button[type=submit]')
  await page.getByText(`${doorTexts.newPassword} must have at least 12 characters`).waitFor()
  await page.fill('input[type=password]', newPassword)
  await page.click('button[type=submit]')
  await page.getByText(doorTexts.chosen).waitFor()
  expect(new URL(page.url()).hash).toBe('')

  await page.getByRole('link', { name: doorTexts.toSignIn }).click()
  await page.getByRole('heading', { level: 1, name: doorTexts.signIn }).waitFor()
  await signIn(password)
  await page.getByRole('alert').waitFor()
  await signIn(newPassword)
  await page.waitForURL(/\/console\/(test|live)/)
  expect(faults).toEqual([])
})

test('the page of a used link says so', async () => {
  const used = mailbox.mails.at(-1)?.text ?? ''
  const [path] = /\/console\/\S+/.exec(used) ?? []
  await page.goto('about:blank')
  await page.goto(`${world.base}${path}`)
  await page.fill('input[type=password]', newPassword)
  await page.click('button[type=submit]')
  await page.getByRole('alert').getByText('no longer valid').waitFor()
})

test('an invitation that is sent by mail shows no link, and the mail leads to a new account', async () => {
  await page.goto(`${world.base}/console/live/team`)
  await page.getByRole('button', { name: teamTexts.invite }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=email]').fill('new-colleague@example.com')
  await dialog.locator('button[type=submit]').click()
  await page.getByText(teamTexts.sentByMail('new-colleague@example.com')).waitFor()
  expect(await page.getByText('#token=').count()).toBe(0)

  await followMail()
  await page.getByRole('heading', { level: 1, name: doorTexts.join('') }).waitFor()
  await page.fill('input[type=password]', newPassword)
  await page.click('button[type=submit]')
  await page.waitForURL(/\/console\/(test|live|start)/)
  expect(faults).toEqual([])
})

/** Runs a mutation and returns its result. */
const send = async (name: string, fields: string, input: object, bearer: string) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const { body } = await world.graphql(
    `mutation ($input: ${Name}Input!) { ${name}(input: $input) { ... on ${Name}Payload { ${fields} } } }`,
    { input },
    { bearer },
  )
  return body.data[name]
}

test('a member with a second factor needs a code in addition to the link', async () => {
  const { id, email } = await createMember(world, 'EDITOR')
  const { body } = await world.post('/dashboard/auth/login', undefined, { email, password })
  const bearer: string = body.data.accessToken
  const { secret } = await send('startTotp', 'secret', { currentPassword: password }, bearer)
  const code = codeAt(secret, stepAt(new Date()))
  const { recoveryCodes } = await send('confirmTotp', 'recoveryCodes', { code }, bearer)
  const owner = await world.signInAs('OWNER')
  const { link } = await send('createPasswordResetLink', 'link', { memberId: id }, owner)

  await page.goto('about:blank')
  await page.goto(link.replace(/^https?:\/\/[^/]+/, world.base))
  await page.fill('input[type=password]', newPassword)
  await page.click('button[type=submit]')
  await page.getByLabel(doorTexts.code).fill(recoveryCodes[0])
  await page.click('button[type=submit]')
  await page.getByText(doorTexts.chosen).waitFor()
  expect(faults).toEqual([])
})
