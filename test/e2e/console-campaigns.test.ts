/** Campaigns and their codes in the console: each action, in a real browser. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  campaignEditorTexts,
  campaignResultsTexts,
  campaignSimulationTexts,
  campaignsTexts,
} from '../../console/texts/campaigns-texts.ts'
import { campaignCheckTexts, checkTexts } from '../../console/texts/check-texts.ts'
import { conflictTexts } from '../../console/texts/conflict-texts.ts'
import { texts as shellTexts } from '../../console/texts/shell-texts.ts'
import { shopOf } from '../programme/shop.ts'
import { type Console, createConsole, press, settled, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
/** The path of the campaign that the tests set up, one after another. */
let path: string

beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/campaigns')
  await shopOf(visits.world).createReward({ name: 'Mug', kind: 'ITEM' })
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const tabs = campaignsTexts.tabs

/** Another program changes the campaign at the same time. */
const changeElsewhere = async (input: Record<string, unknown>) => {
  const { body } = await visit.world.graphql(
    `mutation ($input: UpdateCampaignInput!) {
      updateCampaign(input: $input) { __typename ... on Error { message } } }`,
    { input: { campaign: { slug: 'spring-deal' }, ...input } },
  )
  expect(body.data.updateCampaign).toEqual({ __typename: 'UpdateCampaignPayload' })
}

const campaignNow = () =>
  visit.world.runtime.db.campaign.findFirstOrThrow({
    where: { slug: 'spring-deal', environment: 'TEST' },
    include: { tiers: { orderBy: { position: 'asc' } }, eventRules: true },
  })

const save = async () => {
  await visit.button(shellTexts.save).click()
  await visit.said(campaignEditorTexts.saved)
}

test('a campaign is created from the empty list, and an invalid address is reported at its field', async () => {
  const { page, button, dialog, open } = visit
  await open('test/campaigns')
  await page.getByText(campaignsTexts.empty).waitFor()
  await visit.picture('campaigns-empty')
  await button(campaignsTexts.create).first().click()
  const form = dialog(campaignsTexts.create)
  await form.getByLabel(campaignsTexts.name).fill('Spring Deal')
  const slug = form.getByLabel(campaignsTexts.slug)
  expect(await slug.inputValue()).toBe('spring-deal')
  await slug.fill('Spring deal')
  await form.getByRole('button', { name: campaignsTexts.create }).click()
  await form.getByText(`${campaignsTexts.slug} may have small letters`).waitFor()
  expect(await form.getByRole('alert').count()).toBe(0)
  expect(await slug.evaluate((input) => input === document.activeElement)).toBe(true)
  await visit.picture('campaigns-create-refused')
  await slug.fill('spring-deal')
  await form.getByRole('button', { name: campaignsTexts.create }).click()
  await visit.said(campaignsTexts.created)
  await page.waitForURL(/campaigns\/[^?]+\?tab=setup/)
  path = new URL(page.url()).pathname.replace('/console/', '')

  await open('test/campaigns')
  await button(campaignsTexts.create).first().click()
  await form.getByLabel(campaignsTexts.name).fill('Spring Deal')
  await form.getByRole('button', { name: campaignsTexts.create }).click()
  await form.getByText(/already exists/).waitFor()
  expect(await form.getByRole('alert').count()).toBe(0)
  await form.getByRole('button', { name: shellTexts.cancel }).click()
})

test('the preview shows unsaved changes while typing', async () => {
  const { page, open, button } = visit
  await open(`${path}?tab=setup`)
  const preview = page.frameLocator('iframe')
  await preview.getByRole('heading', { level: 1, name: 'Spring Deal' }).waitFor()
  const before = await preview.locator('html').elementHandle()
  await page.getByLabel(campaignsTexts.name).fill('Spring Deal & more')
  await preview.getByRole('heading', { level: 1, name: 'Spring Deal & more' }).waitFor()
  expect(await before?.evaluate((html) => html.isConnected)).toBe(true)
  await button(campaignEditorTexts.addRule).click()
  await page.getByLabel(campaignEditorTexts.eventType).fill('purchase')
  await preview.getByText('Purchase').waitFor()
  await page.getByRole('switch', { name: campaignEditorTexts.hasInstantWin }).click()
  await page.getByLabel(campaignEditorTexts.winRate).fill('100')
  await page.getByLabel(campaignEditorTexts.prize, { exact: true }).fill('Espresso')
  await preview.getByText('Espresso').waitFor()
  await page
    .getByRole('combobox', { name: campaignEditorTexts.prizeReward('Espresso') })
    .fill('mug')
  await page.getByRole('option', { name: /^Mug/ }).click()
  expect(await preview.locator('body').evaluate((body) => getComputedStyle(body).margin)).toBe(
    '0px',
  )
  await visit.picture('campaign-set-up')
  await save()
  const { name, winsPerMillion, tiers, eventRules } = await campaignNow()
  expect({ name, winsPerMillion }).toEqual({ name: 'Spring Deal & more', winsPerMillion: 1e6 })
  expect(tiers).toMatchObject([
    { name: 'Espresso', points: 100, maxWins: 100, rewardId: expect.any(String) },
  ])
  expect(eventRules).toMatchObject([{ eventType: 'purchase', points: 10 }])
})

