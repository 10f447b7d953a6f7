/** The arena in the console: agents, and the sessions of all games of a developer. */
import type { Locator, Page } from 'playwright-core'
import { v7 as uuid } from 'uuid'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { agentsTexts } from '../../console/texts/agents-texts.ts'
import { arenaGamesTexts } from '../../console/texts/arena-games-texts.ts'
import { sessionsTexts } from '../../console/texts/sessions-texts.ts'
import { texts } from '../../console/texts/shell-texts.ts'
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
  await choose(dialog, agentsTexts.provider, 'Built-in')
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

test('an agent is edited: a new strategy makes it a draft again, a new description does not', async () => {
  const edit = async (label: string, value: string) => {
    await press(page, agentsTexts.edit)
    await visit.dialog().getByLabel(label).fill(value)
    await press(visit.dialog(), texts.save)
  }
  await open('agents')
  await page.getByRole('link', { name: 'Deep' }).click()
  await visit.arrived('Deep')
  await edit(agentsTexts.agentDescription, 'Looks ahead.')
  await visit.said(agentsTexts.saved)
  await status('Active').waitFor()
  await edit(agentsTexts.model, 'no such strategy')
  await visit.dialog().getByText(`${agentsTexts.model} must be one of the options`).waitFor()
  await visit.dialog().getByLabel(agentsTexts.model).fill('random')
  await press(visit.dialog(), texts.save)
  await visit.said(agentsTexts.saved)
  await status('Draft').waitFor()
  const where = { displayName: 'Deep' }
  expect(await visits.world.runtime.db.arenaAgent.findFirst({ where })).toMatchObject({
    description: 'Looks ahead.',
    modelId: 'random',
    isPublic: true,
  })
})

test('an agent is retired by typing its name, and can do nothing any more', async () => {
  await press(page, agentsTexts.retire)
  await visit.dialog().getByRole('textbox').fill('Deep')
  await press(visit.dialog(), agentsTexts.retire)
  await visit.said(agentsTexts.done)
  await status('Retired').waitFor()
  expect(await page.getByRole('button', { name: agentsTexts.edit, exact: true }).count()).toBe(0)
})

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
  const { id: _, slug, ...copied } = await visits.world.runtime.db.arenaGame.findFirstOrThrow()
  // The other two are not among the newest, which are listed before anything is typed.
  await visits.world.runtime.db.arenaGame.createMany({
    data: Array.from({ length: 25 }, (_, n) => ({
      ...copied,
      id: uuid(),
      slug: `${slug}-${n}`,
      name: `Newer ${n}`,
    })),
  })
  await open('sessions')
  const rows = page.locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(2)
  const game = page.getByRole('combobox', { name: sessionsTexts.game, exact: true })
  await game.click()
  await page.getByRole('option', { name: 'Newer 24' }).waitFor()
  await game.fill('moon')
  await page.getByRole('option', { name: 'Moon Race' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await page.reload()
  await row('Moon Race').waitFor()
  expect(await game.inputValue()).toBe('Moon Race')
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
