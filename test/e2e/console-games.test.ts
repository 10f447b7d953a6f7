/** Games and reward rules in the console: each action, in a real browser. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { gameCheckTexts } from '../../console/texts/check-texts.ts'
import { conflictTexts } from '../../console/texts/conflict-texts.ts'
import { gameNames, gamesTexts } from '../../console/texts/games-texts.ts'
import { rewardRulesTexts } from '../../console/texts/reward-rules-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { createApiKey } from '../../src/accounts/api-key.ts'
import { demoMechanics } from '../../src/demo/demo.ts'
import { setGameMechanic } from '../../src/games/mechanic.ts'
import { setRewardRule } from '../../src/points/reward-rule.ts'
import type { World } from '../world.ts'
import { type Console, chooseAction, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit

/** A key of the partner, with which another program changes things. */
let secret: string
let partnerId: string

/** A partner who has set up one game only. */
const createBarePartner = async ({ runtime }: World) => {
  const applicationId = randomUUID()
  partnerId = randomUUID()
  await runtime.db.partner.create({ data: { id: partnerId, slug: partnerId, name: 'Bare' } })
  await runtime.db.application.create({ data: { id: applicationId, partnerId, name: 'app' } })
  const tenant = { partnerId, environment: 'TEST' } as const
  secret = (await createApiKey(runtime, { ...tenant, applicationId, kind: 'SECRET' })).key
  const slots = demoMechanics.find(({ gameType }) => gameType === 'COSMIC_SLOTS')
  if (slots) await setGameMechanic(runtime, { ...tenant, ...slots })
  for (const environment of ['TEST', 'LIVE'] as const)
    await setRewardRule(runtime, { partnerId, environment, eventType: 'purchase', points: 10 })
  return partnerId
}

beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/games', 'OWNER', await createBarePartner(visits.world))
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const gameNow = (gameType: keyof typeof gameNames) =>
  visit.world.runtime.db.gameMechanic.findFirstOrThrow({
    where: { gameType, environment: 'TEST', partnerId },
  })

const changeElsewhere = async (query: string, payload: string) => {
  const { body } = await visit.world.graphql(query, {}, { secret })
  expect(Object.values(body.data)).toMatchObject([{ __typename: payload }])
}

const save = async () => {
  await visit.button(shellTexts.save).click()
  await visit.said(gamesTexts.saved)
}

test('a missing game is set up from the list', async () => {
  const { page, open, button } = visit
  await open('test/games')
  await visit.picture('games')
  await button(gamesTexts.setUp).last().click()
  await page.getByText(shellTexts.notSavedYet).waitFor()
  await page.getByLabel(gamesTexts.gameDescription).fill('Open one of nine boxes.')
  await page.getByLabel(gamesTexts.imageUrl).fill('http://example.com/box.png')
  await button(shellTexts.save).click()
  await page.getByText(`${gamesTexts.imageUrl} must be an address that begins with https`).waitFor()
  expect(await page.getByText(shellTexts.errorTitle).count()).toBe(0)
  await page.getByLabel(gamesTexts.imageUrl).fill('')
  await save()
  await page.getByText(shellTexts.unchanged).waitFor()
  expect(await gameNow('ENIGMA_BOXES')).toMatchObject({ status: 'ACTIVE', version: 1 })
})

test('another game has its own form', async () => {
  const { page, open } = visit
  await open('test/games/ENIGMA_BOXES')
  await page.getByLabel(gamesTexts.gameDescription).waitFor()
  await page.evaluate('history.pushState({}, "", "/console/test/games/COSMIC_SLOTS")')
  await page.evaluate('dispatchEvent(new PopStateEvent("popstate"))')
  await page.getByRole('heading', { level: 1, name: gameNames.COSMIC_SLOTS }).waitFor()
  expect(await page.getByLabel(gamesTexts.gameDescription).inputValue()).toBe(
    (await gameNow('COSMIC_SLOTS')).description,
  )
})

