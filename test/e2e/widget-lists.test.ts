/** The elements that show and claim: balance, leaderboard, history, offers, campaign, lottery, match. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMatches } from '../../src/arena/matches/runner.ts'
import { seedCampaigns, seedJourneys } from '../../src/demo/demo.ts'
import { readConfig } from '../../src/kit/config/config.ts'
import { usd } from '../../src/kit/money.ts'
import { makeAgent, makeMatch, playAll } from '../arena/matches/arena.ts'
import { callsTo } from '../campaigns/promotion.ts'
import { demoLotteries, makeLottery, smallRules } from '../lotteries/lottery.ts'
import { createWorld, type World } from '../world.ts'
import { openShop, type Shop, type Size, violationsOf } from './widget-visit.ts'

const people = ['Mina Okafor', 'Jonas Weiß', 'Aiko', 'Leyla Demir', 'Sam', 'Прасковья', '李明']

let world: World
let shop: Shop
let codes: string[]
let matchId: string

const { arena } = readConfig({ NODE_ENV: 'test', JOBS: 'off' })

const award = (userId: string, displayName: string) =>
  world.post('/v1/points/award', world.keys.secret, { userId, eventType: 'signup', displayName })

beforeAll(async () => {
  world = await createWorld({ config: { arena: { ...arena, movePauseMs: 300, gamePauseMs: 800 } } })
  shop = await openShop(world)
  const call = callsTo(world)
  await seedCampaigns(world.runtime, world.tenant)
  await demoLotteries(world)
  await makeLottery(world, {
    slug: 'fixed-prizes',
    name: 'Fixed prizes',
    rules: {
      ...smallRules,
      potBase: usd(0),
      potPerTicket: usd(0),
      tiers: [
        { name: 'Three', mainMatches: 3, bonusMatches: 0, prize: { amount: usd(250_000) } },
        { name: 'Bonus', mainMatches: 0, bonusMatches: 1, prize: { amount: usd(50) } },
      ],
    },
  })
  for (const [i, name] of people.entries()) {
    for (let n = i; n <= people.length; n++) await award(`person-${i}`, name)
    await call.buy('summer-sale', `person-${i}`)
  }
  await award('me', 'You yourself')
  await world.post('/v1/games/play', world.keys.public, { userId: 'me', gameType: 'ENIGMA_BOXES' })
  await seedJourneys(world.runtime, world.userKey('me'))
  for (let n = 0; n < 25; n++)
    await world.post('/v1/lotteries/entries', world.keys.secret, {
      email: `u${n}@example.com`,
      lotterySlug: 'weekly-draw',
    })
  const { id } = await world.runtime.db.lotteryDraw.findFirstOrThrow({
    where: { lottery: { slug: 'weekly-draw', partnerId: world.partner.partnerId }, status: 'OPEN' },
  })
  await world.post(
    `/admin/lotteries/weekly-draw/draws/${id}/execute`,
    await world.signInAs('OPERATOR'),
  )
  codes = (await call.generate({ slug: 'summer-sale', batchSize: 10, pointsValue: 250 })).body.data
    .codes
  const { partnerId } = world.partner
  const agents = [
    await makeAgent(world.runtime, partnerId, 'minimax', { displayName: 'The Oracle' }),
    await makeAgent(world.runtime, partnerId, 'random', { displayName: 'Wildcard' }),
  ] as const
  matchId = (await makeMatch(world.runtime, agents, { gameType: 'CONNECT_FOUR', bestOf: 1 })).id
  await playAll(world.runtime)
}, 120_000)
afterAll(() => shop?.end())

/** The page of the open draw of a lottery whose prizes are amounts. */
const pageOfFixedPrizes = async () => {
  const { id } = await world.runtime.db.lotteryDraw.findFirstOrThrow({
    where: { lottery: { slug: 'fixed-prizes', partnerId: world.partner.partnerId } },
  })
  return `/draws/${id}`
}

const elements = {
  'tessera-balance': ['', '.pill'],
  'tessera-leaderboard': ['count="5"', '.row'],
  'tessera-history': ['', '.row'],
  'tessera-offers': ['', '.offer'],
  'tessera-campaign': ['slug="summer-sale"', '.prizes'],
  'tessera-lottery': ['slug="weekly-draw"', '.tiers'],
  'tessera-match': ['match-id="…"', '.score'],
} as const

const elementOf = (tag: keyof typeof elements) =>
  `<${tag} ${elements[tag][0].replace('…', matchId)}></${tag}>`

