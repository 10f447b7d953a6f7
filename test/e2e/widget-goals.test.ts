/** Missions and badges as elements of a page: what a user sees, joins, claims and earns. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goal, openPlayers, type Players } from './widget-players.ts'
import { type Size, violationsOf } from './widget-visit.ts'

const orders = { facts: ['ACTIVITY'], eventTypes: ['order'] }
const awards = { facts: ['POINTS_AWARDED'] }

let players: Players
let { world, shop, call, startGoal, order, tokenOf, open, newUser } = {} as Players

beforeAll(async () => {
  players = await openPlayers()
  ;({ world, shop, call, startGoal, order, tokenOf, open, newUser } = players)
  const { reward } = players
  await reward('welcome-bonus', 50)
  await reward('sprint-bonus', 300)
  await reward('Pioneer', undefined, 'You were here first.')
  await reward('Regular')
  await reward('Night owl')
  await reward('Veteran')
  await reward('Helping hand', undefined, 'Thank you for your report.')
  await startGoal('welcome', 'Welcome aboard', {
    description: 'Earn your first 100 points.',
    position: 1,
    tasks: [{ target: 100, measure: { ...awards, of: 'POINTS' } }],
    rewards: [{ slug: 'welcome-bonus' }],
    claim: 'BY_USER',
    claimDays: 5,
    countFrom: 'EVER',
  })
  await startGoal('orders', 'Three orders a week', {
    description: 'Order for 20 or more, three times from Monday to Sunday.',
    position: 2,
    window: 'WEEK',
    repeat: 'EACH_WINDOW',
    tasks: [{ target: 3, measure: orders }],
    rewards: [{ slug: 'regular' }],
  })
  await startGoal('streaky', 'Seven days of points', {
    position: 3,
    window: 'MONTH',
    repeat: 'EACH_WINDOW',
    tasks: [{ name: 'Days with points', target: 7, measure: { ...awards, of: 'DAYS' } }],
    category: 'monthly',
  })
  await startGoal('all-round', 'All-rounder', {
    description: 'A little of everything.',
    position: 4,
    tasks: [
      {
        name: 'Spend in the shop',
        target: 250,
        measure: { ...orders, of: 'ATTRIBUTE', attribute: 'amount' },
      },
      { name: 'Play games', target: 5, measure: { facts: ['GAME_PLAYED'] } },
    ],
    rewards: [{ slug: 'sprint-bonus' }, { slug: 'pioneer' }],
  })
  await startGoal('sprint', 'Weekend sprint', {
    description: 'Two orders within 48 hours from when you join.',
    position: 5,
    window: undefined,
    joinMode: 'OPT_IN',
    timeLimitHours: 48,
    tasks: [{ target: 2, measure: orders }],
    rewards: [{ slug: 'sprint-bonus' }],
    claim: 'BY_USER',
  })
  await startGoal('veteran', 'A true veteran', {
    position: 6,
    requires: [{ slug: 'all-round' }],
    tasks: [{ target: 50, measure: orders }],
    rewards: [{ slug: 'veteran' }],
  })
  await startGoal('owl', 'The hour of the owl', {
    position: 7,
    isSecret: true,
    tasks: [{ target: 1, measure: { facts: ['ACTIVITY'], eventTypes: ['midnight'] } }],
    rewards: [{ slug: 'night-owl' }],
  })
}, 120_000)
afterAll(() => players?.end())

describe.each([
  ['small', 'light'],
  ['small', 'dark'],
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desktop', 'light'],
  ['desktop', 'dark'],
] as [Size, 'light' | 'dark'][])('on a %s screen, %s', (size, colorScheme) => {
  test.each([
    ['tessera-goals', '.goal.claimable'],
    ['tessera-badges', '.badge.earned'],
  ])('%s fits, and axe finds nothing', async (tag, first) => {
    const userId = await newUser(2)
    for (const amount of [40, 85.5]) await order(userId, amount)
    await call.give(userId, { slug: 'helping-hand' })
    const { page, faults, picture, overflow, close } = await open([tag], userId, {
      size,
      colorScheme,
    })
    await page.locator(`${tag} ${first}`).first().waitFor()
    await page.waitForTimeout(800)
    await picture(`${tag}-${colorScheme}`)
    expect(await overflow()).toBeLessThanOrEqual(0)
    expect(await violationsOf(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  })
})

test('progress moves after what the user does, and the completion is announced and celebrated', async () => {
  const userId = await newUser()
  await order(userId, 30)
  const { page, faults, picture, close } = await open(['tessera-goals', 'tessera-badges'], userId)
  const card = page.locator(goal('Three orders a week'))
  const shown = () => card.getByRole('progressbar').getAttribute('aria-valuetext')
  await expect.poll(shown).toBe('1 of 3')
  expect(await card.locator('.stamp.got').count()).toBe(1)
  const reload = () => page.evaluate(`document.querySelector('tessera-goals').reload()`)
  await order(userId, 30)
  await reload()
  await expect.poll(shown).toBe('2 of 3')
  expect(await card.locator('.state').textContent()).toBe('In progress')
  await page.evaluate(`document.addEventListener('tessera-goal-complete', ({ detail }) => {
    globalThis.completed = [...globalThis.completed ?? [], detail]
  })`)
  await order(userId, 30)
  await reload()
  await page.getByText('Three orders a week completed!').waitFor({ state: 'attached' })
  await page
    .locator('tessera-badges')
    .getByText('You earned the badge Regular!')
    .waitFor({ state: 'attached' })
  expect(await card.locator('.state').textContent()).toBe('Completed')
  expect(await shown()).toBe('3 of 3')
  await card.getByText(/^Again in /).waitFor()
  expect(await card.locator('canvas').count()).toBe(1)
  await page.waitForTimeout(300)
  await picture('tessera-goals-completed')
  expect(await page.evaluate('globalThis.completed')).toEqual([
    { slug: 'orders', name: 'Three orders a week', completionCount: 1 },
  ])
  const badge = page.locator('tessera-badges .badge.earned:has(b:text-is("Regular"))')
  await badge.getByText(/^Earned /).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('where motion is unwanted, a completion is said, and nothing moves', async () => {
  const userId = await newUser()
  for (const amount of [1, 1]) await order(userId, amount)
  const { page, close } = await open(['tessera-goals'], userId, { reducedMotion: 'reduce' })
  const card = page.locator(goal('Three orders a week'))
  await card.waitFor()
  await order(userId, 1)
  await page.evaluate(`document.querySelector('tessera-goals').reload()`)
  await page.getByText('Three orders a week completed!').waitFor({ state: 'attached' })
  const { animations, drawn } = await card.evaluate((element) => ({
    animations: element.getAnimations({ subtree: true }).length,
    drawn: element.querySelectorAll('canvas').length,
  }))
  expect({ animations, drawn }).toEqual({ animations: 0, drawn: 0 })
  await close()
})

test('a mission is joined with the keyboard, once, and its reward claimed when it is done', async () => {
  const userId = await newUser()
  const { page, faults, picture, close } = await open(['tessera-goals', 'tessera-balance'], userId)
  const card = page.locator(goal('Weekend sprint'))
  await card.getByRole('button', { name: 'Join: Weekend sprint' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByText('You have joined Weekend sprint.').first().waitFor()
  await card.getByText(/^Ends in /).waitFor()
  await expect.poll(() => card.getByRole('button').count()).toBe(0)
  // The focus stays with the mission, whose button is gone.
  await expect
    .poll(() =>
      page.evaluate(`document.querySelector('tessera-goals').shadowRoot.activeElement?.id`),
    )
    .toBe('goal-sprint')
  await picture('tessera-goals-joined')
  const { id } = await world.runtime.db.endUser.findFirstOrThrow({ where: { externalId: userId } })
  expect(await world.runtime.db.goalJoin.count({ where: { userId: id } })).toBe(1)
  for (const amount of [5, 5]) await order(userId, amount)
  await page.evaluate(`document.querySelector('tessera-goals').reload()`)
  await card.getByRole('button', { name: 'Claim: Weekend sprint' }).click()
  await page.getByText('300 points claimed.').first().waitFor()
  await page.locator('tessera-balance').getByText('400 points').first().waitFor()
  expect(await call.balance(userId)).toBe(400)
  await expect.poll(() => card.getByRole('button').count()).toBe(0)
  // The reward of the other mission still waits.
  expect(await page.getByRole('button', { name: 'Claim: Welcome aboard' }).count()).toBe(1)
  expect(faults).toEqual([])
  await close()
})

test('a claim survives a lost answer: the reward is paid once', async () => {
  const userId = await newUser()
  const { page, context, close } = await open(['tessera-goals'], userId, { size: 'phone' })
  let isLost = false
  await page.route('**/graphql', async (route) => {
    if (isLost || !route.request().postData()?.includes('WidgetClaimGrant('))
      return route.continue()
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
  await page.getByRole('button', { name: 'Claim: Welcome aboard' }).click()
  await page.getByText('You are offline').first().waitFor()
  await context.setOffline(false)
  await page.getByText('50 points claimed.').first().waitFor()
  expect(await call.balance(userId)).toBe(150)
  await close()
})

