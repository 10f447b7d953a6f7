/** The page that checks a play, in a real browser. */
import { mkdirSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GameType } from '../../src/generated/prisma/enums.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let browser: Browser
/** Proofs of plays of each game, as REST answers them. */
// biome-ignore lint/suspicious/noExplicitAny: answers
const proofs: any[] = []
let hidden: unknown

beforeAll(async () => {
  world = await createWorld()
  const key = world.keys.public
  await world.givePoints('ann', 100)
  const ids: string[] = []
  for (const gameType of Object.values(GameType))
    for (let i = 0; i < 20; i++)
      ids.push(
        (await world.post('/v1/games/play', key, { userId: 'ann', gameType })).body.data.playId,
      )
  hidden = (await world.get(`/v1/plays/${ids[0]}/proof`, key)).body
  await world.post('/v1/users/ann/play-seeds/rotate', key, {})
  for (const id of ids) proofs.push((await world.get(`/v1/plays/${id}/proof`, key)).body)
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await world?.end()
})

const open = async (width: number): Promise<[Page, string[]]> => {
  const page = await browser.newPage({ viewport: { width, height: 844 } })
  page.setDefaultTimeout(15_000)
  const faults: string[] = []
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(world.base))
      faults.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(`${world.base}/plays/check`, { waitUntil: 'load' })
  return [page, faults]
}

const check = async (page: Page, proof: unknown): Promise<string | null> => {
  await page.locator('#outcome').evaluate('(outcome) => outcome.replaceChildren()')
  await page.getByLabel('Paste the proof').fill(JSON.stringify(proof))
  await page.getByRole('button', { name: 'Check' }).click()
  return page.locator('#outcome .result').textContent()
}

const good = 'This play was drawn as promised.'
const bad = 'Something is wrong with this play.'

test.each([390, 1280])('the page verifies plays of every game, %i pixels wide', async (width) => {
  const [page, faults] = await open(width)
  for (const proof of proofs) expect(await check(page, proof)).toBe(good)
  if (process.env.SCREENSHOTS) {
    mkdirSync(process.env.SCREENSHOTS, { recursive: true })
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/play-${width}.png`, fullPage: true })
  }
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  expect(faults).toEqual([])
  await page.close()
})

test('the page refuses what was changed, and says what is no proof', async () => {
  const [page, faults] = await open(1280)
  for (const { data } of proofs.filter((_, i) => i % 20 === 0))
    for (const change of [
      { serverSeed: data.serverSeed.replace(/^./, (item: string) => (item === '0' ? '1' : '0')) },
      { nonce: data.nonce + 1 },
      { gameVersion: data.gameVersion + 1 },
      { clientSeed: 'x' },
      { rules: data.rules.replace(/"weight":(\d+)/, '"weight":$10') },
      { reward: { ...data.reward, value: data.reward.value + 1 } },
      { outcome: {} },
    ])
      expect(await check(page, { ...data, ...change })).toBe(bad)
  expect(await check(page, hidden)).toContain('not revealed yet')
  for (const nonsense of [{}, null, 5, { data: { version: 2 } }])
    expect(await check(page, nonsense)).toBe('This is no proof of a play.')
  await page.locator('#file').setInputFiles({
    name: 'proof.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(proofs[0])),
  })
  await page.getByText(good).waitFor()
  expect(faults).toEqual([])
  await page.close()
})

test('a link brings the proof in its fragment, and a broken one does no harm', async () => {
  const [page, faults] = await open(1280)
  const linkTo = (text: string) => page.evaluate(`location.hash = ${JSON.stringify(text)}`)
  await linkTo(encodeURIComponent(JSON.stringify(proofs[0].data)))
  await page.getByText(good).waitFor()
  await linkTo('%7B%')
  await linkTo(encodeURIComponent('{"version":1'))
  await page.getByText('This is no proof of a play.').waitFor()
  expect(faults).toEqual([])
  await page.close()
})

test.each([390, 1280])(
  'the page speaks German to a German browser, %i pixels wide',
  async (width) => {
    const page = await browser.newPage({ locale: 'de-DE', viewport: { width, height: 844 } })
    page.setDefaultTimeout(15_000)
    await page.goto(`${world.base}/plays/check`, { waitUntil: 'load' })
    const verdict = async (proof: unknown) => {
      await page.getByLabel('Nachweis des Spiels einfügen').fill(JSON.stringify(proof))
      await page.getByRole('button', { name: 'Prüfen' }).click()
      return page.locator('#outcome').textContent()
    }
    const [{ data }] = proofs
    expect(await verdict(data)).toMatch(
      /^Dieses Spiel wurde wie versprochen ausgelost\..*folgen aus beiden Seeds, Spiel \d+ und/,
    )
    if (process.env.SCREENSHOTS)
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/play-de-${width}.png`,
        fullPage: true,
      })
    expect(await verdict({ ...data, clientSeed: 'x' })).toContain('folgen NICHT')
    expect(await verdict({})).toBe('Das ist kein Nachweis eines Spiels.')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await page.close()
  },
)