test('duplicate prize names are reported next to the prizes', async () => {
  const { page, open, button } = visit
  await open(`${path}?tab=setup`)
  await button(campaignEditorTexts.addPrize).click()
  await page.getByLabel(campaignEditorTexts.prize, { exact: true }).nth(1).fill('Espresso')
  await button(shellTexts.save).click()
  await page.getByText('Must not name a prize twice').waitFor()
  expect(await page.getByText(shellTexts.errorTitle).count()).toBe(0)
  await button(campaignEditorTexts.removePrize('Espresso')).nth(1).click()
  await page.getByText(shellTexts.unchanged).waitFor()
})

test('if two people change a campaign, the second one sees both versions and decides', async () => {
  const { page, open, button, dialog } = visit
  await open(`${path}?tab=setup`)
  const description = page.getByLabel(campaignsTexts.descriptionLabel)
  await description.fill('Mine')
  await changeElsewhere({ name: 'Theirs' })
  await button(shellTexts.save).click()
  const question = dialog(conflictTexts.title)
  await question.getByRole('row', { name: /Name Theirs Spring Deal & more/ }).waitFor()
  await question.getByRole('row', { name: /Description – Mine/ }).waitFor()
  expect((await campaignNow()).description).toBe('')
  await visit.picture('conflict')
  await question.getByRole('button', { name: conflictTexts.load }).click()
  await page.getByText(shellTexts.unchanged).waitFor()
  expect(await page.getByLabel(campaignsTexts.name).inputValue()).toBe('Theirs')
  expect(await description.inputValue()).toBe('')

  await description.fill('Mine again')
  await changeElsewhere({ name: 'Theirs again' })
  await button(shellTexts.save).click()
  await question.getByRole('button', { name: conflictTexts.save }).click()
  await visit.said(campaignEditorTexts.saved)
  expect(await campaignNow()).toMatchObject({ name: 'Theirs', description: 'Mine again' })
})

test('starting the campaign is not a conflict for the form that is being edited', async () => {
  const { page, open, button } = visit
  await open(`${path}?tab=setup`)
  await page.getByLabel(campaignsTexts.name).fill('Spring Deal')
  await button(campaignsTexts.start).click()
  await visit.said(campaignsTexts.started)
  expect(await page.getByLabel(campaignsTexts.name).inputValue()).toBe('Spring Deal')
  await save()
  expect(await campaignNow()).toMatchObject({ name: 'Spring Deal', status: 'ACTIVE' })
})

test('an unchanged form shows what others save', async () => {
  const { page, open, button } = visit
  await open(`${path}?tab=setup`)
  await changeElsewhere({ description: 'Theirs' })
  await button(campaignsTexts.pause).click()
  await visit.said(campaignsTexts.paused)
  await expect
    .poll(() => page.getByLabel(campaignsTexts.descriptionLabel).inputValue())
    .toBe('Theirs')
  await button(campaignsTexts.resume).click()
  await visit.said(campaignsTexts.started)
})

test('fields whose code loads late do not move the fields below them', async () => {
  const { page, world } = visit
  let release = () => {}
  const late = new Promise<void>((resolve) => {
    release = resolve
  })
  const lateCode = /\/(moment-picker|whole-number-input)-[^/]+\.js$/
  await page.route(lateCode, async (route) => {
    await late
    await route.continue()
  })
  const topOf = async (name: string) =>
    Math.round((await page.getByRole('switch', { name }).boundingBox())?.y ?? 0)
  await page.goto(`${world.base}/console/${path}?tab=setup`)
  const below = [campaignEditorTexts.creditsWallet, campaignEditorTexts.hasInstantWin]
  await page.getByRole('switch', { name: below[1] as string }).waitFor()
  const before = await Promise.all(below.map(topOf))
  release()
  await settled(page)
  await page.getByLabel(campaignEditorTexts.winRate).waitFor()
  expect(await Promise.all(below.map(topOf))).toEqual(before)
  await page.unrouteAll({ behavior: 'wait' })
})