test('odds are updated while typing, and a table without weight is reported at the table', async () => {
  const { page, open, button } = visit
  await open('test/games/ENIGMA_BOXES')
  const weight = page.getByLabel(gamesTexts.weight)
  for (const [n, value] of ['0', '0', '0'].entries()) await weight.nth(n).fill(value)
  await button(shellTexts.save).click()
  await page.getByText('Must have a weight above 0').waitFor()
  expect(await page.getByText(shellTexts.errorTitle).count()).toBe(0)
  await weight.nth(0).fill('3')
  await weight.nth(1).fill('1')
  await page.getByText('75%').first().waitFor()
  await page.getByText(gamesTexts.payoutOf('20.0', '50')).waitFor()
  await weight.nth(0).fill('')
  await page.getByText('100%').first().waitFor()
  await weight.nth(0).fill('3')
  await button(gamesTexts.addReward).click()
  await page.getByLabel(gamesTexts.label, { exact: true }).nth(3).fill('Nothing')
  await button(gamesTexts.removeReward('200 points')).click()
  await save()
  expect((await gameNow('ENIGMA_BOXES')).rewards).toMatchObject([
    { label: '10 points', weight: 3 },
    { label: '50 points', weight: 1 },
    { label: 'Nothing', weight: 1 },
  ])
})

test('the preview counts items with their worth, and the expected number of each prize', async () => {
  const { page, open, button } = visit
  const user = 'user: { externalId: "ann" }'
  const purchases = Array.from(
    { length: 6 },
    (_, i) => `a${i}: awardPoints(input: { ${user}, eventType: "purchase" }) { __typename }`,
  )
  const plays = ['a', 'b'].map(
    (name) => `${name}: playGame(input: { ${user}, gameType: COSMIC_SLOTS }) { __typename }`,
  )
  for (const calls of [purchases, plays])
    await visit.world.graphql(`mutation { ${calls.join(' ')} }`, {}, { secret })
  await open('test/games/COSMIC_SLOTS')
  const prizes = page.getByRole('region', { name: gamesTexts.expectedPrizes })
  const numbersOf = async (label: string) =>
    (await prizes.getByRole('row', { name: label }).getByRole('cell').allTextContents()).slice(1)
  // 1, 9, 40 and 50 of 100: 500 points, 100 points, 10 XP that are worth 1 point, and nothing.
  await page.getByText(gamesTexts.worthOfPlay('14.4')).waitFor()
  expect(await numbersOf('500 points')).toEqual(['10', '0.02', '5,000'])
  expect(await numbersOf('10 XP')).toEqual(['400', '0.8', '400'])
  expect(await numbersOf('No luck this time')).toEqual(['500', '1', '0'])
  const worth = page.getByRole('textbox', { name: gamesTexts.worth })
  await worth.fill('')
  await page.getByText(gamesTexts.notCounted('10 XP')).waitFor()
  expect(await numbersOf('10 XP')).toEqual(['400', '0.8', gamesTexts.noWorth])
  await worth.fill('50')
  await page.getByText(`${gamesTexts.worthOfPlay('34.0')} ${gamesTexts.returned('113%')}`).waitFor()
  await page.getByText(gamesTexts.generous).waitFor()
  await visit.picture('game-worth')
  await page.getByRole('combobox', { name: gamesTexts.type }).nth(0).click()
  await page.getByRole('option', { name: 'Item' }).click()
  await page.getByText(gamesTexts.notCounted('500 points')).waitFor()
  await worth.nth(0).fill('1000')
  await button(shellTexts.save).click()
  await visit.said(gamesTexts.saved)
  expect((await gameNow('COSMIC_SLOTS')).rewards).toMatchObject([
    { type: 'item', worthPoints: 1000 },
    { type: 'points', value: 100 },
    { type: 'xp', worthPoints: 50 },
    { type: 'xp', value: 0 },
  ])
  await page.getByText(gamesTexts.worthOfPlay('39.0')).waitFor()
})

