/** Streaks in the console: their set-up, their numbers, and what is done to those of users, in a real browser. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { goalEditorTexts, goalsTexts } from '../../console/texts/goals-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import {
  goalFunnelTexts,
  goalStreaksTexts,
  streakEditorTexts,
  streakLabels,
  streakOverviewTexts,
  userStreaksTexts,
} from '../../console/texts/streaks-texts.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { restoreBrokenStreaks } from '../../src/programme/streak-restoration.ts'
import {
  type Console,
  chooseAction,
  createConsole,
  menuOf,
  settled,
  type Visit,
} from './console-visit.ts'
import { pastClock, plantStreaks, settleStreaksOf } from './planted-streaks.ts'

let visits: Console
let visit: Visit
let path: string
const clock = pastClock()

beforeAll(async () => {
  visits = await createConsole({}, clock.now)
  path = `test/goals/${encodeURIComponent(await plantStreaks(visits.world, clock))}`
  visit = await visits.visit('test/goals')
}, 240_000)
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const userPath = async (externalId: string) => {
  const { db } = visit.world.runtime
  const { id } = await db.endUser.findFirstOrThrow({ where: { externalId } })
  return `test/users/${encodeURIComponent(encodeNodeId('User', id))}?tab=streaks`
}

const lengthOf = async (externalId: string) => {
  const { body } = await visit.world.graphql(
    `query ($id: String!) { user(by: { externalId: $id }) { streaks { nodes { length freezes isPaused } } } }`,
    { id: externalId },
  )
  return body.data.user.streaks.nodes[0]
}

test('the page of a goal shows how long its streaks are, and who lost one yesterday', async () => {
  const { page, open, row } = visit
  await open(path)
  await page.getByText(streakOverviewTexts.freezes, { exact: true }).waitFor()
  await page.getByRole('tab', { name: goalStreaksTexts.tab }).click()
  const chart = page.getByRole('img', { name: goalStreaksTexts.chart })
  await chart.waitFor()
  // hugo; fritz and ines; bruno; anna.
  const label = await chart.getAttribute('aria-label')
  expect(label).toContain('1: 1. 2–6: 2. 7–13: 1. 14–29: 1. 30–99: 0. 100+: 0')
  await row('clara').getByText(streakLabels.lengths.DAY('5')).first().waitFor()
  await row('dario').getByText(streakLabels.lengths.DAY('13')).first().waitFor()
  expect(await row('greta').count()).toBe(0)
  await page.getByLabel(goalStreaksTexts.when.DAY, { exact: true }).first().click()
  await page.getByRole('option').nth(1).click()
  await page.waitForURL(/on=/)
  await settled(page)
  await row('greta').getByText(streakLabels.lengths.DAY('7')).first().waitFor()
  await visit.picture('goal-streaks')
})

test('a streak that was lost is restored from the list', async () => {
  const { open, row, dialog } = visit
  await open(`${path}?tab=streaks`)
  await chooseAction(row('clara'), userStreaksTexts.restore)
  const question = dialog(userStreaksTexts.restoreTitle('Come by every day'))
  await question.getByText(streakLabels.lengths.DAY('5')).waitFor()
  await question.getByRole('button', { name: userStreaksTexts.restore }).click()
  await visit.said(userStreaksTexts.restored)
  await expect.poll(() => row('clara').count()).toBe(0)
  expect(await lengthOf('clara')).toMatchObject({ length: 5 })
})

test('all streaks that a day broke are restored, with their progress', async () => {
  const { page, open, row, button, dialog, world } = visit
  await open(`${path}?tab=streaks`)
  await row('elena').waitFor()
  await button(goalStreaksTexts.restoreAll.DAY).click()
  const question = dialog(goalStreaksTexts.restoreAll.DAY)
  await question.getByText(/^2 users lost a streak then/).waitFor()
  await question.getByRole('button', { name: goalStreaksTexts.restoreAll.DAY }).click()
  await visit.said(goalStreaksTexts.restoringAll)
  const restorations = page.getByRole('region', { name: goalStreaksTexts.restorations })
  await restorations.getByText(goalStreaksTexts.statuses.QUEUED, { exact: true }).waitFor()
  await restoreBrokenStreaks(world.runtime)
  await restorations.getByText(goalStreaksTexts.statuses.COMPLETED, { exact: true }).waitFor()
  await visit.picture('goal-streaks-restored')
  await page.getByText(goalStreaksTexts.nobodyLost).waitFor()
  for (const [userId, length] of [
    ['dario', 13],
    ['elena', 1],
  ] as const)
    expect(await lengthOf(userId)).toMatchObject({ length })
})

test('the page of a user shows the streak; freezes are given, and it is paused and goes on', async () => {
  const { open, dialog, row } = visit
  await open(await userPath('bruno'))
  const streak = row('Come by every day')
  await streak.getByText(streakLabels.states.ALIVE, { exact: true }).waitFor()
  const windows = streak.getByRole('list', { name: streakLabels.last.DAY(7) })
  expect(await windows.getByRole('listitem').count()).toBe(7)
  expect(await windows.textContent()).toContain(streakLabels.statuses.MET)
  await chooseAction(streak, userStreaksTexts.give)
  const giving = dialog(userStreaksTexts.giveTitle('Come by every day'))
  await giving.getByLabel(userStreaksTexts.giveCount).fill('2')
  await giving.getByRole('button', { name: userStreaksTexts.give }).click()
  await visit.said(userStreaksTexts.gave)
  expect(await lengthOf('bruno')).toMatchObject({ length: 8, freezes: 2 })
  await chooseAction(streak, userStreaksTexts.pause)
  const pausing = dialog(userStreaksTexts.pauseTitle('Come by every day'))
  await pausing.getByLabel(userStreaksTexts.pauseDays).fill('3')
  await pausing.getByRole('button', { name: userStreaksTexts.pause }).click()
  await visit.said(userStreaksTexts.paused)
  expect(await lengthOf('bruno')).toMatchObject({ isPaused: true })
  await chooseAction(streak, userStreaksTexts.endPause)
  const ending = dialog(userStreaksTexts.endPauseTitle('Come by every day'))
  await ending.getByRole('button', { name: userStreaksTexts.endPause }).click()
  await visit.said(userStreaksTexts.pauseEnded)
  expect(await lengthOf('bruno')).toMatchObject({ isPaused: false, length: 8 })
  await visit.picture('user-streaks')
})

test('a broken streak says when it broke and until when it can be restored', async () => {
  const { open, row, dialog } = visit
  await open(await userPath('greta'))
  const streak = row('Come by every day')
  await streak.getByText(streakLabels.states.BROKEN, { exact: true }).waitFor()
  await streak.getByText(userStreaksTexts.lost(streakLabels.lengths.DAY('7'))).waitFor()
  await visit.picture('user-streaks-broken')
  await chooseAction(streak, userStreaksTexts.restore)
  await dialog().getByRole('button', { name: userStreaksTexts.restore }).click()
  await visit.said(userStreaksTexts.restored)
  await streak.getByText(streakLabels.lengths.DAY('7'), { exact: true }).waitFor()
})

test('a member without the right sees the streak, but cannot change it', async () => {
  const reader = await visits.visit('test/goals', 'ANALYST')
  await reader.open(await userPath('anna'))
  await menuOf(reader.row('Come by every day')).click()
  const give = reader.page.getByRole('menuitem', { name: userStreaksTexts.give })
  await give.waitFor()
  expect(await give.getAttribute('aria-disabled')).toBe('true')
  expect(reader.faults).toEqual([])
  await reader.page.context().close()
})

test('the results of a goal show how far users get, and who is close', async () => {
  const { page, open, world, row } = visit
  await world.graphql(`mutation { createGoal(input: { slug: "three-visits", name: "Three visits", window: WEEK,
    repeat: EACH_WINDOW, countFrom: START_OF_WINDOW, tasks: [{ name: "Visits", target: 30,
    measure: { facts: [ACTIVITY] } }] }) { __typename }
    startGoal(input: { goal: { slug: "three-visits" } }) { __typename } }`)
  await settleStreaksOf(world)
  const { id } = await world.runtime.db.goal.findFirstOrThrow({ where: { slug: 'three-visits' } })
  await open(`test/goals/${encodeURIComponent(encodeNodeId('Goal', id))}?tab=results`)
  await page.getByText(goalFunnelTexts.started, { exact: true }).waitFor()
  await row('anna')
    .getByText(/more for “Visits”/)
    .waitFor()
  await visit.picture('goal-funnel')
})

test('a draft becomes a streak, and its example follows what is typed', async () => {
  const { page, open, button, world } = visit
  await world.graphql(`mutation { createGoal(input: { slug: "weekly", name: "Weekly", window: EVER, repeat: ONCE,
    tasks: [{ target: 1, measure: { facts: [ACTIVITY] } }] }) { __typename } }`)
  const { id } = await world.runtime.db.goal.findFirstOrThrow({ where: { slug: 'weekly' } })
  await open(`test/goals/${encodeURIComponent(encodeNodeId('Goal', id))}?tab=setup`)
  await page.getByLabel(streakEditorTexts.isStreak).check()
  await page.getByRole('region', { name: streakEditorTexts.picture }).waitFor()
  await page.getByLabel(streakEditorTexts.initialFreezes).fill('1')
  await page.getByLabel(streakEditorTexts.maxFreezes).fill('2')
  // The box itself is hidden behind its label.
  await page.getByText('Mon', { exact: true }).click()
  await button(streakEditorTexts.addMilestone).click()
  const milestone = page.getByRole('group', { name: streakEditorTexts.milestone(1) })
  await milestone.getByLabel(streakEditorTexts.length).fill('30')
  await milestone.getByRole('combobox', { name: streakEditorTexts.reward }).click()
  await page.getByRole('option', { name: 'A week in a row' }).click()
  await page
    .getByText(streakOverviewTexts.next(streakLabels.lengths.DAY('30'), 'A week in a row'))
    .waitFor()
  await visit.picture('streak-set-up')
  await button(shellTexts.save).click()
  await visit.said(goalEditorTexts.saved)
  const saved = await world.runtime.db.goal.findUniqueOrThrow({
    where: { id },
    include: { streak: true },
  })
  expect(saved).toMatchObject({
    window: 'DAY',
    repeat: 'EACH_WINDOW',
    streak: { initialFreezes: 1, maxFreezes: 2, weekdays: [1], milestoneLengths: [30] },
  })
  await page.reload()
  await settled(page)
  await page.getByLabel(streakEditorTexts.isStreak).uncheck()
  await button(shellTexts.save).click()
  await visit.said(goalEditorTexts.saved)
  expect(await world.runtime.db.goalStreak.count({ where: { goalId: id } })).toBe(0)
  await page.getByRole('tab', { name: goalsTexts.tabs.overview }).click()
  expect(await page.getByRole('tab', { name: goalStreaksTexts.tab }).count()).toBe(0)
})
