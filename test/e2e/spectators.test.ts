/** The arena's pages in a real browser, on real matches of builtin agents. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPlayers } from '../../src/arena/agents/player.ts'
import { playDueMatches, startMatches } from '../../src/arena/matches/runner.ts'
import type { ArenaAgent, ArenaMatch } from '../../src/generated/prisma/client.ts'
import { readConfig } from '../../src/kit/config/config.ts'
import { makeAgent, makeMatch, playAll } from '../arena/matches/arena.ts'
import { createWorld, type World } from '../world.ts'
import { launchBrowser, patienceMs, picture, watchFaults } from './chromium.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } }
type Look = { size?: keyof typeof sizes; scheme?: 'light' | 'dark'; javaScript?: boolean }

const { arena } = readConfig({ NODE_ENV: 'test', JOBS: 'off' })

/** A page, its context, and its faults: errors, refusals, foreign requests. */
const open = async (world: World, path: string, look: Look = {}) => {
  const { size = 'desktop', scheme = 'light', javaScript = true } = look
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: scheme,
    javaScriptEnabled: javaScript,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMs)
  const faults = watchFaults(page, world.base)
  return { page, context, faults, go: () => page.goto(world.base + path, { waitUntil: 'load' }) }
}

const isWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth')

/** Everything that the page announces from now on. */
const listen = (page: Page) =>
  page.evaluate(`{
    window.heard = []
    new MutationObserver(() => window.heard.push(document.querySelector('#news').textContent))
      .observe(document.querySelector('#news'), { childList: true, characterData: true, subtree: true })
  }`)
const heard = (page: Page): Promise<string[]> => page.evaluate('window.heard')

const over = (page: Page) => page.getByText(/wins the match|A draw/).first()
const live = (page: Page) => page.locator('.link-live').waitFor()

/** The announcements of all moves of a match, from its log. */
const movesOf = async (world: World, matchId: string) => {
  const rows = await world.runtime.db.arenaMatchEvent.findMany({
    where: { matchId, kind: 'MOVES_MADE' },
    orderBy: { seq: 'asc' },
  })
  return rows.length
}

const isMove = (text: string) => / (takes|drops|shows) /.test(text)

describe('a new demo', () => {
  test('shows a live match within 20 seconds, and its moves without a reload', async () => {
    const begun = new Date()
    const world = await createWorld({
      config: {
        production: false,
        jobs: true,
        arena: { ...arena, matchmaker: true, movePauseMs: 900, gamePauseMs: 2_000 },
      },
    })
    const ready = new Date()
    try {
      const { page, faults, go } = await open(world, '/arena')
      await go()
      await page.locator('a.card .badge-in_progress').first().waitFor()
      const [first] = await world.runtime.db.arenaMatch.findMany({
        where: { startedAt: { gte: begun } },
        orderBy: { startedAt: 'asc' },
      })
      expect(Number(first?.startedAt) - Number(ready)).toBeLessThan(20_000)
      await listen(page)
      await page.locator('.watch a').waitFor()
      await expect.poll(async () => (await heard(page)).filter(isMove).length).toBeGreaterThan(2)
      expect(await page.locator('.leaders tbody tr').count()).toBe(8)
      await picture(page, 'arena-live-desktop-light')

      // The one that is shown may end at any moment; the next is live soon.
      await expect
        .poll(async () => {
          await go()
          await page.locator('.watch a').click()
          return page
            .locator('.link-live')
            .waitFor({ timeout: 8_000 })
            .then(() => 'live', String)
        })
        .toBe('live')
      await page.getByRole('heading', { name: / against / }).waitFor({ state: 'attached' })
      await listen(page)
      await expect.poll(async () => (await heard(page)).filter(isMove).length).toBeGreaterThan(2)
      await expect.poll(() => page.locator('.spectators').textContent()).toMatch(/[1-9]/)
      expect(faults).toEqual([])
    } finally {
      await world.end()
    }
  })
})

