/** What a manager does for players and about them, in Live, in at most so many clicks and fields. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMonths, daysOf } from '../../console/parts/periods.ts'
import { auditLogTexts } from '../../console/texts/audit-log-texts.ts'
import { batchesTexts } from '../../console/texts/batches-texts.ts'
import { codesTexts } from '../../console/texts/codes-texts.ts'
import { exportsTexts } from '../../console/texts/exports-texts.ts'
import { historyTexts } from '../../console/texts/history-texts.ts'
import { periodTexts } from '../../console/texts/period-texts.ts'
import { pageNames, texts as shell } from '../../console/texts/shell-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import { runExports } from '../../src/exports/export.jobs.ts'
import { journeyJobs } from '../../src/journeys/journey.jobs.ts'
import { runUserBatches } from '../../src/journeys/user-batch.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { type Console, createConsole } from './console-visit.ts'
import { doJob } from './counted.ts'
import { pastClock } from './planted-streaks.ts'

let visits: Console
const clock = pastClock()
const today = new Date().toISOString().slice(0, 10)
const lastMonth = daysOf('last-month', today)

const live = () => visits.world.partner.live
const liveTenant = () => ({ ...visits.world.tenant, environment: 'LIVE' as const })

const points = (userId: string, times: number) =>
  visits.world.givePoints(userId, times, 'signup', live().secret)

/** Two months of points, and two users who were last here twenty days ago. */
beforeAll(async () => {
  visits = await createConsole({}, clock.now)
  const { world } = visits
  // Links to files lead to this server.
  Object.assign(world.runtime.config, { publicUrl: world.base })
  const noon = (day: string) => new Date(`${day}T12:00:00Z`)
  clock.set(noon(addMonths(lastMonth.first, -1)))
  await points('dora', 2)
  clock.set(noon(lastMonth.first))
  await points('dora', 3)
  clock.set(new Date(Date.now() - 20 * 86_400_000))
  for (const externalId of ['rita', 'rolf'])
    await world.post('/v1/user-journeys/users', live().public, { externalId })
  clock.set(null)
  await points('dora', 1)
  await points('mallory', 1)
  await journeyJobs[0]?.run(world.runtime)
})
afterAll(() => visits?.end())

test('creates 500 codes, revokes one, and sees who redeemed one, in at most 9', async () => {
  const name = 'Leaflets'
  const slug = await makeCampaign(visits.world, 'summer-sale', { name }, liveTenant())
  await doJob(visits, 9, async ({ goTo, press, choose, fill, chooseAction, ...visit }) => {
    const { dialog, row, said } = visit
    await goTo(pageNames.codes)
    await press(codesTexts.create)
    await choose(codesTexts.campaign, /^Leaflets/, dialog())
    await fill(codesTexts.count, '500', dialog())
    await press(codesTexts.create, dialog())
    const made = dialog(codesTexts.ready('500'))
    const codes = (await made.getByLabel(codesTexts.allCodes).inputValue()).split('\n')
    const redeemed = codes[7] as string
    const { status } = await callsTo(visits.world, live().secret).redeem(slug, {
      code: redeemed,
      userId: 'dora',
    })
    expect(status).toBe(200)
    await press(codesTexts.done, made)
    const unused = row(/…/).filter({ hasText: 'Redeemable' }).first()
    const ending = (await unused.getByText(/^…/).textContent()) ?? ''
    await chooseAction(unused, codesTexts.revokeCode)
    await press(codesTexts.revokeCode, dialog())
    await said(codesTexts.revokedCode)
    await row(ending).getByText('Revoked').first().waitFor()
    await row(`…${redeemed.slice(-4)}`)
      .filter({ hasText: 'dora' })
      .getByText('Redeemed')
      .waitFor()
    await visit.picture('code-batch-live')
  })
})

test('finds a player about whom others complain, and blocks them, in at most 6', () =>
  doJob(visits, 6, async ({ goTo, type, press, click, fill, page, dialog, said, row, picture }) => {
    await goTo(pageNames.users)
    await type(page.getByRole('searchbox', { name: usersTexts.search }), 'mallory')
    await row('dora').waitFor({ state: 'detached' })
    await picture('user-found')
    await press(usersTexts.block)
    await click(dialog().getByRole('radio', { name: usersTexts.blockReasons.FRAUD.label }))
    await fill(usersTexts.blockNote, 'Three players complained.', dialog())
    await press(usersTexts.block, dialog())
    await said(usersTexts.userBlocked)
    await row('mallory').getByText(usersTexts.blocked, { exact: true }).waitFor()
  }))

test('makes an offer to everyone at risk, and sees who claimed it, in at most 6', () =>
  doJob(visits, 6, async ({ goTo, choose, fill, press, dialog, row, arrived, picture }) => {
    await goTo(pageNames.users)
    await choose(usersTexts.stage, 'At risk')
    const make = batchesTexts.offerTo('2')
    await press(make)
    await fill(shell.typeToConfirm('2'), '2', dialog())
    await press(make, dialog())
    await arrived('At risk')
    await runUserBatches(visits.world.runtime)
    await row('rita').waitFor()
    const offers = '/v1/user-journeys/users/rita/offers'
    const { body } = await visits.world.get(offers, live().public)
    const claim = `${offers}/${body.data.offers[0].id}/claim`
    expect((await visits.world.post(claim, live().public, {})).status).toBe(200)
    await choose(batchesTexts.status, batchesTexts.statuses.CLAIMED)
    await row('rolf').waitFor({ state: 'detached' })
    await row('rita').getByText('Claimed').waitFor()
    await picture('offers-claimed')
  }))

test("downloads last month's ledger in at most 4", () =>
  doJob(visits, 4, async ({ goTo, press, click, page, row }) => {
    await goTo(pageNames.ledger)
    await click(page.getByRole('button', { name: periodTexts.period }))
    await press(periodTexts.presets['last-month'])
    await row('mallory').waitFor({ state: 'detached' })
    const saved = page.waitForEvent('download')
    await press(exportsTexts.exportList)
    await page.getByText(exportsTexts.exporting('0')).waitFor()
    await runExports(visits.world.runtime)
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split(/\r?\n/)
    expect(lines).toHaveLength(1 + 3)
    for (const line of lines.slice(1)) expect(line).toContain(`${lastMonth.first}T12:00:00`)
  }))

test('compares last month with the one before in at most 3', () =>
  doJob(visits, 3, async ({ press, click, page, picture }) => {
    await click(page.getByRole('button', { name: `${periodTexts.period}:` }))
    await press(periodTexts.presets['last-month'])
    await page.getByText('+50%').first().waitFor()
    await picture('months-compared')
  }))

test('sees who changed a reward rule, and undoes it, in at most 5', async () => {
  const set = async (value: number) => {
    const { body } = await visits.world.graphql(
      `mutation { setRewardRule(input: { eventType: "visit", points: ${value} }) { __typename } }`,
      {},
      live(),
    )
    expect(body.data.setRewardRule.__typename).toBe('SetRewardRulePayload')
  }
  await set(10)
  await set(1_000)
  await doJob(visits, 5, async ({ goTo, press, row, dialog, said }) => {
    await goTo(auditLogTexts.title)
    const entry = row('changed reward rule visit: points 10 → 1,000').filter({ hasText: 'API key' })
    await press(historyTexts.undo, entry)
    await press(historyTexts.undo, dialog())
    await said(historyTexts.undone)
    const where = { ...liveTenant(), eventType: 'visit' }
    const { points: restored } = await visits.world.runtime.db.rewardRule.findFirstOrThrow({
      where,
    })
    expect(restored).toBe(10)
  })
})