test('a reward that was claimed in another tab is there, with its points', async () => {
  const userId = await newUser()
  const tags = ['tessera-goals', 'tessera-balance']
  const [first, late] = [await open(tags, userId), await open(tags, userId)]
  // Without its stream, the other tab does not know of it.
  await late.page.route('**/graphql', (route) =>
    route.request().headers()['accept'] === 'text/event-stream' ? route.abort() : route.continue(),
  )
  await late.page.reload()
  const button = ({ page }: typeof first) =>
    page.getByRole('button', { name: 'Claim: Welcome aboard' })
  await button(late).waitFor()
  await late.page.evaluate(`document.addEventListener('tessera-grant-claim', () => {
    globalThis.wasClaimed = true
  })`)
  await button(first).click()
  await first.page.getByText('50 points claimed.').first().waitFor()
  await button(late).click()
  await late.page.getByText('You already have this reward.').first().waitFor()
  await late.page.locator('tessera-balance').getByText('150 points').first().waitFor()
  expect(await late.page.evaluate('globalThis.wasClaimed')).toBeUndefined()
  expect(await call.balance(userId)).toBe(150)
  for (const { close } of [first, late]) await close()
})

test('what happened without a connection is shown once there is one, with the balance', async () => {
  const userId = await newUser()
  for (const amount of [1, 1]) await order(userId, amount)
  const { page, context, close } = await open(['tessera-goals', 'tessera-balance'], userId)
  const card = page.locator(goal('Three orders a week'))
  const balance = page.locator('tessera-balance')
  await card.waitFor()
  await balance.getByText('100 points').first().waitFor()
  await context.setOffline(true)
  await order(userId, 1)
  await world.givePoints(userId, 2)
  await context.setOffline(false)
  await page.getByText('Three orders a week completed!').waitFor({ state: 'attached' })
  await balance.getByText('300 points').first().waitFor()
  await close()
})

