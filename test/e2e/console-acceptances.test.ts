/** A partner accepts games whose prize pools its users share with users of others. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { acceptancesTexts as own } from '../../console/texts/acceptances-texts.ts'
import { texts } from '../../console/texts/shell-texts.ts'
import { type Arena, createArena } from '../arena/arena-world.ts'
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
let partner: TestPartner
let visit: Visit
let page: Page
let gameId: string
beforeAll(async () => {
  visits = await createConsole()
  arena = await createArena(visits.world)
  partner = await visits.world.createPartner('guests')
  const terms = { entryFee: 100, developerRevenueShare: 20, resultPolicy: 'SERVER' }
  ;({ id: gameId } = await arena.publish({ name: 'Comet Chase', ...terms }))
  await arena.publish({ name: 'Comet for free' })
  visit = await visits.visit('live/acceptances', 'DEVELOPER', partner.partnerId)
  page = visit.page
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const row = () => visit.row('Comet Chase')
const cap = (label: string, value: string) => visit.dialog().getByLabel(label).fill(value)
const stored = () => {
  const where = { gameId, partnerId: partner.partnerId }
  return visits.world.runtime.db.arenaAcceptance.findFirstOrThrow({ where })
}

test('a game is found among those that can be shared, and accepted with caps', async () => {
  await page.getByText(own.empty).waitFor()
  await press(page, own.accept)
  const game = visit.dialog().getByRole('combobox', { name: own.find })
  await game.fill('comet')
  await page.getByRole('option').first().waitFor()
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.getByRole('option', { name: 'Comet Chase' }).click()
  await visit.dialog().getByText(own.policies.SERVER).waitFor()
  await visit.dialog().getByText(own.points('100')).waitFor()
  await cap(own.maxIn, '500')
  await cap(own.maxOut, '300')
  await press(visit.dialog(), own.accept)
  await visit.said(own.accepted)
  await row().getByText(own.inForce).waitFor()
  await row().getByText(own.usage('0', '500')).waitFor()
  await visit.picture('acceptances')
  expect(await stored()).toMatchObject({ maxPointsInPerDay: 500, maxPointsOutPerDay: 300 })
})

test('the points that flow today are shown against the caps', async () => {
  const { world } = visits
  await arena.accept(gameId, [world.partner])
  await arena.play(gameId, 2, [world.partner, partner])
  await page.reload()
  await row().getByText(own.usage('100', '500')).waitFor()
  await row().getByText(own.usage('100', '300')).waitFor()
})

test('the caps are changed from the row, and the dialog has an address', async () => {
  await chooseAction(row(), own.change)
  await page.reload()
  const field = visit.dialog().getByLabel(own.maxIn)
  await expect.poll(() => field.inputValue()).toBe('500')
  await field.fill('700')
  await press(visit.dialog(), texts.save)
  await visit.said(own.accepted)
  await row().getByText(own.usage('100', '700')).waitFor()
})

test('new terms are not covered until they are accepted, also when they change under the dialog', async () => {
  const change = (entryFee: number) =>
    arena.send('PATCH', `/dashboard/arena-games/${gameId}`, arena.developer, { entryFee })
  await change(150)
  await page.reload()
  await row().getByText(own.termsChanged).waitFor()
  await chooseAction(row(), own.acceptAgain)
  await visit.dialog().getByText(own.points('150')).waitFor()
  await change(200)
  await press(visit.dialog(), texts.save)
  await visit.dialog().getByRole('alert').waitFor()
  await visit.dialog().getByText(own.points('200')).waitFor()
  await press(visit.dialog(), texts.save)
  await visit.said(own.accepted)
  await row().getByText(own.inForce).waitFor()
  expect(await stored()).toMatchObject({ entryFee: 200, maxPointsInPerDay: 700 })
})

test('an acceptance is withdrawn, listed as such, and accepted again with its caps', async () => {
  await chooseAction(row(), own.withdraw)
  await visit.said(own.withdrawnDone)
  await row().getByText(own.withdrawn, { exact: true }).waitFor()
  expect((await stored()).withdrawnAt).not.toBeNull()
  await visit.open('live/acceptances?state=ACCEPTED')
  await page.getByText(texts.nothingFound).waitFor()
  await visit.open('live/acceptances?state=WITHDRAWN')
  await chooseAction(row(), own.acceptAgain)
  await press(visit.dialog(), own.accept)
  await visit.said(own.accepted)
  await visit.open('live/acceptances')
  await row().getByText(own.usage('100', '700')).waitFor()
})

test('a member without the right sees what is accepted, and why they cannot change it', async () => {
  const analyst = await visits.visit('live/acceptances', 'ANALYST', partner.partnerId)
  const button = analyst.button(own.accept).first()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await button.hover()
  await analyst.page.getByRole('tooltip').getByText(texts.missingRight('ANALYST')).waitFor()
  await menuOf(analyst.page.locator('main')).click()
  for (const name of [own.change, own.withdraw]) {
    const action = analyst.page.getByRole('menuitem', { name })
    expect(await action.getAttribute('aria-disabled'), name).toBe('true')
    await action.getByText(texts.missingRight('ANALYST')).waitFor()
  }
  await analyst.page.getByRole('menuitem', { name: own.withdraw }).click({ force: true })
  expect((await stored()).withdrawnAt).toBeNull()
  expect(analyst.faults).toEqual([])
  await analyst.page.context().close()
})
