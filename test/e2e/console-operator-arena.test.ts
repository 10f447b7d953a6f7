/** What operators do to games and agents of other partners, and what others see of it. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentsTexts } from '../../console/texts/agents-texts.ts'
import { arenaGamesTexts as games } from '../../console/texts/arena-games-texts.ts'
import { reviewQueueTexts } from '../../console/texts/review-queue-texts.ts'
import { pageNames, texts } from '../../console/texts/shell-texts.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { type Arena, createArena } from '../arena/arena-world.ts'
import { makeAgent } from '../arena/matches/arena.ts'
import type { TestPartner } from '../world.ts'
import {
  type Console,
  chooseAction,
  createConsole,
  menuOf,
  press,
  type Visit,
} from './console-visit.ts'

let visits: Console
let arena: Arena
let maker: TestPartner
let visit: Visit
let page: Page
let gamePath: string
let agentPath: string
beforeAll(async () => {
  visits = await createConsole()
  const { world } = visits
  arena = await createArena(world)
  maker = await world.createPartner('maker')
  const token = await world.signInAs('OWNER', maker.partnerId)
  const game = await arena.publish({ name: 'Comet Chase' }, token)
  gamePath = `live/arena-games/${encodeURIComponent(encodeNodeId('ArenaGame', game.id))}`
  const agent = await makeAgent(world.runtime, maker.partnerId, 'random')
  const data = { displayName: 'Deep', isPublic: false }
  await world.runtime.db.arenaAgent.update({ where: { id: agent.id }, data })
  agentPath = `live/agents/${encodeURIComponent(encodeNodeId('ArenaAgent', agent.id))}`
  visit = await visits.visit('live/review-queue?status=APPROVED', 'OPERATOR')
  page = visit.page
})
afterAll(() => visits?.end())

const heading = (text: string) => page.getByRole('heading', { level: 1 }).getByText(text)
const featured = async () => {
  const { body } = await visits.world.graphql('{ arena { featuredGames { name } } }')
  return body.data.arena.featuredGames
}

test('a game of another partner is featured from the review queue, and no longer from its page', async () => {
  await visit.row('Comet Chase').getByRole('button', { name: reviewQueueTexts.review }).click()
  const drawer = visit.dialog()
  expect(await drawer.getByRole('button', { name: reviewQueueTexts.approve }).count()).toBe(0)
  await press(drawer, games.feature)
  await visit.said(games.featuredDone)
  expect(await featured()).toEqual([{ name: 'Comet Chase' }])
  await drawer.getByRole('link', { name: reviewQueueTexts.toGame }).click()
  await visit.arrived('Comet Chase')
  await heading(games.featured).waitFor()
  await page.getByText('maker', { exact: true }).waitFor()
  await visit.picture('operator-game')
  await press(page, games.unfeature)
  await visit.said(games.unfeatured)
  await heading(games.featured).waitFor({ state: 'detached' })
  expect(await featured()).toEqual([])
})

test('only the developer edits a game; an operator archives it by typing its name', async () => {
  expect(await visit.button(games.edit).count()).toBe(0)
  expect(await visit.button(games.newBuild).count()).toBe(0)
  await press(page, games.archive)
  const confirm = visit.dialog().getByRole('button', { name: games.archive, exact: true })
  expect(await confirm.isDisabled()).toBe(true)
  await visit.dialog().getByRole('textbox').fill('Comet Chase')
  await confirm.click()
  await visit.said(games.archived)
  await heading('Archived').waitFor()
  expect(await visit.button(games.archive).count()).toBe(0)
  expect(await visit.button(games.feature).count()).toBe(0)
  const where = { name: 'Comet Chase' }
  expect(await visits.world.runtime.db.arenaGame.findFirst({ where })).toMatchObject({
    status: 'ARCHIVED',
    servingBuildUrl: null,
  })
})

test('a private agent of another partner is found, suspended by typing its name, and reinstated', async () => {
  await visit.open('live/all-agents')
  await page.getByLabel(agentsTexts.search).fill('deep')
  await page.waitForURL(/search=deep/)
  await visit.row('Deep').getByText('maker').waitFor()
  await chooseAction(visit.row('Deep'), agentsTexts.suspend)
  await visit.dialog().getByRole('textbox').fill('Deep')
  await press(visit.dialog(), agentsTexts.suspend)
  await visit.said(agentsTexts.suspended)
  await visit.row('Deep').getByText('Suspended').waitFor()
  await visit.picture('operator-agents')
  await visit.row('Deep').getByRole('link', { name: 'Deep' }).click()
  await visit.arrived('Deep')
  await page.getByText(agentsTexts.ownedBy('maker')).waitFor()
  expect(await visit.button(agentsTexts.retire).count()).toBe(0)
  await press(page, agentsTexts.reinstate)
  await visit.said(agentsTexts.reinstated)
  await heading('Draft').waitFor()
  await press(page, agentsTexts.suspend)
  await visit.dialog().getByRole('textbox').fill('Deep')
  await press(visit.dialog(), agentsTexts.suspend)
  await heading('Suspended').waitFor()
  expect(visit.faults).toEqual([])
})

test('its owner sees that an agent is suspended, and has no button of operators', async () => {
  const owner = await visits.visit(agentPath, 'OWNER', maker.partnerId)
  await owner.page.getByText(agentsTexts.suspendedHint).waitFor()
  expect(await owner.button(agentsTexts.reinstate).count()).toBe(0)
  await owner.open(gamePath)
  expect(await owner.button(games.feature).count()).toBe(0)
  expect(await owner.page.locator('nav a').allTextContents()).not.toContain(pageNames['all-agents'])
  await owner.open('live/all-agents')
  await owner.page.getByText(texts.noAccess).waitFor()
  expect(owner.faults).toEqual([])
  await owner.page.context().close()
})

test('members of other partners who operate nothing see neither the game nor the agent', async () => {
  const stranger = await visits.visit(agentPath, 'OWNER')
  await stranger.page.getByText(agentsTexts.noSuchAgent).waitFor()
  await stranger.open(gamePath)
  await stranger.page.getByText(games.noSuchGame).waitFor()
  for (const name of [agentsTexts.suspend, games.feature, games.archive])
    expect(await stranger.button(name).count(), name).toBe(0)
  expect(stranger.faults).toEqual([])
  await stranger.page.context().close()
})

test('in TEST, an operator sees why nothing can be changed', async () => {
  await visit.open('test/all-agents')
  await menuOf(visit.row('Deep')).click()
  const action = page.getByRole('menuitem', { name: agentsTexts.reinstate })
  expect(await action.getAttribute('aria-disabled')).toBe('true')
  await action.getByText(texts.liveOnly).waitFor()
})
