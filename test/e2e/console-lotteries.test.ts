/** Lotteries and their draws in the console: each action, in a real browser, as an operator, who can draw. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { lotteryCheckTexts } from '../../console/texts/check-texts.ts'
import { conflictTexts } from '../../console/texts/conflict-texts.ts'
import {
  drawsTexts,
  lotteriesTexts,
  lotteryEditorTexts,
} from '../../console/texts/lotteries-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { keepDraws } from '../../src/lotteries/draw.ts'
import { type Console, chooseAction, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
/** The path of the lottery that the tests set up, one after another. */
let path: string

beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/lotteries', 'OPERATOR')
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const lotteryNow = () =>
  visit.world.runtime.db.lottery.findFirstOrThrow({ where: { slug: 'friday-draw' } })

/** Does the work of the job that keeps draws. */
const makeDraws = async () => keepDraws(visit.world.runtime, (await lotteryNow()).id)

const send = async (query: string) => {
  const { body } = await visit.world.graphql(query)
  const [result] = Object.values(body.data ?? {}) as { __typename: string }[]
  expect(result?.__typename, JSON.stringify(body)).toMatch(/Payload$/)
}

const save = async () => {
  await visit.button(shellTexts.save).click()
  await visit.said(lotteryEditorTexts.saved)
}

test('a lottery is created from the empty list, and an invalid address is reported at its field', async () => {
  const { page, open, button, dialog } = visit
  await open('test/lotteries')
  await page.getByText(lotteriesTexts.empty).waitFor()
  await button(lotteriesTexts.create).first().click()
  const form = dialog(lotteriesTexts.create)
  await form.getByLabel(lotteriesTexts.name).fill('Friday Draw')
  const slug = form.getByLabel(lotteriesTexts.slug)
  expect(await slug.inputValue()).toBe('friday-draw')
  await slug.fill('Friday')
  await form.getByRole('button', { name: lotteriesTexts.create }).click()
  await form.getByText(`${lotteriesTexts.slug} may have small letters`).waitFor()
  expect(await form.getByText(shellTexts.errorTitle).count()).toBe(0)
  await slug.fill('friday-draw')
  await visit.picture('lottery-create')
  await form.getByRole('button', { name: lotteriesTexts.create }).click()
  await visit.said(lotteriesTexts.created)
  await page.waitForURL(/lotteries\/[^?]+\?tab=setup/)
  path = new URL(page.url()).pathname.replace('/console/', '')
})

test('numbers, pot and prizes are set up, and an invalid prize is reported at its field', async () => {
  const { page, open, button } = visit
  await open(`${path}?tab=setup`)
  await page.getByLabel(lotteryEditorTexts.descriptionLabel).fill('Every Friday')
  await page.getByLabel(lotteryEditorTexts.potBase).fill('1000')
  await page.getByLabel(lotteryEditorTexts.logo).fill('http://example.com/logo.png')
  await button(lotteryEditorTexts.addTier).click()
  const prize = page.getByLabel(lotteryEditorTexts.prize, { exact: true })
  await prize.nth(4).fill('Jackpot')
  await button(shellTexts.save).click()
  await page
    .getByText(`${lotteryEditorTexts.logo} must be an address that begins with https`)
    .waitFor()
  await page.getByText(`${lotteryEditorTexts.prize} must be different in each tier`).waitFor()
  expect(await page.getByText(shellTexts.errorTitle).count()).toBe(0)
  await visit.picture('lottery-refused')
  await page.getByLabel(lotteryEditorTexts.logo).fill('')
  await prize.nth(4).fill('Two')
  await save()
  const { description, rules } = await lotteryNow()
  expect(description).toBe('Every Friday')
  expect(rules).toMatchObject({ potBaseCents: 100_000, tiers: { length: 5 } })
  await page.getByLabel(lotteryEditorTexts.descriptionLabel).fill('')
  await save()
  expect((await lotteryNow()).description).toBe('')
})

test('if two people change a lottery, the second one sees both versions and decides', async () => {
  const { page, open, button, dialog } = visit
  await open(`${path}?tab=setup`)
  await page.getByLabel(lotteryEditorTexts.delay).fill('0')
  await send(`mutation { updateLottery(input: { lottery: { slug: "friday-draw" },
    drawDelaySeconds: 90 }) { __typename ... on Error { message } } }`)
  await button(shellTexts.save).click()
  const question = dialog(conflictTexts.title)
  await question.getByRole('row', { name: /90 0$/ }).waitFor()
  await visit.picture('lottery-conflict')
  await question.getByRole('button', { name: conflictTexts.save }).click()
  await visit.said(lotteryEditorTexts.saved)
  expect((await lotteryNow()).drawDelaySeconds).toBe(0)
})

test('a lottery is started, paused and started again, and a draw is scheduled', async () => {
  const { page, open, button, dialog, row } = visit
  await open(path)
  await button(lotteriesTexts.start).click()
  await visit.said(lotteriesTexts.started)
  await makeDraws()
  await button(lotteriesTexts.pause).click()
  await visit.said(lotteriesTexts.paused)
  await button(lotteriesTexts.resume).click()
  await row(lotteriesTexts.drawName(1)).waitFor()
  await button(drawsTexts.schedule).click()
  const form = dialog(drawsTexts.schedule)
  await form.getByRole('button', { name: drawsTexts.schedule }).click()
  await form.getByText(drawsTexts.closesMissing).waitFor()
  await form.getByRole('button', { name: drawsTexts.closes }).click()
  await page.getByRole('button', { name: 'Next month' }).click()
  await page.locator('table button:not([data-outside])', { hasText: /^15$/ }).click()
  await visit.picture('draw-schedule')
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: drawsTexts.schedule }).click()
  await visit.said(drawsTexts.scheduled)
  await row(lotteriesTexts.drawName(2)).waitFor()
  await visit.picture('lottery-draws')
})

