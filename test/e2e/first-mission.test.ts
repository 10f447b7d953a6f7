/** The guide `docs/first-mission.md`, as printed and in its order, on a fresh demo. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { marked, type Tokens } from 'marked'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolder } from '../folder.ts'
import { readDemo, type ServerProcess, startServer } from '../server-process.ts'
import { createDatabase, type TestDatabase } from '../world.ts'
import { launchBrowser, picture } from './chromium.ts'

const guide = readFileSync(new URL('../../docs/first-mission.md', import.meta.url), 'utf8')
const blocks = marked.lexer(guide).filter(({ type }) => type === 'code') as Tokens.Code[]
const hasJq = (process.env.PATH ?? '').split(':').some((path) => existsSync(join(path, 'jq')))

let database: TestDatabase
let server: ServerProcess
let browser: Browser
const folder = createFolder('first-mission')
beforeAll(async () => {
  database = await createDatabase(false, false)
  server = await startServer(database)
  mkdirSync(join(folder, '.data'))
  writeFileSync(join(folder, '.data/demo.json'), JSON.stringify(readDemo(database)))
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.kill('SIGKILL')
  await database?.drop()
})

/** The variables that the shell of a reader has by now. */
const variables: Record<string, string> = {}

/** What a block prints. */
const run = async (block: string): Promise<string> => {
  const { PATH = '', HOME = '' } = process.env
  const script = `${block.replaceAll(/(http:\/\/)?localhost:4000/g, server.base)}
    for NAME in SECRET PUBLIC TOKEN; do eval "echo $NAME=\\$$NAME" >> variables; done`
  const env = { PATH, HOME, ...variables }
  const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd: folder, env })
  for (const line of readFileSync(join(folder, 'variables'), 'utf8').trim().split('\n')) {
    const [name = '', value = ''] = line.split('=')
    variables[name] = value
  }
  return stdout
}

/** The JSON values of a text, which are in a line each or are one value. */
const valuesOf = (text: string): unknown[] =>
  text.startsWith('{\n')
    ? [JSON.parse(text)]
    : text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))

/** Opens the page that a block has written, and does what the guide says. */
const claimInPage = async () => {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(`file://${join(folder, 'mission.html')}`)
  const balance = page.locator('tessera-balance')
  await balance.getByText('150 points', { exact: true }).waitFor()
  const mission = page.locator('tessera-goals')
  await mission.getByText('Three purchases', { exact: true }).waitFor()
  expect(await mission.getByText('Stamp card').count()).toBe(0)
  await picture(page, 'first-mission')
  await mission.getByRole('button', { name: /Claim/ }).click()
  await balance.getByText('200 points', { exact: true }).waitFor()
  await picture(page, 'first-mission-claimed')
  expect(faults).toEqual([])
}

// What a first attempt has created would be in the way of a second one.
test.runIf(hasJq)('a mission is created, completed, claimed and seen', { retry: 0 }, async () => {
  expect(blocks.filter(({ lang }) => lang === 'sh').length).toBeGreaterThan(5)
  for (const [n, { lang = '', text }] of blocks.entries()) {
    const [language, file] = lang.split(' ')
    if (file) writeFileSync(join(folder, file), text)
    if (language !== 'sh') continue
    const shown = blocks[n + 1]?.lang === 'json' ? blocks[n + 1]?.text : undefined
    // A command that only asks can be repeated, as the guide says.
    if (shown && !text.includes(' -d '))
      await expect.poll(async () => valuesOf(await run(text))).toEqual(valuesOf(shown))
    else {
      const output = await run(text)
      if (shown) expect(valuesOf(output)).toEqual(valuesOf(shown))
    }
    if (text.includes('mission.html')) await claimInPage()
  }
})
