/** What goals of the console have done, and whom they concern: each action, in a real browser. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { goalEditorTexts, goalResultsTexts, goalsTexts } from '../../console/texts/goals-texts.ts'
import {
  recommendationNames,
  recommendationTexts,
} from '../../console/texts/recommendation-texts.ts'
import { grantsTexts } from '../../console/texts/rewards-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { countGoals } from '../../src/programme/counting.ts'
import { programmeOf } from '../programme/programme.ts'
import { type Console, createConsole, settled, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
/** The path of a goal that mina has completed, and otto has not. */
let path: string

beforeAll(async () => {
  visits = await createConsole({ jobs: true })
  const { world } = visits
  const { createReward, mutate } = programmeOf(world)
  await createReward({ name: 'Welcome bonus', kind: 'POINTS', points: 50 })
  const { goal } = await mutate('createGoal', 'goal { id }', {
    ...{ slug: 'first-steps', name: 'First steps', window: 'EVER', repeat: 'ONCE' },
    countFrom: 'EVER',
    tasks: [{ target: 200, measure: { facts: ['POINTS_AWARDED'], of: 'POINTS' } }],
    rewards: [{ slug: 'welcome-bonus' }],
  })
  expect((await mutate('startGoal', 'goal { id }', { goal: { id: goal.id } })).code).toBeUndefined()
  await countGoals(world.runtime)
  path = `test/goals/${encodeURIComponent(goal.id)}`
  await world.givePoints('otto', 1)
  await world.givePoints('mina', 2)
  visit = await visits.visit('test/goals')
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const send = async (query: string) => {
  const { body } = await visit.world.graphql(query)
  const [result] = Object.values(body.data ?? {}) as { __typename: string }[]
  expect(result?.__typename, JSON.stringify(body)).toMatch(/Payload$/)
}

const save = async () => {
  await visit.button(shellTexts.save).click()
  await visit.said(goalEditorTexts.saved)
}

test('the results of a goal are its completions and what it gave', async () => {
  const { page, open, world } = visit
  const issued = () => world.runtime.db.rewardGrant.count({ where: { status: 'ISSUED' } })
  await expect.poll(issued).toBe(1)
  await open(path)
  await page.getByRole('tab', { name: goalsTexts.tabs.results }).click()
  for (const [label, value] of [
    [goalResultsTexts.completed, '1'],
    [goalResultsTexts.given, '1'],
    [goalResultsTexts.points, '50'],
  ] as const) {
    const figure = page.getByText(label, { exact: true }).first().locator('..')
    await figure.getByText(value, { exact: true }).waitFor()
  }
  const completion = visit.row('mina')
  await completion.getByText(goalResultsTexts.counts, { exact: true }).waitFor()
  await completion.getByText('Welcome bonus').waitFor()
  await completion.getByText(grantsTexts.statuses.ISSUED).waitFor()
  await visit.picture('goal-results')
})

test('a completion that a reversal took back is shown as such, and the list is filtered by it', async () => {
  const { page, open, world } = visit
  // The user is close to the goal again, so another list has them, too.
  const list = page.getByRole('table', { name: goalResultsTexts.list })
  const row = (text: string) => list.getByRole('row').filter({ hasText: text })
  const [entry] = await world.runtime.db.ledgerEntry.findMany({
    where: { user: { externalId: 'mina' }, eventType: 'signup' },
    orderBy: { createdAt: 'desc' },
  })
  await send(`mutation { reverseLedgerEntry(input: { ledgerEntryId: "${entry?.id}", reason: "Refund" }) {
    __typename ... on Error { message } } }`)
  await expect
    .poll(() => world.runtime.db.goalCompletion.count({ where: { revokedAt: { not: null } } }))
    .toBe(1)
  await open(`${path}?tab=results`)
  await row('mina').getByText(goalResultsTexts.revoked, { exact: true }).first().waitFor()
  await page.getByLabel(goalResultsTexts.status).first().click()
  await page.getByRole('option', { name: goalResultsTexts.filters.counted }).click()
  await page.waitForURL(/completions=counted/)
  await settled(page)
  await expect.poll(() => row('mina').count()).toBe(0)
  await page.getByLabel(goalResultsTexts.status).first().click()
  await page.getByRole('option', { name: goalResultsTexts.filters.revoked }).click()
  await row('mina').waitFor()
  await visit.picture('goal-results-revoked')
})

test('who has a reward is filtered by the goal that gave it', async () => {
  const { page, open, row } = visit
  await send(`mutation { giveReward(input: { user: { externalId: "otto" }, reward: { slug: "welcome-bonus" } }) {
    __typename ... on Error { message } } }`)
  await open('test/rewards')
  await page.getByRole('link', { name: 'Welcome bonus' }).click()
  await visit.arrived('Welcome bonus')
  await row('otto').waitFor()
  await page.getByRole('combobox', { name: grantsTexts.goal }).fill('first-st')
  await page.getByRole('option', { name: 'First steps' }).click()
  await expect.poll(() => row('otto').count()).toBe(0)
  await row('mina').waitFor()
  await page.reload()
  await settled(page)
  const goal = page.getByRole('combobox', { name: grantsTexts.goal })
  await expect.poll(() => goal.inputValue()).toBe('First steps')
  await visit.picture('reward-of-goal')
})

test('one of many segments is found by its name', async () => {
  const { page, open, world } = visit
  const names = [...Array.from({ length: 24 }, (_, n) => `A segment ${n}`), 'Zebra friends']
  await world.runtime.db.segment.createMany({
    data: names.map((name) => ({
      ...world.tenant,
      ...{ id: randomUUID(), name, stage: 'new', createdAt: new Date() },
    })),
  })
  await open(`${path}?tab=setup`)
  const segment = page.getByRole('combobox', { name: goalEditorTexts.segment })
  await segment.click()
  await page.getByRole('option', { name: 'A segment 0' }).waitFor()
  expect(await page.getByRole('option', { name: 'Zebra friends' }).count()).toBe(0)
  await segment.fill('zebra')
  await page.getByRole('option', { name: 'Zebra friends' }).click()
  await save()
  const { segmentId } = await world.runtime.db.goal.findFirstOrThrow()
  const found = await world.runtime.db.segment.findFirstOrThrow({ where: { id: segmentId ?? '' } })
  expect(found.name).toBe('Zebra friends')
  await page.reload()
  await expect.poll(() => segment.inputValue()).toBe('Zebra friends')
  await send(`mutation { updateGoal(input: { goal: { slug: "first-steps" }, segmentId: null }) {
    __typename ... on Error { message } } }`)
})

test('a recommendation leads to the goal, and the page of a user shows it', async () => {
  const { page, open } = visit
  await open(`${path}?tab=setup`)
  await page.getByRole('combobox', { name: recommendationTexts.label }).click()
  const name = recommendationNames.FIRST_ACTION_REWARD
  await page.getByRole('option', { name }).click()
  await save()
  await page.getByRole('tab', { name: goalsTexts.tabs.overview }).click()
  await page.getByText(name, { exact: true }).waitFor()
  await visit.picture('goal-recommended')
  await open('test/users')
  await page.getByRole('link', { name: 'otto' }).click()
  await visit.arrived('otto')
  await visit.picture('user-recommendations')
  await page.getByRole('link', { name: 'First steps' }).first().click()
  await visit.arrived('First steps')
})