test('versions of a game are compared, and an earlier one can be edited again', async () => {
  const { page, open, dialog, row } = visit
  await open('test/games/ENIGMA_BOXES')
  await row('Version 2').getByRole('button', { name: gamesTexts.compare }).click()
  const versions = dialog('Version 2')
  await versions.getByRole('row', { name: /^10 points .*weight 70 .*weight 3$/ }).waitFor()
  await visit.picture('game-versions')
  await page.keyboard.press('Escape')
  await row('Version 1').getByRole('button', { name: gamesTexts.compare }).click()
  await dialog('Version 1').getByRole('button', { name: gamesTexts.use }).click()
  await visit.said(gamesTexts.used)
  await page.getByText(shellTexts.changed).waitFor()
  await save()
  await row('Version 3').waitFor()
  expect((await gameNow('ENIGMA_BOXES')).rewards).toMatchObject([
    { weight: 70 },
    { weight: 25 },
    { weight: 5 },
  ])
  await visit.picture('game')
})

test('in LIVE, odds are changed and rolled back after a look at what that costs', async () => {
  const { page, open, button, dialog, row } = visit
  await open('live/games')
  await button(gamesTexts.setUp).first().click()
  await page.getByLabel(gamesTexts.gameDescription).fill('Turn it.')
  await button(shellTexts.save).click()
  const title = `${shellTexts.save} ${shellTexts.quoted(gameNames.NEON_WHEEL)}`
  await dialog(title).getByText(gameCheckTexts.playable).waitFor()
  await press(dialog(title), shellTexts.inLive(shellTexts.save))
  await visit.said(gamesTexts.saved)

  await open('live/games')
  await page.getByRole('link', { name: gameNames.NEON_WHEEL }).click()
  await page.getByLabel(gamesTexts.weight).last().fill('105')
  await button(shellTexts.save).click()
  const check = dialog(title)
  await check.getByRole('row', { name: /^200 points .*weight 5 .*weight 105$/ }).waitFor()
  await check
    .getByRole('row', { name: 'A play wins, on average 29.5 points 114.8 points' })
    .waitFor()
  await check.getByText('A play wins more than it costs, on average.').waitFor()
  await visit.picture('game-check')
  await press(check, shellTexts.inLive(shellTexts.save))
  await visit.said(gamesTexts.saved)

  await open('live/games')
  await page.getByRole('link', { name: gameNames.NEON_WHEEL }).click()
  await row('Version 1').getByRole('button', { name: gamesTexts.restore }).click()
  const restore = dialog(`${gamesTexts.restore} ${shellTexts.quoted('Version 1')}`)
  await restore.getByRole('row', { name: /^200 points .*weight 105 .*weight 5$/ }).waitFor()
  await press(restore, shellTexts.inLive(gamesTexts.restore))
  await visit.said(gamesTexts.restored(1))
  await row('Version 3').waitFor()
  await expect.poll(() => page.getByLabel(gamesTexts.weight).last().inputValue()).toBe('5')

  await button(gamesTexts.deactivate).click()
  const hide = dialog(`${gamesTexts.deactivate} ${shellTexts.quoted(gameNames.NEON_WHEEL)}`)
  await hide.getByText(gameCheckTexts.hidden).waitFor()
  await press(hide, shellTexts.inLive(gamesTexts.deactivate))
  await visit.said(gamesTexts.deactivated)
})

test('a game that somebody else has changed is overwritten only after a question', async () => {
  const { page, open, button, dialog } = visit
  await open('test/games/ENIGMA_BOXES')
  await page.getByLabel(gamesTexts.price).fill('80')
  await changeElsewhere(
    `mutation { setGame(input: { gameType: ENIGMA_BOXES, name: "Boxes", description: "Theirs",
      price: 60, segments: 9, rewards: [
        { label: "10 points", tier: COMMON, type: POINTS, value: 10, weight: 1 }] }) { __typename } }`,
    'SetGamePayload',
  )
  await button(shellTexts.save).click()
  const question = dialog(conflictTexts.title)
  await question.getByRole('row', { name: /^Points that a play costs 60 80$/ }).waitFor()
  await visit.picture('game-conflict')
  await question.getByRole('button', { name: conflictTexts.load }).click()
  expect(await page.getByLabel(gamesTexts.price).inputValue()).toBe('60')
  await button(gamesTexts.deactivate).click()
  await page.getByText(gamesTexts.deactivated).waitFor()
  expect(await gameNow('ENIGMA_BOXES')).toMatchObject({ name: 'Boxes', status: 'INACTIVE' })
  await button(gamesTexts.activate).click()
  await page.getByText(gamesTexts.activated).waitFor()
  expect(await gameNow('ENIGMA_BOXES')).toMatchObject({ name: 'Boxes', status: 'ACTIVE' })
})

