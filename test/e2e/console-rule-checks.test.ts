/** Reward rules and offer rules in LIVE: what a change means and can cost is shown before it is made. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { offerCheckTexts, rewardRuleCheckTexts } from '../../console/texts/check-texts.ts'
import { offersTexts } from '../../console/texts/offers-texts.ts'
import { rewardRulesTexts } from '../../console/texts/reward-rules-texts.ts'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { type Console, chooseAction, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit

beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('live/reward-rules')
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const titleOf = (action: string, name: string) => `${action} ${shell.quoted(name)}`

const ruleNow = (eventType: string) =>
  visit.world.runtime.db.rewardRule.findFirst({
    where: { eventType, environment: 'LIVE', partnerId: visit.world.partner.partnerId },
  })

test('a reward rule is changed after a look at what its awards would have cost', async () => {
  const { open, dialog, row, world } = visit
  await world.givePoints('ann', 2, 'purchase', world.partner.live.secret)
  await open('live/reward-rules')
  await chooseAction(row('purchase'), rewardRulesTexts.edit)
  const form = dialog(rewardRulesTexts.editTitle('purchase'))
  await form.getByLabel(rewardRulesTexts.points).fill('77')
  await press(form, shell.save)
  const check = dialog(titleOf(shell.save, 'purchase'))
  await check.getByText(rewardRuleCheckTexts.fromNow).waitFor()
  await check.getByRole('row', { name: 'An award 50 points 77 points' }).waitFor()
  await check
    .getByRole('row', { name: 'The 2 awards of the last 30 days 100 points 154 points' })
    .waitFor()
  await check.getByText(rewardRuleCheckTexts.more('54')).waitFor()
  await visit.picture('reward-rule-check')

  await press(check, shell.cancel)
  expect(await form.getByLabel(rewardRulesTexts.points).inputValue()).toBe('77')
  expect(await ruleNow('purchase')).toMatchObject({ points: 50, version: 1 })
  await press(form, shell.save)
  await press(check, shell.inLive(shell.save))
  await visit.said(rewardRulesTexts.saved)
  await row('purchase').getByText('77').waitFor()
  expect(await ruleNow('purchase')).toMatchObject({ points: 77, version: 2 })
})

test('a new reward rule says that awards are accepted from then on', async () => {
  const { button, dialog, row } = visit
  await button(rewardRulesTexts.add).click()
  const form = dialog(rewardRulesTexts.add)
  await form.getByRole('combobox', { name: rewardRulesTexts.eventType }).fill('survey')
  await press(form, shell.save)
  const check = dialog(titleOf(shell.save, 'survey'))
  await check.getByText(rewardRuleCheckTexts.accepted('survey')).waitFor()
  await check.getByText(rewardRuleCheckTexts.noAwards).waitFor()
  await press(check, shell.inLive(shell.save))
  await visit.said(rewardRulesTexts.saved)
  await row('survey').waitFor()
})

test('an offer rule is set, changed, paused and resumed after a look at who gets the offer', async () => {
  const { page, open, button, dialog, row, world } = visit
  for (const externalId of ['mina', 'jonas', 'leyla'])
    await world.post('/v1/user-journeys/users', world.partner.live.public, { externalId })
  const { body } = await world.graphql(
    'mutation { createReward(input: { name: "Mug", kind: ITEM, stock: 5 }) { __typename } }',
    {},
    world.partner.live,
  )
  expect(body.data.createReward.__typename).toBe('CreateRewardPayload')

  await open('live/offers')
  await button(offersTexts.add).last().click()
  const form = dialog(offersTexts.add)
  await form.getByRole('combobox', { name: offersTexts.stage }).click()
  await page.getByRole('option', { name: 'New', exact: true }).click()
  await form.getByLabel(offersTexts.offerTitle).fill('Hello')
  await form.getByRole('combobox', { name: offersTexts.reward }).fill('mug')
  await page.getByRole('option', { name: /^Mug/ }).click()
  await press(form, shell.save)
  const save = dialog(titleOf(shell.save, 'Hello'))
  await save.getByText(offerCheckTexts.enter('New')).waitFor()
  await save.getByText(offerCheckTexts.entries('3')).waitFor()
  await save.getByRole('row', { name: 'At most, for 3 entries 300 points' }).waitFor()
  await save.getByText(offerCheckTexts.reward('Mug', '5 left in stock')).waitFor()
  await visit.picture('offer-rule-check')
  await press(save, shell.inLive(shell.save))
  await visit.said(offersTexts.saved)

  await chooseAction(row('Hello'), offersTexts.edit)
  const edit = dialog(offersTexts.editTitle)
  await edit.getByRole('textbox', { name: offersTexts.points }).fill('250')
  await press(edit, shell.save)
  await save.getByText(offerCheckTexts.fromNow).waitFor()
  await save.getByRole('row', { name: 'At most, for 3 entries 300 points 750 points' }).waitFor()
  await press(save, shell.inLive(shell.save))
  await visit.said(offersTexts.saved)
  await row('Hello').getByText('250').waitFor()

  await chooseAction(row('Hello'), offersTexts.pause)
  const pause = dialog(titleOf(offersTexts.pause, 'Hello'))
  await pause.getByText(offerCheckTexts.kept).waitFor()
  await press(pause, shell.inLive(offersTexts.pause))
  await visit.said(offersTexts.pausedDone)

  await chooseAction(row('Hello'), offersTexts.resume)
  const resume = dialog(titleOf(offersTexts.resume, 'Hello'))
  await resume.getByText(offerCheckTexts.missed).waitFor()
  await resume.getByRole('row', { name: 'At most, for 3 entries 750 points' }).waitFor()
  await press(resume, shell.inLive(offersTexts.resume))
  await visit.said(offersTexts.resumed)
})
