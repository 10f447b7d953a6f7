/** The audit log in the console: sentences, filters, and undoing a change, in a real browser. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { auditLogTexts as texts } from '../../console/texts/audit-log-texts.ts'
import { batchesTexts } from '../../console/texts/batches-texts.ts'
import { gamesTexts } from '../../console/texts/games-texts.ts'
import { historyTexts } from '../../console/texts/history-texts.ts'
import { rewardRulesTexts } from '../../console/texts/reward-rules-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { demoLotteries } from '../lotteries/lottery.ts'
import { type Console, createConsole, settled, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit

beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/start', 'OWNER')
  await change('daily_login', 10)
  await change('daily_login', 1_000)
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

/** Another program changes the rule. */
const change = async (eventType: string, points: number) => {
  const input = `{ eventType: "${eventType}", points: ${points} }`
  const { body } = await visits.world.graphql(
    `mutation { setRewardRule(input: ${input}) { __typename } }`,
  )
  expect(body.data.setRewardRule.__typename).toBe('SetRewardRulePayload')
}

const rule = (eventType: string) =>
  visits.world.runtime.db.rewardRule.findFirstOrThrow({
    where: { ...visits.world.tenant, eventType },
  })

const sentence = (points: string) =>
  visit.row(`changed reward rule daily_login: points ${points}`).first()

test('who changed a rule is found and undone in three clicks from the start', async () => {
  const { page, button, dialog } = visit
  await page.getByRole('link', { name: texts.title, exact: true }).click()
  await visit.arrived(texts.title)
  await sentence('10 → 1,000').getByRole('button', { name: historyTexts.undo }).click()
  await dialog().getByRole('cell', { name: '1,000' }).waitFor()
  await visit.picture('audit-undo')
  await dialog().getByRole('button', { name: historyTexts.undo, exact: true }).click()
  await visit.said(historyTexts.undone)
  expect((await rule('daily_login')).points).toBe(10)
  await visit
    .row('restored an earlier version of reward rule daily_login: points 1,000 → 10')
    .filter({ hasText: visit.email })
    .waitFor()
  await button(historyTexts.undo).first().waitFor()
  await visit.picture('audit-log')
})

test('a change since then is shown before it is undone, too', async () => {
  const { page, dialog } = visit
  await change('daily_login', 50)
  await page.reload()
  await settled(page)
  await sentence('10 → 1,000').getByRole('button', { name: historyTexts.undo }).click()
  await dialog().getByText(historyTexts.changedSince).waitFor()
  // Somebody changes it once more, while the dialog is open.
  await change('daily_login', 60)
  await dialog().getByRole('button', { name: historyTexts.undoAll }).click()
  await dialog().getByText(historyTexts.changedMeanwhile).waitFor()
  await dialog().getByRole('cell', { name: '60' }).waitFor()
  await visit.picture('audit-conflict')
  expect((await rule('daily_login')).points).toBe(60)
  await dialog().getByRole('button', { name: historyTexts.undoAll }).click()
  await visit.said(historyTexts.undone)
  expect((await rule('daily_login')).points).toBe(10)
})

test('the log is filtered by person, kind, action and object', async () => {
  const { page, dialog } = visit
  await change('review', 5)
  await visit.open('test/audit-log')
  await page.getByRole('combobox', { name: texts.person }).fill(visit.email)
  await page.getByRole('option', { name: visit.email }).click()
  await page.waitForURL(/person=/)
  await visit.row('added reward rule review').waitFor({ state: 'detached' })
  await visit.open('test/audit-log')
  await page
    .getByRole('combobox', { name: texts.action })
    .fill('Restored an earlier version of reward')
  await page.getByRole('option').first().click()
  await page.waitForURL(/action=restoreRewardRule/)
  await expect.poll(() => visit.row('restored an earlier version').count()).toBe(2)
  await visit.row('restored').first().getByRole('button', { name: texts.details }).click()
  await dialog(texts.details).getByText(texts.request).waitFor()
  await visit.picture('audit-details')
  await dialog(texts.details).getByRole('link', { name: texts.allOf }).click()
  await page.waitForURL(/target=/)
  await page.getByText(texts.onlyObject).waitFor()
  await visit.row('review').waitFor({ state: 'detached' })
})

