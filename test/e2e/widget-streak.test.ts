/** Streaks as an element of a page, with a clock of the test: a week of a user, and everything that can become of a day. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settleDueStreaks } from '../../src/programme/streak-settling.ts'
import { openPlayers, type Players } from './widget-players.ts'
import { type Look, type Size, violationsOf } from './widget-visit.ts'

const orders = { facts: ['ACTIVITY'], eventTypes: ['order'] }
const dayMs = 86_400_000
/** A Monday. */
const monday = new Date('2026-03-02T09:00:00Z')

let now = monday
let players: Players
let { world, shop, order, newUser, tokenOf } = {} as Players

beforeAll(async () => {
  players = await openPlayers({ clock: () => now, isAlone: true })
  ;({ world, shop, order, newUser, tokenOf } = players)
  await players.reward('week-bonus', 70)
  await players.reward('Marathon')
  await players.startGoal('daily', 'Seven-day streak', {
    description: 'Order once a day.',
    window: 'DAY',
    repeat: 'EACH_WINDOW',
    tasks: [{ name: 'Orders', target: 1, measure: orders }],
    streak: {
      freezes: { initial: 1, max: 1 },
      milestones: [
        { length: 7, reward: { slug: 'week-bonus' } },
        { length: 30, reward: { slug: 'marathon' } },
      ],
    },
  })
}, 120_000)
afterAll(() => players?.end())

/** Moves the clock of the server, and that of pages, without stopping their timers. */
const setTime = async (at: Date, ...pages: Page[]) => {
  now = at
  for (const page of pages) await page.clock.setFixedTime(at)
}
const later = (days: number, hours = 0) =>
  new Date(monday.getTime() + days * dayMs + hours * 3_600_000)

