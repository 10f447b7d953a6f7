/** The arena in the console: agents, and the sessions of all games of a developer. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { agentsTexts } from '../../src/console/texts/agents-texts.ts'
import { arenaGamesTexts } from '../../src/console/texts/arena-games-texts.ts'
import { sessionsTexts } from '../../src/console/texts/sessions-texts.ts'
import { texts } from '../../src/console/texts/shell-texts.ts'
import { type Arena, createArena } from '../arena/arena-world.ts'
import { playAll } from '../arena/matches/arena.ts'
import { type Console, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let arena: Arena
let visit: Visit
let page: Page
beforeAll(async () => {
  visits = await createConsole()
  arena = await createArena(visits.world)
  visit = await visits.visit('live/agents')
  page = visit.page
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const open = (path: string) => visit.open(`live/${path}`)
const choose = async (of: Page | Locator, label: string, option: string | RegExp) => {
  await of.getByRole('combobox', { name: label }).or(of.getByLabel(label)).first().click()
  await page.getByRole('option', { name: option }).click()
}

const createAgent = async (displayName: string, strategy: string) => {
  await open('agents')
  await page.getByRole('button', { name: agentsTexts.create }).first().click()
  const dialog = visit.dialog()
  await dialog.getByLabel(agentsTexts.displayName).fill(displayName)
  await dialog.getByLabel(agentsTexts.name, { exact: true }).fill(displayName.toLowerCase())
  await choose(dialog, agentsTexts.provider, 'Builtin')
  await dialog.getByLabel(agentsTexts.model).fill(strategy)
  await press(dialog, agentsTexts.create)
  await page.getByRole('link', { name: displayName }).click()
  await page.getByRole('heading', { level: 1, name: displayName }).waitFor()
}

const status = (text: string) => page.getByRole('heading', { level: 1 }).getByText(text)

/** An agent that is activated plays a match against itself first. The page waits for it. */
const activate = async () => {
  await press(page, agentsTexts.activate)
  await visit.said(agentsTexts.done)
  await playAll(visits.world.runtime)
  await status('Active').waitFor()
}

test('an agent is created, activated, paused and activated again', async () => {
  await createAgent('Deep', 'minimax')
  await status('Draft').waitFor()
  await activate()
  await press(page, agentsTexts.pause)
  await status('Paused').waitFor()
  await press(page, agentsTexts.activate)
  await status('Active').waitFor()
  await createAgent('Dice', 'random')
  await activate()
  await open('agents?status=ACTIVE')
  expect(await page.locator('tbody tr').count()).toBe(2)
}, 120_000)

test('the sessions of all games are listed, filtered by game and state, and opened', async () => {
  await open('sessions')
  await page.getByText(sessionsTexts.empty).waitFor()
  const ids: string[] = []
  for (const name of ['Comet Chase', 'Moon Race']) {
    const game = await arena.publish({ name })
    ids.push((await arena.openSession(game.id)).id)
  }
  await visits.world.runtime.db.arenaSession.updateMany({
    where: { id: ids[1] as string },
    data: { status: 'EXPIRED' },
  })
  await open('sessions')
  const rows = page.locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(2)
  await choose(page, sessionsTexts.game, 'Moon Race')
  await expect.poll(() => rows.count()).toBe(1)
  await row('Moon Race').getByText('Expired').waitFor()
  await choose(page, sessionsTexts.status, 'Waiting')
  await page.getByText(texts.nothingFound).waitFor()
  await page.goBack()
  await row('Moon Race').waitFor()
  await open('sessions')
  await page.getByRole('button', { name: arenaGamesTexts.detailsOf(ids[0] ?? '') }).click()
  const drawer = page.getByRole('dialog', { name: arenaGamesTexts.session })
  await drawer.getByText(ids[0] ?? '').waitFor()
  await page.reload()
  await drawer.getByText(ids[0] ?? '').waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await row('Comet Chase').getByRole('link', { name: 'Comet Chase' }).click()
  await page.waitForURL(/\/live\/arena-games\//)
})
