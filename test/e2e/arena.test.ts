import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownGames } from '../../src/arena/developer-games/game.rules.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type Arena, createArena } from '../arena/arena-world.ts'
import { createWorld, type World } from '../world.ts'
import { launchBrowser, patienceMs, picture, watchFaults } from './chromium.ts'

let world: World
let arena: Arena
let browser: Browser

const publicUrl = 'http://localhost:4000'

beforeAll(async () => {
  world = await createWorld({ config: { publicUrl } })
  arena = await createArena(world)
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  expect(await audit(world.server.database.pool)).toBe(0)
  await world?.end()
})

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
type Size = keyof typeof sizes

const open = async (path: string, size: Size) => {
  const page = await browser.newPage({ viewport: sizes[size] })
  page.setDefaultTimeout(patienceMs)
  const faults = watchFaults(page, world.base)
  await page.goto(world.base + path, { waitUntil: 'load' })
  return { page, faults, game: page.frameLocator('iframe') }
}

const fits = async (page: Page, size: Size) =>
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
    sizes[size].width,
  )

const drop = async (game: FrameLocator, ...columns: number[]) => {
  for (const column of columns)
    await game.getByRole('button', { name: new RegExp(`^Column ${column},`) }).click()
}

const publish = (input: object = {}) =>
  arena.publish({
    name: 'Four in a Row',
    category: 'BOARD',
    description: 'The classic of falling discs: simple to learn, hard to put down.',
    rules: 'Two players take turns.\nFour in a row win.',
    buildUrl: `${publicUrl}${ownGames}row/`,
    entryFee: 100,
    developerRevenueShare: 15,
    estimatedDuration: 300,
    ...input,
  })

/** The path of the page where a player plays. */
const pathOf = ({ playUrl }: { playUrl: string }) => playUrl.replace(publicUrl, '')

describe.each(['phone', 'desktop'] as const)('on a %s', (size) => {
  test('a session is played on two screens to its end, and the winner is paid', async () => {
    const { slug, id } = await publish()
    const [ann, ben] = [await arena.createUser(2), await arena.createUser(2)]
    const session = await arena.openSession(id, { userId: ann, isPublic: true })
    const path = pathOf(session)
    expect(path).toMatch(new RegExp(`^/arena/games/${slug}#session=`))
    const first = await open(path, size)
    const { page, game } = first

    await page.getByText('Waiting for players').first().waitFor()
    await picture(page, `arena-waiting-${size}`)
    const seat = (await arena.join(session.id, ben)).body.data
    const second = await open(pathOf(seat), size)
    const watcher = await open(`/arena/games/${slug}#session=${session.id}`, size)
    await game.getByText('Your move').waitFor()
    await second.game.getByText('Player 1 to move').waitFor()
    await page.getByText('200 points').waitFor()
    // It is not their turn.
    await second.game.getByRole('button', { name: /^Column 1,/ }).click({ force: true })
    for (const [n, column] of [4, 3, 4, 3, 4, 3].entries()) {
      const mover = n % 2 === 0 ? game : second.game
      await mover.getByText('Your move').waitFor()
      await drop(mover, column)
      if (n === 4) {
        await second.game.getByText('Your move').waitFor()
        await picture(page, `arena-playing-${size}`)
        await picture(second.page, `arena-to-move-${size}`)
        await fits(page, size)
      }
    }
    await game.getByText('Your move').waitFor()
    await drop(game, 4)
    await game.getByText('You win 170 points').waitFor()
    await second.game.getByText('Player 1 wins 170 points').waitFor()
    await watcher.game.getByText('Player 1 wins').waitFor()
    await page.getByText('Finished').waitFor()
    await page.getByText('won 170 points').waitFor()
    await second.page.getByText('Finished').waitFor()
    await picture(page, `arena-won-${size}`)
    await picture(second.page, `arena-lost-${size}`)

    expect(await arena.balance(ann)).toBe(270)
    expect(await arena.balance(ben)).toBe(100)
    expect(await arena.read(session.id)).toMatchObject({ status: 'COMPLETED', developerShare: 30 })
    const [report] = await world.runtime.db.arenaReport.findMany({
      where: { sessionId: session.id },
    })
    expect(report?.resultsJson).toBe('{"moves":[3,2,3,2,3,2,3]}')
    for (const { page, faults } of [first, second, watcher]) {
      expect(faults).toEqual([])
      await page.close()
    }
  })

  test('a game can be tried without a session, to a draw and again', async () => {
    const { slug } = await publish({
      buildUrl: `${publicUrl}${ownGames}row/?columns=3&rows=3&connect=3`,
      entryFee: 0,
    })
    const { page, faults, game } = await open(`/arena/games/${slug}`, size)
    await page.getByText('You are trying this game').waitFor()
    await game.getByText('Player 1 to move').waitFor()
    await drop(game, 1, 2, 1, 2, 2, 1, 3, 3, 3)
    await game.getByText('Nobody wins').waitFor()
    await picture(page, `arena-practice-${size}`)
    await fits(page, size)
    await game.getByRole('button', { name: 'Play again' }).click()
    await game.getByText('Player 1 to move').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})

test('a game has no cookies and no storage, and cannot read the page around it', async () => {
  const { slug } = await publish()
  const { page, game } = await open(`/arena/games/${slug}`, 'desktop')
  await game.getByText('Player 1 to move').waitFor()
  const frame = page.frames()[1]
  const tried = (code: string) =>
    frame?.evaluate(`(() => { try { return String(${code}) } catch (e) { return e.name } })()`)
  expect(await tried('origin')).toBe('null')
  expect(await tried('localStorage.length')).toBe('SecurityError')
  expect(await tried('document.cookie')).toBe('SecurityError')
  expect(await tried('parent.document.title')).toBe('SecurityError')
  expect(await tried('top.location.href')).toBe('SecurityError')
  await page.close()
})

test('a name full of markup stays text', async () => {
  const name = `"><img src=x onerror=alert(1)><script>alert(2)</script>&amp;'`
  const { slug } = await publish({ name, description: name, rules: name })
  const { page, faults } = await open(`/arena/games/${slug}`, 'desktop')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name)
  expect(await page.locator('img').count()).toBe(0)
  expect(faults).toEqual([])
  await page.close()
})

test('the page has a dark mode', async () => {
  const { slug } = await publish()
  const { page, game } = await open(`/arena/games/${slug}`, 'desktop')
  await page.emulateMedia({ colorScheme: 'dark' })
  await game.getByText('Player 1 to move').waitFor()
  await drop(game, 4, 4, 3)
  await picture(page, 'arena-dark')
  const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
  expect(background).toBe('rgb(23, 22, 28)')
  await page.close()
})

test('a link to an unknown session shows an error', async () => {
  const { slug } = await publish()
  const { page } = await open(`/arena/games/${slug}#session=nonsense&player=x&token=y`, 'phone')
  await page.getByText('There is no such session').waitFor()
  await page.close()
})
