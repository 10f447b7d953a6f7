/**
 * Jobs of a day, by what is on the screen only, and with at most so many clicks and fields: lotteries, webhooks, the team
 * and the arena.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { arenaGamesTexts } from '../../console/texts/arena-games-texts.ts'
import {
  drawsTexts,
  lotteriesTexts,
  lotteryEditorTexts,
} from '../../console/texts/lotteries-texts.ts'
import { matchesTexts } from '../../console/texts/matches-texts.ts'
import { reviewQueueTexts } from '../../console/texts/review-queue-texts.ts'
import { pageNames, texts as shell } from '../../console/texts/shell-texts.ts'
import { teamTexts } from '../../console/texts/team-texts.ts'
import { webhooksTexts } from '../../console/texts/webhooks-texts.ts'
import { keepDraws } from '../../src/lotteries/draw.ts'
import { makeAgent, makeMatch, playAll } from '../arena/matches/arena.ts'
import { createReceiver, type Receiver } from '../webhooks/receiver.ts'
import { type Console, createConsole, type Visit } from './console-visit.ts'
import { type Counted, createCounted } from './counted.ts'

let visits: Console
let visit: Visit
let me: Counted
let receiver: Receiver
/** What the receiver answers. */
let status = 500

beforeAll(async () => {
  visits = await createConsole({
    jobs: true,
    webhookAllowPrivate: true,
    webhookRetrySeconds: [0, 3600],
  })
  receiver = await createReceiver(() => ({ status, body: `answered ${status}` }))
  visit = await visits.visit('live/overview', 'OPERATOR')
  me = createCounted(visit.page)
})
afterAll(async () => {
  await visits?.end()
  await receiver?.end()
})
afterEach(() => expect(visit.faults).toEqual([]))

test('takes a lottery from the idea to its proof in at most 13 clicks and fields', async () => {
  const { page, dialog, said, arrived } = visit
  const { runtime } = visits.world
  await me.job(13, async () => {
    await me.goTo(pageNames.lotteries)
    await me.press(lotteriesTexts.create)
    await me.fill(lotteriesTexts.name, 'Friday Draw', dialog())
    await me.press(lotteriesTexts.create, dialog())
    await arrived('Friday Draw')
    await me.fill(lotteryEditorTexts.delay, '0')
    await me.press(shell.save)
    await said(lotteryEditorTexts.saved)
    await me.press(lotteriesTexts.start)
    await said(lotteriesTexts.started)
    const { id } = await runtime.db.lottery.findFirstOrThrow({ where: { slug: 'friday-draw' } })
    await keepDraws(runtime, id)
    await me.click(page.getByRole('tab', { name: lotteriesTexts.tabs.draws }))
    await me.click(page.getByRole('link', { name: lotteriesTexts.drawName(1) }))
    await me.press(drawsTexts.execute)
    await me.type(dialog().getByRole('textbox'), lotteriesTexts.drawName(1))
    await me.press(drawsTexts.execute, dialog())
    await page.getByText(drawsTexts.seed, { exact: true }).waitFor()
    const opened = page.waitForEvent('popup')
    await me.click(page.getByRole('link', { name: drawsTexts.publicPage }))
    const proof = await opened
    await proof.getByRole('heading', { level: 1 }).waitFor()
    await proof.close()
  })
})

test('sends a delivery that failed again in at most 7 clicks and fields', async () => {
  const { page, dialog, said } = visit
  const { body } = await visits.world.graphql(
    `mutation ($url: URL!) { createWebhookEndpoint(input: { url: $url, eventNames: ["*"] }) {
      ... on CreateWebhookEndpointPayload { webhookEndpoint { id } } } }`,
    { url: receiver.url },
    visits.world.partner.live,
  )
  expect(body.data.createWebhookEndpoint.webhookEndpoint).toBeDefined()
  await visits.world.givePoints('alice', 1, visits.world.partner.live.secret)
  await receiver.until(1)
  await me.job(7, async () => {
    await me.goTo(pageNames.webhooks)
    await me.click(page.getByRole('link', { name: receiver.url }))
    await me.press(webhooksTexts.detailsOf('points.awarded'))
    await dialog(webhooksTexts.delivery).getByText('answered 500').waitFor()
    status = 200
    await me.press(webhooksTexts.retry, dialog(webhooksTexts.delivery))
    await said(webhooksTexts.retried)
    await dialog(webhooksTexts.delivery).getByText('Delivered').waitFor()
  })
  await page.keyboard.press('Escape')
})

test('invites a colleague with a limited role, and sees who has two-factor authentication, in at most 7', async () => {
  const { page, dialog, row } = visit
  await me.job(7, async () => {
    await me.goTo(pageNames.team)
    await me.press(teamTexts.invite)
    await me.fill(teamTexts.email, 'carla@example.com', dialog())
    await me.click(dialog().getByRole('radio', { name: teamTexts.roleNames.ANALYST }))
    await me.press(teamTexts.invite, dialog())
    await me.press(shell.done, dialog(teamTexts.linkTitle))
    await row('carla@example.com').getByText(teamTexts.roleNames.ANALYST).waitFor()
    await page.getByText(teamTexts.noSecondFactor).first().waitFor()
  })
})

test('submits a game for the arena and reviews it in at most 8 clicks and fields', async () => {
  const { dialog, said, row, arrived } = visit
  await me.job(8, async () => {
    await me.goTo(pageNames['arena-games'])
    await me.press(arenaGamesTexts.submit)
    await me.fill(arenaGamesTexts.name, 'Comet Chase', dialog())
    await me.fill(arenaGamesTexts.buildUrl, 'https://games.example/comet/1/', dialog())
    await me.press(arenaGamesTexts.submit, dialog())
    await said(arenaGamesTexts.submitted)
    await arrived('Comet Chase')
    await me.goTo(pageNames['review-queue'])
    await me.click(row('Comet Chase').getByRole('button', { name: reviewQueueTexts.review }))
    await me.press(reviewQueueTexts.approve, dialog())
    await said(reviewQueueTexts.reviewed)
  })
})

test('watches a match live, and its replay, in at most 3 clicks', async () => {
  const { page, row } = visit
  const { runtime, partner } = visits.world
  const deep = await makeAgent(runtime, partner.partnerId, 'minimax', { displayName: 'Deep' })
  const dice = await makeAgent(runtime, partner.partnerId, 'random', { displayName: 'Dice' })
  await makeMatch(runtime, [deep, dice])
  await me.job(3, async () => {
    await me.goTo(pageNames.matches)
    const opened = page.waitForEvent('popup')
    await me.click(row('Deep – Dice').getByRole('link', { name: matchesTexts.watch }))
    const match = await opened
    await playAll(runtime)
    await match
      .getByText(/wins the match|A draw/)
      .first()
      .waitFor()
    await me.click(match.getByRole('button', { name: /replay/i }).first())
    await match.close()
  })
})