test('won prizes are kept when the instant win is switched off and on again', async () => {
  const { page, open, world, button } = visit
  const { body } = await world.graphql(
    `mutation ($input: RecordCampaignEventInput!) {
      recordCampaignEvent(input: $input) { __typename ... on Error { message } } }`,
    {
      input: {
        campaign: { slug: 'spring-deal' },
        user: { externalId: 'mina' },
        eventType: 'purchase',
      },
    },
  )
  expect(body.data.recordCampaignEvent.__typename).toBe('RecordCampaignEventPayload')
  expect((await campaignNow()).tiers).toMatchObject([{ wins: 1 }])
  await open(`${path}?tab=setup`)
  const prize = page.getByLabel(campaignEditorTexts.prize, { exact: true })
  await prize.waitFor()
  expect(await prize.getAttribute('readonly')).not.toBeNull()
  await page.getByRole('switch', { name: campaignEditorTexts.hasInstantWin }).click()
  await save()
  expect((await campaignNow()).winsPerMillion).toBeNull()
  await page.reload()
  await settled(page)
  await page.getByRole('switch', { name: campaignEditorTexts.hasInstantWin }).click()
  await prize.first().waitFor()
  expect(await prize.inputValue()).toBe('Espresso')
  await button(campaignEditorTexts.addPrize).click()
  await prize.nth(1).fill('Espresso')
  expect(await prize.nth(1).getAttribute('readonly')).toBeNull()
  await prize.nth(1).fill('Espresso for two')
  await save()
  expect((await campaignNow()).tiers).toMatchObject([
    { name: 'Espresso', wins: 1 },
    { name: 'Espresso for two', wins: 0 },
  ])
})

test('each tab shows its results of the campaign, and an event can be simulated', async () => {
  const { page, open, button, row } = visit
  await open(path)
  for (const name of Object.values(tabs)) {
    await page.getByRole('tab', { name }).click()
    await page.getByRole('tab', { name, selected: true }).waitFor()
    await settled(page)
    expect(await page.getByRole('alert').count(), name).toBe(0)
    await visit.picture(`campaign-${name}`)
  }
  await page.getByRole('tab', { name: tabs.simulate }).click()
  await page.getByLabel(campaignSimulationTexts.user).fill('mina')
  await button(campaignSimulationTexts.simulate).click()
  await page.getByText(campaignSimulationTexts.accepted).waitFor()
  await row('Espresso for two').waitFor()
  await visit.picture('campaign-simulated')
})

test('a campaign is duplicated, and the draft is simulated as if it ran', async () => {
  const { page, open, button, dialog } = visit
  await open(path)
  await button(campaignsTexts.clone).click()
  const form = dialog(campaignsTexts.clone)
  const slug = form.getByLabel(campaignsTexts.slug)
  expect(await slug.inputValue()).toBe('spring-deal-2')
  await slug.fill('-')
  await form.getByRole('button', { name: campaignsTexts.clone }).click()
  await form.getByText(`${campaignsTexts.slug} may have small letters`).waitFor()
  await slug.fill('spring-deal-2')
  await visit.picture('campaign-clone')
  await form.getByRole('button', { name: campaignsTexts.clone }).click()
  await visit.said(campaignsTexts.cloned)
  await visit.arrived('Spring Deal 2')
  await page.getByRole('tab', { name: tabs.simulate }).click()
  await page.getByLabel(campaignSimulationTexts.user).fill('mina')
  await button(campaignSimulationTexts.simulate).click()
  await page.getByText(campaignSimulationTexts.asIfActive).waitFor()
  await page.getByText(campaignSimulationTexts.accepted).waitFor()
  await visit.picture('campaign-simulated-draft')
})

