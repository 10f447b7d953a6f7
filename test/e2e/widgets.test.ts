/** The games as elements of a page: what a user sees, does and gets. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Prize } from '../../packages/widgets/src/prizes.ts'
import { type Arc, arcsOf, stopIn } from '../../packages/widgets/src/wheel-arcs.ts'
import { noBrand, updateBrand } from '../../src/accounts/brand.ts'
import { demoMechanics } from '../../src/demo/demo.ts'
import { accentOf } from '../../src/kit/accent.rules.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { openShop, type Shop, type Size, violationsOf } from './widget-visit.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.end())

const games = [
  ['tessera-wheel', 'NEON_WHEEL', 'Spin', 50, '.pointer path'],
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
    const [first, other] = [element.getBoundingClientRect(), shown.getBoundingClientRect()]
    return Math.min(first.bottom, other.bottom) - Math.max(first.top, other.top)
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

/** Rewards of each kind and tier, a rare one that gives nothing, and one that is hardly ever drawn. */
const rewards = [
  { tier: 'epic', type: 'item', value: 1, label: 'Weekend for two', weight: 1 },
  { tier: 'rare', type: 'cashback', value: 5, label: '5 % cashback', weight: 30 },
  { tier: 'common', type: 'points', value: 10, label: '10 points', weight: 300 },
  { tier: 'common', type: 'xp', value: 25, label: '25 XP', weight: 200 },
  { tier: 'epic', type: 'special', value: 1, label: 'A surprise', weight: 40 },
  { tier: 'common', type: 'points', value: 0, label: 'Nothing this time', weight: 400 },
  { tier: 'rare', type: 'xp', value: 0, label: 'Missed', weight: 90 },
] as const

/** What the picture of a game shows, by what is on the screen. */
const pictures = {
  // The arc that is under the tip of the pointer, and a degree to each side of it.
  'tessera-wheel': (page: Page) =>
    page.locator('tessera-wheel .wheel').evaluate((wheel) => {
      const root = wheel.getRootNode() as ShadowRoot
      const { left, top, width } = wheel.getBoundingClientRect()
      const arcs = [-0.0175, 0, 0.0175].map((angle) => {
        const radius = (width * 178) / 420
        const x = left + width / 2 + radius * Math.sin(angle)
        const y = top + width / 2 - radius * Math.cos(angle)
        return root.elementsFromPoint(x, y).find(({ classList }) => classList.contains('segment'))
      })
      const written = root.querySelector('.label.hit')
        ? [...root.querySelectorAll('.label.hit text')].map((line) => line.textContent).join(' ')
        : undefined
      const row = root.querySelector('.drawn')
      const name = row?.querySelector('.what')?.textContent?.replace(/, (Epic|Rare|Common)$/, '')
      const isNamed = written === name
      const isNumbered = written === row?.querySelector('.swatch')?.textContent?.trim()
      const isInside = arcs.every((arc) => arc?.classList.contains('hit'))
      return isInside && (isNamed || isNumbered || written === undefined)
        ? `the arc of ${name}`
        : `${isInside} ${written}`
    }),
  // The symbols on the line, and the row of the list that has the same ones.
  'tessera-slots': (page: Page) =>
    page.locator('tessera-slots .machine').evaluate((machine) => {
      const root = machine.getRootNode() as ShadowRoot
      const shown = [...root.querySelectorAll('.window')].map((window) => {
        const { top, height } = window.getBoundingClientRect()
        const cell = [...window.querySelectorAll('.cell')].find(
          (item) => Math.abs(item.getBoundingClientRect().top - top - height / 3) < 3,
        )
        return cell?.querySelector('.symbol')?.innerHTML
      })
      if (new Set(shown).size > 1) return 'mixed'
      const row = [...root.querySelectorAll('.odds li')].find(
        (item) => item.querySelector('.symbol')?.innerHTML === shown[0],
      )
      const name = row?.querySelector('.what')?.textContent?.replace(/, (Epic|Rare|Common)$/, '')
      return `three of ${name}`
    }),
  'tessera-boxes': (page: Page) =>
    page.locator('tessera-boxes .boxes').evaluate((boxes) => {
      const found = boxes.querySelectorAll('.content')
      const inOpen = boxes.querySelector('.open .content')
      if (found.length === 0) return boxes.querySelector('.open') ? 'empty' : 'closed'
      return found.length === 1 && inOpen ? `with ${inOpen.classList[1]}` : 'other boxes'
    }),
}

