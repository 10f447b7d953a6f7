/** The games as elements of a page: what a user sees, does and gets. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noBrand, updateBrand } from '../../src/accounts/brand.ts'
import { accentOf } from '../../src/kit/accent.rules.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { openShop, type Shop, type Size, violationsOf } from './widget-visit.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.end())

const games = [
  ['tessera-wheel', 'NEON_WHEEL', 'Spin', 50, '.hit'],
  ['tessera-slots', 'COSMIC_SLOTS', 'Pull', 30, '.three .line'],
  ['tessera-boxes', 'ENIGMA_BOXES', 'Open a box', 20, '.box.open'],
] as const

const playButton = (page: Page) => page.locator('button.play')
const finished = (page: Page) =>
  page.getByRole('button', { name: /^(Play again|You need .*)$/ }).waitFor()

const sent = (page: Page) => {
  const requests: { key: string | undefined; query: string }[] = []
  page.on('request', (request) => {
    const query = request.postData() ?? ''
    if (request.method() === 'POST' && query.includes('WidgetPlay('))
      requests.push({ key: request.headers()['idempotency-key'], query })
  })
  return requests
}

/** The height in pixels of the part of the drawing that the prize covers. */
const coveredBy = (page: Page, prize: string, drawn: string) =>
  page.locator(prize).evaluate((element, selector) => {
    const shown = (element.getRootNode() as ShadowRoot).querySelector(selector) as Element
    const [one, other] = [element.getBoundingClientRect(), shown.getBoundingClientRect()]
    return Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  }, drawn)

describe.each(games)('%s', (tag, gameType, word, price, drawn) => {
  test.each([
    ['small', true],
    ['phone', false],
    ['desktop', true],
    ['desktop', false],
  ] as [Size, boolean][])('on a %s screen, win: %s', async (size, isWin) => {
    await shop.setLuck(gameType, isWin)
    const userId = await shop.createUser()
    const { page, faults, picture, overflow, close } = await shop.open(
      `<${tag}></${tag}>`,
      userId,
      {
        size,
      },
    )
    await page.getByRole('button', { name: word, exact: true }).click()
    await page.waitForTimeout(900)
    await picture(`${tag}-moving`)
    await finished(page)
    const [play] = await shop.playsOf(userId)
    const status = page.locator(`${tag} [role=status]`)
    expect(await status.textContent()).toContain(play?.rewardLabel)
    const balance = await shop.balanceOf(userId)
    expect(await status.textContent()).toContain(`Your balance is ${balance} points`)
    expect(await page.locator('.balance b').textContent()).toBe(String(balance))
    if (isWin) expect(balance).toBeGreaterThan(300 - price)
    else expect(balance).toBe(300 - price)
    await page.waitForTimeout(600)
    await picture(`${tag}-${isWin ? 'win' : 'loss'}`)
    if (isWin) await expect.poll(() => coveredBy(page, `${tag} .prize`, drawn)).toBeLessThan(1)
    expect(await overflow()).toBeLessThanOrEqual(0)
    expect(await violationsOf(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  })

  test('plays once for two clicks, with the keyboard alone, and again', async () => {
    await shop.resetLuck()
    const userId = await shop.createUser()
    const { page, close } = await shop.open(`<${tag}></${tag}>`, userId, {
      reducedMotion: 'reduce',
    })
    const requests = sent(page)
    await page.getByRole('button', { name: word, exact: true }).waitFor()
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(`document.querySelector('${tag}').shadowRoot.activeElement.className`),
    ).toBe('play')
    await page.evaluate(`{
      const button = document.querySelector('${tag}').shadowRoot.querySelector('.play')
      button.click()
      button.click()
    }`)
    await finished(page)
    expect(await shop.playsOf(userId)).toHaveLength(1)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await shop.playsOf(userId)).length).toBe(2)
    await finished(page)
    await page.keyboard.press('Space')
    await expect.poll(async () => (await shop.playsOf(userId)).length).toBe(3)
    await finished(page)
    await page.evaluate(`Promise.all([1, 2].map(() => document.querySelector('${tag}').play()))`)
    expect(await shop.playsOf(userId)).toHaveLength(4)
    expect(new Set(requests.map(({ key }) => key)).size).toBe(4)
    await close()
  })
})

