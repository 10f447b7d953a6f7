/** Row 19: how soon the overview of the console is usable in a browser with an empty cache. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Browser, chromium } from 'playwright-core'
import type { Demo } from '../../src/demo/demo.ts'
import { type Bench, ownDatabase, startTessera, tempFolder } from '../bench.ts'
import { atEnd } from '../child.ts'
import { limit, type Result } from '../report.ts'
import { median, rounds } from '../rounds.ts'
import { seedUsers } from '../seed.ts'

/** `BENCH_CONSOLE_USERS=10000` for a quick run. */
const many = Number(process.env.BENCH_CONSOLE_USERS ?? 1_000_000)

/** Longer than the period that the overview shows and the one before together. */
const days = 70

/**
 * When the three charts have their axes and data, in ms since the page was requested. A chart without data shows a
 * text.
 */
const watchCharts = `{
  const isDrawn = (chart) =>
    chart.querySelector('.recharts-xAxis .recharts-cartesian-axis-tick') ||
    (chart.textContent && !chart.querySelector('[aria-busy], .recharts-wrapper'))
  const look = () => {
    const charts = [...document.querySelectorAll('figure[role=img]')]
    if (charts.length === 3 && charts.every(isDrawn)) globalThis.drawnAt = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}`

type Place = { port: number; demo: Demo; environment: 'test' | 'live' }

/** Opens the overview in a new browser profile. */
const openOverview = async (browser: Browser, { port, demo, environment }: Place) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const base = `http://127.0.0.1:${port}`
  const answer = await context.request.post(`${base}/console/session`, {
    data: demo.admin,
    headers: { 'x-tessera-console': '1' },
  })
  if (!answer.ok()) throw new Error(await answer.text())
  const page = await context.newPage()
  await page.addInitScript(watchCharts)
  await page.goto(`${base}/console/${environment}/overview`)
  await page.locator('figure[role=img] .recharts-surface').first().waitFor()
  let drawnAt: number | undefined
  while (drawnAt === undefined) drawnAt = await page.evaluate('globalThis.drawnAt')
  await context.close()
  return drawnAt / 1000
}

const timeOverview = async (browser: Browser, place: Place) => {
  await openOverview(browser, place)
  const times: number[] = []
  for (let round = 1; round <= rounds; round++) times.push(await openOverview(browser, place))
  console.log(`  ${times.map((time) => time.toFixed(2)).join(', ')} s`)
  return median(times)
}

const readDemo = (dataDir: string): Demo =>
  JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))

/** The demo with its past, on the embedded database. */
const timeDemo = async (browser: Browser) => {
  const dataDir = tempFolder()
  const { port, stop } = await startTessera(dataDir, undefined, undefined, { DEMO_PAST: 'on' })
  const demo = readDemo(dataDir)
  const countActivity = async () => {
    const from = new Date(Date.now() - 60 * 86_400_000).toISOString()
    const query = `{ analytics(metrics: [POINTS_ISSUED], from: "${from}", to: "${new Date().toISOString()}", interval: DAY) { total } }`
    const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-secret': demo.keys.secretLive },
      body: JSON.stringify({ query }),
    })
    return answer.text()
  }
  console.log('Waiting for the past of the demo …')
  for (let before = '', now = await countActivity(); now !== before; now = await countActivity()) {
    before = now
    await sleep(20_000)
  }
  const seconds = await timeOverview(browser, { port, demo, environment: 'live' })
  await stop()
  return seconds
}

/** A partner with many users, who came and were active over 70 days. */
const timeManyUsers = async (browser: Browser, bench: Bench) => {
  const url = await ownDatabase(bench, 'console')
  const dataDir = tempFolder()
  const { port, stop } = await startTessera(dataDir, url, undefined, { JOBS: 'off' })
  const demo = readDemo(dataDir)
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // an interrupted run drops the database
  await client.connect()
  console.log(`Making ${many.toLocaleString('en')} users …`)
  const users = Math.ceil(many / days)
  for (let day = 0; day < days; day++)
    await seedUsers(client, {
      partnerId: demo.partnerId,
      users,
      analyze: false,
      first: 1 + day * users,
      daysAgo: days - day,
    })
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT')
  await client.end()
  const seconds = await timeOverview(browser, { port, demo, environment: 'test' })
  await stop()
  return seconds
}

export const consoleRow = async (bench: Bench): Promise<Result[]> => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  atEnd(() => browser.close())
  const what = "the console's overview, from the request to its charts, nothing cached"
  const results = [
    limit({
      row: '19',
      what: `${what}, the demo`,
      unit: 's',
      goal: 1.5,
      ours: await timeDemo(browser),
    }),
    limit({
      row: '19',
      what: `${what}, ${many.toLocaleString('en')} users`,
      unit: 's',
      goal: 1.5,
      ours: await timeManyUsers(browser, bench),
    }),
  ]
  await browser.close()
  return results
}
