/** What operators do: partners, reviews, and the platform at a glance; and what a developer sees of it. */
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { viewer } from '../../console/generated/viewer.ts'
import { arenaGamesTexts } from '../../console/texts/arena-games-texts.ts'
import { doorTexts } from '../../console/texts/door-texts.ts'
import { metricsTexts } from '../../console/texts/metrics-texts.ts'
import { partnersTexts as texts } from '../../console/texts/partners-texts.ts'
import { periodTexts } from '../../console/texts/period-texts.ts'
import { platformTexts } from '../../console/texts/platform-texts.ts'
import { reviewQueueTexts } from '../../console/texts/review-queue-texts.ts'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { teamTexts } from '../../console/texts/team-texts.ts'
import { type Arena, createArena } from '../arena/arena-world.ts'
import { password, signIn } from '../console/browser.ts'
import {
  type Console,
  chooseAction,
  createConsole,
  press,
  settled,
  type Visit,
} from './console-visit.ts'

let visits: Console
let arena: Arena
let visit: Visit
let page: Page
beforeAll(async () => {
  visits = await createConsole()
  arena = await createArena(visits.world)
  visit = await visits.visit('live/partners', 'OPERATOR')
  page = visit.page
})
afterAll(() => visits?.end())

const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const open = async (path: string) => {
  await page.goto(`${visits.world.base}/console/live/${path}`)
  await settled(page)
}

test('a partner is created and gets an owner, who signs in', async () => {
  await page.getByRole('button', { name: texts.create }).first().click()
  await visit.dialog().getByLabel(texts.name).fill('Blue Shop')
  await visit.dialog().getByLabel(texts.slug).fill('blue-shop')
  await press(visit.dialog(), texts.create)
  await visit.said(texts.created)
  await chooseAction(row('blue-shop'), texts.inviteOwner)
  await visit.dialog().getByLabel(texts.email).fill('olga@example.com')
  await press(visit.dialog(), texts.invite)
  const shown = visit.dialog(teamTexts.linkTitle)
  const link = (await shown.locator('code, pre').first().textContent()) ?? ''
  await press(shown, shell.done)
  const { pathname, hash } = new URL(link)
  const theirs = await visits.browser.newPage()
  await theirs.goto(`${visits.world.base}${pathname}${hash}`)
  await theirs.getByRole('heading', { level: 1, name: doorTexts.join('Blue Shop') }).waitFor()
  await theirs.getByText(teamTexts.roleHints.OWNER).waitFor()
  await theirs.getByLabel(doorTexts.newPassword).first().fill(password)
  await press(theirs, doorTexts.joinNow)
  await theirs.waitForURL(/overview/)
  await theirs.close()
  const credentials = { email: 'olga@example.com', password }
  expect((await signIn(visits.world, credentials)).status).toBe(200)
})

test('a partner is renamed', async () => {
  await chooseAction(row('blue-shop'), texts.rename)
  await visit.dialog().getByLabel(texts.name).fill('Blue Market')
  await press(visit.dialog(), shell.save)
  await visit.said(texts.renamed)
  await row('blue-shop').getByText('Blue Market').waitFor()
})

test('a partner is closed by typing its name, and reopened', async () => {
  await chooseAction(row('blue-shop'), texts.close)
  await visit.dialog().getByRole('textbox').fill('Blue Market')
  await press(visit.dialog(), texts.close)
  await visit.said(texts.closedDone)
  await row('blue-shop').getByText(texts.closed, { exact: true }).waitFor()
  const credentials = { email: 'olga@example.com', password }
  expect((await signIn(visits.world, credentials)).status).toBe(403)
  await chooseAction(row('blue-shop'), texts.reopen)
  await visit.said(texts.reopened)
  await row('blue-shop').getByText(texts.open, { exact: true }).waitFor()
})

const review = async (notes: string, decision: string) => {
  await row('Comet Chase').getByRole('button', { name: reviewQueueTexts.review }).click()
  await visit.dialog().getByLabel(reviewQueueTexts.notes).fill(notes)
  await press(visit.dialog(), decision)
  await visit.said(reviewQueueTexts.reviewed)
}

const openGame = async () => {
  await open('arena-games')
  await page.getByRole('link', { name: 'Comet Chase' }).click()
  await visit.arrived('Comet Chase')
}

const submitBuild = async (version: string) => {
  await press(page, arenaGamesTexts.newBuild)
  const form = visit.dialog()
  await form.getByLabel(arenaGamesTexts.buildUrl).fill(`https://games.example/comet/${version}/`)
  await form.getByLabel(arenaGamesTexts.version).fill(version)
  await press(form, arenaGamesTexts.newBuild)
  await visit.said(arenaGamesTexts.buildSubmitted)
  await row(version).waitFor()
}

