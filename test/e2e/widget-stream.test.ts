/** Widgets follow their user by one stream: without asking again and again, and without it where it is refused. */
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goal, openPlayers, type Players } from './widget-players.ts'

let players: Players
let { world, shop, call, order, newUser, open, tokenOf } = {} as Players

beforeAll(async () => {
  players = await openPlayers()
  ;({ world, shop, call, order, newUser, open, tokenOf } = players)
  const orders = { facts: ['ACTIVITY'], eventTypes: ['order'] }
  await players.reward('Regular')
  await players.reward('thanks', 25)
  await players.startGoal('orders', 'Three orders', {
    tasks: [{ target: 3, measure: orders }],
    rewards: [{ slug: 'regular' }],
  })
  await players.startGoal('daily', 'Daily', {
    window: 'DAY',
    repeat: 'EACH_WINDOW',
    tasks: [{ target: 1, measure: orders }],
    streak: { milestones: [{ length: 2, reward: { slug: 'thanks' } }] },
  })
}, 120_000)
afterAll(() => players?.end())

const all = [
  'tessera-balance',
  'tessera-goals',
  'tessera-badges',
  'tessera-offers',
  'tessera-streak',
]
const isStream = (request: Request) => request.headers()['accept'] === 'text/event-stream'
const isQuery = (request: Request) => request.method() === 'POST' && !isStream(request)
/** The requests of a page from now on. */
const requestsOf = (page: Page) => {
  const seen: Request[] = []
  page.on('request', (request) => seen.push(request))
  return seen
}
const untilLive = (page: Page) =>
  expect
    .poll(() => page.evaluate(`document.querySelector('tessera-balance').session?.isLive`))
    .toBe(true)
const balance = (page: Page, points: number) =>
  page.locator('tessera-balance').getByText(`${points} points`).first().waitFor()

test('all widgets of a page have one stream, and ask nothing while they follow it', async () => {
  const userId = await newUser()
  const { page, faults, close } = await open(all, userId)
  const streams: Request[] = []
  page.on('request', (request) => isStream(request) && streams.push(request))
  await page.locator(goal('Three orders')).waitFor()
  await untilLive(page)
  await page.waitForTimeout(1_000)
  const before = streams.length
  expect(before).toBeLessThanOrEqual(2)
  const seen = requestsOf(page)
  await order(userId, 10)
  await page.locator('tessera-goals').getByText('1 of 3').first().waitFor()
  await page.locator('tessera-badges').getByText('1 of 3').first().waitFor()
  await page.locator('tessera-streak').getByText('day in a row').first().waitFor()
  await world.givePoints(userId, 1)
  await balance(page, 200)
  expect(seen.filter((request) => request.method() === 'POST')).toEqual([])
  for (const amount of [1, 2]) await order(userId, amount)
  await page.getByText('Three orders completed!').waitFor({ state: 'attached' })
  // What is new has texts and a picture, which are read.
  await page.getByText('You earned the badge Regular!').first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test('two minutes pass without a question', async () => {
  const userId = await newUser()
  const { page, close } = await open(all, userId)
  await page.clock.install()
  await page.reload()
  await page.locator(goal('Three orders')).waitFor()
  await page.clock.runFor(2_000)
  await untilLive(page)
  const seen = requestsOf(page)
  for (let n = 0; n < 12; n++) await page.clock.runFor(10_000)
  expect(seen.filter(isQuery).map((request) => request.postData())).toEqual([])
  await close()
})

test('a stream ends with its last widget, and begins again with the next one', async () => {
  const userId = await newUser()
  const { page, close } = await open(['tessera-balance'], userId)
  await untilLive(page)
  const ended = page.waitForEvent('requestfailed', { predicate: isStream })
  await page.evaluate(`{
    globalThis.last = document.querySelector('tessera-balance')
    last.remove()
  }`)
  await ended
  await world.givePoints(userId, 1)
  await page.evaluate(`document.querySelector('main').append(last)`)
  await balance(page, 200)
  await close()
})

test('a token that has expired is renewed for the stream, which goes on after a broken connection', async () => {
  const userId = await newUser()
  const { page, context, close } = await shop.open('<tessera-balance></tessera-balance>', userId)
  let renewals = 0
  await page.exposeFunction('tokenOfPage', () => {
    renewals++
    return renewals === 1 ? 'expired' : tokenOf(userId)
  })
  await page.evaluate(
    `document.querySelector('tessera-config').tokenProvider = () => globalThis.tokenOfPage()`,
  )
  await untilLive(page)
  expect(renewals).toBe(2)
  await context.setOffline(true)
  await world.givePoints(userId, 1)
  await context.setOffline(false)
  await balance(page, 200)
  await untilLive(page)
  await world.givePoints(userId, 1)
  await balance(page, 300)
  expect(renewals).toBe(2)
  await close()
})

test('where there is no stream, widgets read when the page is shown, and not before', async () => {
  const userId = await newUser()
  const { page, close } = await open(['tessera-balance', 'tessera-goals'], userId)
  await page.route('**/graphql', (route) =>
    isStream(route.request())
      ? route.fulfill({ status: 404, contentType: 'application/json', body: '{}' })
      : route.continue(),
  )
  await page.clock.install()
  const refused = page.waitForResponse((response) => isStream(response.request()))
  await page.reload()
  await page.clock.runFor(1_000)
  await refused
  await page.locator(goal('Three orders')).waitFor()
  await order(userId, 1)
  await world.givePoints(userId, 1)
  const seen = requestsOf(page)
  for (let n = 0; n < 4; n++) await page.clock.runFor(10_000)
  expect(seen.filter(isQuery)).toEqual([])
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.clock.runFor(2_000)
  await page.locator('tessera-goals').getByText('1 of 3').first().waitFor()
  await balance(page, 200)
  await close()
})

test('what a game has won is not told by the stream before the game shows it', async () => {
  const userId = await newUser()
  await shop.setLuck('NEON_WHEEL', true)
  const { page, close } = await open(['tessera-balance', 'tessera-wheel'], userId)
  await untilLive(page)
  await page.evaluate(`{
    globalThis.balances = new Set()
    const { session } = document.querySelector('tessera-balance')
    globalThis.watch = () => balances.add(session.balance)
    session.addEventListener('balance', watch)
    document.addEventListener('tessera-play-start', () => balances.clear())
    document.addEventListener('tessera-play', ({ detail }) => {
      globalThis.won = detail.play.reward.value
      session.removeEventListener('balance', watch)
    })
  }`)
  await page.locator('tessera-wheel').getByRole('button').click()
  await expect.poll(() => page.evaluate('globalThis.won')).toBeGreaterThan(0)
  const won = (await page.evaluate('globalThis.won')) as number
  const shown = (await page.evaluate('[...globalThis.balances]')) as number[]
  expect(shown.filter((item) => item !== 50 && item !== 50 + won)).toEqual([])
  expect(shown.at(-1)).toBe(50 + won)
  expect(await call.balance(userId)).toBe(50 + won)
  // The state of the stream is shown then.
  await world.givePoints(userId, 1)
  await balance(page, 150 + won)
  await shop.resetLuck()
  await close()
})