const settle = () => settleDueStreaks(world.runtime)
/** Waits until a day of the user is met. */
const meet = async (userId: string) => {
  const { id } = await world.runtime.db.endUser.findFirstOrThrow({ where: { externalId: userId } })
  const windowStart = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`)
  await order(userId, 10)
  await expect
    .poll(() => world.runtime.db.goalCompletion.count({ where: { userId: id, windowStart } }))
    .toBe(1)
}
/** A user who ordered on these days, counted from the Monday. */
const userWith = async (...days: number[]) => {
  now = later(days[0] ?? 0)
  const userId = await newUser()
  for (const day of days) {
    now = later(day)
    await settle()
    await meet(userId)
  }
  return userId
}
const streak = 'tessera-streak slug=daily'
const look: Look = { timezoneId: 'UTC', size: 'phone' }
/** A page at a time, with elements whose tokens come from its server. Those before a jump of the clock have expired. */
const openAt = async (at: Date, tags: string[], userId: string, more: Look = {}) => {
  now = at
  await settle()
  const visit = await shop.open('', userId, { ...look, ...more })
  const { page } = visit
  await page.exposeFunction('tokenOfPage', () => tokenOf(userId))
  await page.clock.setFixedTime(at)
  await page.evaluate(
    `document.querySelector('tessera-config').tokenProvider = () => globalThis.tokenOfPage()`,
  )
  await page.evaluate(`for (const tag of ${JSON.stringify(tags)}) {
    const [name, slug] = tag.split(' slug=')
    const element = document.createElement(name)
    if (slug) element.setAttribute('slug', slug)
    document.querySelector('main').append(element)
  }`)
  return visit
}
const dots = (page: Page) =>
  page
    .locator('tessera-streak .windows .hidden')
    .allTextContents()
    .then((texts) => texts.map((text) => text.replace(/, 2026/, '')))
const advice = (page: Page) => page.locator('tessera-streak .advice').textContent()
const length = (page: Page) => page.locator('tessera-streak .length').textContent()
const change = (userId: string, name: string, body: object = {}) =>
  world.post(`/v1/users/${userId}/streaks/daily/${name}`, world.keys.secret, body)

describe.each([
  ['small', 'light'],
  ['phone', 'dark'],
  ['desktop', 'light'],
] as [Size, 'light' | 'dark'][])('on a %s screen, %s', (size, colorScheme) => {
  test.each([
    ['begin', [], later(0)],
    ['alive', [0, 1, 2], later(3)],
    ['alive met', [0, 1, 2], later(2, 2)],
    ['at_risk', [0, 1, 2], later(3, 11)],
    ['frozen', [0, 1, 2], later(4)],
    ['broken', [0, 1, 2], later(6)],
    ['paused', [0, 1, 2], later(3, 1)],
  ] as [string, number[], Date][])(
    'a streak that is %s fits, and axe finds nothing',
    async (state, days, at) => {
      const userId = await userWith(...days)
      if (state === 'paused') {
        now = at
        expect((await change(userId, 'pause', { days: 5 })).status).toBe(200)
      }
      const { page, faults, picture, overflow, close } = await openAt(at, [streak], userId, {
        size,
        colorScheme,
      })
      await page.locator(`tessera-streak .card.${state.replace(' ', '.')}`).waitFor()
      await page.waitForTimeout(300)
      await picture(`streak-${state.replace(' ', '-')}-${colorScheme}`)
      expect(await overflow()).toBeLessThanOrEqual(0)
      expect(await violationsOf(page)).toEqual([])
      expect(faults).toEqual([])
      await close()
    },
  )
})

test('a week: the page changes by itself each day, and the seventh gives its reward', async () => {
  const userId = await userWith()
  const { page, faults, picture, close } = await openAt(
    monday,
    ['tessera-balance', streak, 'tessera-goals'],
    userId,
  )
  await page.evaluate(`document.addEventListener('tessera-streak-grow', ({ detail }) => {
    globalThis.grown = [...globalThis.grown ?? [], [detail.slug, detail.length, detail.milestone]]
  })`)
  expect(await length(page)).toMatch(/^0\s*days in a row$/)
  await expect.poll(() => advice(page)).toBe('Start your streak today.')
  for (let day = 0; day < 7; day++) {
    await setTime(later(day), page)
    await meet(userId)
    await expect.poll(() => length(page)).toMatch(new RegExp(`^${day + 1}\\s*days? in a row$`))
    await page.waitForTimeout(250)
    await picture(`week-${day + 1}`)
  }
  await page.locator('tessera-balance').getByText('170 points').first().waitFor()
  expect(await dots(page)).toEqual(
    ['Monday, March 2', 'Tuesday, March 3', 'Wednesday, March 4', 'Thursday, March 5']
      .concat(['Friday, March 6', 'Saturday, March 7', 'Sunday, March 8'])
      .map((date) => `${date}: done`),
  )
  await page
    .locator('tessera-streak')
    .getByText('7 days in a row. You get 70 points!')
    .waitFor({ state: 'attached' })
  expect(await page.evaluate('globalThis.grown')).toEqual([
    ...[1, 2, 3, 4, 5, 6].map((n) => ['daily', n, null]),
    ['daily', 7, 7],
  ])
  expect(await page.locator('tessera-streak canvas').count()).toBe(1)
  // The next milestone is a badge.
  await page.locator('tessera-streak').getByText('23 more days').waitFor()
  await page.waitForTimeout(2_000)
  await picture('week-done')
  // The browser reports tokens of the day before, with which their streams end.
  const expected = /ERR_INCOMPLETE_CHUNKED_ENCODING|status of 401/
  expect(faults.filter((fault) => !expected.test(fault))).toEqual([])
  await close()
})

test('a missed day takes the freeze, the next one breaks it, and the shop restores it', async () => {
  const userId = await userWith(0, 1, 2)
  const { page, picture, close } = await openAt(later(3, 11), [streak], userId)
  // 20:00, six hours before the deadline at most.
  await expect.poll(() => advice(page)).toBe('4 hours left to keep your streak')
  await page.locator('tessera-streak').getByText('1 freeze').waitFor()
  await picture('days-at-risk')
  await setTime(later(4), page)
  await settle()
  await expect
    .poll(() => advice(page))
    .toMatch(/^A freeze saved your streak\. Keep it going until 11:59\sPM\.$/)
  expect((await dots(page)).at(-2)).toBe('Thursday, March 5: missed, saved by a freeze')
  await page.locator('tessera-streak').getByText('0 freezes').waitFor()
  await picture('days-frozen')
  await setTime(later(5), page)
  await settle()
  await expect.poll(() => advice(page)).toBe('Your streak ended on Mar 6, 2026. Start again today!')
  expect(await length(page)).toMatch(/^0\s*days in a row$/)
  await page.locator('tessera-streak').getByText('Longest: 3 days').waitFor()
  await picture('days-broken')
  expect((await change(userId, 'restore')).status).toBe(200)
  await expect.poll(() => length(page)).toMatch(/^3\s*days in a row$/)
  expect((await dots(page)).at(-2)).toBe('Friday, March 6: missed, restored')
  await meet(userId)
  await expect.poll(() => length(page)).toMatch(/^4\s*days in a row$/)
  await expect.poll(() => advice(page)).toMatch(/^Done for today\. Next until /)
  await picture('days-restored')
  await close()
})

test('the deadline is shown in the time zone of the browser', async () => {
  const userId = await userWith(0)
  const { page, close } = await openAt(later(1), [streak], userId, {
    timezoneId: 'America/New_York',
  })
  // Midnight of UTC.
  await expect.poll(() => advice(page)).toMatch(/^Keep it going until 6:59\sPM\.$/)
  await close()
})

test('where motion is unwanted, a new length is said, and nothing moves', async () => {
  const userId = await userWith(0)
  const { page, close } = await openAt(later(1), [streak], userId, { reducedMotion: 'reduce' })
  await expect.poll(() => length(page)).toMatch(/^1\s*day in a row$/)
  await meet(userId)
  await page
    .locator('tessera-streak [role=status]')
    .getByText('2 days in a row')
    .waitFor({ state: 'attached' })
  expect(await page.locator('tessera-streak canvas').count()).toBe(0)
  expect(
    await page.evaluate(
      `document.querySelector('tessera-streak').shadowRoot.getAnimations().filter((one) => one.playState === 'running').length`,
    ),
  ).toBe(0)
  await close()
})

test('a user whom nobody knows begins, and a streak that is not there is said', async () => {
  now = monday
  const unknown = await shop.open(
    `<tessera-streak slug="daily"></tessera-streak><tessera-streak slug="nothing"></tessera-streak>`,
    'nobody-yet',
    look,
  )
  await unknown.page.getByText('Start your streak today.').waitFor()
  await unknown.page.getByText('This streak is not available.').waitFor()
  await unknown.close()
  const visitor = await shop.open('<tessera-streak></tessera-streak>', undefined, look)
  await visitor.page.getByText('Sign in to see this.').waitFor()
  await visitor.close()
})

test('texts of a page, of twice the size, fit on the smallest screen', async () => {
  const userId = await userWith(0, 1, 2)
  const { page, picture, overflow, close } = await openAt(later(3, 11), [streak], userId, {
    size: 'small',
    colorScheme: 'dark',
  })
  await page.evaluate(`{
    document.documentElement.style.fontSize = '200%'
    const config = document.querySelector('tessera-config')
    config.setAttribute('locale', 'de')
    config.texts = { streakDays_one: '{count} Tag in Folge', streakDays_other: '{count} Tage in Folge',
      streakAtRisk: 'Nur noch {when}, um deine Serie zu halten', freezes_one: '{count} Eisschutz',
      points_other: '{count} Punkte', streakDaysTo_other: 'noch {count} Tage', streakHistory: 'Die letzten sieben' }
  }`)
  await expect.poll(() => advice(page)).toBe('Nur noch 4 Stunden, um deine Serie zu halten')
  await page.locator('tessera-streak').getByText('noch 4 Tage').waitFor()
  expect(await page.locator('tessera-streak .windows small').last().textContent()).toBe('Do')
  await picture('streak-large')
  expect(await overflow()).toBeLessThanOrEqual(0)
  const clipped =
    await page.evaluate(`[...document.querySelector('tessera-streak').shadowRoot.querySelectorAll(
    '.card, h2, p:not(.hidden), .top, .foot, .milestone, .windows')]
    .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.outerHTML.slice(0, 200))`)
  expect(clipped).toEqual([])
  await close()
})
