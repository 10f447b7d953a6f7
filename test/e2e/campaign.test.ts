import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { createWorld, type World } from '../world.ts'
import { launchBrowser, patienceMs, picture, watchFaults } from './chromium.ts'
import { violationsOf } from './widget-visit.ts'

let world: World
let browser: Browser
let secret: string
let codes: string[]

const people = [
  'Mina Okafor',
  'Jonas Weiß',
  'Aiko',
  'Leyla Demir',
  'Sam',
  'Прасковья',
  '李明',
  'Ana-Sofía',
]

beforeAll(async () => {
  world = await createWorld({ config: { production: false } })
  secret = world.server.demo?.keys.secretTest as string
  const call = callsTo(world, secret)
  for (const [i, displayName] of people.entries()) {
    const userId = `person-${i}`
    await world.post('/v1/points/award', secret, { userId, eventType: 'signup', displayName })
    for (let n = 0; n <= people.length - i; n++) await call.buy('summer-sale', userId)
  }
  for (let n = 0; n < 20; n++) await call.buy('summer-sale', 'someone@example.com')
  await call.buy('golden-ticket', 'demo-user')
  codes = (await call.generate({ slug: 'summer-sale', batchSize: 20, pointsValue: 250 })).body.data
    .codes
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await world?.end()
})

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
type Look = { size?: keyof typeof sizes; dark?: boolean; script?: boolean }