describe('the arena', () => {
  let world: World
  let agents: [ArenaAgent, ArenaAgent]
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    world = await createWorld({
      config: { arena: { ...arena, movePauseMs: 250, gamePauseMs: 1_500 } },
    })
    const { partnerId } = world.partner
    agents = [
      await makeAgent(world.runtime, partnerId, 'minimax', { displayName: 'The Oracle' }),
      await makeAgent(world.runtime, partnerId, 'random', { displayName: 'Wildcard' }),
    ]
  })
  afterAll(() => world?.end())

  const openPage = async (path: string, look?: Look) => {
    const opened = await open(world, path, look)
    contexts.push(opened.context)
    return opened
  }
  const newMatch = (more: Parameters<typeof makeMatch>[2] = {}) =>
    makeMatch(world.runtime, agents, more)
  const pathOf = ({ id }: ArenaMatch) => `/arena/matches/${id}`

  /** Plays matches as a server does, while `look` runs. */
  const playing = async <T>(look: () => Promise<T>): Promise<T> => {
    const stop = startMatches(world.runtime)
    try {
      return await look()
    } finally {
      await stop()
    }
  }

  test('without a match it says so, on every screen size', async () => {
    for (const size of ['phone', 'desktop'] as const)
      for (const scheme of ['light', 'dark'] as const) {
        const { page, faults, go, context } = await openPage('/arena', { size, scheme })
        await go()
        await page.getByText('The boards are quiet').waitFor()
        await live(page)
        expect(await isWide(page)).toBe(false)
        await picture(page, `arena-empty-${size}-${scheme}`)
        expect(faults).toEqual([])
        await context.close()
      }
  })

  test('a match is shown from its first move to its end, and can then be replayed', async () => {
    const match = await newMatch({ gameType: 'CONNECT_FOUR', bestOf: 1 })
    const { page, faults, go } = await openPage(pathOf(match), { size: 'phone', scheme: 'dark' })
    await go()
    await live(page)
    await listen(page)
    await playing(() =>
      page
        .getByText(/The Oracle wins the match/)
        .first()
        .waitFor(),
    )
    const texts = await heard(page)
    expect(texts.filter(isMove)).toHaveLength(await movesOf(world, match.id))
    expect(texts.at(-1)).toMatch(/wins the match 1 to 0/)
    await picture(page, 'match-final-phone-dark')

    const position = page.getByRole('slider', { name: 'Position in the match' })
    await position.focus()
    await page.keyboard.press('Home')
    await page.locator('.badge-scheduled').waitFor()
    await page.getByLabel('Speed').selectOption('4')
    await page.getByRole('button', { name: 'Play' }).click()
    await page.locator('.disc').first().waitFor()
    await page
      .getByText(/The Oracle wins the match/)
      .first()
      .waitFor()
    expect(await isWide(page)).toBe(false)
    expect(faults).toEqual([])
  })

  test('simultaneous moves are shown together', async () => {
    const match = await newMatch({ gameType: 'ROCK_PAPER_SCISSORS', bestOf: 3 })
    const { page, faults, go } = await openPage(pathOf(match))
    await go()
    await live(page)
    const counts = new Set<number>()
    await page.exposeFunction('count', (open: number) => counts.add(open))
    await page.evaluate(`new MutationObserver(() =>
      count(document.querySelectorAll('.showing.open').length)
    ).observe(document.body, { childList: true, subtree: true, attributes: true })`)
    await playing(() => page.locator('.caption.result').waitFor())
    expect([...counts].sort()).toEqual([0, 2])
    await picture(page, 'match-final-desktop-light')
    expect(faults).toEqual([])
  })

  test('nothing is missed when the connection breaks during a match', async () => {
    const match = await newMatch({ gameType: 'TIC_TAC_TOE', bestOf: 3 })
    const { page, context, go } = await openPage(pathOf(match))
    await go()
    await live(page)
    await listen(page)
    await playing(async () => {
      await page.locator('.mark').first().waitFor()
      await context.setOffline(true)
      await page.locator('.link-reconnecting').waitFor()
      await page.getByText('The connection was lost').waitFor()
      await picture(page, 'match-reconnecting-desktop-light')
      const seen = (await heard(page)).filter(isMove).length
      await expect.poll(() => movesOf(world, match.id)).toBeGreaterThan(seen + 3)
      await context.setOffline(false)
      await over(page).waitFor()
    })
    expect((await heard(page)).filter(isMove)).toHaveLength(await movesOf(world, match.id))
  })

  test('nothing is missed when the server repeatedly closes every connection', async () => {
    const match = await newMatch({ gameType: 'TIC_TAC_TOE', bestOf: 3 })
    const { page, go } = await openPage(pathOf(match))
    let sockets = 0
    page.on('websocket', () => sockets++)
    const upgraded = new Set<{ destroy(): void }>()
    world.server.app.server.on('upgrade', (_, socket) => {
      upgraded.add(socket)
      socket.once('close', () => upgraded.delete(socket))
    })
    await go()
    await live(page)
    await listen(page)
    const cut = setInterval(() => {
      world.server.app.server.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
    }, 700)
    try {
      await playing(() => over(page).waitFor({ timeout: 60_000 }))
    } finally {
      clearInterval(cut)
    }
    expect(sockets).toBeGreaterThan(1)
    expect((await heard(page)).filter(isMove)).toHaveLength(await movesOf(world, match.id))
  })

  test('if WebSockets are blocked, event streams are used', async () => {
    const match = await newMatch({ gameType: 'TIC_TAC_TOE', bestOf: 1 })
    const { page, go } = await openPage(pathOf(match))
    await page.addInitScript(`window.WebSocket = class extends EventTarget {
      constructor() { super(); setTimeout(() => this.onclose?.({ code: 1006, reason: '' }), 50) }
      close() {}
      send() {}
    }`)
    const streams: string[] = []
    page.on('response', (response) => {
      if (response.headers()['content-type']?.startsWith('text/event-stream'))
        streams.push(response.url())
    })
    await go()
    await live(page)
    expect(streams).toEqual([`${world.base}/graphql`])
    await listen(page)
    await playing(() =>
      page
        .getByText(/wins the match|A draw/)
        .first()
        .waitFor(),
    )
    expect((await heard(page)).filter(isMove)).toHaveLength(await movesOf(world, match.id))
  })

  test('the lists are live: a match begins, ends, and becomes a recent one; ratings change', async () => {
    const { page, faults, go } = await openPage('/arena', { size: 'phone' })
    await go()
    await live(page)
    const rating = await page.locator('.rating b').first().textContent()
    const match = await newMatch({ gameType: 'TIC_TAC_TOE', bestOf: 1 })
    const card = page.locator(`a.card[href="${pathOf(match)}"]`)
    await playing(async () => {
      await card.waitFor()
      await card.locator('.badge-completed').waitFor()
    })
    await page.locator(`.recent a[href="${pathOf(match)}"]`).waitFor()
    await card.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('.rating b').first().textContent()).not.toBe(rating)
    await page.locator('.spark').first().waitFor()
    expect(faults).toEqual([])
  })

  test('everything can be read without JavaScript', async () => {
    const match = await newMatch({ gameType: 'CONNECT_FOUR', bestOf: 3 })
    const players = createPlayers(world.runtime)
    await playDueMatches(world.runtime, players)
    await players.close()
    const list = await openPage('/arena', { javaScript: false })
    await list.go()
    await list.page.locator(`a.card[href="${pathOf(match)}"]`).waitFor()
    expect(await list.page.locator('.leaders tbody tr').count()).toBe(2)
    expect(await (await fetch(`${world.base}/arena`)).text()).toMatch(
      /<noscript>.*Without JavaScript this page stands still/,
    )
    await list.page.locator(`a.card[href="${pathOf(match)}"]`).click()
    await list.page.locator('.disc').nth(6).waitFor()
    expect(await list.page.locator('.games li').count()).toBe(1)
    await picture(list.page, 'match-without-javascript')
    expect(list.faults).toEqual([])
    await playAllNow()
  })

  /** Plays all open matches without pauses, so that they are out of the way. */
  const playAllNow = () =>
    playAll({ ...world.runtime, config: { ...world.runtime.config, arena }, clock: inAnHour })
  const inAnHour = () => new Date(Date.now() + 3_600_000)

  test('only own files are allowed, and an unknown match is not found', async () => {
    const policy = (await fetch(`${world.base}/arena`)).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    const moved = await fetch(`${world.base}/arena/`, { redirect: 'manual' })
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/arena'])
    for (const id of ['01980000-0000-7000-8000-000000000000', 'x', '%00', "'><script>"]) {
      const answer = await fetch(`${world.base}/arena/matches/${encodeURIComponent(id)}`)
      expect(answer.status, id).toBe(404)
      expect(answer.headers.get('content-type')).toContain('text/html')
    }
  })

  test('files have hashed names, are cached forever, and are sent compressed', async () => {
    const text = await (await fetch(`${world.base}/arena`)).text()
    const paths = [...text.matchAll(/(?:href|src)="(\/arena\/assets\/[^"]+)"/g)].map(([, p]) => p)
    expect(paths.length).toBeGreaterThan(2)
    let size = 0
    for (const path of paths) {
      const answer = await fetch(world.base + path, { headers: { 'accept-encoding': 'br' } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toContain('immutable')
      expect(answer.headers.get('content-encoding')).toBe('br')
      expect(path).toMatch(/-[\w-]{8}\.(js|css)$/)
      size += Number(answer.headers.get('content-length'))
    }
    expect((await fetch(`${world.base}/arena/assets/../../package.json`)).status).toBe(404)
    expect((await fetch(`${world.base}/arena/assets/none.js`)).status).toBe(404)
    expect(size).toBeGreaterThan(5_000)
    expect(size).toBeLessThan(30_000)
  })

  test('names of agents are escaped', async () => {
    const evil = await makeAgent(world.runtime, world.partner.partnerId, 'random', {
      displayName: '</script><img src=x onerror=alert(1)>&"\'',
    })
    const match = await makeMatch(world.runtime, [evil, agents[0]], { bestOf: 1 })
    for (const path of ['/arena', pathOf(match)]) {
      const { page, faults, go } = await openPage(path)
      await go()
      await live(page)
      await page.getByText('</script><img src=x').first().waitFor()
      expect(await page.locator('img').count()).toBe(0)
      expect(faults).toEqual([])
    }
    await playAllNow()
  })
})
