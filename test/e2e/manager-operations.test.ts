/**
 * Jobs of a manager in Live, by what is on the screen only and with at most so many clicks and fields: games, lotteries,
 * webhooks, the team and the arena.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arenaGamesTexts } from '../../console/texts/arena-games-texts.ts'
import { gameCheckTexts, lotteryCheckTexts } from '../../console/texts/check-texts.ts'
import { gamesTexts } from '../../console/texts/games-texts.ts'
import { drawsTexts, lotteriesTexts } from '../../console/texts/lotteries-texts.ts'
import { matchesTexts } from '../../console/texts/matches-texts.ts'
import { reviewQueueTexts } from '../../console/texts/review-queue-texts.ts'
import { pageNames, texts as shell } from '../../console/texts/shell-texts.ts'
import { teamTexts } from '../../console/texts/team-texts.ts'
import { webhooksTexts } from '../../console/texts/webhooks-texts.ts'
import { readConfig } from '../../src/kit/config/config.ts'
import { makeAgent, makeMatch } from '../arena/matches/arena.ts'
import { createReceiver, type Receiver } from '../webhooks/receiver.ts'
import { type Console, createConsole } from './console-visit.ts'
import { doJob } from './counted.ts'

let visits: Console
let receiver: Receiver
/** What the receiver answers. */
let status = 500

const { arena } = readConfig({ NODE_ENV: 'test', JOBS: 'off' })

beforeAll(async () => {
  visits = await createConsole({
    jobs: true,
    webhookAllowPrivate: true,
    webhookRetrySeconds: [0, 3600],
    // Long enough that a match is still in progress when somebody comes to watch it.
    arena: { ...arena, movePauseMs: 500, gamePauseMs: 1_000 },
  })
  receiver = await createReceiver(() => ({ status, body: `answered ${status}` }))
})
afterAll(async () => {
  await visits?.end()
  await receiver?.end()
})

const wheelNow = () => {
  const { runtime, partner } = visits.world
  return runtime.db.gameMechanic.findFirstOrThrow({
    where: { partnerId: partner.partnerId, environment: 'LIVE', gameType: 'NEON_WHEEL' },
  })
}

const wheel = 'Neon Wheel'

test('changes the odds of a game in at most 4 clicks and fields', async () => {
  await doJob(visits, 4, async ({ page, click, press, type, dialog, said, arrived }) => {
    await click(page.getByRole('link', { name: wheel }))
    await arrived(wheel)
    await type(page.getByRole('row').getByLabel(gamesTexts.weight).first(), '40')
    await press(shell.save)
    const check = dialog(`${shell.save} ${shell.quoted(wheel)}`)
    await check.getByText(gameCheckTexts.fromNow).waitFor()
    await check.getByRole('row', { name: /^20 % cashback .*weight 2,.*weight 40,/ }).waitFor()
    await press(shell.inLive(shell.save), check)
    await said(gamesTexts.saved)
  })
  const { version, rewards } = await wheelNow()
  expect(version).toBe(2)
  expect(rewards).toMatchObject([{ weight: 40 }, {}, {}, {}, {}])
})

test('rolls the odds of a game back in at most 3 clicks', async () => {
  await doJob(visits, 3, async ({ page, click, press, row, dialog, said, arrived }) => {
    await click(page.getByRole('link', { name: wheel }))
    await arrived(wheel)
    await press(gamesTexts.restore, row('Version 1'))
    const check = dialog(`${gamesTexts.restore} ${shell.quoted('Version 1')}`)
    await check.getByRole('row', { name: /^20 % cashback .*weight 40,.*weight 2,/ }).waitFor()
    await press(shell.inLive(gamesTexts.restore), check)
    await said(gamesTexts.restored(1))
  })
  const { version, rewards } = await wheelNow()
  expect(version).toBe(3)
  expect(rewards).toMatchObject([{ weight: 2 }, {}, {}, {}, {}])
})

/** Opens the public pages, which are at the address of the deployment, on the server of the test. */
const leadPublicPagesHere = (page: Page) => {
  const { base, runtime } = visits.world
  const { publicUrl } = runtime.config
  return page
    .context()
    .route(`${publicUrl}/**`, (route) =>
      route.continue({ url: route.request().url().replace(publicUrl, base) }),
    )
}

test('takes a lottery from the idea to the proof of its draw in at most 13 clicks and fields', async () => {
  const work: Parameters<typeof doJob>[2] = async (hands) => {
    const { page, click, press, fill, type, goTo, dialog, said, arrived } = hands
    const name = 'Friday Draw'
    await leadPublicPagesHere(page)
    await goTo(pageNames.lotteries)
    await press(lotteriesTexts.create)
    await fill(lotteriesTexts.name, name, dialog())
    await press(lotteriesTexts.create, dialog())
    await arrived(name)
    await press(lotteriesTexts.start)
    const check = dialog(`${lotteriesTexts.start} ${shell.quoted(name)}`)
    await check.getByText(lotteryCheckTexts.open).waitFor()
    await press(shell.inLive(lotteriesTexts.start), check)
    await said(lotteriesTexts.started)
    await click(page.getByRole('tab', { name: lotteriesTexts.tabs.draws }))
    await click(page.getByRole('link', { name: lotteriesTexts.drawName(1) }))
    await press(drawsTexts.execute)
    await type(dialog(drawsTexts.execute).getByRole('textbox'), lotteriesTexts.drawName(1))
    await press(drawsTexts.execute, dialog(drawsTexts.execute))
    await page.getByText('Completed', { exact: true }).first().waitFor()
    const seed = page.getByRole('region', { name: drawsTexts.proof }).getByText(/^[0-9a-f]{64}$/)
    const [, , revealed] = await seed.allTextContents()
    expect(revealed).toBeDefined()
    const opened = page.waitForEvent('popup')
    await click(page.getByRole('link', { name: drawsTexts.publicPage }))
    const proof = await opened
    await proof.getByRole('heading', { level: 1, name }).waitFor()
    await proof
      .getByText(revealed ?? '')
      .first()
      .waitFor()
  }
  await doJob(visits, 13, work, { role: 'OPERATOR' })
})