test('the name of an object leads to its history, which restores a version', async () => {
  const { page, dialog } = visit
  await visit.open('test/audit-log')
  await page.getByRole('link', { name: 'daily_login' }).first().click()
  await visit.arrived(rewardRulesTexts.title)
  const history = dialog(`${historyTexts.history}: daily_login`)
  await history.getByRole('row').filter({ hasText: '60' }).first().waitFor()
  await visit.picture('rule-history')
  const row = history.getByRole('row').filter({ hasText: 'points 50 → 60' })
  const version = Number(await row.getByRole('cell').first().textContent())
  await row.getByRole('button', { name: historyTexts.restore }).click()
  await dialog(historyTexts.restoreTitle(version))
    .getByRole('button', { name: historyTexts.restore })
    .click()
  await visit.said(historyTexts.restored(version))
  expect((await rule('daily_login')).points).toBe(60)
})

test('a campaign has a history with its rules and prizes', async () => {
  const { page } = visit
  const slug = await makeCampaign(visits.world, 'summer-sale')
  const input = `{ campaign: { slug: "${slug}" }, name: "Renamed", eventRules: [{ eventType: "visit", points: 9 }] }`
  await visits.world.graphql(`mutation { updateCampaign(input: ${input}) { __typename } }`)
  const { id } = await visits.world.runtime.db.campaign.findFirstOrThrow({
    where: { ...visits.world.tenant, slug },
  })
  const path = encodeURIComponent(Buffer.from(`Campaign:${id}`).toString('base64url'))
  await visit.open(`test/campaigns/${path}?tab=history`)
  await page.getByRole('cell', { name: /name .* → Renamed/ }).waitFor()
  await visit.picture('campaign-history')
  await page.getByRole('button', { name: historyTexts.restore }).click()
  const question = visit.dialog(historyTexts.restoreTitle(1))
  await question.getByRole('cell', { name: 'Renamed' }).waitFor()
  await question.getByRole('button', { name: historyTexts.restore }).click()
  await visit.said(historyTexts.restored(1))
})

/** Undoes the newest change that can be undone. */
const undoNewest = async () => {
  await visit.open('test/audit-log')
  await visit.page.getByRole('button', { name: historyTexts.undo }).first().click()
  await visit.dialog().getByRole('button', { name: historyTexts.undo, exact: true }).click()
  await visit.said(historyTexts.undone)
}

test('changes of an offer rule, a lottery and a game are undone from the log', async () => {
  const { world, page, button } = visit
  await demoLotteries(world)
  const rule = (title: string) =>
    `setOfferRule(input: { stage: NEW, offerType: VIP_PLAY, title: "${title}" }) { __typename }`
  const changes = [
    `${rule('First')} second: ${rule('Second')}`,
    'updateLottery(input: { lottery: { slug: "weekly-draw" }, description: "Changed" }) { __typename }',
  ]
  for (const change of changes) {
    const { body } = await world.graphql(`mutation { ${change} }`)
    expect(JSON.stringify(body)).toContain('Payload')
    await undoNewest()
  }
  await visit.open('test/games/NEON_WHEEL')
  await page.getByLabel(gamesTexts.gameDescription).fill('Changed')
  await button(shellTexts.save).click()
  await visit.said(gamesTexts.saved)
  await undoNewest()
})

test('a batch of offers is stopped before it has reached everybody', async () => {
  const { world, button, dialog } = visit
  await world.givePoints('anna', 1)
  const { body } =
    await world.graphql(`mutation { createOffersForUsers(input: { filter: { search: "anna" },
    offerType: VIP_PLAY, title: "For you" }) { ... on CreateOffersForUsersPayload { userBatch { id } } } }`)
  const { id } = body.data.createOffersForUsers.userBatch
  await visit.open(`test/batches/${encodeURIComponent(id)}`)
  await button(batchesTexts.cancel).click()
  await dialog().getByRole('button', { name: batchesTexts.cancel }).click()
  await visit.said(batchesTexts.cancelled)
})

test.runIf(process.env.SCREENSHOTS)('pictures at two widths, in both themes', async () => {
  const { page } = visit
  for (const scheme of ['light', 'dark'])
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.evaluate(`localStorage.setItem('mantine-color-scheme-value', '${scheme}')`)
      for (const [name, path] of [
        ['audit-log', 'test/audit-log'],
        ['reward-rules', 'test/reward-rules'],
      ] as const) {
        await visit.open(path)
        await visit.picture(`${name}-${width}-${scheme}`)
      }
      await visit.open('test/audit-log')
      await page.getByRole('button', { name: texts.details }).nth(2).click()
      await page.getByText(texts.request).waitFor()
      await visit.picture(`details-${width}-${scheme}`)
      await visit.open('test/audit-log')
      await page.getByRole('button', { name: historyTexts.undo }).first().click()
      await visit.dialog().getByText(historyTexts.now).waitFor()
      await visit.picture(`undo-${width}-${scheme}`)
    }
})