test('when goals are read again, so is the balance', async () => {
  const userId = await newUser()
  const { page, close } = await open(['tessera-goals', 'tessera-balance'], userId)
  const balance = page.locator('tessera-balance')
  await balance.getByText('100 points').first().waitFor()
  await world.givePoints(userId, 2)
  await page.evaluate(
    `document.querySelector('tessera-goals').session.dispatchEvent(new Event('reward'))`,
  )
  await balance.getByText('300 points').first().waitFor()
  await close()
})

test('only missions of a category, and a locked one says what comes first', async () => {
  const userId = await newUser()
  const { page, close } = await open(['tessera-goals category="monthly"', 'tessera-goals'], userId)
  const locked = page.locator(goal('A true veteran'))
  await locked.getByText('First complete: All-rounder').waitFor()
  expect(await locked.locator('.lock').count()).toBe(1)
  const names = await page.locator('tessera-goals').first().locator('h3').allTextContents()
  expect(names).toEqual(['Seven days of points'])
  await close()
})

test('a secret badge is not shown before, and is when it is earned; a badge can be claimed', async () => {
  const userId = await newUser()
  await call.give(userId, { slug: 'helping-hand' }, { needsClaim: true })
  const { page, faults, picture, close } = await open(['tessera-badges'], userId)
  const names = () => page.locator('.badge b').allTextContents()
  await expect.poll(names).toEqual(['Helping hand', 'Regular', 'Pioneer', 'Veteran'])
  await page.getByText('0 of 4 earned').waitFor()
  await page.getByRole('button', { name: 'Claim: Helping hand' }).click()
  await page.getByText('You earned the badge Helping hand!').first().waitFor()
  await page.getByText('1 of 4 earned').waitFor()
  await world.post('/v1/user-journeys/events', world.keys.secret, {
    externalId: userId,
    category: 'CUSTOM',
    eventType: 'midnight',
  })
  await expect
    .poll(async () => {
      await page.evaluate(`document.querySelector('tessera-badges').reload()`)
      return names()
    })
    .toEqual(['Night owl', 'Helping hand', 'Regular', 'Pioneer', 'Veteran'])
  await picture('tessera-badges-secret')
  expect(faults).toEqual([])
  await close()
})