test('sends an event again that an endpoint has refused, in at most 7 clicks', async () => {
  const { world } = visits
  const { body } = await world.graphql(
    `mutation ($url: URL!) { createWebhookEndpoint(input: { url: $url, eventNames: ["*"] }) {
      ... on CreateWebhookEndpointPayload { webhookEndpoint { id } } } }`,
    { url: receiver.url },
    world.partner.live,
  )
  expect(body.data.createWebhookEndpoint.webhookEndpoint).toBeDefined()
  await world.givePoints('alice', 1, 'signup', world.partner.live.secret)
  await receiver.until(1)
  await doJob(visits, 7, async ({ page, click, press, dialog, said }) => {
    await click(page.getByRole('link', { name: /are failing$/ }))
    await press(webhooksTexts.detailsOf('points.awarded'))
    const delivery = dialog(webhooksTexts.delivery)
    await delivery.getByText('answered 500').waitFor()
    status = 200
    await press(webhooksTexts.retry, delivery)
    await said(webhooksTexts.retried)
    await delivery.getByText('Delivered').waitFor()
    await delivery.getByText('answered 200').waitFor()
  })
  expect(receiver.received.map(({ body: { event } }) => event)).toEqual([
    'points.awarded',
    'points.awarded',
  ])
})

test('invites a person with a limited role, and sees who has no two-factor authentication, in at most 7', async () => {
  const { partnerId } = visits.world.partner
  await doJob(visits, 7, async ({ email, page, click, press, fill, goTo, dialog, row }) => {
    await goTo(pageNames.team)
    await press(teamTexts.invite)
    await fill(teamTexts.email, 'carla@example.com', dialog())
    await click(dialog().getByText(teamTexts.roleNames.ANALYST, { exact: true }))
    await press(teamTexts.invite, dialog())
    await press(shell.done, dialog(teamTexts.linkTitle))
    await row('carla@example.com').getByText(teamTexts.roleNames.ANALYST).waitFor()
    const members = page.getByRole('table', { name: teamTexts.members })
    await members
      .getByRole('row')
      .filter({ hasText: email })
      .getByText(teamTexts.noSecondFactor, { exact: true })
      .waitFor()
  })
  expect(await visits.world.runtime.db.invitation.findMany({ where: { partnerId } })).toMatchObject(
    [{ email: 'carla@example.com', role: 'ANALYST' }],
  )
})

test('submits an arena game and reviews it in at most 8 clicks and fields', async () => {
  const work: Parameters<typeof doJob>[2] = async (hands) => {
    const { press, fill, goTo, dialog, said, row, arrived } = hands
    const name = 'Comet Chase'
    await goTo(pageNames['arena-games'])
    await press(arenaGamesTexts.submit)
    await fill(arenaGamesTexts.name, name, dialog())
    await fill(arenaGamesTexts.buildUrl, 'https://games.example/comet/1/', dialog())
    await press(arenaGamesTexts.submit, dialog())
    await said(arenaGamesTexts.submitted)
    await arrived(name)
    await goTo(pageNames['review-queue'])
    await press(reviewQueueTexts.review, row(name))
    await press(reviewQueueTexts.approve, dialog(name))
    await said(reviewQueueTexts.reviewed)
  }
  await doJob(visits, 8, work, { role: 'OPERATOR' })
  const where = { name: 'Comet Chase' }
  const game = await visits.world.runtime.db.arenaGame.findFirstOrThrow({ where })
  expect(game.status).toBe('APPROVED')
})

test('watches a match live, and its replay, in at most 3 clicks', async () => {
  const { runtime, partner } = visits.world
  const deep = await makeAgent(runtime, partner.partnerId, 'minimax', { displayName: 'Deep' })
  const dice = await makeAgent(runtime, partner.partnerId, 'random', { displayName: 'Dice' })
  await makeMatch(runtime, [deep, dice], { bestOf: 7 })
  await doJob(visits, 3, async ({ page, click, goTo, row }) => {
    await goTo(pageNames.matches)
    const opened = page.waitForEvent('popup')
    await click(row('Deep – Dice').getByRole('link', { name: matchesTexts.watch }))
    const match = await opened
    const stage = match.getByRole('region', { name: 'The match' })
    await stage.getByText('Live', { exact: true }).waitFor()
    await match.getByRole('list', { name: /^Moves of game/ }).waitFor()
    await match
      .getByText(/wins the match|A draw/)
      .first()
      .waitFor({ timeout: 90_000 })
    const position = match.getByLabel('Position in the match')
    const end = await position.getAttribute('max')
    await click(match.getByRole('button', { name: 'Play', exact: true }))
    await match.getByRole('button', { name: 'Pause', exact: true }).waitFor()
    await expect.poll(() => position.inputValue()).not.toBe(end)
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(1)
  })
}, 180_000)