test('the wheel stops where the server says, the reels show what it drew, and its box opens', async () => {
  await shop.resetLuck()
  const userId = await shop.createUser()
  const tags = games.map(([tag]) => tag)
  const { page, close } = await shop.open(tags.map((tag) => `<${tag}></${tag}>`).join(''), userId)
  await playButton(page).nth(2).waitFor()
  type Played = {
    outcome: { winningSegment: number; spinAngle: number; reels: number[]; boxIndex: number }
  }
  const outcomes = (await page.evaluate(
    `Promise.all(${JSON.stringify(tags)}.map((tag) => document.querySelector(tag).play()))`,
  )) as Played[]
  const [wheel, slots, boxes] = outcomes.map(({ outcome }) => outcome)
  const turned = (await page.evaluate(`(() => {
    const { a, b } = new DOMMatrix(getComputedStyle(document.querySelector('tessera-wheel').shadowRoot.querySelector('.disc')).transform)
    return Math.atan2(b, a) * 180 / Math.PI
  })()`)) as number
  // The angle under the pointer is the reverse of the wheel's rotation.
  expect((((360 - turned) % 360) + 360) % 360).toBeCloseTo(wheel?.spinAngle ?? -1, 1)
  expect(await page.locator('tessera-wheel .hit text').textContent()).toBe(
    String((wheel?.winningSegment ?? 0) + 1),
  )
  const shown =
    await page.evaluate(`[...document.querySelector('tessera-slots').shadowRoot.querySelectorAll('.window')].map((window) => {
    const { top, height } = window.getBoundingClientRect()
    const cells = [...window.querySelectorAll('.cell')]
    const at = cells.findIndex((cell) => Math.abs(cell.getBoundingClientRect().top - top - height / 3) < 3)
    return at % (cells.length - 3)
  })`)
  expect(shown).toEqual(slots?.reels)
  expect(
    await page
      .locator('tessera-boxes .box')
      .evaluateAll((all) => all.findIndex((one) => one.classList.contains('open'))),
  ).toBe(boxes?.boxIndex)
  await close()
})

test('a play survives a lost connection: one play, and the outcome is shown when it is back', async () => {
  await shop.resetLuck()
  const userId = await shop.createUser()
  const { page, context, picture, close } = await shop.open(
    '<tessera-wheel></tessera-wheel>',
    userId,
    { size: 'phone' },
  )
  const requests = sent(page)
  await page.getByRole('button', { name: 'Spin' }).waitFor()
  // The first answer is lost on its way: the server has played.
  let isLost = false
  await page.route('**/graphql', async (route) => {
    if (isLost || !route.request().postData()?.includes('WidgetPlay(')) return route.continue()
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
  await page.getByRole('button', { name: 'Spin' }).click()
  await page.getByText('You are offline').first().waitFor()
  await picture('tessera-wheel-offline')
  await page.waitForTimeout(1_500)
  await context.setOffline(false)
  await finished(page)
  expect(await shop.playsOf(userId)).toHaveLength(1)
  expect(requests.length).toBeGreaterThan(1)
  expect(new Set(requests.map(({ key }) => key)).size).toBe(1)
  await close()
})

test('a late answer is waited for, and an early one is not hurried', async () => {
  const userId = await shop.createUser()
  const { page, close } = await shop.open('<tessera-slots></tessera-slots>', userId)
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('WidgetPlay('))
      await new Promise((go) => setTimeout(go, 6_000))
    await route.continue()
  })
  await page.getByRole('button', { name: 'Pull' }).click()
  await page.getByText('Still waiting for the answer').first().waitFor()
  await finished(page)
  expect(await shop.playsOf(userId)).toHaveLength(1)
  await close()
})