describe.each(Object.keys(elements) as (keyof typeof elements)[])('%s', (tag) => {
  test.each([
    ['small', 'light'],
    ['phone', 'dark'],
    ['desktop', 'light'],
    ['desktop', 'dark'],
  ] as [Size, 'light' | 'dark'][])('on a %s screen, %s', async (size, colorScheme) => {
    const { page, faults, picture, overflow, close } = await shop.open(elementOf(tag), 'me', {
      size,
      colorScheme,
    })
    await page.locator(`${tag} ${elements[tag][1]}`).first().waitFor()
    await picture(`${tag}-${colorScheme}`)
    expect(await overflow()).toBeLessThanOrEqual(0)
    expect(await violationsOf(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  })
})

test('the leaderboard shows the best, and the place of the user below them', async () => {
  const { page, close } = await shop.open(elementOf('tessera-leaderboard'), 'me')
  await page.locator('.row').first().waitFor()
  const rows = await page.locator('.row').allTextContents()
  expect(rows).toHaveLength(6)
  expect(rows[0]).toContain('Mina Okafor')
  expect(await page.locator('.row.me').textContent()).toContain('You yourself')
  await close()
})

test('balance and history follow a play, and not before it is shown', async () => {
  await shop.setLuck('NEON_WHEEL', true)
  const userId = await shop.createUser(2)
  const { page, close } = await shop.open(
    '<tessera-balance></tessera-balance><tessera-wheel></tessera-wheel><tessera-history></tessera-history>',
    userId,
  )
  const pill = page.locator('tessera-balance .hidden')
  await page.getByText('You have not played yet.').waitFor()
  await page.getByRole('button', { name: 'Spin' }).click()
  await expect.poll(() => pill.textContent()).toContain('150 points')
  expect(await page.locator('tessera-history .row').count()).toBe(0)
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  await expect.poll(() => pill.textContent()).toContain('350 points')
  expect(await page.locator('tessera-history .row').count()).toBe(1)
  expect(await shop.balanceOf(userId)).toBe(350)
  await shop.resetLuck()
  await close()
})

test('an offer is claimed once, with the keyboard', async () => {
  await award('claimer', 'Claimer')
  await seedJourneys(world.runtime, world.userKey('claimer'))
  const { page, picture, close } = await shop.open(elementOf('tessera-offers'), 'claimer')
  const button = page.getByRole('button', { name: /^Claim:/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Claimed:/ }).waitFor()
  await picture('tessera-offers-claimed')
  expect(await page.locator('[role=status]').textContent()).toMatch(/ claimed\.$/)
  const { body } = await world.get('/v1/user-journeys/users/claimer/timeline', world.keys.public)
  const claims = body.data.events.filter(
    ({ eventType }: { eventType: string }) => eventType === 'offer_claimed',
  )
  expect(claims).toHaveLength(1)
  await close()
})

test('a code is redeemed, and a wrong one is explained', async () => {
  await shop.createUser(1)
  const { page, picture, close } = await shop.open(elementOf('tessera-campaign'), 'redeemer')
  const redeem = async (code: string) => {
    await page.getByLabel('Code').fill(code)
    await page.keyboard.press('Enter')
  }
  await page.getByLabel('Code').waitFor()
  await redeem('SUMM-NOPE2345')
  await page.getByText('We do not know this code').waitFor()
  await picture('tessera-campaign-wrong')
  await redeem(codes[0] ?? '')
  await page.getByText('250 points earned!').waitFor()
  expect(await shop.balanceOf('redeemer')).toBe(250)
  await redeem(codes[0] ?? '')
  await page.getByText('This code has been redeemed already.').waitFor()
  await close()
})

test('the lottery counts down to the open draw, and shows the numbers of the last one', async () => {
  const { page, close } = await shop.open(elementOf('tessera-lottery'), undefined)
  await page.locator('.unit').nth(3).waitFor()
  const seconds = () => page.locator('.unit b').nth(3).textContent()
  const first = await seconds()
  await expect.poll(seconds).not.toBe(first)
  const draw = await world.runtime.db.lotteryDraw.findFirstOrThrow({
    where: { drawnAt: { not: null }, lottery: { partnerId: world.partner.partnerId } },
  })
  const balls = (await page.locator('.ball').allTextContents()).map((text) =>
    Number.parseInt(text, 10),
  )
  expect(balls).toEqual([...draw.main, ...draw.bonus])
  const href = await page.getByRole('link', { name: 'Check this draw' }).getAttribute('href')
  expect(href).toContain(`/draws/${draw.id}`)
  await close()
})

test('the lottery shows the jackpot, and not the pot, when no prize is a share of the pot', async () => {
  const { page, picture, close } = await shop.open(
    '<tessera-lottery slug="fixed-prizes"></tessera-lottery>',
    undefined,
    { size: 'small' },
  )
  await page.locator('.pot').waitFor()
  expect((await page.locator('.pot').textContent())?.trim()).toMatch(/^Jackpot\s+\$2,500$/)
  await picture('tessera-lottery-jackpot')
  await page.goto(`${world.base}${await pageOfFixedPrizes()}`)
  const facts = await page.locator('.facts').textContent()
  expect(facts).toMatch(/Jackpot\s*\$2,500\.00/)
  expect(facts).not.toMatch(/Pot/)
  await close()
})

test.each([
  ['TIC_TAC_TOE', '.mark'],
  ['CONNECT_FOUR', '.disc'],
  ['ROCK_PAPER_SCISSORS', '.showing.open .hand'],
] as const)(
  'a match of %s is followed to its end, drawn as on the pages of the arena',
  async (gameType, move) => {
    const { partnerId } = world.partner
    const agents = [
      await makeAgent(world.runtime, partnerId, 'minimax', { displayName: 'The Oracle' }),
      await makeAgent(world.runtime, partnerId, 'random', { displayName: 'Wildcard' }),
    ] as const
    const match = await makeMatch(world.runtime, agents, { gameType, bestOf: 1 })
    const { page, faults, picture, close } = await shop.open(
      `<tessera-match match-id="${match.id}"></tessera-match>`,
      undefined,
      { size: 'phone' },
    )
    await page.getByText('Starts soon').waitFor()
    const stop = startMatches(world.runtime)
    try {
      await page.getByText('Game 1').waitFor()
      const board = await page.locator('tessera-match .fit > *').elementHandle()
      await page.locator(`tessera-match ${move}`).first().waitFor()
      await picture(`tessera-match-${gameType}`)
      // Elements stay, so that movements do not begin again with each move.
      expect(
        await board?.evaluate((element: { isConnected: boolean }) => element.isConnected),
      ).toBe(true)
      await expect
        .poll(() => page.locator('tessera-match [role=status]').textContent(), { timeout: 40_000 })
        .toMatch(/wins|draw/)
    } finally {
      await stop()
    }
    const over = await world.runtime.db.arenaMatch.findUniqueOrThrow({ where: { id: match.id } })
    const score = `${over.agent1Score} : ${over.agent2Score}`
    expect(await page.locator('.score .hidden').textContent()).toBe(score)
    expect(faults).toEqual([])
    await close()
  },
)

test.each([
  ['<tessera-campaign slug="nothing"></tessera-campaign>', 'This campaign is not available.'],
  ['<tessera-lottery slug="nothing"></tessera-lottery>', 'This lottery is not available.'],
  [
    '<tessera-wheel api-key="pk_test_wrong"></tessera-wheel>',
    'The key of this widget is not valid.',
  ],
  ['<tessera-wheel user-token="forged"></tessera-wheel>', 'Your sign-in has expired.'],
])('%s says what is wrong', async (element, text) => {
  const { page, close } = await shop.open(element, 'me')
  await page.getByText(text).waitFor()
  await close()
})

test('without a user, a game shows its odds and asks to sign in', async () => {
  const { page, picture, close } = await shop.open(
    '<tessera-wheel></tessera-wheel><tessera-history></tessera-history>',
    undefined,
  )
  await page.getByRole('button', { name: 'Sign in to play' }).waitFor()
  expect(await page.locator('.odds li').count()).toBe(5)
  await page.getByText('Sign in to see this.').waitFor()
  await picture('signed-out')
  await close()
})

test('a slow server shows the shape of what comes, and offline goes on by itself', async () => {
  const { page, context, picture, close } = await shop.open('', 'me', { size: 'phone' })
  await page.route('**/graphql', async (route) => {
    await new Promise((go) => setTimeout(go, 1_500))
    await route.continue()
  })
  await page.evaluate(`document.querySelector('main').append(
    document.createElement('tessera-slots'), document.createElement('tessera-leaderboard'))`)
  await page.locator('tessera-slots [aria-busy]').waitFor()
  await picture('loading')
  await page.locator('tessera-leaderboard .row').first().waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await context.setOffline(true)
  await page.evaluate(`document.querySelector('tessera-leaderboard').reload()`)
  await context.setOffline(false)
  await page.locator('tessera-leaderboard .row').first().waitFor()
  await close()
})