test('long names and many tasks fit on the smallest screen', async () => {
  const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'
  await call.badge({ slug: 'long', name: long, description: long })
  await startGoal('long', long, {
    description: `${long} ${long}`,
    category: 'long',
    tasks: Array.from({ length: 8 }, (_, n) => ({
      name: `${long} ${n}`,
      target: n === 0 ? 1_000_000_000 : 12,
      measure: n === 0 ? { ...awards, of: 'POINTS' } : orders,
    })),
    rewards: [{ slug: 'long' }, { slug: 'welcome-bonus' }],
  })
  const tags = ['tessera-goals category="long"', 'tessera-badges']
  const { page, picture, overflow, close } = await open(tags, await newUser(), { size: 'small' })
  await page.locator('tessera-badges .badge').first().waitFor()
  await page.locator(goal(long)).waitFor()
  await picture('tessera-goals-long')
  expect(await overflow()).toBeLessThanOrEqual(0)
  const clipped =
    await page.evaluate(`[...document.querySelectorAll('tessera-goals, tessera-badges')].flatMap(
    (element) => [...element.shadowRoot.querySelectorAll('.card, .goal, .badge, .rewards li')]
      .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className))`)
  expect(clipped).toEqual([])
  await close()
})

test('texts of twice the size fit, also long ones', async () => {
  const tags = ['tessera-goals', 'tessera-badges', 'tessera-wheel']
  const { page, picture, overflow, close } = await open(tags, await newUser(), { size: 'small' })
  await page.evaluate(`{
    document.documentElement.style.fontSize = '200%'
    document.querySelector('tessera-config').texts = {
      goals: 'Herausforderungen', badges: 'Auszeichnungen', goalAvailable: 'Freigeschaltet', claim: 'Gutschreibenlassen',
      odds: 'Gewinnwahrscheinlichkeiten', spin: 'Glücksraddrehungen',
    }
  }`)
  await page.getByRole('heading', { name: 'Auszeichnungen' }).waitFor()
  await page.locator('tessera-badges .badge').first().waitFor()
  await page.getByRole('button', { name: 'Gutschreibenlassen: Welcome aboard' }).waitFor()
  await page.getByRole('button', { name: 'Glücksraddrehungen' }).waitFor()
  await picture('tessera-goals-large')
  expect(await overflow()).toBeLessThanOrEqual(0)
  const clipped = await page.evaluate(`[...document.querySelectorAll('${tags.join()}')].flatMap(
    (element) => [...element.shadowRoot.querySelectorAll('h2, h3, p:not(.hidden), button, .top, .foot, .label, .stamp, .badge')]
      .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.outerHTML.slice(0, 200)))`)
  expect(clipped).toEqual([])
  await close()
})

test('a visitor sees the missions, and signs in to take part; badges need a token', async () => {
  const visitor = await shop.open('<tessera-goals></tessera-goals>', undefined)
  await visitor.page.locator(goal('Weekend sprint')).waitFor()
  expect(await visitor.page.getByRole('button').count()).toBe(0)
  expect(await visitor.page.getByText('The hour of the owl').count()).toBe(0)
  await visitor.close()
  const userId = await newUser()
  const { page, close } = await shop.open(
    '<tessera-goals></tessera-goals><tessera-badges></tessera-badges>',
    userId,
  )
  await page.locator(goal('Weekend sprint')).getByText('Sign in to take part').waitFor()
  await page.locator('tessera-badges').getByText('This widget needs a user-token.').waitFor()
  // The page may set it later.
  await page.evaluate(
    `document.querySelector('tessera-config').setAttribute('user-token', '${await tokenOf(userId)}')`,
  )
  await page.locator('tessera-badges .badge').first().waitFor()
  await page
    .locator(goal('Weekend sprint'))
    .getByRole('button', { name: 'Join: Weekend sprint' })
    .waitFor()
  await close()
})
