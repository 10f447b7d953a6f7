/** The rewards of a user as an element of a page: to claim, on their way, codes, and free plays, which games show. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Shop, shopOf } from '../programme/shop.ts'
import { openPlayers, type Players } from './widget-players.ts'
import { type Size, violationsOf } from './widget-visit.ts'

const hourMs = 3_600_000

let players: Players
let sell: Shop
let { world, shop, newUser, open } = {} as Players

const freePlays = (gameType: string, count: number, validDays?: number) => ({
  ...{ kind: 'FREE_PLAYS', freePlays: { gameType, count, validDays } },
})

beforeAll(async () => {
  players = await openPlayers()
  ;({ world, shop, newUser, open } = players)
  sell = shopOf(world)
  for (const reward of [
    { name: 'Welcome bonus', kind: 'POINTS', points: 50, description: 'Thank you for joining.' },
    { name: 'Water bottle', kind: 'ITEM', price: 100, description: 'Steel, 0.7 litres.' },
    { name: 'Tote bag', kind: 'ITEM', price: 60 },
    { name: 'Coffee voucher', kind: 'CODE', price: 10, description: 'In any of our cafés.' },
    { name: 'Patron', kind: 'BADGE', price: 10 },
    { name: 'Two spins', ...freePlays('NEON_WHEEL', 2, 3) },
    { name: 'One pull', ...freePlays('COSMIC_SLOTS', 1) },
    { name: 'One box', ...freePlays('ENIGMA_BOXES', 1) },
  ])
    expect((await sell.createReward(reward)).code).toBeUndefined()
  const codes = Array.from({ length: 200 }, (_, n) => `LATTE-${1000 + n}`)
  await sell.addCodes('coffee-voucher', codes)
}, 120_000)
afterAll(() => players?.end())

const grant = (page: Page, name: string) =>
  page.locator(`tessera-rewards .grant:has(h3:text-is("${name}"))`)
const at = (ms: number) => new Date(Date.now() + ms).toISOString()
const button = (page: Page, name: string) => page.getByRole('button', { name })

/** A user with a reward of every kind and status. */
const collector = async () => {
  const userId = await newUser(9)
  const buy = async (slug: string): Promise<string> => (await sell.buy(userId, slug)).uuid
  const play = (gameType: string) =>
    world.post('/v1/games/play', world.keys.public, { userId, gameType })
  await sell.give(userId, { slug: 'one-pull' })
  await play('COSMIC_SLOTS')
  await sell.cancel(await buy('tote-bag'), { message: 'They are sold out. Sorry!' })
  await sell.fail(await buy('tote-bag'), { message: 'We try again on Monday.' })
  await sell.fulfill(await buy('water-bottle'), { message: 'Parcel 4711 0815' })
  await buy('water-bottle')
  await sell.reveal(await buy('coffee-voucher'))
  await buy('coffee-voucher')
  await buy('patron')
  await sell.give(userId, { slug: 'two-spins' })
  await sell.give(userId, { slug: 'water-bottle' }, { heldUntil: at(50 * hourMs) })
  const claim = { needsClaim: true, claimExpiresAt: at(6 * hourMs + 60_000) }
  await sell.give(userId, { slug: 'welcome-bonus' }, claim)
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
  test('the rewards fit, and axe finds nothing', async () => {
    const { page, faults, picture, overflow, close } = await open(
      ['tessera-rewards'],
      await collector(),
      { size, colorScheme },
    )
    await grant(page, 'Two spins').waitFor()
    await page.waitForTimeout(300)
    await picture(`tessera-rewards-${colorScheme}`)
    expect(await overflow()).toBeLessThanOrEqual(0)
    expect(await violationsOf(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  })
})

test('each reward says what has become of it, what is open first, then the newest; badges are left out', async () => {
  const { page, close } = await open(['tessera-rewards'], await collector())
  await grant(page, 'Two spins').waitFor()
  const texts = await page.locator('tessera-rewards .grant').evaluateAll((all) =>
    all.map((item) => [
      item.querySelector('h3')?.textContent,
      // What is in the state, and the message.
      [...item.querySelectorAll('.state, .message')]
        .map(({ textContent }) => textContent?.trim())
        .filter(Boolean)
        .join(' '),
    ]),
  )
  expect(texts.map(([name]) => name)).toEqual([
    ...['50 points', 'Water bottle', 'Two spins', 'Coffee voucher', 'Coffee voucher'],
    ...['Water bottle', 'Water bottle', 'Tote bag', 'Tote bag', 'One pull'],
  ])
  const [points, held, spins, closed, shown, issued, handedOut, failed, cancelled, used] =
    texts.map(([, text]) => text)
  expect(points).toBe('Reward expires in 6 hours')
  expect(held).toMatch(/^On the way: it arrives on /)
  expect(spins).toMatch(/^2 free plays left, until /)
  expect([closed, shown]).toEqual(['', ''])
  expect(issued).toBe('We hand it out.')
  expect(handedOut).toMatch(/^Handed out on .+ Parcel 4711 0815$/)
  expect(failed).toBe('It could not be handed out. We try again on Monday.')
  expect(cancelled).toBe('Cancelled. Your 60 points are back. They are sold out. Sorry!')
  expect(used).toBe('All played')
  await close()
})

test('a reward is claimed, and its points are there', async () => {
  const userId = await newUser()
  await sell.give(userId, { slug: 'welcome-bonus' }, { needsClaim: true })
  await sell.give(userId, { slug: 'coffee-voucher' }, { needsClaim: true })
  const { page, faults, close } = await open(['tessera-rewards', 'tessera-balance'], userId)
  await button(page, 'Claim: 50 points').click()
  await page.getByText('50 points claimed.').first().waitFor({ state: 'attached' })
  await page.locator('tessera-balance').getByText('150 points').first().waitFor()
  await expect.poll(() => grant(page, '50 points').count()).toBe(0)
  await button(page, 'Claim: Coffee voucher').click()
  await button(page, 'Show the code: Coffee voucher').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a code is shown, copied and announced; where it cannot be copied, it is selected', async () => {
  const userId = await newUser()
  const { uuid } = await sell.buy(userId, 'coffee-voucher')
  const { page, context, faults, picture, close } = await open(['tessera-rewards'], userId, {
    size: 'phone',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  expect(await page.locator('tessera-rewards code').count()).toBe(0)
  await button(page, 'Show the code: Coffee voucher').focus()
  await page.keyboard.press('Enter')
  await page.locator('tessera-rewards code').waitFor()
  const code = (await page.locator('tessera-rewards code').textContent()) ?? ''
  expect(code).toMatch(/^LATTE-1\d{3}$/)
  const status = () => page.locator('tessera-rewards [role=status]').textContent()
  expect(await status()).toBe(`Your code is ${code}.`)
  await expect
    .poll(() =>
      page.evaluate(`document.querySelector('tessera-rewards').shadowRoot.activeElement?.id`),
    )
    .toBe(`code-${uuid}`)
  expect((await sell.grant(uuid)).status).toBe('FULFILLED')
  await button(page, 'Copy: Coffee voucher').click()
  await page.getByText('Copied', { exact: true }).first().waitFor()
  expect(await status()).toBe('Copied')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code)
  await picture('tessera-rewards-code')
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  await page.locator('tessera-rewards .code button').click()
  await expect.poll(status).toBe('The code is selected. Copy it now.')
  expect(await page.evaluate('getSelection().toString()')).toBe(code)
  await picture('tessera-rewards-selected')
  // It can be read again.
  await page.reload()
  await page.locator('tessera-rewards code', { hasText: code }).waitFor()
  expect(faults).toEqual([])
  await context.clearPermissions()
  await close()
})

test('a code that was taken back meanwhile says so', async () => {
  const userId = await newUser()
  const { uuid } = await sell.buy(userId, 'coffee-voucher')
  const { page, close } = await open(['tessera-rewards'], userId)
  await button(page, 'Show the code: Coffee voucher').waitFor()
  // The page does not learn of it before.
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('WidgetRevealCode(')) await sell.cancel(uuid)
    await route.continue()
  })
  await button(page, 'Show the code: Coffee voucher').click()
  await page.getByText('This code is no longer available.').first().waitFor()
  await page.getByText('Cancelled. Your 10 points are back.').waitFor()
  await close()
})