test('a page with unsaved changes asks before it is left', async () => {
  const { page, open } = visit
  await open('test/games/ENIGMA_BOXES')
  const cost = page.getByLabel(gamesTexts.price)
  await cost.fill('99')
  const leave = async (answer: 'accept' | 'dismiss') => {
    const requested = page.waitForEvent('dialog').then(async (question) => {
      await question[answer]()
      return question.message()
    })
    await page.locator('nav').getByRole('link', { name: rewardRulesTexts.title }).click()
    return requested
  }
  expect(await leave('dismiss')).toBe(shellTexts.unsaved)
  expect(await cost.inputValue()).toBe('99')
  await leave('accept')
  await page.getByRole('heading', { level: 1, name: rewardRulesTexts.title }).waitFor()
})

test('a reward rule is added, and an existing one is shown instead of replaced', async () => {
  const { page, open, button, dialog, row } = visit
  await open('test/reward-rules')
  await visit.picture('reward-rules')
  const add = async (eventType: string, points: string) => {
    await button(rewardRulesTexts.add).click()
    const form = dialog(rewardRulesTexts.add)
    await form.getByRole('combobox', { name: rewardRulesTexts.eventType }).fill(eventType)
    await form.getByLabel(rewardRulesTexts.points).fill(points)
    await form.getByRole('button', { name: shellTexts.save }).click()
  }
  await add('survey', '25')
  await visit.said(rewardRulesTexts.saved)
  await row('survey').getByText('25').waitFor()

  await add('survey', '30')
  const question = dialog(conflictTexts.title)
  await question.getByText(conflictTexts.exists).waitFor()
  await question.getByRole('row', { name: /^Points 25 30$/ }).waitFor()
  await visit.picture('reward-rule-exists')
  await question.getByRole('button', { name: conflictTexts.save }).click()
  await row('survey').getByText('30').waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('a reward rule that somebody else has deleted can be dropped or saved again', async () => {
  const { open, dialog, row } = visit
  await open('test/reward-rules')
  const change = async (points: string) => {
    await chooseAction(row('survey'), rewardRulesTexts.edit)
    const form = dialog(rewardRulesTexts.editTitle('survey'))
    await form.getByLabel(rewardRulesTexts.points).fill(points)
    await changeElsewhere(
      'mutation { deleteRewardRule(input: { eventType: "survey" }) { __typename } }',
      'DeleteRewardRulePayload',
    )
    await form.getByRole('button', { name: shellTexts.save }).click()
    await dialog(conflictTexts.title).getByText(conflictTexts.gone).waitFor()
  }
  await change('40')
  await dialog(conflictTexts.title).getByRole('button', { name: conflictTexts.save }).click()
  await row('survey').getByText('40').waitFor()
  await change('50')
  await dialog(conflictTexts.title).getByRole('button', { name: conflictTexts.discard }).click()
  await row('survey').waitFor({ state: 'detached' })
})

test('a reward rule is deleted after a question, which in LIVE requires its name', async () => {
  const { open, dialog, row } = visit
  for (const environment of ['test', 'live']) {
    await open(`${environment}/reward-rules`)
    await chooseAction(row('purchase'), rewardRulesTexts.delete)
    const question = dialog(rewardRulesTexts.delete)
    const confirm = question.getByRole('button', { name: rewardRulesTexts.delete })
    if (environment === 'live') {
      expect(await confirm.isDisabled()).toBe(true)
      await question.getByRole('textbox').fill('purchase')
    }
    await visit.picture(`reward-rule-delete-${environment}`)
    await confirm.click()
    await row('purchase').waitFor({ state: 'detached' })
  }
})
