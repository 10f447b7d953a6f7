/** A new partner sets up a campaign, using only what the pages of the console say. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  campaignEditorTexts,
  campaignResultsTexts,
  campaignsTexts,
} from '../../console/texts/campaigns-texts.ts'
import { codesTexts } from '../../console/texts/codes-texts.ts'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { callsTo } from '../campaigns/promotion.ts'
import { type Console, createConsole, type Visit } from './console-visit.ts'
import { doJob } from './counted.ts'

let visits: Console
let visit: Visit
beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/campaigns')
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const { tabs } = campaignsTexts
const openTab = (name: string) => visit.page.getByRole('tab', { name, exact: true }).click()

/** Sends the request of a command on a page, with a secret key. */
const run = async (command: string) => {
  const [, url = ''] = /^curl (\S+)/.exec(command) ?? []
  const headers = [...command.matchAll(/-H '([^:']+): ([^']+)'/g)].map(
    ([, name = '', value = '']): [string, string] => [
      name,
      value.replace('YOUR_SECRET_KEY', visits.world.keys.secret),
    ],
  )
  const [, body = ''] = /-d '([^']+)'/.exec(command) ?? []
  return fetch(url, { method: 'POST', headers, body })
}

test('a campaign with an instant win is set up from the empty list', async () => {
  const { page, button, dialog } = visit
  await button(campaignsTexts.create).first().click()
  await dialog(campaignsTexts.create).getByLabel(campaignsTexts.name).fill('First Deal')
  await dialog(campaignsTexts.create).getByRole('button', { name: campaignsTexts.create }).click()
  await visit.arrived('First Deal')
  await button(campaignEditorTexts.addRule).click()
  await page.getByLabel(campaignEditorTexts.eventType).fill('purchase')
  await page.getByRole('switch', { name: campaignEditorTexts.hasInstantWin }).click()
  await page.getByLabel(campaignEditorTexts.winRate).fill('100')
  await page.getByLabel(campaignEditorTexts.prize, { exact: true }).fill('Espresso')
  await button(shell.save).click()
  await visit.said(campaignEditorTexts.saved)
})

test('a draft says that it must be started, and a campaign without users shows the first request', async () => {
  const { page, button, row } = visit
  await openTab(tabs.participants)
  await page.getByText(campaignResultsTexts.startFirst).waitFor()
  await button(campaignsTexts.start).click()
  await visit.said(campaignsTexts.started)
  await page.getByText(campaignResultsTexts.firstEvent).waitFor()
  await visit.picture('campaign-first-event')
  const command = await page.locator('pre', { hasText: 'curl' }).textContent()
  const { status } = await run(command ?? '')
  expect(status).toBe(200)
  await page.reload()
  await row('user-1').waitFor()
  await openTab(tabs.wins)
  await row('user-1').getByText('Espresso').waitFor()
})

test('codes are given out, and the results count those that were redeemed', async () => {
  const { page, button, dialog } = visit
  await openTab(tabs.codes)
  await button(codesTexts.create).click()
  await dialog(codesTexts.create).getByLabel(codesTexts.count).fill('2')
  await dialog(codesTexts.create).getByRole('button', { name: codesTexts.create }).click()
  const made = dialog(codesTexts.ready('2'))
  const [code] = (await made.getByLabel(codesTexts.allCodes).inputValue()).split('\n')
  await made.getByRole('button', { name: codesTexts.done }).click()
  await visit.arrived(codesTexts.batch)
  await page.getByText(codesTexts.redeemOnPage).waitFor()
  await page.getByRole('link', { name: shell.openPage }).waitFor()
  await page.goBack()
  const redeemed = await callsTo(visits.world).redeem('first-deal', { code, userId: 'user-2' })
  expect(redeemed.status).toBe(200)
  await page.reload()
  await openTab(tabs.results)
  await page.getByText(campaignResultsTexts.codesHint('1', '2', '50%')).waitFor()
  await page.getByText(campaignResultsTexts.instantWinHint('1', '1', '100%')).waitFor()
})

test('a campaign with prizes and referrals is launched in Live from the start page, in at most 16', () =>
  doJob(
    visits,
    16,
    async ({ goTo, press, click, fill, page, arrived, button, dialog, said }) => {
      await goTo(campaignsTexts.title)
      await click(button(campaignsTexts.create).first())
      const form = dialog(campaignsTexts.create)
      await fill(campaignsTexts.name, 'Grand Opening', form)
      await press(campaignsTexts.create, form)
      await arrived('Grand Opening')
      await press(campaignEditorTexts.addRule)
      await fill(campaignEditorTexts.eventType, 'purchase')
      await click(page.getByRole('switch', { name: campaignEditorTexts.hasInstantWin }))
      await fill(campaignEditorTexts.winRate, '5')
      await fill(campaignEditorTexts.prize, 'Voucher')
      await fill(campaignEditorTexts.stock, '1000')
      await click(page.getByRole('switch', { name: campaignEditorTexts.hasReferrals }))
      await fill(campaignEditorTexts.referrerReward, '200')
      await fill(campaignEditorTexts.refereeReward, '100')
      await press(campaignEditorTexts.saveAndStart)
      const check = dialog(`${campaignsTexts.start} ${shell.quoted('Grand Opening')}`)
      await check.getByRole('row', { name: 'Prizes 100 100,000 100,000' }).waitFor()
      await check.getByRole('row', { name: 'Referrals 300 No limit No limit' }).waitFor()
      await press(shell.inLive(campaignsTexts.start), check)
      await said(campaignsTexts.started)
      const where = { slug: 'grand-opening', environment: 'LIVE' } as const
      expect(await visits.world.runtime.db.campaign.findFirst({ where })).toMatchObject({
        ...{ status: 'ACTIVE', winsPerMillion: 50_000, referrerReward: 200 },
      })
    },
    { from: 'live/start' },
  ))
