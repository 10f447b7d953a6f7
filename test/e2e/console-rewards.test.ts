/** Rewards in the console, and what members give to users. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { conflictTexts } from '../../console/texts/conflict-texts.ts'
import {
  rewardFormTexts as formTexts,
  grantsTexts,
  rewardsTexts as texts,
} from '../../console/texts/rewards-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import {
  type Console,
  chooseAction,
  createConsole,
  menuOf,
  press,
  type Visit,
} from './console-visit.ts'

let visits: Console
let visit: Visit
/** The path of the user who gets rewards. */
let userPath: string

beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/rewards')
  await visits.world.givePoints('mina', 1)
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const rewardNow = (name: string) =>
  visit.world.runtime.db.reward.findFirstOrThrow({ where: { name, environment: 'TEST' } })

const balance = async () => {
  const { body } = await visit.world.get('/v1/users/mina/balance', visit.world.keys.secret)
  return body.data.totalPoints
}

const create = async (name: string, kind: keyof typeof formTexts.kinds, stock = '') => {
  const { button, dialog } = visit
  await button(texts.create).first().click()
  const form = dialog(texts.create)
  await form.getByRole('radio', { name: formTexts.kinds[kind].label }).check()
  await form.getByRole('textbox', { name: formTexts.name }).fill(name)
  if (kind === 'POINTS') await form.getByRole('textbox', { name: formTexts.points }).fill('70')
  await form.getByLabel(formTexts.stock).fill(stock)
  await form.getByRole('button', { name: texts.create }).click()
  return form
}

test('a reward and a badge are created, and a name that is taken is reported at its field', async () => {
  const { page, open, dialog, row } = visit
  await page.getByText(texts.empty).waitFor()
  await visit.picture('rewards-empty')
  await create('Thank you', 'POINTS')
  await visit.said(texts.createdDone)
  await visit.arrived('Thank you')
  await page.getByText(texts.nobody).waitFor()
  await open('test/rewards')
  await create('Explorer', 'BADGE', '1')
  await visit.said(texts.createdDone)
  await visit.arrived('Explorer')
  await open('test/rewards')
  const form = await create('Explorer', 'BADGE')
  await form.getByText(/already exists/).waitFor()
  expect(await form.getByText(shellTexts.errorTitle).count()).toBe(0)
  await press(dialog(), shellTexts.cancel)
  await row('Thank you').getByText(texts.worth('70')).waitFor()
  await row('Explorer').getByText(texts.kinds.BADGE).waitFor()
  await visit.picture('rewards')
  expect(await rewardNow('Explorer')).toMatchObject({ kind: 'BADGE', points: null, stock: 1 })
})

const give = async (name: string, note = '') => {
  const { page, button, dialog } = visit
  await button(grantsTexts.give).click()
  const form = dialog(grantsTexts.give)
  await form.getByRole('combobox', { name: grantsTexts.giveReward }).fill(name)
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
  await form.getByLabel(grantsTexts.giveNote).fill(note)
  return form
}

test('a reward is given with a note, and pays its points', async () => {
  const { page, open, button, dialog, row } = visit
  await open('test/users')
  await page.getByRole('link', { name: 'mina' }).click()
  await visit.arrived('mina')
  userPath = new URL(page.url()).pathname.replace('/console/', '')
  await page.getByRole('tab', { name: usersTexts.tabs.rewards }).click()
  await page.getByText(grantsTexts.none).waitFor()
  await button(grantsTexts.give).click()
  await press(dialog(), grantsTexts.give)
  await dialog().getByText(grantsTexts.chooseReward).waitFor()
  await press(dialog(), shellTexts.cancel)
  const form = await give('Thank you', 'For the bug that she found')
  await visit.picture('give-reward')
  await form.getByRole('button', { name: grantsTexts.give }).click()
  await visit.said(grantsTexts.gave)
  const grant = row('For the bug that she found')
  await grant.getByText(grantsTexts.statuses.ISSUED, { exact: true }).waitFor()
  await grant.getByText(texts.worth('70')).waitFor()
  expect(await balance()).toBe(170)
  await visit.picture('user-rewards')
})

test('what was given is taken back, and the points that were spent already are named', async () => {
  const { open, dialog, row, world } = visit
  const { body } = await world.graphql(
    `mutation { adjustPoints(input: { user: { externalId: "mina" }, points: -150, reason: "spent" }) {
      __typename } }`,
  )
  expect(body.data.adjustPoints.__typename).toBe('AdjustPointsPayload')
  await open(`${userPath}?tab=rewards`)
  const grant = row('For the bug that she found')
  await chooseAction(grant, grantsTexts.revoke)
  await dialog().getByRole('button', { name: grantsTexts.revoke }).click()
  await visit.said(grantsTexts.revoked)
  await grant.getByText(grantsTexts.statuses.REVOKED, { exact: true }).waitFor()
  await grant.getByText(grantsTexts.shortfall('50')).waitFor()
  expect(await grant.getByRole('button').count()).toBe(0)
  expect(await balance()).toBe(0)
})