describe.each(games)('the picture and the text of %s agree', (tag, gameType) => {
  test('for each prize of each kind, also when the odds change while the page is open', async () => {
    const userId = await shop.createUser(9)
    await shop.setRewards(gameType, [...rewards])
    const { page, faults, close } = await shop.open(`<${tag}></${tag}>`, userId, {
      reducedMotion: 'reduce',
      size: 'small',
    })
    await playButton(page).waitFor()
    for (const drawn of rewards) {
      const { label, type, value } = drawn
      await shop.setRewards(
        gameType,
        rewards.map((reward) => ({ ...reward, weight: reward === drawn ? 999_000 : 20 })),
      )
      await page.evaluate(`document.querySelector('${tag}').play()`)
      await finished(page)
      const [play] = await shop.playsOf(userId)
      // The others remain on the picture, so one play in ten thousand draws one of them.
      if (play?.rewardLabel !== label) continue
      const isWin = value > 0
      const prize = isWin ? `You won ${label}!` : label
      expect(await page.locator('.prize b').textContent()).toBe(prize)
      const status = await page.locator(`${tag} [role=status]`).textContent()
      expect(status).toContain(isWin ? `You won ${label}.` : `${label}.`)
      expect(await page.locator('.drawn .what').textContent()).toContain(label)
      expect(await pictures[tag](page)).toBe(
        {
          'tessera-wheel': `the arc of ${label}`,
          'tessera-slots': isWin ? `three of ${label}` : 'mixed',
          'tessera-boxes': isWin ? `with ${type.toUpperCase()}` : 'empty',
        }[tag],
      )
    }
    expect(faults).toEqual([])
    await shop.resetLuck()
    await close()
  })
})

test('the wheel stops at the place that follows from the play, as arcs or as equal segments, and the box that was drawn opens', async () => {
  await shop.resetLuck()
  const userId = await shop.createUser()
  const tags = ['tessera-wheel', 'tessera-wheel[segments]', 'tessera-boxes']
  const { page, close } = await shop.open(
    '<tessera-wheel></tessera-wheel><tessera-wheel segments="equal"></tessera-wheel><tessera-boxes></tessera-boxes>',
    userId,
  )
  await playButton(page).nth(2).waitFor()
  type Played = {
    reward: { label: string }
    outcome: { winningSegment: number; spinAngle: number; boxIndex: number }
  }
  const played = (await page.evaluate(
    `Promise.all(${JSON.stringify(tags)}.map((tag) => document.querySelector(tag).play()))`,
  )) as Played[]
  const [wheel, equal, boxes] = played as [Played, Played, Played]
  // The angle under the pointer is the reverse of the wheel's rotation.
  const stopped = async (tag: string) => {
    const turned = (await page.evaluate(`(() => {
      const { a, b } = new DOMMatrix(getComputedStyle(document.querySelector('${tag}').shadowRoot.querySelector('.disc')).transform)
      return Math.atan2(b, a) * 180 / Math.PI
    })()`)) as number
    return (360 - turned + 360) % 360
  }
  const rewards = demoMechanics.find(({ gameType }) => gameType === 'NEON_WHEEL')?.rewards ?? []
  const odds = rewards.map((reward) => ({
    ...reward,
    tier: reward.tier.toUpperCase() as Prize['tier'],
    type: reward.type.toUpperCase(),
    probability: reward.weight / 100,
  }))
  const arc = arcsOf(odds).find(({ prize }) => odds[prize]?.label === wheel.reward.label) as Arc
  expect(await stopped('tessera-wheel')).toBeCloseTo(stopIn(arc, wheel.outcome.spinAngle), 1)
  expect(await stopped('tessera-wheel[segments]')).toBeCloseTo(equal.outcome.spinAngle, 1)
  const numbered = page.locator('tessera-wheel[segments]')
  expect(await numbered.locator('.label.hit text').textContent()).toBe(
    String(equal.outcome.winningSegment + 1),
  )
  expect(await numbered.locator('.hint').textContent()).toContain('do not show the odds')
  expect(
    await page
      .locator('tessera-boxes .box')
      .evaluateAll((all) => all.findIndex((item) => item.classList.contains('open'))),
  ).toBe(boxes.outcome.boxIndex)
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
