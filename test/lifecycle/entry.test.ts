/** Which code `src/main.js` starts, tried in a folder with programs that only say which they are. */
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { copyFileSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createFolder } from '../folder.ts'

const root = join(import.meta.dirname, '../..')
const folder = createFolder('entry')
afterAll(() => rmSync(folder, { recursive: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const source = 'src/points/points.ts'
const text = 'export const points = 1'

beforeEach(() => {
  write('package.json', '{"type":"module"}')
  write('node_modules/graphql/package.json', '{"name":"graphql","main":"index.js"}')
  write('node_modules/graphql/index.js', '')
  write('src/process.ts', `console.log('sources' as string)`)
  write('src/generated/prisma/client.ts', '')
  write('src/generated/server/graphql.js', '')
  write('src/generated/server/process.js', `console.log('bundle')`)
  write(source, text)
  const { size, mtimeMs } = statSync(join(folder, source))
  const made = { size, seconds: Math.floor(mtimeMs / 1000), sha1: hash('sha1', text) }
  write('src/generated/server/sources.json', JSON.stringify({ [source]: made }))
  copyFileSync(join(root, 'src/main.js'), join(folder, 'src/main.js'))
})

const started = (env: Record<string, string> = {}) =>
  execFileSync(process.execPath, ['src/main.js'], { cwd: folder, env, encoding: 'utf8' }).trim()

test('a bundle that was made of the sources', () => {
  expect(started()).toBe('bundle')
})

test('a copy, of which the times are others', () => {
  utimesSync(join(folder, source), 0, 0)
  expect(started()).toBe('bundle')
})

test('the sources once one has changed, even if its length has not', () => {
  write(source, text.replace('1', '2'))
  utimesSync(join(folder, source), 0, 0)
  expect(started()).toBe('sources')
  write(source, `${text}0`)
  expect(started()).toBe('sources')
})

test('the sources if one is missing, or there is no bundle', () => {
  rmSync(join(folder, source))
  expect(started()).toBe('sources')
  rmSync(join(folder, 'src/generated/server'), { recursive: true })
  expect(started()).toBe('sources')
})

test('the sources for node --watch', () => {
  expect(started({ WATCH_REPORT_DEPENDENCIES: '1' })).toBe('sources')
})