test('a reward that the user has to claim is claimed for them', async () => {
  const { page, row } = visit
  const form = await give('Explorer', 'a prize of the quiz')
  await form.getByLabel(grantsTexts.needsClaim).check()
  await form.getByRole('button', { name: grantsTexts.give }).click()
  await visit.said(grantsTexts.gave)
  const grant = row('a prize of the quiz')
  await grant.getByText(grantsTexts.statuses.READY, { exact: true }).waitFor()
  await chooseAction(grant, grantsTexts.claim)
  await visit.said(grantsTexts.claimed)
  await grant.getByText(grantsTexts.statuses.ISSUED, { exact: true }).waitFor()
  await menuOf(grant).click()
  await page.getByRole('menuitem', { name: grantsTexts.revoke }).waitFor()
  expect(await page.getByRole('menuitem', { name: grantsTexts.claim }).count()).toBe(0)
  await page.keyboard.press('Escape')
})

test('what is out of stock says so, and is given once the stock is raised', async () => {
  const { open, button, dialog, row } = visit
  const form = await give('Explorer', 'one too many')
  await form.getByRole('button', { name: grantsTexts.give }).click()
  await visit.said(grantsTexts.gaveNothing)
  const grant = row('one too many')
  await grant.getByText(grantsTexts.failures.OUT_OF_STOCK, { exact: true }).waitFor()
  await grant.getByRole('link', { name: 'Explorer' }).click()
  await visit.arrived('Explorer')
  await row('a prize of the quiz').getByRole('link', { name: 'mina' }).waitFor()
  await visit.picture('reward')
  await button(texts.edit).click()
  await dialog(texts.editTitle).getByLabel(formTexts.stock).fill('0')
  await press(dialog(texts.editTitle), shellTexts.save)
  await dialog(texts.editTitle)
    .getByText(/at least 1/)
    .waitFor()
  await dialog(texts.editTitle).getByLabel(formTexts.stock).fill('2')
  await press(dialog(texts.editTitle), shellTexts.save)
  await visit.said(texts.saved)
  await open(`${userPath}?tab=rewards`)
  await chooseAction(grant, grantsTexts.retry)
  await visit.said(grantsTexts.retried)
  await grant.getByText(grantsTexts.statuses.ISSUED, { exact: true }).waitFor()
})

test('if two people change a reward, the second one sees both versions and decides', async () => {
  const { page, open, button, dialog, world } = visit
  await open('test/rewards')
  await page.getByRole('link', { name: 'Thank you' }).click()
  await visit.arrived('Thank you')
  await button(texts.edit).click()
  await dialog(texts.editTitle).getByLabel(formTexts.description).fill('Mine')
  const { body } = await world.graphql(
    `mutation { updateReward(input: { reward: { slug: "thank-you" }, points: 90 }) { __typename } }`,
  )
  expect(body.data.updateReward.__typename).toBe('UpdateRewardPayload')
  await press(dialog(texts.editTitle), shellTexts.save)
  const question = dialog(conflictTexts.title)
  await question.getByRole('row', { name: /^Points 90 70$/ }).waitFor()
  await question.getByRole('button', { name: conflictTexts.load }).click()
  await press(dialog(texts.editTitle), shellTexts.save)
  await visit.said(texts.saved)
  expect(await rewardNow('Thank you')).toMatchObject({ points: 90, description: null })
})

test('an archived reward leaves the list, and is found among the archived ones', async () => {
  const { page, open, button, dialog, row } = visit
  await button(texts.archive).click()
  await dialog().getByRole('button', { name: texts.archive }).click()
  await visit.said(texts.archivedDone)
  await button(texts.archive).waitFor({ state: 'detached' })
  await open('test/rewards')
  await row('Explorer').waitFor()
  expect(await row('Thank you').count()).toBe(0)
  await open('test/rewards?show=archived')
  await row('Thank you').waitFor()
  await page.getByRole('link', { name: 'Thank you' }).click()
  await page.getByText(texts.archived, { exact: true }).waitFor()
})

test('an analyst can give nothing, and an editor can', async () => {
  for (const [role, isRefused] of [
    ['ANALYST', true],
    ['EDITOR', false],
  ] as const) {
    const { page, open, button, row } = await visits.visit('test/rewards', role)
    const refused = async (name: string) =>
      (await button(name).first().getAttribute('aria-disabled')) === 'true'
    expect(await refused(texts.create), role).toBe(isRefused)
    await open(`${userPath}?tab=rewards`)
    expect(await refused(grantsTexts.give), role).toBe(isRefused)
    await menuOf(row('a prize of the quiz')).click()
    const revoke = page.getByRole('menuitem', { name: grantsTexts.revoke })
    expect((await revoke.getAttribute('aria-disabled')) === 'true', role).toBe(isRefused)
    await page.context().close()
  }
})
