/** Lists of the console as tools: by period, sorted by time, and exported as they are filtered, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { auditLogTexts } from '../../console/texts/audit-log-texts.ts'
import { codesTexts } from '../../console/texts/codes-texts.ts'
import { eventsTexts } from '../../console/texts/events-texts.ts'
import { exportsTexts } from '../../console/texts/exports-texts.ts'
import { periodTexts } from '../../console/texts/period-texts.ts'
import { grantsTexts, rewardsTexts } from '../../console/texts/rewards-texts.ts'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import { webhooksTexts } from '../../console/texts/webhooks-texts.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { shopOf } from '../programme/shop.ts'
import { storeEndpoint } from '../webhooks/stored.ts'
import { type Console, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
let page: Page
beforeAll(async () => {
  visits = await createConsole()
  const { world } = visits
  const shop = shopOf(world)
  await shop.sold('ITEM', 50, { name: 'Mug' })
  for (const user of ['ann', 'ben']) {
    await world.givePoints(user, 1)
    await shop.buy(user, 'mug')
  }
  await world.post('/v1/games/play', world.keys.public, {
    userId: 'ann',
    gameType: 'NEON_WHEEL',
  })
  visit = await visits.visit('test/start')
  page = visit.page
})
afterAll(() => visits?.end())
afterEach(() => expect(visit.faults).toEqual([]))

const cells = (label: string) => () =>
  page.locator(`tbody tr td[data-label="${label}"]`).allTextContents()

/** Turns the order of the list by the header of a column, and waits for the rows in the other order. */
const turn = async (column: string, rows: () => Promise<string[]>) => {
  const before = await rows()
  expect(new Set(before).size).toBeGreaterThan(1)
  const header = page.getByRole('columnheader', { name: column })
  const direction = await header.getAttribute('aria-sort')
  await header.getByRole('button').click()
  await expect.poll(rows).toEqual(before.toReversed())
  expect(await header.getAttribute('aria-sort')).not.toBe(direction)
}

/** Chooses another period than the current one beside a list. */
const choosePeriod = async (now: string, next: keyof typeof periodTexts.presets) => {
  const name = new RegExp(`^${periodTexts.period}: ${now}`)
  await page.getByRole('button', { name }).last().click()
  await press(page, periodTexts.presets[next])
  await page.waitForURL(new RegExp(`period=${next}`))
}

/** Exports the list, and returns what the export has the rows of. */
const exported = async () => {
  const { dataExport } = visits.world.runtime.db
  const count = await dataExport.count()
  await press(page, exportsTexts.exportList)
  await expect.poll(() => dataExport.count()).toBe(count + 1)
  const made = await dataExport.findFirstOrThrow({ orderBy: { id: 'desc' } })
  await dataExport.updateMany({ data: { status: 'CANCELLED', finishedAt: new Date() } })
  return made
}

test('events are sorted, filtered by time and exported; live events belong to the newest', async () => {
  await visit.open('test/events')
  await page.getByText(eventsTexts.liveHint).waitFor()
  await turn(eventsTexts.time, cells(eventsTexts.event))
  expect(await page.getByText(eventsTexts.liveHint).count()).toBe(0)
  await visit.open('test/events?types=points.*')
  await choosePeriod(periodTexts.anyTime, 'last-month')
  await page.getByText(shell.nothingFound).waitFor()
  await choosePeriod(periodTexts.presets['last-month'], 'today')
  await page.getByText('points.awarded').first().waitFor()
  await expect
    .poll(async () => new Set(await cells(eventsTexts.event)()))
    .toEqual(new Set(['points.awarded']))
  await visit.picture('lists-events')
  const { kind, filter, createdFrom, createdTo } = await exported()
  expect({ kind, filter }).toEqual({ kind: 'EVENTS', filter: { eventNames: ['points.*'] } })
  expect(Number(createdTo) - Number(createdFrom)).toBe(86_400_000)
})

