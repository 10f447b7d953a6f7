/** Segments, offer rules and the funnel in the console: each action, in a real browser. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { batchesTexts } from '../../console/texts/batches-texts.ts'
import { conflictTexts } from '../../console/texts/conflict-texts.ts'
import { funnelTexts } from '../../console/texts/funnel-texts.ts'
import { offersTexts } from '../../console/texts/offers-texts.ts'
import {
  recommendationNames,
  recommendationTexts,
} from '../../console/texts/recommendation-texts.ts'
import { segmentsTexts } from '../../console/texts/segments-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import { runUserBatches } from '../../src/journeys/user-batch.ts'
import { shopOf } from '../programme/shop.ts'
import { type Console, chooseAction, createConsole, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit

beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/segments')
  for (const [userId, country] of [
    ['mina', 'FR'],
    ['jonas', 'DE'],
    ['leyla', 'DE'],
  ]) {
    await visit.world.givePoints(String(userId), 1)
    const { body } = await visit.world.graphql(
      `mutation ($input: TrackUserInput!) {
        trackUser(input: $input) { __typename ... on Error { message } } }`,
      { input: { user: { externalId: userId }, country } },
    )
    expect(body.data?.trackUser.__typename, JSON.stringify(body)).toBe('TrackUserPayload')
  }
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

test('a segment counts its users while it is edited, and needs a condition', async () => {
  const { page, open, button, dialog, row } = visit
  await open('test/segments')
  await page.getByText(segmentsTexts.empty).waitFor()
  await button(segmentsTexts.create).first().click()
  const form = dialog(segmentsTexts.create)
  await form.getByLabel(segmentsTexts.name).fill('Germany')
  await form.getByRole('button', { name: segmentsTexts.create }).click()
  await form.getByText(segmentsTexts.everybody).first().waitFor()
  expect(await visit.world.runtime.db.segment.count()).toBe(0)
  await form.getByLabel(segmentsTexts.country).pressSequentially('de', { delay: 400 })
  await form.getByText(segmentsTexts.matching('2')).waitFor()
  await visit.picture('segment-create')
  await form.getByRole('button', { name: segmentsTexts.create }).click()
  await visit.said(segmentsTexts.createdDone)
  await page.getByRole('heading', { level: 1, name: 'Germany' }).waitFor()
  for (const user of ['jonas', 'leyla']) await row(user).waitFor()
  expect(await row('mina').count()).toBe(0)
  await visit.picture('segment')

  await open('test/segments')
  await visit.picture('segments')
  await button(segmentsTexts.create).first().click()
  await form.getByLabel(segmentsTexts.name).fill('Germany')
  await form.getByLabel(segmentsTexts.source).fill('ad')
  await form.getByRole('button', { name: segmentsTexts.create }).click()
  await form.getByText('A segment with this name already exists').waitFor()
  expect(await form.getByText(shellTexts.errorTitle).count()).toBe(0)
})

test('a segment has conditions on numbers and dates, which can be removed again', async () => {
  const { page, open, button, dialog, row } = visit
  await visit.world.givePoints('jonas', 2)
  await open('test/segments')
  await button(segmentsTexts.create).first().click()
  const form = dialog(segmentsTexts.create)
  const { ranges, numberBounds, timeBounds } = segmentsTexts
  await form.getByLabel(segmentsTexts.name).fill('Collectors')
  const add = async (range: string) => {
    await form.getByRole('combobox', { name: segmentsTexts.addRange }).click()
    await page.getByRole('option', { name: range, exact: true }).click()
  }
  await add(ranges.lastSeenAt)
  await form.getByLabel(segmentsTexts.rangeBound(ranges.lastSeenAt, timeBounds.from)).waitFor()
  await form.getByRole('button', { name: segmentsTexts.removeRange(ranges.lastSeenAt) }).click()
  await add(ranges.balance)
  await form.getByLabel(segmentsTexts.rangeBound(ranges.balance, numberBounds.from)).fill('150')
  await add(ranges.lastSeenDaysAgo)
  await form.getByLabel(segmentsTexts.rangeBound(ranges.lastSeenDaysAgo, numberBounds.to)).fill('3')
  await form.getByText(segmentsTexts.matching('1')).waitFor()
  await visit.picture('segment-ranges')
  await form.getByRole('button', { name: segmentsTexts.create }).click()
  await visit.said(segmentsTexts.createdDone)
  await row('jonas').waitFor()
  await page.getByText(`${ranges.balance}: ${segmentsTexts.atLeast('150')}`).waitFor()
  expect(
    await visit.world.runtime.db.segment.findFirst({ where: { name: 'Collectors' } }),
  ).toMatchObject({ balanceMin: 150n, balanceMax: null, seenDaysMax: 3, seenFrom: null })
  await button(segmentsTexts.edit).click()
  const edit = dialog(segmentsTexts.editTitle)
  await edit
    .getByRole('button', { name: segmentsTexts.removeRange(ranges.lastSeenDaysAgo) })
    .click()
  await edit.getByRole('button', { name: shellTexts.save }).click()
  await visit.said(segmentsTexts.saved)
  expect(
    await visit.world.runtime.db.segment.findFirst({ where: { name: 'Collectors' } }),
  ).toMatchObject({ balanceMin: 150n, seenDaysMax: null })
})

test('a segment is changed, and what nobody typed stays as it is', async () => {
  const { page, open, button, dialog, row, world } = visit
  await open('test/segments')
  await page.getByRole('link', { name: 'Germany' }).click()
  await button(segmentsTexts.edit).click()
  const form = dialog(segmentsTexts.editTitle)
  await form.getByText(segmentsTexts.matching('2')).waitFor()
  await form.getByLabel(segmentsTexts.country).fill('fr')
  await form.getByText(segmentsTexts.matching('1')).waitFor()
  await visit.picture('segment-edit')
  const { body } = await world.graphql(`mutation { updateSegment(input: {
    segment: { name: "Germany" }, name: "France" }) { __typename } }`)
  expect(body.data.updateSegment.__typename).toBe('UpdateSegmentPayload')
  await form.getByRole('button', { name: shellTexts.save }).click()
  await visit.said(segmentsTexts.saved)
  await page.getByRole('heading', { level: 1, name: 'France' }).waitFor()
  await row('mina').waitFor()
  expect(await row('jonas').count()).toBe(0)
})

test('a segment is deleted after a question, and the list is shown', async () => {
  const { page, open, button, dialog } = visit
  await open('test/segments')
  await page.getByRole('link', { name: 'France' }).click()
  await button(segmentsTexts.delete).click()
  await visit.picture('segment-delete')
  await dialog(segmentsTexts.delete).getByRole('button', { name: segmentsTexts.delete }).click()
  await visit.said(segmentsTexts.deleted)
  await expect.poll(() => page.getByRole('link', { name: 'France' }).count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/console/test/segments')
})

const save = (name: string) =>
  visit.dialog(name).getByRole('button', { name: shellTexts.save }).click()

test('an offer rule is added from the empty list and changed, and an existing one is shown', async () => {
  const { page, open, button, dialog, row, world } = visit
  await open('test/offers')
  await page.getByText(offersTexts.addFirst).waitFor()
  await shopOf(world).createReward({
    name: 'Free spin',
    kind: 'FREE_PLAYS',
    freePlays: { gameType: 'NEON_WHEEL', count: 1 },
  })
  await visit.picture('offers-empty')
  await button(offersTexts.add).last().click()
  await dialog(offersTexts.add).getByLabel(offersTexts.offerTitle).fill('Come back')
  await dialog(offersTexts.add).getByRole('textbox', { name: offersTexts.points }).fill('150')
  await page.getByRole('combobox', { name: recommendationTexts.label }).click()
  await page.getByRole('option', { name: recommendationNames.INSTANT_WIN }).click()
  await visit.picture('offer-add')
  await save(offersTexts.add)
  await visit.said(offersTexts.saved)
  await row('Come back').getByText('150').waitFor()
  await row('Come back')
    .getByText(offersTexts.recommended(recommendationNames.INSTANT_WIN))
    .waitFor()

  await chooseAction(row('Come back'), offersTexts.edit)
  await dialog(offersTexts.editTitle).getByLabel(offersTexts.validHours).fill('24')
  await save(offersTexts.editTitle)
  await row('Come back').getByText(offersTexts.hours('24')).waitFor()

  await chooseAction(row('Come back'), offersTexts.edit)
  await page.getByRole('combobox', { name: offersTexts.reward }).fill('spin')
  await page.getByRole('option', { name: /^Free spin/ }).click()
  await visit.picture('offer-reward')
  await save(offersTexts.editTitle)
  await row('Come back').getByText(offersTexts.gives('Free spin')).waitFor()
  await chooseAction(row('Come back'), offersTexts.pause)
  await visit.said(offersTexts.pausedDone)
  await visit.picture('offers-paused')
  await chooseAction(row('Come back'), offersTexts.resume)
  await visit.said(offersTexts.resumed)

  await button(offersTexts.add).click()
  await dialog(offersTexts.add).getByLabel(offersTexts.offerTitle).fill('Another')
  await save(offersTexts.add)
  const question = dialog(conflictTexts.title)
  await question.getByText(conflictTexts.exists).waitFor()
  await question.getByRole('row', { name: /^Title Come back Another$/ }).waitFor()
  await visit.picture('offer-exists')
  await question.getByRole('button', { name: conflictTexts.load }).click()
  const form = dialog(offersTexts.add)
  expect(await form.getByLabel(offersTexts.offerTitle).inputValue()).toBe('Come back')
  await form.getByRole('textbox', { name: offersTexts.points }).fill('200')
  await save(offersTexts.add)
  await row('Come back').getByText('200').waitFor()
  expect(await visit.world.runtime.db.offerRule.count()).toBe(1)
  await visit.picture('offers')
})

test('an offer rule that somebody else has changed is overwritten only after a question', async () => {
  const { open, dialog, row, world } = visit
  await open('test/offers')
  await chooseAction(row('Come back'), offersTexts.edit)
  await dialog(offersTexts.editTitle).getByLabel(offersTexts.offerTitle).fill('Mine')
  const { body } = await world.graphql(`mutation { setOfferRule(input: { stage: AT_RISK,
    offerType: RETURN_BONUS, title: "Theirs", points: 10 }) { __typename } }`)
  expect(body.data.setOfferRule.__typename).toBe('SetOfferRulePayload')
  await save(offersTexts.editTitle)
  const question = dialog(conflictTexts.title)
  await question.getByRole('row', { name: /^Title Theirs Mine$/ }).waitFor()
  await question.getByRole('button', { name: conflictTexts.save }).click()
  await row('Mine').getByText('200').waitFor()
})

test('an offer rule is deleted after a question', async () => {
  const { page, open, dialog, row } = visit
  await open('test/offers')
  await chooseAction(row('Mine'), offersTexts.delete)
  await visit.picture('offer-delete')
  await dialog(offersTexts.delete).getByRole('button', { name: offersTexts.delete }).click()
  await visit.said(offersTexts.deleted)
  await page.getByText(offersTexts.addFirst).waitFor()
})

test('the funnel counts users by stage, and links to them', async () => {
  const { page, open, row } = visit
  await open('test/funnel')
  await page.getByText(funnelTexts.intervals.MONTH, { exact: true }).click()
  await page.waitForURL(/interval=MONTH/)
  await visit.picture('funnel')
  await row(/^New/).first().getByRole('link').click()
  await page.waitForURL(/\/users\?stage=NEW/)
  for (const user of ['mina', 'jonas', 'leyla']) await row(user).waitFor()
})

test('the users of a stage are sorted, and a search keeps the stage and the order', async () => {
  const { page, open, row } = visit
  await visit.world.givePoints('mina', 3)
  await open('test/users?stage=NEW')
  await page.getByLabel(usersTexts.sort).first().click()
  await page.getByRole('option', { name: usersTexts.sorts.BALANCE }).click()
  await page.waitForURL(/sort=BALANCE/)
  const first = page.getByRole('table', { name: usersTexts.title }).getByRole('link').first()
  await expect.poll(() => first.textContent()).toContain('mina')
  await page.getByRole('searchbox', { name: usersTexts.search }).fill('leyla')
  await expect.poll(() => row('mina').count()).toBe(0)
  await row('leyla').waitFor()
  expect(page.url()).toMatch(/stage=NEW/)
  expect(page.url()).toMatch(/sort=BALANCE/)
  expect(await page.getByLabel(usersTexts.sort).first().inputValue()).toBe(usersTexts.sorts.BALANCE)
})

test('those at risk get an offer in six steps, and the page of it shows who has claimed', async () => {
  const { page, open, button, dialog, row, world } = visit
  const { db } = world.runtime
  const atRisk = await db.userProfile.updateMany({
    where: { partnerId: world.tenant.partnerId, user: { externalId: { in: ['leyla', 'jonas'] } } },
    data: { stage: 'at_risk', dueAt: new Date('9999-12-31T00:00:00Z') },
  })
  expect(atRisk.count).toBe(2)
  await open('test/users')
  await page.getByLabel(usersTexts.stage).first().click()
  await page.getByRole('option', { name: 'At risk' }).click()
  await row('leyla').waitFor()
  await visit.picture('users-act')
  await button(batchesTexts.offerTo('2')).click()
  const form = dialog(batchesTexts.offerTo('2'))
  await form.getByText(batchesTexts.preview('2')).waitFor()
  await visit.picture('batch-offer')
  await form.getByLabel(usersTexts.offerTitle).fill('Come back soon')
  await form.getByRole('button', { name: batchesTexts.offerTo('2') }).click()
  await page.getByRole('heading', { level: 1, name: 'At risk' }).waitFor()
  await runUserBatches(world.runtime)
  await row('leyla').waitFor()
  const offer = await db.offer.findFirstOrThrow({
    where: { title: 'Come back soon', profile: { user: { externalId: 'leyla' } } },
  })
  const claim = await world.graphql(
    `mutation ($input: ClaimOfferInput!) { claimOffer(input: $input) { __typename } }`,
    { input: { user: { externalId: 'leyla' }, offerId: offer.id } },
  )
  expect(claim.body.data.claimOffer.__typename).toBe('ClaimOfferPayload')
  await page.reload()
  await page.getByLabel(batchesTexts.status).first().click()
  await page.getByRole('option', { name: batchesTexts.statuses.CLAIMED, exact: true }).click()
  await expect.poll(() => row('jonas').count()).toBe(0)
  await row('leyla').waitFor()
  await visit.picture('batch')
  await open('test/batches')
  await row('At risk').waitFor()
  await visit.picture('batches')
})

test('the points of a segment are adjusted, with a progress bar, and the users are exported', async () => {
  const { page, open, button, dialog, row, world } = visit
  await open('test/segments')
  await page.getByRole('link', { name: 'Collectors' }).click()
  await row('jonas').waitFor()
  const before = await world.runtime.db.endUser.findFirstOrThrow({ where: { externalId: 'jonas' } })
  await button(batchesTexts.adjustOf).click()
  const form = dialog()
  await visit.picture('batch-adjust')
  await form.getByLabel(usersTexts.adjustPoints).fill('15')
  await form.getByLabel(usersTexts.adjustReason).fill('A gift')
  await form.getByRole('button', { name: batchesTexts.adjustOf }).click()
  await page.getByRole('heading', { level: 1, name: 'Collectors' }).waitFor()
  // At 0 % it has no width.
  await page
    .getByRole('progressbar', { name: batchesTexts.progress })
    .waitFor({ state: 'attached' })
  await runUserBatches(world.runtime)
  await page.getByText(batchesTexts.percent('100')).waitFor()
  await visit.picture('batch-points')
  const after = await world.runtime.db.endUser.findFirstOrThrow({ where: { externalId: 'jonas' } })
  expect(after.balance - before.balance).toBe(15n)
  await page.goBack()
  await button(batchesTexts.export).click()
  await visit.said(batchesTexts.exportStarted)
  expect(await world.runtime.db.dataExport.findFirst()).toMatchObject({
    kind: 'USERS',
    hasSegment: true,
  })
})
