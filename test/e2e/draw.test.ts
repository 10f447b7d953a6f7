import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usd } from '../../src/kit/money.ts'
import { keepDraws } from '../../src/lotteries/draw.ts'
import { CreateLottery, createLottery } from '../../src/lotteries/lottery.ts'
import { runDraw } from '../../src/lotteries/run-draw.ts'
import { enterLotteries } from '../../src/lotteries/ticket.ts'
import type { TicketView } from '../../src/lotteries/ticket-view.ts'
import { demoLotteries, openDrawOf } from '../lotteries/lottery.ts'
import { createWorld, type World } from '../world.ts'
import { launchBrowser, patienceMs, picture, watchFaults } from './chromium.ts'
import { violationsOf } from './widget-visit.ts'

let world: World
let browser: Browser
let drawId: string
let openId: string
let tickets: TicketView[]

beforeAll(async () => {
  world = await createWorld()
  await demoLotteries(world)
  const { runtime, tenant } = world
  const weekly = await runtime.db.lottery.findFirstOrThrow({ where: { slug: 'weekly-draw' } })
  drawId = (await openDrawOf(world, weekly)).id
  const entries = Array.from({ length: 1_200 }, (_, n) => ({
    ...tenant,
    email: `player${n}@example.com`,
    lotterySlug: 'weekly-draw',
  }))
  tickets = (await enterLotteries(runtime, entries)) as TicketView[]
  await runDraw(runtime, drawId, { early: true })
  openId = (await openDrawOf(world, weekly)).id
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await world?.end()
})

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

/** Opens a page; returns it with every request to another host and every fault that it reported. */
const open = async (
  path: string,
  size: keyof typeof sizes,
  options: BrowserContextOptions = {},
): Promise<[Page, string[]]> => {
  const page = await browser.newPage({ viewport: sizes[size], ...options })
  page.setDefaultTimeout(patienceMs)
  const faults = watchFaults(page, world.base, /404/)
  await page.goto(world.base + path, { waitUntil: 'load' })
  return [page, faults]
}

const check = async (page: Page, ref: string) => {
  await page.getByLabel('Ticket reference').fill(ref)
  await page.getByRole('button', { name: 'Check' }).click()
}

for (const size of ['phone', 'desktop'] as const)
  test(`a player verifies a ticket, on a ${size}`, async () => {
    const [page, faults] = await open(`/draws/${drawId}`, size)
    await page.getByRole('heading', { name: 'Weekly Draw' }).waitFor()
    expect(await page.locator('.ball').count()).toBe(7)
    await picture(page, `draw-${size}`)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(sizes[size].width)

    const won = await world.runtime.db.lotteryWin.findFirstOrThrow({ orderBy: { tierNo: 'asc' } })
    const mine = tickets.find(({ ticketNo }) => ticketNo === won.ticketNo) as TicketView
    await page.getByText('Is it mine?').click()
    await page.getByLabel('User id or e-mail').fill(mine.email.toUpperCase())
    await page.getByLabel('Salt').fill(Buffer.from(mine.salt).toString('hex'))
    await check(page, ` ${mine.ticketRef.toLowerCase()} `)
    await page.getByText('This ticket has won.').waitFor()
    expect(await page.locator('#outcome li').allTextContents()).toEqual([
      expect.stringMatching(/^It is in the sealed list, as number/),
      'It is yours.',
      'The seed is the one that was promised before the first ticket.',
      'The numbers follow from the seed and the tickets.',
    ])
    await picture(page, `draw-won-${size}`)

    await page.getByLabel('User id or e-mail').fill('somebody@example.com')
    await check(page, mine.ticketRef)
    await page.getByText('It is NOT yours').waitFor()
    await check(page, 'LX-2026-0101-AAAA')
    await page.getByText('No ticket in this draw has that reference.').waitFor()
    await picture(page, `draw-unknown-${size}`)
    expect(faults).toEqual([])
    await page.close()
  })

test('the browser and the server agree on every ticket', async () => {
  const [page, faults] = await open(`/draws/${drawId}`, 'desktop')
  const wins = await world.runtime.db.lotteryWin.findMany({ where: { drawId } })
  for (const ticket of [...tickets.slice(0, 4), ...tickets.slice(1_021, 1_025), tickets.at(-1)]) {
    if (!ticket) continue
    await check(page, ticket.ticketRef)
    const hasWon = wins.some(({ ticketNo }) => ticketNo === ticket.ticketNo)
    await page.getByText(`as number ${ticket.ticketNo.toLocaleString('en')} of 1,200`).waitFor()
    expect(await page.locator('#outcome .result').textContent()).toBe(
      hasWon ? 'This ticket has won.' : 'This ticket has not won.',
    )
  }
  expect(faults).toEqual([])
  await page.close()
})