test('deliveries of an endpoint have a period of their own until one is chosen for the page', async () => {
  const { runtime, tenant } = visits.world
  const id = await storeEndpoint(visits.world, { ...tenant, url: 'https://example.com/hook' })
  const events = await runtime.db.event.findMany({ orderBy: { position: 'asc' }, take: 2 })
  await runtime.db.webhookDelivery.createMany({
    data: events.map((event, n) => ({
      ...tenant,
      endpointId: id,
      eventId: event.id,
      eventType: n === 0 ? 'points.awarded' : 'points.spent',
      status: 'DELIVERED' as const,
      createdAt: new Date(Date.now() - (n === 0 ? 0 : 5 * 86_400_000)),
      nextAttemptAt: new Date(),
    })),
  })
  await visit.open(`test/webhooks/${encodeNodeId('WebhookEndpoint', id)}`)
  await turn(webhooksTexts.happened, cells(webhooksTexts.event))
  await choosePeriod(periodTexts.anyTime, 'today')
  await expect.poll(cells(webhooksTexts.event)).toEqual(['points.awarded'])
  await visit.picture('lists-deliveries')
  expect(await exported()).toMatchObject({
    kind: 'DELIVERIES',
    filter: { webhookEndpointId: id },
    createdFrom: expect.any(Date),
  })
})

test('what waits to be handed out is oldest first, turned around, and exported', async () => {
  await visit.open('test/fulfillment')
  const users = () => page.locator('tbody tr td:first-of-type a').allTextContents()
  expect(await users()).toEqual(['ann', 'ben'])
  await turn(grantsTexts.given, users)
  await visit.picture('lists-fulfillment')
  expect(await exported()).toMatchObject({
    kind: 'GRANTS',
    filter: { grantStatuses: ['ISSUED'], rewardKinds: ['ITEM'] },
  })
})

test('the grants of a reward are filtered by time beside its chart, and exported', async () => {
  const { id } = await visits.world.runtime.db.reward.findFirstOrThrow({ where: { slug: 'mug' } })
  await visit.open(`test/rewards/${encodeNodeId('Reward', id)}`)
  await visit.row('ben').waitFor()
  await choosePeriod(periodTexts.anyTime, 'last-quarter')
  const list = page.getByRole('region', { name: rewardsTexts.who })
  await list.getByText(shell.nothingFound).waitFor()
  expect(await exported()).toMatchObject({ kind: 'GRANTS', filter: { rewardIds: [id] } })
})

test('redeemed codes of a batch are listed and exported without the others', async () => {
  const { world } = visits
  const slug = await makeCampaign(world, 'summer-sale', { name: 'Spring' })
  const calls = callsTo(world)
  const made = await calls.generate({ slug, batchSize: 3, pointsValue: 10, label: 'Leaflet' })
  const [first, second] = made.body.data.codes as string[]
  for (const [userId, code] of [
    ['ann', first],
    ['ben', second],
  ])
    expect((await calls.redeem(slug, { userId, code })).status).toBe(200)
  const { id } = await world.runtime.db.codeBatch.findFirstOrThrow()
  await visit.open(`test/codes/${encodeNodeId('CodeBatch', id)}?state=REDEEMED`)
  await expect.poll(cells(codesTexts.redeemedBy)).toEqual(['ben', 'ann'])
  expect(await exported()).toMatchObject({
    kind: 'CODES',
    codeBatchId: id,
    filter: { isRedeemed: true },
  })
})

test('the audit log is searched by the name of an object, and exported', async () => {
  for (const eventType of ['newsletter', 'review'])
    await visits.world.graphql(
      `mutation { setRewardRule(input: { eventType: "${eventType}", points: 5 }) { __typename } }`,
    )
  await visit.open('test/audit-log')
  await visit.row('review').waitFor()
  await page.getByLabel(auditLogTexts.searchObject).fill('NEWS')
  await visit.row('review').waitFor({ state: 'detached' })
  await visit.row('newsletter').waitFor()
  await visit.picture('lists-audit-log')
  expect(await exported()).toMatchObject({
    kind: 'AUDIT_LOG',
    filter: { auditLog: { search: 'NEWS' } },
  })
})

test('the plays of a user are filtered by time, which the other tabs keep', async () => {
  const { id } = await visits.world.runtime.db.endUser.findFirstOrThrow({
    where: { externalId: 'ann' },
  })
  await visit.open(`test/users/${encodeNodeId('User', id)}?tab=plays`)
  await choosePeriod(periodTexts.anyTime, 'last-month')
  await page.getByText(shell.nothingFound).waitFor()
  await page.getByRole('tab', { name: usersTexts.tabs.ledger }).click()
  await page.getByText(shell.nothingFound).waitFor()
  await choosePeriod(periodTexts.presets['last-month'], 'today')
  await visit.row('game_play').waitFor()
  await visit.picture('lists-user')
  expect(await exported()).toMatchObject({ kind: 'LEDGER', filter: { userId: id } })
})