test('a copy in LIVE is started, changed and paused only after a look at what that means', async () => {
  const { page, open, button, dialog, world } = visit
  await open(path)
  await button(campaignsTexts.clone).click()
  const form = dialog(campaignsTexts.clone)
  await form.getByRole('combobox', { name: campaignsTexts.cloneTo }).click()
  await page.getByRole('option', { name: shellTexts.live }).click()
  expect(await form.getByLabel(campaignsTexts.slug).inputValue()).toBe('spring-deal')
  await form.getByRole('button', { name: campaignsTexts.clone }).click()
  await form.getByText('Reward not found').waitFor()
  await world.graphql(
    'mutation { createReward(input: { name: "Mug", kind: ITEM, stock: 1 }) { __typename } }',
    {},
    { secret: world.partner.live.secret },
  )
  await form.getByRole('button', { name: campaignsTexts.clone }).click()
  await page.waitForURL(/\/live\/campaigns\//)
  await button(campaignsTexts.delete).waitFor()
  expect(await button(campaignsTexts.end).count()).toBe(0)

  await button(campaignsTexts.start).click()
  const check = dialog(`${campaignsTexts.start} ${shellTexts.quoted('Spring Deal')}`)
  await check.getByText(campaignCheckTexts.takesPart).waitFor()
  await check.getByText(/The reward Mug has 1 in stock/).waitFor()
  await check.getByText(checkTexts.untilEnded).waitFor()
  await check.getByRole('link', { name: /\/campaign\/.*\/spring-deal$/ }).waitFor()
  await visit.picture('campaign-check-start')
  await page.keyboard.press('Escape')
  const inLive = { slug: 'spring-deal', environment: 'LIVE' } as const
  const liveNow = () => world.runtime.db.campaign.findFirstOrThrow({ where: inLive })
  expect(await liveNow()).toMatchObject({ status: 'DRAFT' })
  await button(campaignsTexts.start).click()
  await press(check, shellTexts.inLive(campaignsTexts.start))
  await visit.said(campaignsTexts.started)

  const rate = page.getByLabel(campaignEditorTexts.winRate)
  await rate.fill('50')
  await button(shellTexts.save).click()
  const change = dialog(`${shellTexts.save} ${shellTexts.quoted('Spring Deal')}`)
  await change.getByRole('row', { name: /^Chance to win per event .* 50 %$/ }).waitFor()
  await change.getByRole('row', { name: /^Prizes of an event, on average / }).waitFor()
  await visit.picture('campaign-check-change')
  await press(change, shellTexts.cancel)
  expect(await rate.inputValue()).toBe('50 %')
  await button(shellTexts.save).click()
  await press(change, shellTexts.inLive(shellTexts.save))
  await visit.said(campaignEditorTexts.saved)
  expect(await liveNow()).toMatchObject({ winsPerMillion: 500_000 })

  await button(campaignsTexts.pause).click()
  const pause = dialog(`${campaignsTexts.pause} ${shellTexts.quoted('Spring Deal')}`)
  await pause.getByText(campaignCheckTexts.pausedWins).waitFor()
  await visit.picture('campaign-check-pause')
  await press(pause, shellTexts.inLive(campaignsTexts.pause))
  await visit.said(campaignsTexts.paused)
})

test('ending a campaign in LIVE requires typing its name', async () => {
  const { page, button, dialog } = visit
  await button(campaignsTexts.end).click()
  const question = dialog(campaignsTexts.end)
  const confirm = question.getByRole('button', { name: campaignsTexts.end })
  expect(await confirm.isDisabled()).toBe(true)
  await question.getByRole('textbox').fill('Spring Deal')
  await visit.picture('campaign-end-live')
  await confirm.click()
  await visit.said(campaignsTexts.ended)
  await page.getByText(/^It ended on /).waitFor()
  await page.getByRole('tab', { name: tabs.results }).click()
  await page.getByText(campaignResultsTexts.noCodes).waitFor()
  expect(await button(campaignResultsTexts.makeCodes).count()).toBe(0)
  const copy = { slug: 'spring-deal', environment: 'LIVE' } as const
  expect(await visit.world.runtime.db.campaign.findFirst({ where: copy })).toMatchObject({
    status: 'ENDED',
  })
  expect(await campaignNow()).toMatchObject({ status: 'ACTIVE' })
})

test('a draft is deleted', async () => {
  const { open, button, dialog, world } = visit
  const { body } = await world.graphql(
    `mutation { createCampaign(input: { slug: "never", name: "Never" }) {
      ... on CreateCampaignPayload { campaign { id } } } }`,
  )
  await open(`test/campaigns/${body.data.createCampaign.campaign.id}`)
  await button(campaignsTexts.delete).click()
  await dialog(campaignsTexts.delete).getByRole('button', { name: campaignsTexts.delete }).click()
  await visit.said(campaignsTexts.deleted)
  await visit.arrived(campaignsTexts.title)
  expect(await world.runtime.db.campaign.count({ where: { slug: 'never' } })).toBe(0)
})

test('the page of another campaign never shows the one before it', async () => {
  const { page, open, world } = visit
  const { body } = await world.graphql(
    `mutation { createCampaign(input: { slug: "autumn", name: "Autumn" }) {
      ... on CreateCampaignPayload { campaign { id } } } }`,
  )
  await open(path)
  await page.getByRole('heading', { level: 1, name: 'Spring Deal' }).waitFor()
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('/graphql', async (route) => {
    await held
    await route.continue()
  })
  const { id } = body.data.createCampaign.campaign
  await page.evaluate((to) => history.pushState({}, '', to), `/console/test/campaigns/${id}`)
  await page.evaluate('dispatchEvent(new PopStateEvent("popstate"))')
  await page.locator('[aria-busy=true]').waitFor()
  expect(await page.getByText('Spring Deal').count()).toBe(0)
  answer()
  await page.getByRole('heading', { level: 1, name: 'Autumn' }).waitFor()
  await page.unrouteAll({ behavior: 'wait' })
})
