/** What is on the way to a user, what was given, what is not open yet, and what cannot be loaded, in missions and badges. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { goal, openPlayers, type Players } from './widget-players.ts'
import { violationsOf } from './widget-visit.ts'

let players: Players
let { world, shop, call, startGoal, send, tokenOf, open, newUser } = {} as Players

const deposits = { facts: ['ACTIVITY'], eventTypes: ['deposit'] }

beforeAll(async () => {
  players = await openPlayers()
  ;({ world, shop, call, startGoal, send, tokenOf, open, newUser } = players)
  await players.reward('welcome-bonus', 50)
  await players.reward('sprint-bonus', 300)
  await players.reward('Helping hand', undefined, 'Thank you for your report.')
  await startGoal('patience', 'Patience pays', {
    description: 'Deposit once. Your reward comes when the deposit is settled.',
    category: 'held',
    tasks: [{ target: 1, measure: deposits }],
    rewards: [{ slug: 'sprint-bonus' }, { slug: 'helping-hand' }],
    holdDays: 3,
  })
  const { body } = await world.graphql(
    `mutation { createSegment(input: { name: "French", country: "FR" }) {
      ... on CreateSegmentPayload { segment { id } } } }`,
  )
  await startGoal('french', 'Vive la France', {
    category: 'segment',
    segmentId: body.data.createSegment.segment.id,
    tasks: [{ target: 2, measure: deposits }],
  })
}, 120_000)
afterAll(() => players?.end())

const looks = (['small', 'phone', 'desktop'] as const).flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => [size, colorScheme] as const),
)

test.each(looks)('what is held says until when, on a %s screen, %s', async (size, colorScheme) => {
  const userId = await newUser()
  await send(userId, 'deposit')
  const tags = ['tessera-goals', 'tessera-badges']
  const { page, faults, picture, overflow, close } = await open(tags, userId, {
    ...{ size, colorScheme },
  })
  const card = page.locator(goal('Patience pays'))
  await card.getByText(/^Your reward is on the way: it arrives on [A-Z]/).waitFor()
  expect(await card.locator('.state').textContent()).toBe('Completed')
  expect(await card.locator('.rewards .held').count()).toBe(2)
  const badge = page.locator('.badge.held:has(b:text-is("Helping hand"))')
  await badge.getByText(/^On the way: it arrives on [A-Z]/).waitFor()
  await page.getByText(/^0 of \d+ earned$/).waitFor()
  await page.waitForTimeout(800)
  await picture(`tessera-held-${colorScheme}`)
  expect(await overflow()).toBeLessThanOrEqual(0)
  expect(await violationsOf(page)).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('what was held arrives, and is said', async () => {
  const userId = await newUser()
  await send(userId, 'deposit')
  const tags = ['tessera-goals category="held"', 'tessera-badges', 'tessera-balance']
  const { page, close } = await open(tags, userId)
  const held = page.getByText(/on the way: it arrives/i)
  await held.first().waitFor()
  const at = new Date(Date.now() + 3 * 86_400_000)
  await settleDueGrants({ ...world.runtime, clock: () => at })
  await page.evaluate(
    `for (const one of document.querySelectorAll('${tags.map((tag) => tag.split(' ')[0]).join(', ')}')) one.reload()`,
  )
  await page.getByText('You earned the badge Helping hand!').waitFor({ state: 'attached' })
  await page.locator('tessera-balance').getByText('400 points').first().waitFor()
  await expect.poll(() => held.count()).toBe(0)
  await close()
})

test('points that were given are claimed, and what is on the way says until when', async () => {
  const userId = await newUser()
  const heldUntil = new Date(Date.now() + 5 * 86_400_000).toISOString()
  await call.give(userId, { slug: 'sprint-bonus' }, { heldUntil })
  const claimExpiresAt = new Date(Date.now() + 86_400_000 / 2).toISOString()
  await call.give(userId, { slug: 'welcome-bonus' }, { needsClaim: true, claimExpiresAt })
  const tags = ['tessera-goals', 'tessera-balance']
  const { page, faults, picture, close } = await open(tags, userId, { size: 'small' })
  const gifts = page.getByRole('list', { name: 'For you' })
  await gifts.getByRole('listitem').filter({ hasText: '+300 points' }).waitFor()
  await gifts.getByText(/^On the way: it arrives on [A-Z]/).waitFor()
  await gifts.getByText(/^Reward expires in 1?\d hours$/).waitFor()
  await picture('tessera-gifts')
  await gifts.getByRole('button', { name: 'Claim: +50 points' }).click()
  await page.getByText('50 points claimed.').first().waitFor({ state: 'attached' })
  await page.locator('tessera-balance').getByText('150 points').first().waitFor()
  await expect.poll(() => gifts.getByRole('listitem').count()).toBe(1)
  expect(await call.balance(userId)).toBe(150)
  expect(faults).toEqual([])
  await close()
})

test('a mission of a segment says that it is not open, until the user is in it', async () => {
  const userId = await newUser()
  const { page, close } = await open(['tessera-goals category="segment"'], userId)
  const card = page.locator(goal('Vive la France'))
  await card.getByText('This mission is not open to you yet.').waitFor()
  await world.graphql(
    `mutation { trackUser(input: { user: { externalId: "${userId}" }, country: "FR" }) { __typename } }`,
  )
  await expect
    .poll(async () => {
      await page.evaluate(`document.querySelector('tessera-goals').reload()`)
      return card.locator('.state').textContent()
    })
    .toBe('Ready to begin')
  await close()
})

test('without an answer, or a token, a widget says so and goes on by itself', async () => {
  const userId = await newUser()
  const { page, context, close } = await shop.open('', undefined)
  let isDown = true
  await page.route('**/graphql', (route) => (isDown ? route.abort() : route.continue()))
  await page.evaluate(`{
    globalThis.token = undefined
    const config = document.querySelector('tessera-config')
    config.tokenProvider = async () => {
      if (!globalThis.token) throw new Error('HTTP 500')
      return globalThis.token
    }
    for (const name of ['tessera-goals', 'tessera-balance'])
      document.querySelector('main').append(document.createElement(name))
  }`)
  const goals = page.locator('tessera-goals')
  await goals.getByText('Your sign-in could not be checked.').waitFor()
  await page.locator('tessera-balance').getByRole('button', { name: 'Try again' }).waitFor()
  await page.evaluate(`globalThis.token = '${await tokenOf(userId)}'`)
  await goals.getByText('No answer from the server.').waitFor()
  await context.setOffline(true)
  await goals.getByText('You are offline.').waitFor()
  await context.setOffline(false)
  isDown = false
  await page.locator(goal('Patience pays')).waitFor()
  await page.locator('tessera-balance').getByText('100 points').first().waitFor()
  await close()
})
