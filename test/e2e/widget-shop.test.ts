/** The shop as an element of a page: what a user can buy, and why not; a purchase, and what can go wrong with it. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Shop, shopOf } from '../programme/shop.ts'
import { openPlayers, type Players } from './widget-players.ts'
import { type Size, violationsOf } from './widget-visit.ts'

const dayMs = 86_400_000

let players: Players
let sell: Shop
let { world, shop, newUser, open, tokenOf } = {} as Players

/** The rewards of the shop, in its order. */
const rewards = {
  bottle: { name: 'Water bottle', kind: 'ITEM', price: 200, description: 'Steel, 0.7 litres.' },
  voucher: {
    ...{ name: 'Coffee voucher', kind: 'CODE', price: 100 },
    description: 'A coffee of your choice, in any of our cafés.',
  },
  spins: {
    ...{ name: 'Five spins', kind: 'FREE_PLAYS', price: 150 },
    freePlays: { gameType: 'NEON_WHEEL', count: 5, validDays: 3 },
    endsAt: new Date(Date.now() + 30 * dayMs).toISOString(),
  },
  daily: {
    ...{ name: 'Piece of cake', kind: 'ITEM', price: 50 },
    limit: { max: 1, window: 'DAY' },
  },
  badge: { name: 'Patron', kind: 'BADGE', price: 120, limit: { max: 1, window: 'EVER' } },
  weekend: {
    ...{ name: 'A weekend in the mountains', kind: 'ITEM', price: 620 },
    description: 'Two nights for two people, with breakfast and a view of the lake.',
  },
  ticket: { name: 'Ticket to the derby', kind: 'ITEM', price: 80, stock: 1 },
  lounge: { name: 'The lounge', kind: 'ITEM', price: 90 },
} as const

beforeAll(async () => {
  players = await openPlayers()
  ;({ world, shop, newUser, open, tokenOf } = players)
  sell = shopOf(world)
  const { segment } = await sell.mutate('createSegment', 'segment { id }', {
    ...{ name: 'Gold', tag: 'level', tagValue: 'gold' },
  })
  for (const [position, [slug, reward]] of Object.entries(rewards).entries()) {
    const segmentId = slug === 'lounge' ? segment.id : undefined
    const made = await sell.createReward({ slug, position, segmentId, ...reward })
    expect(made.code).toBeUndefined()
  }
  await sell.addCodes('voucher', ['LATTE-1', 'LATTE-2', 'LATTE-3', 'LATTE-4'])
  await sell.buy(await newUser(), 'ticket')
}, 120_000)
afterAll(() => players?.end())

const card = (page: Page, name: string) =>
  page.locator(`tessera-shop .reward:has(h3:text-is("${name}"))`)
const button = (page: Page, name: string) => card(page, name).getByRole('button')
const grantsOf = (userId: string) =>
  world.runtime.db.rewardGrant.findMany({ where: { user: { externalId: userId } } })
/** A user with 500 points who has bought the cake of the day and the badge. */
const buyer = async () => {
  const userId = await newUser(7)
  await sell.buy(userId, 'daily')
  await sell.buy(userId, 'badge')
  await world.givePoints(userId, 3, 'daily_login')
  expect(await sell.balance(userId)).toBe(560)
  return userId
}