test('what is handed out, taken back or given is on the page at once', async () => {
  const userId = await newUser(3)
  const { uuid } = await sell.buy(userId, 'water-bottle')
  const { page, faults, close } = await open(['tessera-rewards'], userId)
  await page.getByText('We hand it out.').waitFor()
  await sell.fulfill(uuid, { message: 'Parcel 4711' })
  await page.getByText('Parcel 4711').waitFor()
  const second = await sell.buy(userId, 'tote-bag')
  await grant(page, 'Tote bag').getByText('We hand it out.').waitFor()
  await sell.cancel(second.uuid)
  await page.getByText('Cancelled. Your 60 points are back.').waitFor()
  await sell.give(userId, { slug: 'welcome-bonus' }, { needsClaim: true })
  await button(page, 'Claim: 50 points').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('older rewards are shown in parts of 20', async () => {
  const userId = await newUser(30)
  for (let n = 0; n < 23; n++) await sell.buy(userId, 'coffee-voucher')
  const { page, close } = await open(['tessera-rewards'], userId)
  const shown = page.locator('tessera-rewards .grant')
  await expect.poll(() => shown.count()).toBe(20)
  await button(page, 'Show more').click()
  await expect.poll(() => shown.count()).toBe(23)
  expect(await button(page, 'Show more').count()).toBe(0)
  await sell.buy(userId, 'tote-bag')
  await expect.poll(() => shown.count()).toBe(24)
  await close()
})

test('nobody has rewards without a token, and a new user none yet', async () => {
  const visitor = await shop.open('<tessera-rewards></tessera-rewards>', undefined)
  await visitor.page.getByText('Sign in to see this.').waitFor()
  await visitor.close()
  const { page, close } = await open(['tessera-rewards'], await newUser())
  await page.getByText('No rewards yet. Come back soon.').waitFor()
  await close()
})

describe('free plays', () => {
  const play = (page: Page) => page.locator('button.play')

  test.each([
    ['tessera-wheel', 'two-spins', 2, 'You need 50 points'],
    ['tessera-slots', 'one-pull', 1, 'You need 30 points'],
    ['tessera-boxes', 'one-box', 1, 'You need 20 points'],
  ])('%s plays for free, without points, until none is left', async (tag, slug, count, over) => {
    const userId = `free-${slug}-${Date.now()}`
    await shop.setLuck('NEON_WHEEL', false)
    await shop.setLuck('COSMIC_SLOTS', false)
    await shop.setLuck('ENIGMA_BOXES', false)
    await sell.give(userId, { slug })
    const tags = [tag, 'tessera-history', 'tessera-rewards']
    const { page, faults, picture, overflow, close } = await open(tags, userId, {
      ...{ size: 'small', reducedMotion: 'reduce' },
    })
    for (let left = count; left > 0; left--) {
      await button(page, `Play for free (${left} left)`).waitFor()
      if (left === count) await picture(`${tag}-free`)
      expect(await overflow()).toBeLessThanOrEqual(0)
      await play(page).click()
    }
    await button(page, over).waitFor()
    await page
      .locator('tessera-history')
      .getByText('Free')
      .nth(count - 1)
      .waitFor()
    await page.locator('tessera-rewards').getByText('All played').waitFor()
    expect(await sell.balance(userId)).toBe(0)
    expect(faults).toEqual([])
    await shop.resetLuck()
    await close()
  })

  test('say until when, and the next play costs what the button says', async () => {
    const userId = await newUser()
    await shop.setLuck('NEON_WHEEL', false)
    await sell.give(userId, { slug: 'two-spins' })
    const { page, close } = await open(['tessera-wheel', 'tessera-balance'], userId)
    await page.getByText(/^Free until .+\. Then 50 points a go\.$/).waitFor()
    for (let left = 2; left > 0; left--) await button(page, `Play for free (${left} left)`).click()
    await button(page, 'Play again').waitFor()
    await page.locator('tessera-balance').getByText('100 points').first().waitFor()
    await button(page, 'Play again').click()
    await page.locator('tessera-balance').getByText('50 points').first().waitFor()
    await shop.resetLuck()
    await close()
  })

  test('that have just ended cost no points', async () => {
    const userId = await newUser()
    await sell.give(userId, { slug: 'two-spins' })
    const { page, close } = await open(['tessera-wheel'], userId)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.postData()?.includes('WidgetPlay(')) sent.push(request.url())
    })
    await button(page, 'Play for free (2 left)').waitFor()
    await page.evaluate(`globalThis.now = Date.now; Date.now = () => now() + ${100 * hourMs}`)
    await play(page).click()
    await button(page, 'Spin').waitFor()
    expect(sent).toEqual([])
    await close()
  })

  test('appear while the page is open', async () => {
    const userId = await newUser()
    const { page, close } = await open(['tessera-wheel', 'tessera-balance'], userId)
    await button(page, 'Spin').waitFor()
    await sell.give(userId, { slug: 'two-spins' })
    await button(page, 'Play for free (2 left)').waitFor()
    await close()
  })
})