/** Opens a page; returns it with the faults that it reports. */
const open = async (path: string, { size = 'phone', dark, script = true }: Look = {}) => {
  const context = await browser.newContext({
    viewport: sizes[size],
    javaScriptEnabled: script,
    colorScheme: dark ? 'dark' : 'light',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMs)
  // A refused code is answered with its status, which the console of the browser repeats.
  const faults = watchFaults(page, world.base, /status of 4\d\d/)
  const response = await page.goto(world.base + path, { waitUntil: 'load' })
  return { page, faults, response, close: () => context.close() }
}

const redeem = async (page: Page, userId: string, code: string) => {
  await page.getByLabel('Your user id').fill(userId)
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Redeem' }).click()
}

const url = '/campaign/demo/summer-sale?env=test'

describe.each(['phone', 'desktop'] as const)('on a %s', (size) => {
  test.each(['summer-sale', 'golden-ticket', 'winter-archive'])(
    'the page of %s fits, and loads nothing from other servers',
    async (slug) => {
      const { page, faults, response, close } = await open(`/campaign/demo/${slug}?env=test`, {
        size,
      })
      await picture(page, `${slug}-${size}`)
      expect(response?.status()).toBe(200)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(sizes[size].width)
      expect(faults).toEqual([])
      await close()
    },
  )

  test('a code is redeemed, and a wrong one is explained', async () => {
    const { page, faults, close } = await open(url, { size })
    await redeem(page, `visitor-${size}`, 'summ-nope')
    const alert = page.getByRole('alert')
    await alert.getByText('This code does not exist').waitFor()
    expect(await page.getByLabel('Your user id').inputValue()).toBe(`visitor-${size}`)
    await picture(page, `refused-${size}`)
    const code = codes.shift() as string
    await redeem(page, `visitor-${size}`, ` ${code.toLowerCase()} `)
    const status = page.getByRole('status')
    await status.getByText('250 points earned!').waitFor()
    expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('')
    await picture(page, `redeemed-${size}`)
    expect(await callsTo(world, secret).balance(`visitor-${size}`)).toBe(250)
    await redeem(page, `visitor-${size}`, code)
    await alert.getByText('This code has already been redeemed').waitFor()
    expect(faults).toEqual([])
    await close()
  })
})

test('it shows prizes with their stock, ways to earn, and the top ten by name', async () => {
  const { page, close } = await open('/campaign/demo/golden-ticket?env=test', { dark: true })
  await picture(page, 'golden-ticket-dark')
  const stats = await callsTo(world, secret).winStats('golden-ticket')
  const prizes = await page.getByRole('region', { name: 'Prizes' }).textContent()
  for (const { name, remaining, maxWins } of stats.tiers) {
    expect(prizes).toContain(name)
    expect(prizes).toContain(`${remaining} of ${maxWins} left`)
  }
  await page.goto(world.base + url)
  const board = await page.getByRole('region', { name: 'Top ten' }).textContent()
  for (const name of people.slice(0, 6)) expect(board).toContain(name)
  expect(board).toContain('so•••')
  expect(await page.content()).not.toMatch(/someone@|person-\d/)
  await close()
})

test('it works without JavaScript, with the user id of the link', async () => {
  const { page, close } = await open(`${url}&user=no-script`, { script: false })
  await page.getByLabel('Code', { exact: true }).fill(codes.shift() as string)
  await page.getByRole('button', { name: 'Redeem' }).press('Enter')
  await page.getByText('250 points earned!').waitFor()
  expect(await callsTo(world, secret).balance('no-script')).toBe(250)
  await close()
})

test.each(['phone', 'desktop'] as const)(
  'a link for another user asks before it changes anything, without JavaScript, on a %s',
  async (size) => {
    const [first, second] = [`first-${size}`, `${'second.'.repeat(9)}${size}@example.com`]
    const linkOf = async (userId: string) => {
      const { body } = await world.post(`/v1/users/${userId}/token`, secret, {})
      return `${url}&token=${body.data.token}`
    }
    const { page, faults, close } = await open(await linkOf(first), { size, script: false })
    await page.getByText(`For ${first}`).waitFor()
    await page.goto(world.base + (await linkOf(second)))
    await page.getByText(`Current: ${first}`).waitFor()
    expect(page.url()).not.toContain('token')
    await picture(page, `another-user-${size}`)
    const width = await page.evaluate('document.documentElement.scrollWidth').catch(() => 0)
    expect(width).toBeLessThanOrEqual(sizes[size].width)
    await page.getByRole('button', { name: 'Do not switch' }).click()
    await page.getByText(`For ${first}`).waitFor()
    await page.goto(world.base + (await linkOf(second)))
    await page.getByRole('button', { name: `Switch to ${second}` }).click()
    await page.getByText(`For ${second}`).waitFor()
    await page.getByLabel('Code', { exact: true }).fill(codes.shift() as string)
    await page.getByRole('button', { name: 'Redeem' }).click()
    await page.getByText('250 points earned!').waitFor()
    expect(await callsTo(world, secret).balance(second)).toBe(250)
    expect(faults).toEqual([])
    await close()
  },
)

test('a win code is redeemed by its winner', async () => {
  const won = await callsTo(world, secret).buy('golden-ticket', 'lucky')
  const { winCode, prizeTier, pointsEarned } = won.body.data.instantWin
  const { page, close } = await open('/campaign/demo/golden-ticket?env=test')
  await redeem(page, 'thief', winCode)
  await page.getByText('This win code is not valid').waitFor()
  await redeem(page, 'lucky', winCode)
  await page.getByText(`${prizeTier}: ${pointsEarned} points!`).waitFor()
  await picture(page, 'win-phone')
  await close()
})

test('the page explains that a campaign is over, unknown or only in the other environment', async () => {
  const { page, close } = await open('/campaign/demo/winter-archive?env=test')
  await page.getByText('The campaign has ended. Codes can no longer be redeemed.').waitFor()
  const lost = await page.goto(`${world.base}/campaign/demo/no-such`)
  expect(lost?.status()).toBe(404)
  await page.getByText('There is no such campaign').waitFor()
  await picture(page, 'lost-phone')
  const nowhere = await page.goto(`${world.base}/nonsense`)
  expect(nowhere?.status()).toBe(404)
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
  await picture(page, 'nowhere-phone')
  await page.getByRole('link', { name: 'start page' }).click()
  await page.waitForURL(`${world.base}/`)
  await page.goto(`${world.base}/campaign/demo/summer-sale`)
  expect(await page.content()).not.toContain('Mina Okafor')
  expect(await page.getByText('Test: no real rewards').count()).toBe(0)
  await close()
})

const square = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 40"><text x="4" y="30" font-family="sans-serif" font-size="30" font-weight="700" fill="#6a1b4d">acme★</text></svg>',
)
const photo = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 500"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#ffe9c2"/><stop offset="1" stop-color="#e05a8c"/></linearGradient></defs><rect width="1200" height="500" fill="url(#g)"/><circle cx="900" cy="180" r="120" fill="#fff6"/></svg>',
)

