/** The first steps of a new partner, using only what the page of the console says. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { gamesTexts } from '../../console/texts/games-texts.ts'
import { keysTexts } from '../../console/texts/keys-texts.ts'
import { overviewTexts } from '../../console/texts/overview-texts.ts'
import { rewardRulesTexts } from '../../console/texts/reward-rules-texts.ts'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { startTexts as texts } from '../../console/texts/start-texts.ts'
import { webhooksTexts } from '../../console/texts/webhooks-texts.ts'
import { createReceiver, type Receiver } from '../webhooks/receiver.ts'
import { type Console, createConsole, press, settled, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
let receiver: Receiver
beforeAll(async () => {
  visits = await createConsole({ webhookAllowPrivate: true, jobs: true })
  receiver = await createReceiver()
  const { db } = visits.world.runtime
  const id = randomUUID()
  await db.partner.create({ data: { id, slug: id, name: 'New partner' } })
  await db.application.create({ data: { id: randomUUID(), partnerId: id, name: 'app' } })
  visit = await visits.visit('test/start', 'OWNER', id)
})
afterAll(async () => {
  await visits?.end()
  await receiver?.end()
})
afterEach(() => expect(visit.faults).toEqual([]))

const run = promisify(execFile)

/** The place of a step on the page. */
const step = (title: string) =>
  visit.page.locator('.mantine-Timeline-item').filter({ hasText: title })

const isDone = (title: string) =>
  step(title).getByRole('img', { name: texts.isDone, exact: true }).waitFor()

/** Runs the command of a step as the page shows it, with a key. */
const runCommand = async (title: string, placeholder: string, key: string) => {
  const command = (await step(title).locator('pre').textContent()) ?? ''
  expect(command).toContain(placeholder)
  const { stdout } = await run('sh', ['-c', `${command.replace(placeholder, key)} --silent`])
  return JSON.parse(stdout)
}

/** Creates the key that a step asks for: its button opens the form for a key of this kind. */
const createKey = async (button: string, kind: string, label: string) => {
  await press(visit.page, button)
  await visit.arrived(keysTexts.title)
  const form = visit.dialog(keysTexts.create)
  expect(await form.getByRole('combobox', { name: keysTexts.kind }).inputValue()).toBe(kind)
  await form.getByLabel(keysTexts.label).fill(label)
  await press(form, keysTexts.create)
  const made = visit.dialog(keysTexts.created1)
  const key = (await made.getByText(/^[sp]k_test_\w+$/).textContent()) ?? ''
  await press(made, shell.done)
  await made.waitFor({ state: 'detached' })
  return key
}

/** Back to the steps by the navigation. */
const steps = async () => {
  await visit.page.locator('nav').getByRole('link', { name: texts.title, exact: true }).click()
  await visit.arrived(texts.title)
}

test('an overview on which nothing has happened leads to the first steps', async () => {
  await visit.open('test/overview')
  await visit.page.getByText(overviewTexts.nothingYet).waitFor()
  await visit.picture('overview-empty')
  const content = visit.page.getByRole('main')
  await content.getByRole('link', { name: texts.title, exact: true }).click()
  await visit.arrived(texts.title)
})

test('the secret key of the first step awards the first points, which the page shows by itself', async () => {
  expect(await visit.page.getByRole('img', { name: texts.isDone, exact: true }).count()).toBe(0)
  await visit.picture('start-empty')
  const secret = await createKey(texts.keyAction, keysTexts.kinds.SECRET, 'Server')
  await steps()
  await isDone(texts.key)

  await press(visit.page, texts.awardAction)
  await visit.arrived(rewardRulesTexts.title)
  await visit.button(rewardRulesTexts.add).last().click()
  const form = visit.dialog(rewardRulesTexts.add)
  await form.getByRole('combobox', { name: rewardRulesTexts.eventType }).fill('signup')
  await form.getByLabel(rewardRulesTexts.points).fill('500')
  await press(form, shell.save)
  await visit.said(rewardRulesTexts.saved)
  await visit.row('signup').waitFor()
  await steps()
  expect(await runCommand(texts.award, 'YOUR_SECRET_KEY', secret)).toMatchObject({ code: 200 })
  await isDone(texts.award)
})

test('a play needs a game and a public key, and the page leads to both', async () => {
  await press(visit.page, texts.playAction)
  await visit.button(gamesTexts.setUp).first().click()
  await visit.page.getByText(shell.notSavedYet).waitFor()
  await visit.page.getByLabel(gamesTexts.gameDescription).fill('Spin and win.')
  await visit.button(shell.save).click()
  await visit.said(gamesTexts.saved)
  await steps()
  await step(texts.play).getByText(texts.playNoKey).waitFor()
  await visit.picture('start-play')
  const key = await createKey(texts.playKeyAction, keysTexts.kinds.PUBLIC, 'App')
  await steps()
  await step(texts.play).getByText(texts.playCommand).waitFor()
  expect(await runCommand(texts.play, 'YOUR_PUBLIC_KEY', key)).toMatchObject({ code: 200 })
  await isDone(texts.play)
})

test('the last step is an event that the endpoint accepts, and then everything is set up', async () => {
  await press(visit.page, texts.webhookAction)
  await visit.arrived(webhooksTexts.title)
  await visit.button(webhooksTexts.create).first().click()
  const form = visit.dialog(webhooksTexts.create)
  await form.getByLabel(webhooksTexts.url).fill(receiver.url)
  await press(form, webhooksTexts.create)
  await press(visit.dialog(webhooksTexts.createdTitle), shell.done)
  await steps()
  await step(texts.webhook).getByText(texts.webhookTest).waitFor()
  await visit.picture('start-webhook')
  await press(visit.page, texts.webhookTestAction)
  await press(visit.page, webhooksTexts.sendTest)
  await visit.dialog(webhooksTexts.delivery).getByText('Delivered').waitFor()
  await visit.page.keyboard.press('Escape')
  await steps()
  await isDone(texts.webhook)
  await step(texts.webhook).getByText(texts.webhookText).waitFor()
  await visit.page.getByText(texts.allDone).waitFor()
  await settled(visit.page)
  await visit.picture('start-done')
  await press(visit.page, texts.toOverview)
})
