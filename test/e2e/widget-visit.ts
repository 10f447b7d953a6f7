/** Pages of a shop with widgets in a real browser: on their own origin, under a strict policy. */
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { demoMechanics } from '../../src/demo/demo.ts'
import type { WeightedReward } from '../../src/games/game.rules.ts'
import { setGameMechanic } from '../../src/games/mechanic.ts'
import { createWorld, type World } from '../world.ts'

const sizes = {
  small: { width: 320, height: 800 },
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
}
export type Size = keyof typeof sizes

const documentOf = (api: string, body: string, head = '') => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shop</title><link rel="stylesheet" href="/shop.css">${head}
<script type="module" src="${api}/sdk/widgets.js"></script></head><body><main><h1>Shop</h1>${body}</main></body></html>`

const style = `:root{color-scheme:light dark;font-family:system-ui;background:light-dark(#f6f4fd,#0d0b1c);color:light-dark(#1a1733,#f5f3ff)}
body{margin:0}main{max-width:1080px;margin:0 auto;padding:16px;display:grid;grid-template-columns:minmax(0,1fr);gap:20px}h1{margin:0}`

const startShop = async (api: string) => {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    if (pathname === '/shop.css') return response.setHeader('content-type', 'text/css').end(style)
    if (pathname !== '/') return response.writeHead(404).end()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src ${api}; style-src 'self'; connect-src ${api}; img-src https://cdn.example.com; base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html`,
    )
    return response.end(documentOf(api, searchParams.get('body') ?? ''))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { base: `http://127.0.0.1:${port}`, end: () => server.close() }
}

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })

type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] }

/** The violations that axe finds on the page, including inside the widgets. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate(
    'axe.run(document, {resultTypes: ["violations"]})',
  )) as {
    violations: Violation[]
  }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  )
}

export type Look = BrowserContextOptions & { size?: Size }
export type Shop = Awaited<ReturnType<typeof openShop>>

export const openShop = async (given?: World) => {
  const world = given ?? (await createWorld())
  const [shop, browser] = [await startShop(world.base), await launch()]
  let users = 0

  /** Gives a game these rewards. */
  const setRewards = async (gameType: string, rewards: WeightedReward[]) => {
    const game = demoMechanics.find((mechanic) => mechanic.gameType === gameType)
    if (!game) throw new Error(gameType)
    await setGameMechanic(world.runtime, { ...world.tenant, ...game, rewards })
  }

  /** Makes every play win points, or nothing, until `resetLuck`. */
  const setLuck = async (gameType: string, isWin: boolean) => {
    const game = demoMechanics.find((mechanic) => mechanic.gameType === gameType)
    if (!game) throw new Error(gameType)
    const drawn = game.rewards.find(({ type, value }) =>
      isWin ? type === 'points' && value > 0 : value === 0,
    )
    await setRewards(
      gameType,
      game.rewards.map((reward) => ({ ...reward, weight: reward === drawn ? 1 : 0 })),
    )
  }

  return {
    world,
    browser,
    base: shop.base,
    setLuck,
    setRewards,
    resetLuck: async () => {
      for (const game of demoMechanics)
        await setGameMechanic(world.runtime, { ...world.tenant, ...game })
    },
    /** A user with `hundreds` × 100 points. */
    createUser: async (hundreds = 3): Promise<string> => {
      const userId = `shopper-${Date.now()}-${++users}`
      await world.givePoints(userId, hundreds)
      return userId
    },
    playsOf: async (userId: string): Promise<{ rewardLabel: string; outcome: object }[]> =>
      (await world.get(`/v1/users/${userId}/plays`, world.keys.public)).body.data,
    balanceOf: async (userId: string): Promise<number> =>
      (await world.get(`/v1/users/${userId}/sdk-balance`, world.keys.public)).body.data.totalPoints,
    /** Opens a page with these elements, for a user. `faults` is all that the browser reports as broken. */
    open: async (
      body: string,
      userId: string | undefined,
      { size = 'desktop', ...look }: Look = {},
    ) => {
      const context = await browser.newContext({ viewport: sizes[size], ...look })
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      const who = userId === undefined ? '' : ` user-id="${userId}"`
      const config = `<tessera-config api-key="${world.keys.public}"${who}></tessera-config>`
      await page.goto(`${shop.base}/?body=${encodeURIComponent(config + body)}`)
      return {
        page,
        context,
        faults,
        picture: async (name: string) => {
          const folder = process.env.SCREENSHOTS
          if (!folder) return
          mkdirSync(folder, { recursive: true })
          await page.screenshot({ path: `${folder}/${name}-${size}.png`, fullPage: true })
        },
        /** How much wider the page is than the window. */
        overflow: () =>
          page.evaluate<number>(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          ),
        close: () => context.close(),
      }
    },
    end: async () => {
      await browser.close()
      shop.end()
      await world.end()
    },
  }
}
