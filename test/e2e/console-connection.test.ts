/** A lost connection, and its return. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { texts } from '../../console/texts/shell-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import { type Console, createConsole, press } from './console-visit.ts'

let visits: Console
beforeAll(async () => {
  visits = await createConsole()
  await visits.world.givePoints('alice', 1)
})
afterAll(() => visits?.end())

const lost = (page: Page) => page.getByText(texts.connectionLost)

test('the console says that the server does not answer, and shows missed changes when it answers again', async () => {
  const { page } = await visits.visit('test/users')
  await page.getByRole('link', { name: 'alice' }).waitFor()
  const cut = (url: URL) => ['/graphql', '/livez'].includes(url.pathname)
  await page.route(cut, (route) => route.abort())
  await page.getByRole('searchbox').fill('b')
  await lost(page).waitFor()
  await visits.world.givePoints('bob', 1)
  // The page still has its content, and shows no error.
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.unroute(cut)
  await page.getByRole('link', { name: 'bob' }).waitFor()
  await lost(page).waitFor({ state: 'detached' })
  await page.context().close()
})

test('the same happens when the browser is offline, and a page opened offline waits', async () => {
  const { page } = await visits.visit('test/users')
  await page.getByRole('link', { name: 'alice' }).click()
  await page.getByRole('button', { name: usersTexts.adjust }).waitFor()
  await page.context().setOffline(true)
  await lost(page).waitFor()
  await page.goBack()
  await page.context().setOffline(false)
  await lost(page).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'alice' }).waitFor()
  await page.context().close()
})

test('a change that did not reach the server is reported, and is applied once when it is sent again', async () => {
  const visit = await visits.visit('test/users')
  const { page } = visit
  await page.getByRole('link', { name: 'alice' }).click()
  await press(page, usersTexts.adjust)
  const dialog = visit.dialog()
  await dialog.getByLabel(usersTexts.adjustPoints).fill('7')
  await dialog.getByLabel(usersTexts.adjustReason).fill('for testing')
  const isAdjustment = (url: URL) => url.pathname === '/graphql'
  // The server makes the change, but its answer is lost.
  await page.route(isAdjustment, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await press(dialog, texts.save)
  await dialog.getByRole('alert').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await lost(page).waitFor({ state: 'detached' })
  await press(dialog, texts.save)
  await dialog.waitFor({ state: 'detached' })
  const { body } = await visits.world.get('/v1/users/alice/balance', visits.world.keys.secret)
  expect(body.data.totalPoints).toBe(107)
  await page.context().close()
})
