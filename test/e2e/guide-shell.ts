/** A guide of `docs/` as a reader runs it: as printed and in its order, on a fresh demo, in a folder of its own. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { marked, type Tokens } from 'marked'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { createFolder } from '../folder.ts'
import { readDemo, startServer } from '../server-process.ts'
import { createDatabase } from '../world.ts'
import { launchBrowser } from './chromium.ts'

/** Whether this machine has the program that the guides need. */
export const hasJq = (process.env.PATH ?? '')
  .split(':')
  .some((path) => existsSync(join(path, 'jq')))

/** The JSON values of a text, which are in a line each or are one value. */
const valuesOf = (text: string): unknown[] =>
  text.startsWith('{\n')
    ? [JSON.parse(text)]
    : text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))

export type GuideShell = Awaited<ReturnType<typeof openGuide>>

/** Starts a server, and a browser for the pages that the guide writes. */
export const openGuide = async (name: string) => {
  const guide = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
  const blocks = marked.lexer(guide).filter(({ type }) => type === 'code') as Tokens.Code[]
  const folder = createFolder(name)
  const database = await createDatabase(false, false)
  const server = await startServer(database)
  const browser: Browser = await launchBrowser()
  mkdirSync(join(folder, '.data'))
  writeFileSync(join(folder, '.data/demo.json'), JSON.stringify(readDemo(database)))
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
      const [key = '', value = ''] = line.split('=')
      variables[key] = value
    }
    return stdout
  }

  return {
    /** Opens a page that a block has written. `faults` are the errors of its scripts. */
    open: async (file: string) => {
      const page = await browser.newPage({ viewport: { width: 800, height: 600 } })
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(String(error)))
      await page.goto(`file://${join(folder, file)}`)
      return { page, faults }
    },
    /**
     * Runs all blocks and compares what they print with what the guide says.
     * @param after called after each block with its text
     */
    follow: async (after: (block: string) => Promise<void>) => {
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
        await after(text)
      }
    },
    end: async () => {
      await browser.close()
      await server.kill('SIGKILL')
      await database.drop()
    },
  }
}
