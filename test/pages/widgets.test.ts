/** The files of the widgets as a server sends them: to pages of any origin, small, and to be kept. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { buildSchema, parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { widgetDocuments } from '../../packages/widgets/src/all-documents.ts'
import { mountWidgets } from '../../src/pages/widgets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const built = join(root, 'src/generated/widgets')

let app: FastifyInstance
beforeAll(() => {
  app = Fastify()
  mountWidgets(app)
})
afterAll(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

const textOf = (name: string) => readFileSync(join(built, name), 'utf8')
/** The files that a file imports statically. */
const importsOf = (name: string): string[] =>
  [...textOf(name).matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g)].map(([, path]) =>
    join(name, '..', String(path)),
  )
const withImports = (names: string[]): Set<string> => {
  const all = new Set(names)
  for (const name of all) for (const item of importsOf(name)) all.add(item)
  return all
}
const fileOf = (element: string) =>
  globSync(`widgets/${element}-*.js`, { cwd: built }).find((name) => !name.includes('styles')) ?? ''
const bytesOf = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + readFileSync(join(built, `${name}.br`)).length, 0)

describe('the script', () => {
  test('may be loaded by pages of any origin, and is revalidated', async () => {
    const { statusCode, headers, rawPayload } = await get('/sdk/widgets.js', {
      'accept-encoding': 'br',
    })
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-cache',
      'content-encoding': 'br',
      vary: 'accept-encoding',
    })
    expect(brotliDecompressSync(rawPayload).toString()).toBe(textOf('widgets.js'))
    const again = await get('/sdk/widgets.js', { 'if-none-match': String(headers.etag) })
    expect(again.statusCode).toBe(304)
  })

  test('loads files beside it that are kept forever', async () => {
    const { headers, statusCode } = await get(`/sdk/${fileOf('wheel')}`)
    expect(statusCode).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['access-control-allow-origin']).toBe('*')
  })

  test.each([
    ...['wheel', 'slots', 'boxes'].map((element) => [element, 27] as const),
    ...['campaign', 'lottery', 'match'].map((element) => [element, 25] as const),
    // With all cards, stamps and confetti.
    ...['goals', 'badges'].map((element) => [element, 29] as const),
    ['streak', 31] as const,
    ...['shop', 'rewards'].map((element) => [element, 33] as const),
  ])('and the %s are below %i KB compressed', (element, kilobytes) => {
    const bytes = bytesOf(withImports(['widgets.js', fileOf(element)]))
    expect(bytes).toBeGreaterThan(5_000)
    expect(bytes).toBeLessThan(kilobytes * 1000)
  })
})

test('the stream by which widgets follow a user comes later, and adds 4 KB at most', () => {
  const shown = withImports(['widgets.js', fileOf('wheel')])
  const stream = [...withImports([fileOf('user-stream')])]
  expect(shown.has(fileOf('user-stream'))).toBe(false)
  expect(bytesOf(stream.filter((name) => !shown.has(name)))).toBeLessThan(4_000)
})

test('a server that was not built answers without them', async () => {
  const bare = Fastify()
  mountWidgets(bare, join(built, 'nowhere'))
  expect((await bare.inject('/sdk/widgets.js')).statusCode).toBe(404)
  await bare.close()
})

test('every document fits the schema', () => {
  const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'))
  for (const text of widgetDocuments) expect(validate(schema, parse(text)), text).toEqual([])
})
