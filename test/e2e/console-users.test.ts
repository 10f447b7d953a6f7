/** What members do with users in the console. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { usersTexts as texts } from '../../console/texts/users-texts.ts'
import { type Console, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
let page: Page
beforeAll(async () => {
  visits = await createConsole()
  const { world } = visits
  await world.givePoints('alice', 1, 'signup', world.partner.live.secret)
  visit = await visits.visit('live/users')
  page = visit.page
  await page.getByRole('link', { name: 'alice' }).click()
  await visit.arrived('alice')
})
afterAll(() => visits?.end())

const balance = async () => {
  const { world } = visits
  const { body } = await world.get('/v1/users/alice/balance', world.partner.live.secret)
  return body.data.totalPoints
}

test('points are adjusted with a reason, which the ledger shows', async () => {
  await press(page, texts.adjust)
  const dialog = visit.dialog()
  await dialog.getByLabel(texts.adjustPoints).fill('-30')
  await dialog.getByLabel(shell.typeToConfirm('alice')).fill('alice')
  await press(dialog, 'Save')
  await dialog.locator('[aria-invalid=true], [role=alert]').first().waitFor()
  await dialog.getByLabel(texts.adjustReason).fill('a wrong award')
  await press(dialog, 'Save')
  await visit.said(texts.adjusted)
  expect(await balance()).toBe(70)
  await page.getByRole('cell', { name: '-30', exact: true }).waitFor()
})

test('more points than the balance cannot be taken, and the dialog says so', async () => {
  await press(page, texts.adjust)
  const dialog = visit.dialog()
  await dialog.getByLabel(texts.adjustPoints).fill('-1000')
  await dialog.getByLabel(texts.adjustReason).fill('too much')
  await dialog.getByLabel(shell.typeToConfirm('alice')).fill('alice')
  await press(dialog, 'Save')
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByRole('alert').textContent()).toMatch(/Request [\w-]+/)
  await press(dialog, 'Cancel')
  await dialog.waitFor({ state: 'detached' })
  expect(await balance()).toBe(70)
})

test('an offer is made, and is listed among the offers of the user', async () => {
  await press(page, texts.makeOffer)
  await visit.dialog().getByLabel(texts.offerTitle).fill('Come back soon')
  await press(visit.dialog(), texts.makeOffer)
  await visit.said(texts.offerMade)
  await page.getByRole('tab', { name: texts.tabs.offers }).click()
  await page.getByRole('cell', { name: 'Come back soon' }).waitFor()
})

test('all stored data of a user can be saved as a file', async () => {
  const downloading = page.waitForEvent('download')
  await press(page, texts.exportUser)
  const file = await (await downloading).path()
  const saved = JSON.parse(readFileSync(file, 'utf8'))
  expect(saved).toMatchObject({ isComplete: true, user: { externalId: 'alice', balance: 70 } })
  expect(saved.ledgerEntries).toHaveLength(2)
  expect(saved.offers).toHaveLength(1)
})

test('a play is checked in the browser, once its seed is revealed', async () => {
  const { world } = visits
  const { public: key } = world.partner.live
  const played = { userId: 'alice', gameType: 'ENIGMA_BOXES' }
  expect((await world.post('/v1/games/play', key, played)).status).toBe(200)
  await page.reload()
  await page.getByRole('tab', { name: texts.tabs.plays }).click()
  await page.getByRole('cell', { name: texts.notRevealed }).waitFor()
  expect((await world.post('/v1/users/alice/play-seeds/rotate', key, {})).status).toBe(200)
  await page.reload()
  const [checking] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: texts.checkPlay, exact: true }).click(),
  ])
  await checking.getByText('This play was drawn as promised.').waitFor()
  await checking.close()
})

test('a user who was searched for is blocked, found by the filter, and unblocked', async () => {
  await press(page, texts.block)
  const dialog = visit.dialog()
  await dialog.getByRole('radio', { name: texts.blockReasons.FRAUD.label }).check()
  await dialog.getByLabel(texts.blockNote).fill('seven accounts')
  await visit.picture('user-block')
  await press(dialog, texts.block)
  await visit.said(texts.userBlocked)
  await page.getByText(texts.blockedFor(texts.blockReasons.FRAUD.label)).waitFor()
  await page.getByText('seven accounts').waitFor()
  await visit.picture('user-blocked')
  await page.goto(`/console/live/users?block=BLOCKED`)
  const row = page.getByRole('row').filter({ hasText: 'alice' })
  await row.getByText(texts.blocked, { exact: true }).waitFor()
  await visit.picture('users-blocked')
  await row.getByRole('link', { name: 'alice' }).click()
  await visit.arrived('alice')
  await press(page, texts.unblock)
  await visit.said(texts.unblocked)
  await page.getByRole('button', { name: texts.block, exact: true }).waitFor()
  await visit.open('live/audit-log')
  await visit.row('unblocked user alice').waitFor()
  await visit.row('blocked user alice').first().waitFor()
})

test('chosen users of the list are blocked one after another', async () => {
  const { world } = visits
  for (const name of ['bea', 'carl'])
    await world.givePoints(name, 1, 'signup', world.partner.live.secret)
  await page.goto('/console/live/users')
  for (const name of ['bea', 'carl']) await page.getByLabel(texts.choose(name)).check()
  await page.getByText(shell.chosen('2')).waitFor()
  await visit.picture('users-chosen')
  await press(page, texts.blockAll('2'))
  await press(visit.dialog(), texts.blockAll('2'))
  await visit.dialog().getByText(texts.chooseBlockReason).waitFor()
  await visit.dialog().getByRole('radio', { name: texts.blockReasons.ABUSE.label }).check()
  await press(visit.dialog(), texts.blockAll('2'))
  await visit.dialog().getByText(texts.blockedAll('2')).waitFor()
  await press(visit.dialog(), shell.done)
  await page
    .getByRole('row')
    .filter({ hasText: 'carl' })
    .getByText(texts.blocked, { exact: true })
    .waitFor()
  await page.getByRole('link', { name: 'alice' }).click()
  await visit.arrived('alice')
})

test('points of chosen users are adjusted at once, after their number is typed', async () => {
  const { runtime, partner } = visits.world
  const balances = async () => {
    const users = await runtime.db.endUser.findMany({
      where: {
        partnerId: partner.partnerId,
        environment: 'LIVE',
        externalId: { in: ['bea', 'dora'] },
      },
      orderBy: { externalId: 'asc' },
    })
    return users.map(({ balance }) => Number(balance))
  }
  await visits.world.givePoints('dora', 1, 'signup', partner.live.secret)
  const [bea = 0, dora = 0] = await balances()
  await visit.open('live/users')
  for (const name of ['bea', 'dora']) await page.getByLabel(texts.choose(name)).check()
  await press(page, texts.adjustAll('2'))
  const confirm = visit.dialog().getByRole('button', { name: texts.adjustAll('2') })
  expect(await confirm.isDisabled()).toBe(true)
  await visit.dialog().getByLabel(shell.typeToConfirm('2')).fill('2')
  await confirm.click()
  await visit.dialog().getByText(texts.adjustMissing).waitFor()
  await visit.dialog().getByLabel(texts.adjustPoints, { exact: true }).fill('25')
  await visit.dialog().getByLabel(texts.adjustReason, { exact: true }).fill('A late prize')
  await visit.picture('users-adjust-chosen')
  await confirm.click()
  await visit.dialog().getByText(texts.adjustedAll('2')).waitFor()
  await press(visit.dialog(), shell.done)
  expect(await balances()).toEqual([bea + 25, dora + 25])
  const entries = await runtime.db.ledgerCorrection.findMany({ where: { reason: 'A late prize' } })
  expect(entries).toHaveLength(2)
  await page.getByRole('link', { name: 'alice' }).click()
  await visit.arrived('alice')
})

test('members keep notes about a user', async () => {
  await page.getByLabel(texts.newNote).fill('Called about a prize.')
  await press(page, texts.addNote)
  await visit.said(texts.noteAdded)
  await page.getByText('Called about a prize.').waitFor()
  await visit.picture('user-notes')
  await press(page, texts.deleteNote)
  await visit.said(texts.noteDeleted)
  await page.getByText(texts.noNotes).waitFor()
})

test('the tokens of a user are revoked after typing their name', async () => {
  const { world } = visits
  const { body } = await world.post('/v1/users/alice/token', world.partner.live.secret, {})
  const statusOf = async () =>
    (
      await world.call('GET', '/v1/users/alice/sdk-balance', {
        key: world.partner.live.public,
        headers: { 'x-user-token': body.data.token },
      })
    ).status
  expect(await statusOf()).toBe(200)
  await press(page, texts.revokeTokens)
  await visit.dialog().getByRole('textbox').fill('alice')
  await visit.picture('user-revoke-tokens')
  await press(visit.dialog(), texts.revokeTokens)
  await visit.said(texts.tokensRevoked)
  await expect.poll(statusOf).toBe(401)
})

test('a user is erased after typing their name', async () => {
  await press(page, texts.erase)
  const confirm = visit.dialog().getByRole('button', { name: texts.erase })
  expect(await confirm.isDisabled()).toBe(true)
  await visit.dialog().getByRole('textbox').fill('alice')
  await confirm.click()
  await visit.said(texts.erased)
  const { world } = visits
  await expect
    .poll(() => world.runtime.db.endUser.count({ where: { externalId: 'alice' } }))
    .toBe(0)
  expect(visit.faults).toEqual([])
})
