/** Matches in the console: scheduled against one of many agents, and cancelled, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { agentsTexts } from '../../console/texts/agents-texts.ts'
import { matchesTexts as texts } from '../../console/texts/matches-texts.ts'
import { makeAgent, playAll } from '../arena/matches/arena.ts'
import type { World } from '../world.ts'
import { type Console, chooseAction, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
let page: Page
let runtime: World['runtime']
beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('live/matches')
  page = visit.page
  ;({ runtime } = visits.world)
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const field = (label: string) => visit.dialog().getByRole('combobox', { name: label, exact: true })
const choose = async (label: string, option: string) => {
  await field(label).click()
  await page.getByRole('option', { name: option }).click()
}

test('without an active agent, the page leads to the agents', async () => {
  await page.getByText(texts.empty).waitFor()
  await page.getByRole('link', { name: texts.toAgents }).first().click()
  await visit.arrived(agentsTexts.title)
})

test('a match is scheduled against one of many agents, which is found by its name', async () => {
  const rival = await visits.world.createPartner('rival')
  await makeAgent(runtime, rival.partnerId, 'random', { displayName: 'Oldest Rival' })
  await makeAgent(runtime, visits.world.partner.partnerId, 'minimax', { displayName: 'Deep' })
  for (let n = 0; n < 25; n++)
    await makeAgent(runtime, rival.partnerId, 'random', { displayName: `Rival ${n}` })
  await visit.open('live/matches')
  await press(page, texts.schedule)
  await press(visit.dialog(), texts.schedule)
  await visit.dialog().getByText(texts.agentMissing).waitFor()
  await visit.dialog().getByText(texts.opponentMissing).waitFor()
  await choose(texts.agent, 'Deep')
  await field(texts.opponent).click()
  await page.getByRole('option', { name: 'Rival 24' }).waitFor()
  expect(await page.getByRole('option', { name: 'Oldest Rival' }).count()).toBe(0)
  expect(await page.getByRole('option', { name: 'Deep' }).count()).toBe(0)
  await field(texts.opponent).fill('oldest')
  await page.getByRole('option', { name: 'Oldest Rival' }).click()
  await choose(texts.game, 'Tic-tac-toe')
  await choose(texts.bestOf, texts.bestOfText('1'))
  await visit.picture('match-schedule')
  await press(visit.dialog(), texts.schedule)
  await visit.said(texts.scheduled)
  await visit.row('Deep – Oldest Rival').getByText('Scheduled').waitFor()
  expect(await runtime.db.arenaMatch.findMany()).toMatchObject([
    { gameType: 'TIC_TAC_TOE', bestOf: 1, status: 'SCHEDULED' },
  ])
})

test('the form is empty when it is opened again', async () => {
  await press(page, texts.schedule)
  expect(await field(texts.agent).inputValue()).toBe('')
  expect(await field(texts.opponent).inputValue()).toBe('')
  expect(await field(texts.bestOf).inputValue()).toBe(texts.bestOfText('3'))
  await press(visit.dialog(), 'Cancel')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('a scheduled match is cancelled by typing its name', async () => {
  const name = 'Deep – Oldest Rival'
  await chooseAction(visit.row(name), texts.cancel)
  const confirm = visit.dialog().getByRole('button', { name: texts.cancel })
  expect(await confirm.isDisabled()).toBe(true)
  await visit.dialog().getByRole('textbox').fill(name)
  await confirm.click()
  await visit.said(texts.cancelled)
  await visit.row(name).getByText('Cancelled').waitFor()
  expect(await visit.row(name).getByRole('button').count()).toBe(0)
})

test('a match that was played shows its score, and the list is filtered by status', async () => {
  await press(page, texts.schedule)
  await choose(texts.agent, 'Deep')
  await choose(texts.opponent, 'Rival 24')
  await press(visit.dialog(), texts.schedule)
  await visit.said(texts.scheduled)
  await playAll(runtime)
  await visit.open('live/matches?status=COMPLETED')
  await visit.row('Deep – Rival 24').getByText('Completed').waitFor()
  expect(await visit.row('Deep – Oldest Rival').count()).toBe(0)
  const [href] = await visit
    .row('Deep – Rival 24')
    .getByRole('link', { name: texts.watch })
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const { id } = await runtime.db.arenaMatch.findFirstOrThrow({ where: { status: 'COMPLETED' } })
  expect(href).toBe(`/arena/matches/${id}`)
})