describe.each([
  ['small', 'light'],
  ['small', 'dark'],
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desktop', 'light'],
  ['desktop', 'dark'],
] as [Size, 'light' | 'dark'][])('on a %s screen, %s', (size, colorScheme) => {
  test('the shop fits, and axe finds nothing', async () => {
    const look = { size, colorScheme }
    const { page, faults, picture, overflow, close } = await open(
      ['tessera-shop'],
      await buyer(),
      look,
    )
    await card(page, 'The lounge').waitFor()
    await button(page, 'Coffee voucher').click()
    await page.getByText('Buy for 100 points?').waitFor()
    await page.waitForTimeout(300)
    await picture(`tessera-shop-${colorScheme}`)
    expect(await overflow()).toBeLessThanOrEqual(0)
    expect(await violationsOf(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  })
})

test('rewards are in the order of the shop, with what the user can do', async () => {
  const { page, close } = await open(['tessera-shop'], await buyer())
  await card(page, 'The lounge').waitFor()
  const names = await page.locator('tessera-shop h3').allTextContents()
  expect(names).toEqual(Object.values(rewards).map(({ name }) => name))
  expect(await card(page, 'Water bottle').locator('.price').textContent()).toContain('200 points')
  await card(page, 'Five spins').getByText('5 free plays').waitFor()
  await card(page, 'Piece of cake').getByText('At most 1 a day').waitFor()
  expect(await page.locator('tessera-shop .wallet').textContent()).toContain('560 points')
  const why = (name: string) => card(page, name).locator('.why').textContent()
  expect(await why('Piece of cake')).toMatch(/^Again (today|tomorrow) at \d/)
  expect(await why('Patron')).toBe('You have bought this already.')
  expect(await why('A weekend in the mountains')).toBe('60 points short')
  expect(await why('Ticket to the derby')).toBe('Sold out')
  expect(await why('The lounge')).toBe('Not for you')
  for (const name of ['Piece of cake', 'Patron', 'A weekend in the mountains', 'The lounge'])
    expect(await button(page, name).count()).toBe(0)
  await close()
})

test('a purchase asks once, with the keyboard, buys once, and shows the new balance', async () => {
  const userId = await newUser(5)
  const { page, faults, picture, close } = await open(['tessera-shop', 'tessera-balance'], userId)
  await page.evaluate(`document.addEventListener('tessera-buy', ({ detail }) => {
    globalThis.bought = [...globalThis.bought ?? [], [detail.reward.slug, detail.balance]]
  })`)
  const focused = () =>
    page.evaluate(`{
      const { activeElement } = document.querySelector('tessera-shop').shadowRoot
      activeElement?.getAttribute('aria-label') ?? activeElement?.textContent
    }`)
  const requested = 'Water bottle: Buy for 200 points?'
  await page.getByRole('button', { name: 'Buy: Water bottle, 200 points' }).focus()
  await page.keyboard.press('Enter')
  await card(page, 'Water bottle').getByText('You keep 300 points.').waitFor()
  await expect.poll(focused).toBe(requested)
  // Escape closes the question, and the focus goes back to its button.
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByText('Buy for 200 points?').count()).toBe(0)
  await expect.poll(focused).toBe('Buy: Water bottle, 200 points')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe(requested)
  // A key that is held down is no answer.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect.poll(focused).toBe('Buy')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const said = 'It is yours! We hand it out. Your balance is 300 points.'
  await card(page, 'Water bottle').getByText(said).waitFor()
  expect(await page.locator('tessera-shop [role=status]').textContent()).toBe(said)
  expect(await card(page, 'Water bottle').locator('canvas').count()).toBe(1)
  await page.waitForTimeout(250)
  await picture('tessera-shop-bought')
  await page.locator('tessera-balance').getByText('300 points').first().waitFor()
  await page.locator('tessera-shop .wallet').getByText('300 points').waitFor()
  await expect.poll(focused).toBe('Water bottle')
  expect(await page.evaluate('globalThis.bought')).toEqual([['bottle', 300]])
  expect(await sell.balance(userId)).toBe(300)
  const [grant, ...more] = await grantsOf(userId)
  expect(more).toEqual([])
  expect(grant?.reference).toMatch(/^[\da-f-]{36}$/)
  expect(faults).toEqual([])
  await close()
})

test('what is for sale later says from when', async () => {
  const { page, close } = await shop.open('', undefined)
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('WidgetShop(')) return route.continue()
    const response = await route.fetch()
    const answer = await response.json()
    answer.data.list.nodes[0].availability = {
      ...{ canBuy: false, reason: 'NOT_STARTED', missingPoints: 0 },
      nextAt: new Date(Date.now() + 3 * dayMs).toISOString(),
    }
    return route.fulfill({ response, json: answer })
  })
  const token = await tokenOf(await newUser())
  await page.evaluate(`{
    const element = document.createElement('tessera-shop')
    element.setAttribute('user-token', '${token}')
    document.querySelector('main').append(element)
  }`)
  await card(page, 'Water bottle')
    .getByText(/^From [A-Z][a-z]+day (at )?\d/)
    .waitFor()
  await close()
})

