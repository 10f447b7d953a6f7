/**
 * Which changes of the console the tests make in a browser. Each that succeeds is noted with its test in a folder of the
 * run; DRIVEN names one that is kept, so that files can be run one at a time.
 */
import { appendFileSync, globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import documents from '../../src/generated/console-documents.json' with { type: 'json' }

const folder = () => process.env.DRIVEN ?? join(process.env.TEST_FOLDER ?? '', 'driven')

/** Delays an answer until its change is noted. A refusal is no change. */
const noteAnswers = `{
  const send = fetch
  globalThis.fetch = async (...asked) => {
    const answer = await send(...asked)
    const [, id] = /"documentId":"(\\w+)"/.exec(asked[1]?.body) ?? []
    if (id && answer.ok) {
      const { data } = await answer.clone().json()
      const results = Object.values(data ?? {})
      if (results.some((result) => /Payload$/.test(result?.__typename))) await noteChange(id)
    }
    return answer
  }
}`

const noteChange = (id: string): void => {
  const text = (documents as Record<string, string>)[id] ?? ''
  const [, name] = /^mutation (\w+)/.exec(text) ?? []
  if (name === undefined) return
  const { testPath = '', currentTestName = '' } = expect.getState()
  mkdirSync(folder(), { recursive: true })
  const line = [name, basename(testPath), currentTestName].join('\t')
  appendFileSync(join(folder(), `${process.pid}.txt`), `${line}\n`)
}

/** Notes the changes that pages of a browser make. */
export const noteChanges = (browser: Browser): Browser => {
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open(options)
    await context.exposeFunction('noteChange', noteChange)
    await context.addInitScript(noteAnswers)
    return context
  }
  browser.newPage = async (options) => (await browser.newContext(options)).newPage()
  return browser
}

export type Change = { page: string; name: string; tests: string[] }

/** All changes that the console can make, by the folder of their page, with the tests that made them. */
export const readChanges = (): Change[] => {
  const notes = new Map<string, Set<string>>()
  mkdirSync(folder(), { recursive: true })
  for (const file of readdirSync(folder()))
    for (const line of readFileSync(join(folder(), file), 'utf8').trimEnd().split('\n')) {
      const [name = '', path, test] = line.split('\t')
      notes.set(name, (notes.get(name) ?? new Set()).add(`${path}: ${test}`))
    }
  return globSync('console/**/*.graphql')
    .sort()
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^mutation (\w+)/gm)].map(([, name = '']) => ({
        page: basename(dirname(file)),
        name,
        tests: [...(notes.get(name) ?? [])],
      })),
    )
}
