/** A page made with Vite and one made with React, from the packed SDKs, in a real Chromium. */
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAgent, makeMatch, playAll } from '../arena/matches/arena.ts'
import { createProject, examplesOf, needed, type Project } from '../clients/sdk/project.ts'
import { createUnsteadyProxy, type UnsteadyProxy } from '../clients/sdk/unsteady-proxy.ts'
import { programmeOf } from '../programme/programme.ts'
import { freePort } from '../server-process.ts'
import { createWorld, type World } from '../world.ts'
import { startPartnerServer } from './partner-server.ts'

let world: World
let browser: Browser
let proxy: UnsteadyProxy
beforeAll(async () => {
  world = await createWorld()
  proxy = await createUnsteadyProxy(world.base)
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  await world.runtime.db.application.updateMany({ data: { userTokens: 'REQUIRED' } })
})
afterAll(async () => {
  await browser?.close()
  await proxy?.end()
  await world?.end()
})

/** Builds the page of a project, and opens it. */
const openPage = async (project: Project) => {
  project.put(
    'index.html',
    '<!doctype html><main></main><script type="module" src="/main.jsx"></script>',
  )
  await build({
    root: project.folder,
    configFile: false,
    logLevel: 'silent',
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    define: {
      'import.meta.env.VITE_TESSERA_URL': JSON.stringify(proxy.url),
      'import.meta.env.VITE_TESSERA_PUBLIC_KEY': JSON.stringify(world.keys.public),
    },
    build: { modulePreload: false },
  })
  const server = await startPartnerServer(world, join(project.folder, 'dist'))
  const page: Page = await browser.newPage({ viewport: { width: 390, height: 700 } })
  page.setDefaultTimeout(15_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return {
    page,
    faults,
    picture: async (name: string) => {
      const folder = process.env.SCREENSHOTS
      if (!folder) return
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: `${folder}/${name}.png` })
    },
    end: async () => {
      await page.close()
      server.closeAllConnections()
      server.close()
      project.end()
    },
  }
}

const balanceOf = async (userId: string) =>
  (await world.get(`/v1/users/${userId}/balance`, world.keys.secret)).body.data.totalPoints

test('a page made with Vite plays with the public key and the token of its user', async () => {
  await world.givePoints('alice', 1)
  const project = await createProject(['client'], needed, {
    'browser.js': examplesOf('client')
      ['browser.js']?.replace("'http://localhost:4000'", 'import.meta.env.VITE_TESSERA_URL')
      .replace("'pk_test_…'", 'import.meta.env.VITE_TESSERA_PUBLIC_KEY') as string,
    'main.jsx': `
import { createTessera, isTesseraError } from '@tessera/client'
import { play, tessera } from './browser.js'
const { data } = await play()
const main = document.querySelector('main')
main.append(data.userId, ' won ', data.reward.label)
for await (const { label } of [data.reward]) main.append('.')
try { createTessera({ baseUrl: '', secretKey: 'sk_test_1' }) } catch (error) { main.append(error.name) }
try { await tessera.get('/v1/users/{userId}/sdk-balance', { path: { userId: 'bob' } }) }
catch (error) { main.append(' ', isTesseraError(error) ? error.code : 'unknown') }`,
  })
  const { page, faults, end } = await openPage(project)
  try {
    const main = page.getByRole('main')
    await expect
      .poll(() => main.textContent())
      .toMatch(/^alice won .+\.TypeError USER_TOKEN_OF_ANOTHER$/)
    expect(faults).toEqual([])
  } finally {
    await end()
  }
}, 240_000)