test('a double click asks, and does not buy; no is no', async () => {
  const userId = await newUser(5)
  const { page, close } = await open(['tessera-shop'], userId)
  await button(page, 'Water bottle').dblclick()
  await page.getByText('Buy for 200 points?').waitFor()
  await card(page, 'Water bottle').getByRole('button', { name: 'Not now' }).click()
  await button(page, 'Water bottle').waitFor()
  expect(await grantsOf(userId)).toEqual([])
  await close()
})

test('a purchase survives a lost answer', async () => {
  const userId = await newUser(5)
  const { page, context, close } = await open(['tessera-shop'], userId, { size: 'phone' })
  let isLost = false
  await page.route('**/graphql', async (route) => {
    if (isLost || !route.request().postData()?.includes('WidgetBuy(')) return route.continue()
    isLost = true
    const request = route.request()
    await fetch(request.url(), {
      method: 'POST',
      headers: await request.allHeaders(),
      body: request.postData(),
    })
    await context.setOffline(true)
    await route.abort('connectionreset')
  })
  await button(page, 'Five spins').click()
  await card(page, 'Five spins').getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByText('You are offline').first().waitFor()
  await context.setOffline(false)
  await page.getByText('They are yours!').first().waitFor()
  expect(await grantsOf(userId)).toHaveLength(1)
  expect(await sell.balance(userId)).toBe(350)
  await close()
})

test('what failed is tried again with the same reference, so that it buys once', async () => {
  const userId = await newUser(5)
  const { page, close } = await open(['tessera-shop'], userId)
  const sent: { reference: string }[] = []
  await page.route('**/graphql', async (route) => {
    const request = route.request()
    const body = request.postData() ?? ''
    if (!body.includes('WidgetBuy(')) return route.continue()
    sent.push(JSON.parse(body).variables)
    const response = await route.fetch()
    if (sent.length > 1) return route.fulfill({ response })
    const errors = [{ message: 'Failed', extensions: { code: 'INTERNAL' } }]
    return route.fulfill({ response, status: 500, json: { errors } })
  })
  await button(page, 'Water bottle').click()
  const yes = card(page, 'Water bottle').getByRole('button', { name: 'Buy', exact: true })
  await yes.click()
  await page.getByText('That did not work. Try again: you pay once at most.').first().waitFor()
  expect(await grantsOf(userId)).toHaveLength(1)
  await yes.click()
  await page.getByText('Your balance is 300 points.').first().waitFor()
  expect(sent).toHaveLength(2)
  expect(sent[0]?.reference).toBe(sent[1]?.reference)
  expect(await grantsOf(userId)).toHaveLength(1)
  await close()
})

test('what sells out meanwhile says so, and takes no points', async () => {
  const { slug, name } = await sell.sold('ITEM', 10, { stock: 1, position: 90 })
  const userId = await newUser()
  const { page, close } = await open(['tessera-shop'], userId)
  await button(page, name).click()
  expect((await sell.buy(await newUser(), slug)).status).toBe('ISSUED')
  await card(page, name).getByRole('button', { name: 'Buy', exact: true }).click()
  await card(page, name).locator('.why', { hasText: 'Sold out' }).waitFor()
  expect(await page.locator('tessera-shop [role=status]').textContent()).toBe('Sold out')
  expect(await sell.balance(userId)).toBe(100)
  await sell.archiveReward({ reward: { slug } })
  await close()
})

test('the shop changes by itself with the points of the user, and with a cancelled purchase', async () => {
  const userId = await newUser()
  const { page, close } = await open(['tessera-shop', 'tessera-balance'], userId)
  const bottle = card(page, 'Water bottle')
  await bottle.getByText('100 points short').waitFor()
  await world.givePoints(userId, 1)
  await button(page, 'Water bottle').waitFor()
  const { uuid } = await sell.buy(userId, 'daily')
  await card(page, 'Piece of cake')
    .getByText(/^Again /)
    .waitFor()
  await bottle.getByText('50 points short').waitFor()
  await sell.cancel(uuid)
  await button(page, 'Piece of cake').waitFor()
  await page.locator('tessera-shop .wallet').getByText('200 points').waitFor()
  await close()
})

