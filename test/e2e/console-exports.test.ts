/** Exports in the console: started, watched, downloaded, cancelled and deleted, in a real browser. */
import type { Page } from 'playwright-core'
import { v7 as uuid } from 'uuid'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { exportsTexts as texts } from '../../console/texts/exports-texts.ts'
import { goalsTexts } from '../../console/texts/goals-texts.ts'
import { ledgerTexts } from '../../console/texts/ledger-texts.ts'
import { rewardsTexts } from '../../console/texts/rewards-texts.ts'
import { pageNames } from '../../console/texts/shell-texts.ts'
import { runExports } from '../../src/exports/export.jobs.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { type Console, chooseAction, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
let page: Page
beforeAll(async () => {
  visits = await createConsole()
  await visits.world.givePoints('ann', 3)
  await visits.world.givePoints('ben', 1, 'purchase')
  visit = await visits.visit('test/ledger')
  page = visit.page
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const row = (text: string) => visit.row(text)

/** The lines of the file behind a link. Its address is the public one, which leads elsewhere in a test. */
const download = async (what: string) => {
  const link = page.getByRole('link', { name: texts.downloadOf(what) }).first()
  const url = new URL((await link.getAttribute('href')) ?? '')
  const answer = await page.request.get(`${visits.world.base}${url.pathname}${url.search}`)
  expect(answer.status()).toBe(200)
  expect(answer.headers()['content-disposition']).toMatch(/attachment/)
  return (await answer.text()).trimEnd().split(/\r?\n/)
}

test('a list is exported as it is filtered, and a notification leads to the file', async () => {
  await page.getByRole('combobox', { name: ledgerTexts.event }).click()
  await page.getByRole('option', { name: 'purchase' }).click()
  await page.waitForURL(/event=purchase/)
  await press(page, texts.exportList)
  await page.getByText(texts.exporting('0')).waitFor()
  await visit.picture('export-running')
  await page.getByRole('link', { name: pageNames.exports }).click()
  await row(texts.kinds.LEDGER).getByText('Queued').waitFor()
  await row(texts.kinds.LEDGER).getByLabel(texts.soFar).waitFor()
  await runExports(visits.world.runtime)
  await row(texts.kinds.LEDGER).getByText('Completed').waitFor()
  // The notification has followed the file to another page.
  const file = page.getByRole('alert').getByRole('link', { name: /^ledger-test-[\d-]{10}\.csv$/ })
  await file.waitFor()
  await visit.picture('export-ready')
  const [head, ...lines] = await download(texts.kinds.LEDGER)
  expect(head).toContain('eventType')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('purchase')
})

test('an export of users as JSON lines is started on the page of exports', async () => {
  await press(page, texts.start)
  await visit.dialog().getByLabel(texts.format).first().click()
  await page.getByRole('option', { name: texts.formats.JSONL }).click()
  await press(visit.dialog(), texts.start)
  await row(texts.kinds.USERS).getByText('Queued').waitFor()
  await runExports(visits.world.runtime)
  await row(texts.kinds.USERS).getByText('Completed').waitFor()
  const users = (await download(texts.kinds.USERS)).map((line) => JSON.parse(line).externalId)
  expect(users.toSorted()).toEqual(['ann', 'ben'])
})

test('the codes of one of many batches, which is found by its label, are exported', async () => {
  const { runtime, tenant } = visits.world
  const slug = await makeCampaign(visits.world, 'summer-sale', { name: 'Spring' })
  const made = { slug, batchSize: 3, pointsValue: 10, label: 'Leaflet' }
  expect((await callsTo(visits.world).generate(made)).status).toBe(200)
  const { campaignId } = await runtime.db.codeBatch.findFirstOrThrow()
  const createdAt = new Date()
  await runtime.db.codeBatch.createMany({
    data: Array.from({ length: 120 }, (_, n) => ({
      ...tenant,
      id: uuid(),
      campaignId,
      label: `Poster ${n}`,
      batchSize: 1,
      pointsValue: 10,
      createdAt,
    })),
  })
  await press(page, texts.start)
  await visit.dialog().getByLabel(texts.what).first().click()
  await page.getByRole('option', { name: texts.kinds.CODES }).click()
  await press(visit.dialog(), texts.start)
  await visit.dialog().getByText(texts.batchMissing).waitFor()
  const field = visit.dialog().getByRole('combobox', { name: texts.batch })
  await field.fill('leaf')
  await page.getByRole('option', { name: texts.batchOf('Spring', 'Leaflet') }).click()
  await press(visit.dialog(), texts.start)
  await visit.said(texts.startedDone)
  await row(texts.kinds.CODES).getByText('Queued').waitFor()
  await runExports(runtime)
  await row(texts.kinds.CODES).getByText('Completed').waitFor()
  // The header, and three codes.
  expect(await download(texts.kinds.CODES)).toHaveLength(4)
})

test('completions of goals and rewards that were given are exported from their pages', async () => {
  const { runtime, graphql } = visits.world
  const { text } = await graphql(`mutation {
    createReward(input: { name: "Bonus", kind: POINTS, points: 5 }) { __typename }
    giveReward(input: { user: { externalId: "ann" }, reward: { slug: "bonus" } }) { __typename } }`)
  expect(text).not.toContain('Error')
  for (const [path, label, kind, lines] of [
    ['test/goals', goalsTexts.export, texts.kinds.COMPLETIONS, 1],
    ['test/rewards', rewardsTexts.export, texts.kinds.GRANTS, 2],
  ] as const) {
    await visit.open(path)
    await visit.picture(`export-${path.replace('/', '-')}`)
    await press(page, label)
    await press(visit.dialog(), texts.start)
    await visit.said(texts.startedDone)
    await visit.open('test/exports')
    await row(kind).getByText('Queued').waitFor()
    await runExports(runtime)
    await row(kind).getByText('Completed').waitFor()
    expect(await download(kind)).toHaveLength(lines)
  }
})

test('an export that has not been made is cancelled', async () => {
  await press(page, texts.start)
  await visit.dialog().getByLabel(texts.what).first().click()
  await page.getByRole('option', { name: texts.kinds.PLAYS }).click()
  await press(visit.dialog(), texts.start)
  await row(texts.kinds.PLAYS).getByRole('button', { name: texts.cancel }).click()
  await visit.said(texts.cancelled)
  await row(texts.kinds.PLAYS).getByText('Cancelled').waitFor()
  expect(await row(texts.kinds.PLAYS).getByRole('link').count()).toBe(0)
})

test('a finished export is deleted, and its link has ended', async () => {
  const line = row(texts.kinds.USERS)
  const link = line.getByRole('link', { name: texts.downloadOf(texts.kinds.USERS) })
  const url = new URL((await link.getAttribute('href')) ?? '')
  await chooseAction(line, texts.delete)
  await visit.dialog().getByText(texts.deleteExplanation).waitFor()
  await press(visit.dialog(), texts.delete)
  await visit.said(texts.deleted)
  await line.waitFor({ state: 'detached' })
  const answer = await page.request.get(`${visits.world.base}${url.pathname}${url.search}`)
  expect(answer.status()).toBe(410)
})