test('a page made with Vite shows the widgets of the package', async () => {
  await world.givePoints('alice', 1)
  const project = await createProject(['widgets'], ['lit'], {
    'main.jsx': `
import { configure } from '@tessera/widgets'
configure({
  apiKey: import.meta.env.VITE_TESSERA_PUBLIC_KEY,
  baseUrl: import.meta.env.VITE_TESSERA_URL,
  userId: 'alice',
  tokenProvider: async () => (await fetch('/tessera-token')).text(),
})
document.querySelector('main').innerHTML = '<tessera-balance></tessera-balance><tessera-wheel></tessera-wheel>'`,
  })
  const { page, faults, picture, end } = await openPage(project)
  try {
    const balance = await balanceOf('alice')
    await page.locator('tessera-balance').getByText(String(balance)).first().waitFor()
    await page.locator('tessera-wheel').getByRole('button').first().waitFor()
    await picture('sdk-widgets')
    expect(faults).toEqual([])
  } finally {
    await end()
  }
}, 240_000)

test('a page made with React shows the widgets as components, also after a server has rendered it', async () => {
  await world.givePoints('alice', 3)
  const project = await createProject(
    ['client', 'widgets', 'react'],
    [...needed, 'lit', 'react', 'react-dom', 'vite', '@types/react', '@types/react-dom'],
    { 'shop.jsx': examplesOf('react')['shop.jsx'] as string },
  )
  const types = { jsx: 'react-jsx', module: 'esnext', moduleResolution: 'bundler' }
  expect(await project.check({}, { ...types, types: ['vite/client'] })).toBe('')
  project.put(
    'main.jsx',
    `
import { StrictMode, useRef, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { TesseraLeaderboard } from '@tessera/react/widgets'
import { Shop } from './shop.jsx'
const Page = () => {
  const [isShown, setIsShown] = useState(true)
  const [reads, setReads] = useState(0)
  const board = useRef(null)
  return (
    <>
      <button type="button" onClick={() => setIsShown(!isShown)}>Toggle</button>
      <button type="button" onClick={() => board.current.reload()}>Read again</button>
      <output>{reads}</output>
      {isShown && <Shop />}
      <TesseraLeaderboard
        ref={board}
        count={1}
        apiKey={import.meta.env.VITE_TESSERA_PUBLIC_KEY}
        baseUrl={import.meta.env.VITE_TESSERA_URL}
        onTesseraReady={() => setReads(reads + 1)}
      />
    </>
  )
}
const app = <StrictMode><Page /></StrictMode>
const main = document.querySelector('main')
main.innerHTML = renderToString(app)
hydrateRoot(main, app, { onRecoverableError: reportError })`,
  )
  const { page, faults, picture, end } = await openPage(project)
  try {
    const wheel = page.locator('tessera-wheel.wheel')
    const shownBalance = () => wheel.locator('.balance b').textContent()
    await expect.poll(shownBalance).toBe(String(await balanceOf('alice')))
    await page.getByRole('button', { name: 'Spin' }).click()
    await page.getByText(/^You won: ./).waitFor()
    expect(await shownBalance()).toBe(String(await balanceOf('alice')))
    await picture('sdk-react-widgets')

    // A component that comes back finds its settings, although its element is defined already.
    await page.getByRole('button', { name: 'Toggle' }).click()
    await wheel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Toggle' }).click()
    await expect.poll(shownBalance).toBe(String(await balanceOf('alice')))

    // Callbacks are those of the latest render.
    const reads = () => page.locator('output').textContent()
    expect(Number(await reads())).toBeGreaterThan(0)
    for (let count = Number(await reads()) + 1; count <= 3; count++) {
      await page.getByRole('button', { name: 'Read again' }).click()
      await expect.poll(reads).toBe(String(count))
    }
    expect(await page.locator('tessera-leaderboard li').count()).toBe(1)
    expect(faults).toEqual([])
  } finally {
    await end()
  }
}, 240_000)