test('wrong numbers on the page, and tickets changed by the server, are detected', async () => {
  const [page] = await open(`/draws/${drawId}`, 'desktop')
  const ref = (tickets[0] as TicketView).ticketRef
  await page.evaluate(
    "document.querySelector('.ball').textContent = String(1 + Number(document.querySelector('.ball').textContent) % 49)",
  )
  await check(page, ref)
  await page.getByText('The numbers on this page do NOT follow').waitFor()
  await picture(page, 'draw-cheated')
  await page.route('**/tickets/*', async (route) => {
    const response = await route.fetch()
    const proof = await response.json()
    proof.ticket.record = proof.ticket.record.replace(
      /[0-9,]+\+\d+ active$/,
      '1,2,3,4,5,6+1 active',
    )
    await route.fulfill({ response, json: proof })
  })
  await check(page, ref)
  await page.getByText('It is NOT in the sealed list.').waitFor()
  await page.close()
})

test('without JavaScript the page is readable, and shows whether a ticket is in the list', async () => {
  const [page, faults] = await open(`/draws/${drawId}`, 'phone', { javaScriptEnabled: false })
  await check(page, (tickets[5] as TicketView).ticketRef)
  await page.getByText('This ticket is number 6 in the list.').waitFor()
  await picture(page, 'draw-plain')
  expect(faults).toEqual([])
  await page.close()
})

test('an open draw shows its commitment, also in dark mode', async () => {
  const [page, faults] = await open(`/draws/${openId}`, 'phone', { colorScheme: 'dark' })
  await page.getByText('Accepts tickets until').waitFor()
  await page.getByText('Published when the draw has closed.').waitFor()
  expect(await page.locator('.ball').count()).toBe(0)
  await picture(page, 'draw-open-dark')
  expect(faults).toEqual([])
  await page.close()
})

test('names of a lottery are escaped', async () => {
  const name = `<img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>`
  const lottery = await createLottery(world.runtime, {
    ...world.tenant,
    isOperator: false,
    ...CreateLottery.parse({
      slug: 'hostile',
      name: name.slice(0, 120),
      frequency: 'DAILY',
      rules: {
        mainRange: { count: 1, min: 1, max: 2 },
        tiers: [{ name: '"><script>', mainMatches: 1, bonusMatches: 0, prize: { amount: usd(1) } }],
      },
    }),
  })
  await keepDraws(world.runtime, lottery.id)
  const { id } = await openDrawOf(world, lottery)
  const [page, faults] = await open(
    `/draws/${id}?ticket=${encodeURIComponent('"><script>alert(1)</script>')}`,
    'desktop',
  )
  expect(await page.title()).toContain('<img')
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(faults).toEqual([])
  await page.close()
})

const drawn =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><rect width="300" height="100" fill="#e05a8c"/></svg>'

test('a draw shows the brand of its partner, in its language', async () => {
  const { body } = await world.graphql(
    `mutation ($input: UpdateBrandInput!) { updateBrand(input: $input) { __typename } }`,
    {
      input: {
        color: '#FFC400',
        logoUrl: 'https://cdn.example.com/logo.svg',
        imageUrl: 'https://cdn.example.com/photo.svg',
        promoter: 'Acme GmbH, Berlin',
        termsUrl: 'https://example.com/terms',
        language: 'DE',
      },
    },
  )
  expect(body.data.updateBrand.__typename).toBe('UpdateBrandPayload')
  for (const size of ['phone', 'desktop'] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: sizes[size], colorScheme })
      page.setDefaultTimeout(patienceMs)
      const faults = watchFaults(page, world.base, /404/)
      await page.route('https://cdn.example.com/**', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: drawn }),
      )
      await page.goto(`${world.base}/draws/${drawId}`, { waitUntil: 'load' })
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
      await page.getByText('Eine Lotterie von Acme GmbH, Berlin.').waitFor()
      const terms = page.getByRole('link', { name: 'Teilnahmebedingungen' })
      expect(await terms.getAttribute('href')).toBe('https://example.com/terms')
      await page.getByLabel('Losnummer').fill((tickets[5] as TicketView).ticketRef)
      await page.getByRole('button', { name: 'Prüfen' }).click()
      await page.getByText('Es steht in der versiegelten Liste, an Stelle 6 von 1.200.').waitFor()
      await picture(page, `draw-brand-${size}-${colorScheme}`)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(sizes[size].width)
      expect(await violationsOf(page)).toEqual([])
      expect(faults.filter((fault) => !fault.startsWith('asked https://cdn.example.com/'))).toEqual(
        [],
      )
      await page.close()
    }
})