/** Opens a page whose brand has pictures on another server, which this browser has. */
const openBranded = async (path: string, width: number, colorScheme: 'light' | 'dark') => {
  const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme })
  page.setDefaultTimeout(patienceMs)
  const faults = watchFaults(page, world.base)
  await page.route('https://cdn.example.com/**', (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: route.request().url().endsWith('logo.svg') ? square : photo,
    }),
  )
  await page.goto(world.base + path, { waitUntil: 'load' })
  const isPicture = (fault: string) => fault.startsWith('asked https://cdn.example.com/')
  return { page, faults: () => faults.filter((fault) => !isPicture(fault)) }
}

test.each(['EN', 'DE'] as const)('a campaign shows its brand, in %s', async (language) => {
  const slug = await makeCampaign(
    world,
    'summer-sale',
    {
      name: language === 'DE' ? 'Sommerschlussverkauf' : 'Summer Sale',
      endsAt: new Date('2999-08-31T18:00:00Z'),
      brand: {
        logoUrl: 'https://cdn.example.com/logo.svg',
        imageUrl: 'https://cdn.example.com/photo.jpg',
        color: '#FFC400',
        promoter: 'Acme Ltd, 1 High Street, London',
        terms: 'One entry each.\nNo cash alternative.',
        language,
      },
    },
    { partnerId: world.server.demo?.partnerId as string, environment: 'TEST' },
  )
  await callsTo(world, secret).buy(slug, 'person-1')
  for (const width of [390, 1440])
    for (const theme of ['light', 'dark'] as const) {
      const { page, faults } = await openBranded(`/campaign/demo/${slug}?env=test`, width, theme)
      const words = language === 'DE' ? 'Teilnahmebedingungen' : 'Terms and conditions'
      await page.getByText(words).click()
      await page.getByText('No cash alternative.').waitFor()
      await picture(page, `brand-${language}-${width}-${theme}`)
      expect(await page.locator('html').getAttribute('lang')).toBe(language.toLowerCase())
      expect(
        await page
          .getByRole('img', { name: 'Demo' })
          .evaluate((img) => Reflect.get(img, 'naturalWidth')),
      ).toBeGreaterThan(0)
      const ends = language === 'DE' ? 'Ende: 31. August 2999' : 'Ends 31 August 2999'
      expect(await page.locator('.facts').textContent()).toContain(ends)
      expect(await page.locator('footer').textContent()).toContain('Acme Ltd, 1 High Street')
      const fullWidth = await page.evaluate('document.documentElement.scrollWidth')
      expect(fullWidth).toBeLessThanOrEqual(width)
      expect(await violationsOf(page)).toEqual([])
      expect(faults()).toEqual([])
      await page.close()
    }
  const { page } = await openBranded(`/campaign/demo/${slug}?env=test`, 390, 'light')
  await page.locator('#userId').fill('nobody')
  await page.locator('#code').fill('summ-nope')
  await page.locator('button').click()
  const refusal = language === 'DE' ? 'Wir kennen diesen Code nicht' : 'This code does not exist'
  await page.getByRole('alert').getByText(refusal).waitFor()
  await page.close()
})

test('everything can be reached by keyboard, and fields have labels', async () => {
  const { page, close } = await open(url, { size: 'desktop' })
  const focused: (string | null)[] = []
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('Tab')
    focused.push(
      await page.evaluate(
        'document.activeElement.name || document.activeElement.textContent.trim()',
      ),
    )
  }
  expect(focused).toEqual(['userId', 'code', 'Redeem'])
  await close()
})