describe('a page made with React', () => {
  let matchId: string
  let shown: Awaited<ReturnType<typeof openPage>>
  let project: Project
  beforeAll(async () => {
    const { runtime, partner } = world
    const agent = () => makeAgent(runtime, partner.partnerId, 'random')
    matchId = (await makeMatch(runtime, [await agent(), await agent()])).id
    await world.givePoints('alice', 1)
    await world.givePoints('bob', 2)
    const goal = { slug: 'sprint', name: 'Sprint', repeat: 'ONCE', joinMode: 'OPT_IN' }
    const tasks = [{ target: 2, measure: { facts: ['GAME_PLAYED'] } }]
    const { mutate } = programmeOf(world)
    for (const [name, input] of [
      ['createGoal', { ...goal, tasks }],
      ['startGoal', { goal: { slug: 'sprint' } }],
    ] as const)
      expect((await mutate(name, 'goal { slug }', input)).goal).toEqual({ slug: 'sprint' })
    for (const [name, price] of [
      ['Bottle', 20],
      ['Castle', 2_000_000_000],
    ] as const)
      await mutate('createReward', 'reward { slug }', { name, price, kind: 'ITEM' })
    const { 'app.jsx': app = '', 'match.jsx': match = '', ...rest } = examplesOf('react')
    project = await createProject(
      ['client', 'react'],
      [...needed, 'react', 'react-dom', 'vite', '@types/react', '@types/react-dom'],
      {
        'app.jsx': app,
        'match.jsx': match,
        'wallet.tsx': rest['wallet.tsx'] ?? '',
        'goals.tsx': rest['goals.tsx'] ?? '',
        'shelf.tsx': rest['shelf.tsx'] ?? '',
        'server.mjs': rest['server.mjs'] ?? '',
      },
    )
    const types = { jsx: 'react-jsx', module: 'esnext', moduleResolution: 'bundler' }
    expect(await project.check({}, { ...types, types: ['vite/client', 'node'] })).toBe('')
    project.put(
      'main.jsx',
      `
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createTessera } from '@tessera/client'
import { TesseraProvider } from '@tessera/react'
import { App } from './app.jsx'
import { Match } from './match.jsx'
import { GraphqlWallet } from './wallet.tsx'
import { Goals } from './goals.tsx'
import { Shelf } from './shelf.tsx'
const guest = createTessera({ baseUrl: import.meta.env.VITE_TESSERA_URL })
const alice = createTessera({
  baseUrl: import.meta.env.VITE_TESSERA_URL,
  publicKey: import.meta.env.VITE_TESSERA_PUBLIC_KEY,
  userToken: async () => (await fetch('/tessera-token')).text(),
})
createRoot(document.querySelector('main')).render(
  <StrictMode>
    <App />
    <TesseraProvider client={alice} userId="alice"><GraphqlWallet /><Goals /><Shelf /></TesseraProvider>
    <TesseraProvider client={guest}><Match matchId="${matchId}" /><Match matchId="${crypto.randomUUID()}" /></TesseraProvider>
  </StrictMode>,
)`,
    )
    shown = await openPage(project)
  }, 240_000)
  afterAll(() => shown?.end())

  const text = () => shown.page.getByRole('main').textContent()
  const playsOf = async () =>
    (await world.get('/v1/users/alice/plays', world.keys.public, await aliceToken())).body.meta
      .total

  test('shows balance, price and leaderboard', async () => {
    const balance = await balanceOf('alice')
    await expect.poll(text).toContain(`You have ${balance} points.Spin for 50 points`)
    await expect.poll(text).toContain('bob: ')
    const requested = proxy.seen.filter(
      ({ method, url }) => method === 'GET' && url.startsWith('/v1/leaderboard'),
    )
    expect(requested).toHaveLength(1)
  })

  test('plays once for two clicks, also when the first answer is lost, and shows the new balance', async () => {
    const { page } = shown
    const before = await playsOf()
    proxy.plan('LOSE_ANSWER')
    await page.getByRole('button', { name: /^Spin/ }).dblclick()
    await page.getByRole('status').waitFor()
    expect(await page.getByRole('status').textContent()).toMatch(/^You won: ./)
    expect(await playsOf()).toBe(before + 1)
    await expect.poll(text).toContain(`You have ${await balanceOf('alice')} points`)
    await shown.picture('sdk-react')
  })

  test('plays once by GraphQL for two clicks, and shows the balance of the payload', async () => {
    const { page } = shown
    await world.givePoints('alice', 1)
    const before = await playsOf()
    proxy.plan('LOSE_ANSWER')
    await page.getByRole('button', { name: 'Play by GraphQL' }).dblclick()
    await page.getByText(/^Result: ./).waitFor()
    expect(await playsOf()).toBe(before + 1)
    await expect.poll(text).toContain(`Balance: ${await balanceOf('alice')}`)
  })

  test('joins a goal once for two clicks, and shows that plays count', async () => {
    const { page } = shown
    await page.getByRole('button', { name: 'Join Sprint' }).dblclick()
    await expect.poll(text).toContain('Sprint: 0 of 2')
    await expect.poll(() => page.getByRole('button', { name: 'Join Sprint' }).count()).toBe(0)
    expect(await page.getByRole('alert').filter({ hasText: 'goal' }).count()).toBe(0)
    await world.givePoints('alice', 1)
    await page.getByRole('button', { name: 'Play by GraphQL' }).click()
    await expect.poll(text).toContain('Sprint: 1 of 2')
  })

  test('buys once for two clicks, also when the first answer is lost, and shows what is left', async () => {
    const { page } = shown
    const before = await balanceOf('alice')
    proxy.plan('LOSE_ANSWER')
    await page.getByRole('button', { name: 'Buy Bottle' }).dblclick()
    await page.getByText(`It is yours. You have ${before - 20} points.`).waitFor()
    await expect.poll(text).toContain(`Balance: ${before - 20}`)
    await expect.poll(text).toContain('Castle: 2000000000 points, 1999')
    expect(await world.runtime.db.rewardGrant.count()).toBe(1)
  })

  test('says when the points do not suffice', async () => {
    const { page } = shown
    await programmeOf(world).mutate('adjustPoints', 'user { balance }', {
      user: { externalId: 'alice' },
      points: 10 - (await balanceOf('alice')),
      reason: 'A test',
    })
    expect(await balanceOf('alice')).toBe(10)
    await page.getByRole('button', { name: /^Spin/ }).click()
    await expect.poll(text).toContain('You need more points.')
  })

  test('follows a match through a broken connection, and says that another is not there', async () => {
    await expect.poll(text).toContain('Live')
    await expect.poll(text).toContain('Match not found')
    proxy.breakOff()
    await playAll(world.runtime)
    await expect.poll(text).toContain('The match is over.')
    const { body } = await world.get(`/v1/arena/matches/${matchId}`)
    const { agent1Score, agent2Score } = body.data
    expect(await text()).toContain(`${agent1Score}:${agent2Score}`)
    expect(shown.faults).toEqual([])
  })

  test('says that its server gives no token, and plays when the one of the README does', async () => {
    const { page } = shown
    await world.givePoints('alice', 1)
    const url = `http://localhost:${await freePort()}/`
    const server = project.start(process.execPath, ['server.mjs'], {
      PORT: new URL(url).port,
      TESSERA_URL: world.base,
      TESSERA_SECRET_KEY: world.keys.secret,
    })
    const isUp = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    try {
      await expect.poll(isUp).toBe(true)
      let isBroken = true
      await page.route('**/tessera-token', async (route) =>
        isBroken
          ? route.fulfill({ body: '<!doctype html>\n' })
          : route.fulfill({ response: await route.fetch({ url }) }),
      )
      await page.reload()
      const spin = page.getByRole('button', { name: /^Spin/ })
      await spin.click()
      await expect.poll(text).toContain('userToken gave something else than the text of a token')
      isBroken = false
      const before = await playsOf()
      await spin.click()
      await page.getByRole('status').waitFor()
      expect(await playsOf()).toBe(before + 1)
      expect(shown.faults).toEqual([])
    } finally {
      await server.end()
    }
  })
})

const aliceToken = async () => {
  const { body } = await world.post('/v1/users/alice/token', world.keys.secret, {})
  return { 'x-user-token': body.data.token as string }
}
