/** Goals in the console: each action, in a real browser. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { conflictTexts } from '../../console/texts/conflict-texts.ts'
import {
  factSimulationTexts,
  goalCardTexts,
  goalEditorTexts,
  goalLabels,
  goalsTexts,
  goalTemplateTexts,
  goalTrialTexts,
} from '../../console/texts/goals-texts.ts'
import { grantsTexts } from '../../console/texts/rewards-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import { type Console, createConsole, settled, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
/** The path of the goal that the tests set up, one after another. */
let path: string

beforeAll(async () => {
  visits = await createConsole({ jobs: true })
  visit = await visits.visit('test/goals')
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const goalNow = (slug = 'first-steps') =>
  visit.world.runtime.db.goal.findFirstOrThrow({
    where: { slug, environment: 'TEST' },
    include: { tasks: { orderBy: { position: 'asc' } } },
  })

const send = async (query: string) => {
  const { body } = await visit.world.graphql(query)
  const [result] = Object.values(body.data ?? {}) as { __typename: string }[]
  expect(result?.__typename, JSON.stringify(body)).toMatch(/Payload$/)
}

const save = async () => {
  await visit.button(shellTexts.save).click()
  await visit.said(goalEditorTexts.saved)
}

const field = (name: string) => visit.page.getByRole('textbox', { name, exact: true })

const card = (name: string) =>
  visit.page.locator('.goal').filter({ has: visit.page.getByRole('heading', { name }) })

test('a goal is created from the empty list, and an invalid slug is reported at its field', async () => {
  const { page, open, button, dialog } = visit
  await send(`mutation { createReward(input: { name: "Welcome bonus", kind: POINTS, points: 50 }) {
    __typename ... on Error { message } } }`)
  await open('test/goals')
  await page.getByText(goalsTexts.empty).waitFor()
  await visit.picture('goals-empty')
  await button(goalsTexts.create).first().click()
  const form = dialog(goalsTexts.create)
  await form.getByLabel(goalsTexts.name).fill('First steps')
  const slug = form.getByLabel(goalsTexts.slug)
  expect(await slug.inputValue()).toBe('first-steps')
  await slug.fill('First steps')
  await form.getByRole('button', { name: goalsTexts.create }).click()
  await form.getByText(`${goalsTexts.slug} may have small letters`).waitFor()
  expect(await form.getByText(shellTexts.errorTitle).count()).toBe(0)
  await slug.fill('first-steps')
  await form.getByLabel(goalTemplateTexts.points.label).check()
  await visit.picture('goal-create')
  await form.getByRole('button', { name: goalsTexts.create }).click()
  await visit.said(goalsTexts.created)
  await page.waitForURL(/goals\/[^?]+\?tab=setup/)
  path = new URL(page.url()).pathname.replace('/console/', '')
})

test('the card follows what is typed, and the set-up is saved with tasks, conditions and a reward', async () => {
  const { page, open, button } = visit
  await open(`${path}?tab=setup`)
  await field(goalEditorTexts.descriptionLabel).fill('Collect your first points.')
  await card('First steps').getByText('Collect your first points.').waitFor()
  const first = page.getByRole('group', { name: goalEditorTexts.task(1) })
  await first.getByLabel(goalEditorTexts.targets.POINTS).fill('200')
  await first.getByText(goalEditorTexts.reads('200 points from awards')).waitFor()
  await card('First steps').getByText('100 of 200 points').waitFor()
  await button(goalEditorTexts.addTask).click()
  const second = page.getByRole('group', { name: goalEditorTexts.task(2) })
  await second.getByLabel(goalEditorTexts.targets.COUNT).fill('2')
  await second.getByLabel(goalEditorTexts.eventTypes).fill('signup')
  await page.keyboard.press('Enter')
  await second.getByLabel(goalEditorTexts.taskName, { exact: true }).fill('Sign up twice')
  await card('First steps').getByText('Sign up twice').waitFor()
  await second.getByRole('button', { name: goalEditorTexts.addCondition }).click()
  await button(shellTexts.save).click()
  expect(
    await second
      .getByLabel(goalEditorTexts.key)
      .evaluate((item) => item === document.activeElement),
  ).toBe(true)
  await second.getByRole('button', { name: goalEditorTexts.removeCondition('') }).click()
  await page.getByRole('combobox', { name: goalEditorTexts.rewards }).click()
  await page.getByRole('option', { name: 'Welcome bonus' }).click()
  await card('First steps').getByText('+50 points').waitFor()
  await visit.picture('goal-set-up')
  await save()
  const { tasks, rewardIds } = await goalNow()
  expect(tasks).toMatchObject([
    { of: 'POINTS', facts: ['POINTS_AWARDED'], name: null },
    { of: 'COUNT', eventTypes: ['signup'], name: 'Sign up twice' },
  ])
  expect(tasks.map(({ target }) => Number(target))).toEqual([200, 2])
  expect(rewardIds).toHaveLength(1)
})

test('what the server refuses is reported at its field', async () => {
  const { page, button, open } = visit
  await open(`${path}?tab=setup`)
  await field(goalEditorTexts.image).fill('http://example.com/steps.png')
  await button(shellTexts.save).click()
  await page
    .getByText(`${goalEditorTexts.image} must be an address that begins with https`)
    .waitFor()
  expect(await page.getByText(shellTexts.errorTitle).count()).toBe(0)
  await field(goalEditorTexts.image).fill('https://pictures.example.com/steps.png')
  await page.getByText(goalCardTexts.picture('pictures.example.com')).waitFor()
  await save()
})

test('if two people change a goal, the second one sees both versions and decides', async () => {
  const { page, open, button, dialog } = visit
  await open(`${path}?tab=setup`)
  await field(goalEditorTexts.descriptionLabel).fill('Mine')
  await send(`mutation { updateGoal(input: { goal: { slug: "first-steps" }, name: "Theirs" }) {
    __typename ... on Error { message } } }`)
  await button(shellTexts.save).click()
  const question = dialog(conflictTexts.title)
  await question.getByText(conflictTexts.changed).waitFor()
  await question.getByRole('row', { name: /^Name Theirs First steps$/ }).waitFor()
  await visit.picture('goal-conflict')
  await question.getByRole('button', { name: conflictTexts.save }).click()
  await visit.said(goalEditorTexts.saved)
  expect(await goalNow()).toMatchObject({ name: 'First steps', description: 'Mine' })
  await page.getByText(shellTexts.unchanged).waitFor()
})

test('a draft can be tried on what users have done, and an event says why it counts or not', async () => {
  const { page, open, button, world } = visit
  await world.givePoints('mina', 1)
  await world.givePoints('otto', 2)
  await open(`${path}?tab=try`)
  await button(goalTrialTexts.look).click()
  await page.getByText(goalTrialTexts.exact).waitFor()
  const figures = page.getByRole('status').filter({ hasText: goalTrialTexts.users })
  await figures.getByText('50%').waitFor()
  await visit.picture('goal-try')
  await page.getByRole('tab', { name: goalsTexts.tabs.simulate }).click()
  await field(factSimulationTexts.user).fill('nobody')
  await button(factSimulationTexts.simulate).click()
  await page.getByText(factSimulationTexts.noSuchUser).waitFor()
  await field(factSimulationTexts.user).fill('mina')
  await field(factSimulationTexts.eventType).fill('purchase')
  await field(factSimulationTexts.points).fill('30')
  await button(factSimulationTexts.simulate).click()
  await page.getByText(factSimulationTexts.counts('30')).waitFor()
  await page.getByText(factSimulationTexts.notMatching).waitFor()
  await page.getByText(factSimulationTexts.differs('signup', 'purchase')).waitFor()
  await page.getByText(factSimulationTexts.notStarted).waitFor()
  const others = page.getByRole('list', { name: factSimulationTexts.onUser.title })
  await others
    .getByRole('listitem')
    .filter({ hasText: factSimulationTexts.onUser.asIfStarted })
    .getByRole('img', { name: factSimulationTexts.met, exact: true })
    .waitFor()
  await page.getByText(factSimulationTexts.asIfActive).waitFor()
  await visit.picture('goal-simulate')
})

test('once it is started, a user’s progress and reward follow from awards', async () => {
  const { page, open, button, row, world } = visit
  await open(path)
  await button(goalsTexts.start).click()
  await visit.said(goalsTexts.started)
  await expect.poll(async () => (await goalNow()).isCounting).toBe(false)
  await page.getByText(goalsTexts.counting).waitFor({ state: 'detached' })
  await world.givePoints('mina', 1)
  await open('test/users')
  await page.getByRole('link', { name: 'mina' }).click()
  await visit.arrived('mina')
  await page.getByRole('tab', { name: usersTexts.tabs.goals }).click()
  const goal = row('First steps')
  await goal.getByText(usersTexts.ofTarget('100', '200')).waitFor()
  await goal.getByText('In progress').waitFor()
  await visit.picture('user-goals')
  await world.givePoints('mina', 1)
  await expect.poll(() => world.runtime.db.goalCompletion.count()).toBe(1)
  await page.reload()
  await goal.getByText('Completed').waitFor()
  await goal.getByText(usersTexts.times('1')).waitFor()
  await goal.getByText(usersTexts.goalDone).waitFor()
  await page.getByRole('tab', { name: usersTexts.tabs.rewards }).click()
  const grant = row('Welcome bonus')
  await grant.getByText(grantsTexts.statuses.ISSUED).waitFor()
  await grant.getByText(grantsTexts.sources.GOAL).waitFor()
  expect(await grant.getByRole('button').count()).toBe(0)
  const { body } = await world.get('/v1/users/mina/balance', world.keys.secret)
  expect(body.data.totalPoints).toBe(350)
})

test('a started goal keeps its tasks, and can still change its texts', async () => {
  const { page, open } = visit
  await open(`${path}?tab=setup`)
  await page.getByText(goalEditorTexts.fixedHint).waitFor()
  expect(await page.getByRole('button', { name: goalEditorTexts.addTask }).count()).toBe(0)
  expect(await field(goalsTexts.slug).count()).toBe(0)
  await field(goalEditorTexts.category).fill('onboarding')
  await visit.picture('goal-set-up-started')
  await save()
  expect(await goalNow()).toMatchObject({ category: 'onboarding', status: 'ACTIVE' })
})

test('a goal is paused and started again', async () => {
  const { open, button } = visit
  await open(path)
  await button(goalsTexts.pause).click()
  await visit.said(goalsTexts.paused)
  expect(await goalNow()).toMatchObject({ status: 'PAUSED' })
  await button(goalsTexts.resume).click()
  await visit.said(goalsTexts.started)
})

test('a clone is a draft, which is deleted', async () => {
  const { page, open, button, dialog, row } = visit
  await open(path)
  await button(goalsTexts.clone).click()
  const form = dialog(goalsTexts.clone)
  const slug = form.getByLabel(goalsTexts.slug)
  expect(await slug.inputValue()).toBe('first-steps-copy')
  await slug.fill('first-steps')
  await form.getByRole('button', { name: goalsTexts.clone }).click()
  await form.getByText(/already exists/).waitFor()
  await form.getByLabel(goalsTexts.name).fill('Next steps')
  await form.getByLabel(goalsTexts.slug).fill('next-steps')
  await form.getByRole('button', { name: goalsTexts.clone }).click()
  await visit.said(goalsTexts.cloned)
  await visit.arrived('Next steps')
  expect(await goalNow('next-steps')).toMatchObject({ status: 'DRAFT', category: 'onboarding' })
  await open('test/goals?status=DRAFT')
  await row('Next steps').getByText('200 points from awards').waitFor()
  expect(await row('First steps').count()).toBe(0)
  await visit.picture('goals')
  await page.getByRole('link', { name: 'Next steps' }).click()
  await visit.arrived('Next steps')
  await button(goalsTexts.delete).click()
  await dialog().getByRole('button', { name: goalsTexts.delete }).click()
  await visit.said(goalsTexts.deleted)
  await page.waitForURL(/\/test\/goals$/)
  await settled(page)
  await row('First steps').waitFor()
  expect(await row('Next steps').count()).toBe(0)
})

test('a goal that has ended says that it cannot be changed', async () => {
  const { page, open, button, dialog } = visit
  await open(path)
  await button(goalsTexts.end).click()
  await dialog().getByRole('button', { name: goalsTexts.end }).click()
  await visit.said(goalsTexts.ended)
  await page.getByRole('tab', { name: goalsTexts.tabs.setup }).click()
  await page.getByText(goalEditorTexts.over).waitFor()
  expect(await goalNow()).toMatchObject({ status: 'ENDED' })
})

test('users who join have a time limit, and no window', async () => {
  const { page, open, button, dialog } = visit
  await open('test/goals')
  await button(goalsTexts.create).first().click()
  await dialog().getByLabel(goalsTexts.name).fill('Weekend')
  await dialog().getByLabel(goalTemplateTexts.challenge.label).check()
  await dialog().getByRole('button', { name: goalsTexts.create }).click()
  await visit.said(goalsTexts.created)
  await visit.arrived('Weekend')
  await expect.poll(() => field(goalEditorTexts.timeLimit).inputValue()).toBe('72')
  await card('Weekend').getByText('Ends in 2 days').waitFor()
  await page.getByText(goalCardTexts.states.AVAILABLE, { exact: true }).click()
  await card('Weekend').getByText('Join', { exact: true }).waitFor()
  await page.getByRole('radio', { name: goalEditorTexts.joinModes.AUTO.label }).check()
  await page.getByRole('combobox', { name: goalEditorTexts.window }).click()
  await page.getByRole('option', { name: goalLabels.windows.WEEK }).click()
  await save()
  expect(await goalNow('weekend')).toMatchObject({
    joinMode: 'AUTO',
    window: 'WEEK',
    timeLimitHours: null,
  })
})

test('a draft whose end has passed is not started, and the reason is shown', async () => {
  const { page, open, button } = visit
  await send(`mutation { createGoal(input: { slug: "late", name: "Too late", window: EVER, repeat: ONCE,
    endsAt: "2020-01-01T00:00:00Z", tasks: [{ target: 1, measure: { facts: [ACTIVITY] } }] }) {
    __typename ... on Error { message } } }`)
  await open(`test/goals/${encodeURIComponent(await idOf('late'))}`)
  await button(goalsTexts.start).click()
  await page.getByText('Ends at must be after the start').waitFor()
  await visit.picture('goal-not-started')
  expect(await goalNow('late')).toMatchObject({ status: 'DRAFT' })
})

test('of a goal that is completed again, the way to the next time is shown, and in the list how often', async () => {
  const { page, open, row, world } = visit
  await send(`mutation { createGoal(input: { slug: "stamps", name: "Stamps", window: EVER, repeat: UNLIMITED,
    tasks: [{ target: 2, measure: { facts: [POINTS_AWARDED] } }] }) { __typename ... on Error { message } } }`)
  await send(
    `mutation { startGoal(input: { goal: { slug: "stamps" } }) { __typename ... on Error { message } } }`,
  )
  await expect.poll(async () => (await goalNow('stamps')).isCounting).toBe(false)
  await world.givePoints('stella', 5)
  const { id: goalId } = await goalNow('stamps')
  await expect.poll(() => world.runtime.db.goalCompletion.count({ where: { goalId } })).toBe(2)
  await open('test/users')
  await page.getByRole('link', { name: 'stella' }).click()
  await visit.arrived('stella')
  await page.getByRole('tab', { name: usersTexts.tabs.goals }).click()
  await row('Stamps').getByText(usersTexts.ofTarget('1', '2')).waitFor()
  await row('Stamps').getByText(usersTexts.times('2')).waitFor()
  await open('test/goals')
  await page.getByRole('columnheader', { name: goalsTexts.completed }).waitFor()
  await row('Stamps').getByRole('cell', { name: '2', exact: true }).waitFor()
  await visit.picture('goals-completed')
})

test('an analyst sees goals, and can change none', async () => {
  const { page, open, button } = await visits.visit('test/goals', 'ANALYST')
  const isRefused = async (name: string) =>
    (await button(name).first().getAttribute('aria-disabled')) === 'true'
  expect(await isRefused(goalsTexts.create)).toBe(true)
  await open(path.replace(/[^/]+$/, encodeURIComponent(await idOf('weekend'))))
  for (const name of [goalsTexts.clone, goalsTexts.start, goalsTexts.delete])
    expect(await isRefused(name), name).toBe(true)
  await page.getByRole('tab', { name: goalsTexts.tabs.setup }).click()
  await button(shellTexts.save).waitFor()
  expect(await isRefused(shellTexts.save)).toBe(true)
  await page.context().close()
})

const idOf = async (slug: string): Promise<string> => {
  const { body } = await visit.world.graphql(`{ goal(by: { slug: "${slug}" }) { id } }`)
  return body.data.goal.id
}

test('in LIVE a goal is ended after typing its name', async () => {
  const { page, open, button, dialog, world, said } = await visits.visit('live/goals')
  const { body } = await world.graphql(
    `mutation {
      createGoal(input: { slug: "live", name: "Live goal", window: EVER, repeat: ONCE,
        tasks: [{ target: 1, measure: { facts: [ACTIVITY] } }] }) { ... on CreateGoalPayload { goal { id } } }
      startGoal(input: { goal: { slug: "live" } }) { __typename }
    }`,
    {},
    world.partner.live,
  )
  await open(`live/goals/${encodeURIComponent(body.data.createGoal.goal.id)}`)
  await button(goalsTexts.end).click()
  const confirm = dialog().getByRole('button', { name: goalsTexts.end })
  expect(await confirm.isDisabled()).toBe(true)
  await dialog().getByRole('textbox').fill('Live goal')
  await confirm.click()
  await said(goalsTexts.ended)
  await page.context().close()
})

test('with more users than a trial looks at, its numbers are the least that they can be', async () => {
  const { page, open, button, world, picture } = await visits.visit('live/goals')
  await world.givePoints('lena', 1, 'signup', world.partner.live.secret)
  await world.server.database.pool.query({
    text: `WITH many AS (
        INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at, balance, lifetime_points, entries,
          created_at)
        SELECT gen_random_uuid(), $1::uuid, 'LIVE', 'many-' || n, now(), 0, 0, 0, '2020-01-01'
        FROM generate_series(1, 10001) n
        RETURNING id, partner_id, environment)
      INSERT INTO user_profile (user_id, partner_id, environment, user_created_at, due_at)
      SELECT id, partner_id, environment, '2020-01-01', '2100-01-01' FROM many`,
    values: [world.partner.partnerId],
  })
  const { body } = await world.graphql(
    `mutation { createGoal(input: { slug: "many", name: "Many", window: EVER, repeat: ONCE,
      tasks: [{ target: 1, measure: { facts: [POINTS_AWARDED] } }] }) { ... on CreateGoalPayload { goal { id } } } }`,
    {},
    world.partner.live,
  )
  await open(`live/goals/${encodeURIComponent(body.data.createGoal.goal.id)}?tab=try`)
  await button(goalTrialTexts.look).click()
  await page.getByText(goalTrialTexts.notAll).waitFor()
  await page.getByText(goalTrialTexts.atLeast('1'), { exact: true }).first().waitFor()
  await picture('goal-try-many')
  await page.context().close()
})