test('a ticket is cancelled, and a draw with its tickets', async () => {
  const { page, open, button, dialog, row } = visit
  await open(`${path}?tab=tickets`)
  await page.getByText(drawsTexts.firstTicket).waitFor()
  await visit.picture('lottery-first-ticket')
  for (const name of ['mina', 'jonas', 'leyla'])
    await send(`mutation { enterLottery(input: { lottery: { slug: "friday-draw" },
      email: "${name}@example.com", user: { externalId: "${name}" } }) { __typename ... on Error { message } } }`)
  await open(`${path}?tab=tickets`)
  await chooseAction(row('mina'), drawsTexts.cancelTicket)
  const question = dialog(drawsTexts.cancelTicket)
  await visit.picture('ticket-cancel')
  await question.getByRole('button', { name: drawsTexts.cancelTicket }).click()
  await visit.said(drawsTexts.ticketCancelled)
  await row('mina').getByText('Cancelled').waitFor()
  await visit.picture('lottery-tickets')
  await open(path)
  await page.getByRole('link', { name: lotteriesTexts.drawName(2) }).click()
  await button(drawsTexts.cancel).click()
  await dialog(drawsTexts.cancel).getByRole('button', { name: drawsTexts.cancel }).click()
  await visit.said(drawsTexts.cancelled)
  await page.getByText('Cancelled').first().waitFor()
})

test('an operator executes a draw, and its numbers, winners and proof are shown', async () => {
  const { page, open, button, dialog } = visit
  await open(path)
  await page.getByRole('link', { name: lotteriesTexts.drawName(1) }).click()
  await page.getByText(drawsTexts.commitment).waitFor()
  await visit.picture('draw-open')
  await button(drawsTexts.execute).click()
  await dialog(drawsTexts.execute).getByRole('button', { name: drawsTexts.execute }).click()
  await page.getByText('Completed').first().waitFor()
  await page.getByText(drawsTexts.seed, { exact: true }).waitFor()
  await page.getByRole('link', { name: drawsTexts.download }).waitFor()
  await visit.picture('draw-completed')
  const where = page.getByRole('navigation', { name: shellTexts.breadcrumbs })
  await where.getByText(lotteriesTexts.drawName(1)).waitFor()
  await where.getByRole('link', { name: 'Friday Draw' }).click()
  await page.getByRole('tab', { name: lotteriesTexts.tabs.results }).click()
  await page.getByText(lotteriesTexts.ticketsChart).waitFor()
  await visit.picture('lottery-results')
})

test('a lottery is ended after a question, which in LIVE requires its name', async () => {
  const { page, open, button, dialog } = visit
  await open('live/lotteries')
  await button(lotteriesTexts.create).first().click()
  const form = dialog(lotteriesTexts.create)
  await form.getByLabel(lotteriesTexts.name).fill('Live Draw')
  await form.getByRole('button', { name: lotteriesTexts.create }).click()
  await page.waitForURL(/lotteries\/[^?]+\?tab=setup/)
  await button(lotteriesTexts.start).click()
  const check = dialog(`${lotteriesTexts.start} ${shellTexts.quoted('Live Draw')}`)
  await check.getByRole('row', { name: /^Largest fixed prize of a line / }).waitFor()
  await check.getByText(lotteryCheckTexts.open).waitFor()
  await visit.picture('lottery-check')
  await press(check, shellTexts.inLive(lotteriesTexts.start))
  await visit.said(lotteriesTexts.started)
  await page.getByLabel(lotteryEditorTexts.potBase).fill('500')
  await button(shellTexts.save).click()
  const change = dialog(`${shellTexts.save} ${shellTexts.quoted('Live Draw')}`)
  await change.getByRole('row', { name: /^Pot before the first ticket .* \$500\.00$/ }).waitFor()
  await press(change, shellTexts.inLive(shellTexts.save))
  await visit.said(lotteryEditorTexts.saved)
  const question = dialog(lotteriesTexts.end)
  const confirm = question.getByRole('button', { name: lotteriesTexts.end })
  await button(lotteriesTexts.end).click()
  expect(await confirm.isDisabled()).toBe(true)
  await question.getByRole('textbox').fill('Live Draw')
  await confirm.click()
  await visit.said(lotteriesTexts.ended)
  await open(path)
  await button(lotteriesTexts.end).click()
  await confirm.click()
  await visit.said(lotteriesTexts.ended)
  expect((await lotteryNow()).status).toBe('COMPLETED')
  await open('test/lotteries')
  await visit.picture('lotteries')
})

test('a draft of a lottery is deleted, not ended', async () => {
  const { open, page, button, dialog } = visit
  await open('test/lotteries')
  await button(lotteriesTexts.create).first().click()
  const form = dialog(lotteriesTexts.create)
  await form.getByLabel(lotteriesTexts.name).fill('Never')
  await form.getByRole('button', { name: lotteriesTexts.create }).click()
  await page.waitForURL(/lotteries\/[^?]+\?tab=setup/)
  await button(lotteriesTexts.delete).click()
  expect(await button(lotteriesTexts.end).count()).toBe(0)
  await dialog(lotteriesTexts.delete).getByRole('button', { name: lotteriesTexts.delete }).click()
  await visit.said(lotteriesTexts.deleted)
  expect(await visit.world.runtime.db.lottery.count({ where: { slug: 'never' } })).toBe(0)
})