test('where motion is unwanted, a purchase is said, and nothing moves', async () => {
  const userId = await newUser(5)
  const look = { reducedMotion: 'reduce' } as const
  const { page, close } = await open(['tessera-shop'], userId, look)
  await button(page, 'Coffee voucher').click()
  await card(page, 'Coffee voucher').getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByText('It is yours! The code is in your rewards.').first().waitFor()
  const { animations, drawn } = await card(page, 'Coffee voucher').evaluate((element) => ({
    animations: element.getAnimations({ subtree: true }).length,
    drawn: element.querySelectorAll('canvas').length,
  }))
  expect({ animations, drawn }).toEqual({ animations: 0, drawn: 0 })
  await close()
})

test('a visitor sees prices, and signs in to buy; a user whom nobody knows has no points', async () => {
  const visitor = await shop.open('<tessera-shop></tessera-shop>', undefined, { size: 'phone' })
  await card(visitor.page, 'Water bottle').getByText('Sign in to buy').waitFor()
  expect(await visitor.page.getByRole('button').count()).toBe(0)
  expect(await visitor.page.locator('tessera-shop .wallet').count()).toBe(0)
  await visitor.picture('tessera-shop-visitor')
  expect(await violationsOf(visitor.page)).toEqual([])
  await visitor.close()
  const userId = await newUser(5)
  const { page, faults, close } = await shop.open('<tessera-shop></tessera-shop>', userId)
  await card(page, 'Water bottle').getByText('Sign in to buy').waitFor()
  // The page may set it later.
  const token = await tokenOf(userId)
  await page.evaluate(
    `document.querySelector('tessera-config').setAttribute('user-token', '${token}')`,
  )
  await button(page, 'Water bottle').waitFor()
  expect(faults).toEqual([])
  await close()
  const unknown = await open(['tessera-shop'], 'nobody-yet')
  await card(unknown.page, 'Water bottle').getByText('200 points short').waitFor()
  await unknown.close()
})

test('texts of twice the size fit on the smallest screen, also long ones', async () => {
  const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze'
  const { slug } = await sell.sold('ITEM', 10, { name: long, description: long, position: 91 })
  const { page, picture, overflow, close } = await open(['tessera-shop'], await buyer(), {
    size: 'small',
  })
  await page.evaluate(`{
    document.documentElement.style.fontSize = '200%'
    document.querySelector('tessera-config').texts = {
      shop: 'Einkaufsmöglichkeiten', buy: 'Verbindlichkaufen', notNow: 'Momentannicht', short_other: 'Dir fehlen {count} Punkte',
      soldOut: 'Ausverkaufterartikel',
    }
  }`)
  await page.getByRole('heading', { name: 'Einkaufsmöglichkeiten' }).waitFor()
  await button(page, long).click()
  await page.getByRole('button', { name: 'Momentannicht' }).waitFor()
  await picture('tessera-shop-large')
  expect(await overflow()).toBeLessThanOrEqual(0)
  const clipped =
    await page.evaluate(`[...document.querySelector('tessera-shop').shadowRoot.querySelectorAll(
    '.card, h2, h3, p:not(.hidden), button, .head, .reward, .foot, .question')]
    .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.outerHTML.slice(0, 200))`)
  expect(clipped).toEqual([])
  await sell.archiveReward({ reward: { slug } })
  await close()
})

test('a long shop is shown in parts', async () => {
  for (let n = 0; n < 20; n++)
    await sell.sold('ITEM', 1_000 + n, { position: 100 + n, name: `Poster ${n}` })
  const { page, close } = await open(['tessera-shop'], await newUser())
  const shown = page.locator('tessera-shop .reward')
  await expect.poll(() => shown.count()).toBe(24)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => shown.count()).toBe(28)
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  // What is read again after a change has the same length.
  await page.evaluate(`document.querySelector('tessera-shop').reload()`)
  await page.waitForTimeout(500)
  expect(await shown.count()).toBe(28)
  await close()
})
