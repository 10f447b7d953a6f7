/** The rules of stages in the console: what is refused, conflicts, and the way back to the defaults. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { conflictTexts } from '../../console/texts/conflict-texts.ts'
import { funnelTexts } from '../../console/texts/funnel-texts.ts'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { stageRulesTexts as texts } from '../../console/texts/stage-rules-texts.ts'
import { type Console, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('live/funnel')
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

/** A number of a stage, a tier or a part of the score. */
const field = (of: string, name: keyof typeof texts.fields) =>
  visit.page
    .getByRole('group', { name: of, exact: true })
    .getByRole('textbox', { name: texts.fields[name] })
    .last()

const rules = async () => {
  const { body } = await visits.world.graphql(
    '{ classificationRules { atRiskDays churnedDays newMaxEvents recencyWeight breadthWeight version } }',
    {},
    { secret: visits.world.partner.live.secret },
  )
  return body.data.classificationRules
}

test('the funnel leads to the rules, which show the defaults', async () => {
  await visit.page.getByRole('link', { name: funnelTexts.rules }).click()
  await visit.arrived(texts.title)
  // The fields load late.
  await expect.poll(() => field('At risk', 'atRiskDays').inputValue()).toBe('14')
  expect(await field(texts.parts.recency, 'recencyWeight').inputValue()).toBe('30 %')
  expect(await visit.button(texts.useDefaults).count()).toBe(0)
  await visit.picture('stage-rules')
})

test('numbers that contradict each other are refused in words, and nothing is saved', async () => {
  await field('At risk', 'atRiskDays').fill('40')
  await field(texts.parts.recency, 'recencyWeight').fill('40')
  await visit.page.getByText(texts.weightsWrong('110')).waitFor()
  await press(visit.page, shell.save)
  await visit.page.getByText(texts.atRiskTooLate).waitFor()
  expect(await visit.page.getByText(texts.weightsWrong('110')).count()).toBe(2)
  await visit.picture('stage-rules-refused')
  expect(await rules()).toMatchObject({ version: 0 })
})

test('rules that agree are saved', async () => {
  await field('At risk', 'atRiskDays').fill('10')
  await field(texts.parts.breadth, 'breadthWeight').fill('10')
  await press(visit.page, shell.save)
  await visit.said(texts.saved)
  expect(await rules()).toMatchObject({
    atRiskDays: 10,
    churnedDays: 30,
    recencyWeight: 40,
    breadthWeight: 10,
    version: 1,
  })
  await visit.page.getByText(shell.unchanged).waitFor()
})

test('rules that somebody else has set meanwhile are overwritten only after a question', async () => {
  await field('New', 'newMaxEvents').fill('5')
  const { world } = visits
  const { body } = await world.graphql(
    'mutation { setClassificationRules(input: { churnedDays: 60 }) { __typename } }',
    {},
    { secret: world.partner.live.secret },
  )
  expect(body.data.setClassificationRules.__typename).toBe('SetClassificationRulesPayload')
  await press(visit.page, shell.save)
  const question = visit.dialog(conflictTexts.title)
  await question.getByText(conflictTexts.changed).waitFor()
  await question.getByRole('row', { name: /^Churned: .* 60 30$/ }).waitFor()
  await visit.picture('stage-rules-conflict')
  await question.getByRole('button', { name: conflictTexts.save }).click()
  await visit.said(texts.saved)
  expect(await rules()).toMatchObject({ churnedDays: 30, newMaxEvents: 5, version: 3 })
})

test('the defaults return after a question', async () => {
  await visit.button(texts.useDefaults).click()
  await visit.dialog().getByRole('textbox').fill(texts.title)
  await press(visit.dialog(), texts.useDefaults)
  await visit.said(texts.defaultsUsed)
  expect(await rules()).toMatchObject({ atRiskDays: 14, newMaxEvents: 3, recencyWeight: 30 })
  await expect.poll(() => field('At risk', 'atRiskDays').inputValue()).toBe('14')
})