test('without enough points it says so, and plays nothing', async () => {
  const userId = `poor-${Date.now()}`
  await shop.world.givePoints(userId, 1, 'daily_login')
  const { page, picture, close } = await shop.open('<tessera-wheel></tessera-wheel>', userId, {
    size: 'phone',
  })
  const requests = sent(page)
  await page.getByRole('button', { name: 'You need 50 points' }).click({ force: true })
  await page.getByText('You need 50 points, and have 10 points.').first().waitFor()
  await picture('tessera-wheel-poor')
  expect(requests).toEqual([])
  await shop.world.givePoints(userId, 1)
  await page.evaluate(`document.querySelector('tessera-wheel').reload()`)
  await close()
})

test('calm where motion is unwanted: nothing turns, and the outcome is there', async () => {
  const userId = await shop.createUser()
  const { page, close } = await shop.open('<tessera-wheel></tessera-wheel>', userId, {
    reducedMotion: 'reduce',
  })
  await page.getByRole('button', { name: 'Spin' }).waitFor()
  const startedAt = Date.now()
  await page.evaluate(`document.querySelector('tessera-wheel').play()`)
  expect(Date.now() - startedAt).toBeLessThan(2_000)
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  await close()
})

describe('a brand', () => {
  const set = (brand: object) =>
    updateBrand(shop.world.runtime, { ...shop.world.tenant, ...noBrand, ...brand })
  afterAll(() => set({}))

  test.each(['light', 'dark'] as const)(
    'gives games and campaigns its color, logo, promoter and terms, on a %s page in German',
    async (colorScheme) => {
      await set({
        color: '#D6006C',
        logoUrl: 'https://cdn.example.com/logo.svg',
        imageUrl: 'https://cdn.example.com/photo.svg',
        promoter: 'Acme GmbH, Berlin',
        terms: 'Eine Teilnahme je Person.',
      })
      const slug = await makeCampaign(shop.world, 'summer-sale', { brand: { color: '#0A7A4B' } })
      const { page, picture, faults, overflow, close } = await shop.open(
        '',
        await shop.createUser(),
        { size: 'phone', colorScheme },
      )
      await page.route('https://cdn.example.com/**', (route) =>
        route.fulfill({
          contentType: 'image/svg+xml',
          body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="120" height="40" fill="#d6006c"/></svg>',
        }),
      )
      await page.evaluate((campaign) => {
        const main = document.querySelector('main') as HTMLElement
        main.lang = 'de'
        const shown = document.createElement('tessera-campaign')
        shown.setAttribute('slug', campaign)
        main.append(document.createElement('tessera-wheel'), shown)
      }, slug)
      await page.getByRole('button', { name: 'Drehen', exact: true }).waitFor()
      await page.getByText('Veranstalter: Acme GmbH, Berlin').nth(1).waitFor()
      await page.getByText('Teilnahmebedingungen').first().click()
      await page.getByText('Eine Teilnahme je Person.').first().waitFor()
      const colorOf = (tag: string) =>
        page.locator(`${tag} .brand summary`).evaluate((shown) => getComputedStyle(shown).color)
      const rgbOf = (hex: string) =>
        `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`
      // Games are dark on every page.
      expect(await colorOf('tessera-wheel')).toBe(rgbOf(accentOf('#D6006C').dark))
      expect(await colorOf('tessera-campaign')).toBe(rgbOf(accentOf('#0A7A4B')[colorScheme]))
      await picture(`widgets-brand-${colorScheme}`)
      expect(await overflow()).toBeLessThanOrEqual(0)
      expect(await violationsOf(page)).toEqual([])
      expect(faults).toEqual([])
      await close()
    },
  )
})