test('a game is submitted, rejected with notes, edited, and submitted again', async () => {
  await open('arena-games')
  await page.getByRole('button', { name: arenaGamesTexts.submit }).first().click()
  const form = visit.dialog()
  await form.getByLabel(arenaGamesTexts.name).fill('Comet Chase')
  await form.getByLabel(arenaGamesTexts.entryFee).fill('10')
  await form.getByLabel(arenaGamesTexts.buildUrl).fill('ftp://games.example/')
  await press(form, arenaGamesTexts.submit)
  await form.locator('[aria-invalid=true]').first().waitFor()
  await form.getByLabel(arenaGamesTexts.buildUrl).fill('https://games.example/comet/1/')
  await press(form, arenaGamesTexts.submit)
  await visit.said(arenaGamesTexts.submitted)
  await visit.arrived('Comet Chase')
  await open('review-queue')
  await review('There is no sound.', reviewQueueTexts.reject)
  await openGame()
  await page.getByText('There is no sound.').waitFor()
  await press(page, arenaGamesTexts.edit)
  await visit.dialog().getByLabel(arenaGamesTexts.gameDescription).fill('Race a comet.')
  await press(visit.dialog(), 'Save')
  await visit.said(arenaGamesTexts.saved)
  await page.getByText('Race a comet.').waitFor()
  await submitBuild('1.1.0')
})

test('a review is confirmed even if its game leaves the queue before all of the page is current', async () => {
  const holdViewer = async (route: Route) => {
    if (route.request().postData()?.includes(viewer.id))
      await page.getByText(reviewQueueTexts.empty).waitFor()
    await route.continue()
  }
  await open('review-queue')
  await page.route('/graphql', holdViewer)
  await review('Fine', reviewQueueTexts.approve)
  await page.unroute('/graphql', holdViewer)
})

test('a game is played, and its page shows the prizes of a session', async () => {
  const where = { name: 'Comet Chase' }
  const game = await visits.world.runtime.db.arenaGame.findFirstOrThrow({ where })
  const { sessionId, seats } = await arena.play(game.id)
  const [winner] = seats
  const result = { winnerId: winner?.playerId }
  expect((await arena.report(sessionId, result, winner?.sessionToken)).status).toBe(200)
  await openGame()
  await page.getByRole('button', { name: arenaGamesTexts.detailsOf(sessionId) }).click()
  const drawer = page.getByRole('dialog', { name: arenaGamesTexts.session })
  await drawer.getByText(arenaGamesTexts.winner, { exact: true }).waitFor()
  await drawer.getByText('20 points').waitFor()
  await drawer.getByRole('link', { name: winner?.userId ?? '' }).waitFor()
  await page.reload()
  await drawer.getByText('20 points').waitFor()
})

test('a new build waits for a review, and an archived game is no longer public', async () => {
  await openGame()
  await submitBuild('2.0.0')
  await press(page, arenaGamesTexts.archive)
  await visit.dialog().getByRole('textbox').fill('Comet Chase')
  await press(visit.dialog(), arenaGamesTexts.archive)
  await visit.said(arenaGamesTexts.archived)
  await page.getByRole('heading', { level: 1 }).getByText('Archived').waitFor()
})

test('the platform counts partners and shows the last changes', async () => {
  await open('platform')
  const figure = page.getByText(platformTexts.openPartners).locator('..')
  await figure.getByText('2', { exact: true }).waitFor()
  await row('reopenPartner').first().waitFor()
})

test('the platform shows what all partners did in the environment, and which of them', async () => {
  const { world } = visits
  const other = await world.createPartner('busy-shop')
  await world.givePoints('ann', 3, 'signup', other.live.secret)
  await world.givePoints('ben', 1, 'signup', world.partner.live.secret)
  await world.givePoints('cid', 5, 'signup', other.test.secret)
  await open('platform')
  const figure = (name: string) => page.getByText(name, { exact: true }).first().locator('..')
  await figure(metricsTexts.newUsers).getByText(/^\d+$/).first().waitFor()
  await page.getByRole('img', { name: new RegExp(`^${metricsTexts.usersChart}`) }).waitFor()
  const usage = page.getByRole('region', { name: platformTexts.partners })
  const cells = usage.getByRole('row').filter({ hasText: 'busy-shop' }).getByRole('cell')
  await cells.nth(4).getByText('300', { exact: true }).waitFor()
  await cells.nth(3).getByText('1', { exact: true }).waitFor()
  await page.getByRole('button', { name: new RegExp(`^${periodTexts.period}:`) }).click()
  await press(page, periodTexts.presets['7-days'])
  await page.waitForURL(/period=7-days/)
  await cells.nth(4).getByText('300', { exact: true }).waitFor()
  expect(visit.faults.filter((fault) => !/40\d/.test(fault))).toEqual([])
})
