/** Addresses of the console that were shared, bookmarked or typed: they show their page, or say why they cannot. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentsTexts } from '../../console/texts/agents-texts.ts'
import { arenaGamesTexts } from '../../console/texts/arena-games-texts.ts'
import { batchesTexts } from '../../console/texts/batches-texts.ts'
import { campaignsTexts } from '../../console/texts/campaigns-texts.ts'
import { codesTexts } from '../../console/texts/codes-texts.ts'
import { goalsTexts } from '../../console/texts/goals-texts.ts'
import { lotteriesTexts } from '../../console/texts/lotteries-texts.ts'
import { rewardsTexts } from '../../console/texts/rewards-texts.ts'
import { segmentsTexts } from '../../console/texts/segments-texts.ts'
import { pageNames, texts } from '../../console/texts/shell-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import { webhooksTexts } from '../../console/texts/webhooks-texts.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { type Console, createConsole, press, settled, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
let page: Page
beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('test/users', 'OPERATOR')
  page = visit.page
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
})
afterAll(() => visits?.end())

/** Pages of one thing: the type of its id, and what they say when there is no such thing. */
const things = {
  users: ['User', usersTexts.noSuchUser],
  segments: ['Segment', segmentsTexts.noSuchSegment],
  batches: ['UserBatch', batchesTexts.noSuchBatch],
  goals: ['Goal', goalsTexts.noSuchGoal],
  rewards: ['Reward', rewardsTexts.noSuchReward],
  campaigns: ['Campaign', campaignsTexts.noSuchCampaign],
  codes: ['CodeBatch', codesTexts.noSuchBatch],
  lotteries: ['Lottery', lotteriesTexts.noSuchLottery],
  webhooks: ['WebhookEndpoint', webhooksTexts.noSuchEndpoint],
  agents: ['ArenaAgent', agentsTexts.noSuchAgent],
  'arena-games': ['ArenaGame', arenaGamesTexts.noSuchGame],
} as const

test.each(Object.entries(things))(
  'an address of %s that names nothing says so, and leads to the list',
  async (name, [type, text]) => {
    const list = pageNames[name as keyof typeof things]
    for (const id of ['nonsense', encodeNodeId(type, randomUUID())]) {
      await page.goto(`/console/live/${name}/${encodeURIComponent(id)}`)
      await page.getByText(text, { exact: true }).waitFor()
      expect(await page.getByText(texts.errorTitle).count(), id).toBe(0)
      await press(page, texts.toList(list))
      await visit.arrived(list)
    }
  },
)

test('a place in a list that does not exist says so, and leads to the first rows', async () => {
  await page.goto('/console/test/users?after=nonsense')
  await page.getByText('after is not a cursor of this list').waitFor()
  await press(page, texts.withoutFilters)
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await settled(page)
  expect(await page.getByText(texts.errorTitle).count()).toBe(0)
})

test('tabs are steps of "back" and "forward", and each has an address', async () => {
  const body = { userId: 'zoe', eventType: 'signup' }
  await visits.world.post('/v1/points/award', visits.world.keys.secret, body)
  await visit.open('test/users')
  await page.getByRole('link', { name: 'zoe' }).click()
  await visit.arrived('zoe')
  const { plays, tickets } = usersTexts.tabs
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  const isShown = (name: string) =>
    expect.poll(() => tab(name).getAttribute('aria-selected'), { message: name }).toBe('true')
  await tab(plays).click()
  await isShown(plays)
  await tab(tickets).click()
  await isShown(tickets)
  await page.goBack()
  await isShown(plays)
  await page.goForward()
  await isShown(tickets)
  await page.reload()
  await isShown(tickets)
  await page.goBack()
  await page.goBack()
  await page.goBack()
  await visit.arrived(pageNames.users)
})

const run = promisify(execFile)

const copied = async (what: string) => {
  await page.getByRole('button', { name: texts.copyAs, exact: true }).click()
  await page.evaluate("navigator.clipboard.writeText('')")
  await page.getByRole('menuitem', { name: what, exact: true }).click()
  const read = () => page.evaluate<string>('navigator.clipboard.readText()')
  await expect.poll(read).not.toBe('')
  return read()
}

test('what each page asked is copied as GraphQL, and as a command that works', async () => {
  const token = await visits.world.signInAs('OPERATOR')
  for (const name of Object.keys(pageNames)) {
    await visit.open(`live/${name}`)
    expect(await copied(texts.copyGraphql), name).toMatch(/^(query|fragment) /)
    const command = (await copied(texts.copyCurl)).replace('YOUR_ACCESS_TOKEN', token)
    const { stdout } = await run('sh', ['-c', `${command} --silent`])
    expect(JSON.parse(stdout).errors, name).toBeUndefined()
  }
}, 300_000)

test.each(['live/no-such-page', 'neither/users'])(
  'the address %s of no page says so, and leads back',
  async (address) => {
    await page.goto(`/console/${address}`)
    await page.getByText(texts.notFound, { exact: true }).waitFor()
    await page.getByRole('link', { name: texts.toOverview, exact: true }).click()
    await visit.arrived(pageNames.overview)
  },
)
