/** Pages that belong to no brand speak the language that the visitor's browser prefers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languageOf } from '../../src/pages/texts/page-language.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

test.each([
  [undefined, 'EN'],
  ['', 'EN'],
  ['*', 'EN'],
  ['de', 'DE'],
  ['de-AT,de;q=0.9,en;q=0.8', 'DE'],
  ['en-US,en;q=0.9,de;q=0.8', 'EN'],
  ['fr-FR,fr;q=0.9,de;q=0.5,en;q=0.4', 'DE'],
  ['en;q=0.2, de;q=0.7', 'DE'],
  ['de;q=0, en;q=0.1', 'EN'],
  ['den', 'EN'],
  ['de;q=x;;,,;', 'EN'],
] as const)('Accept-Language %j is %s', (header, language) => {
  expect(languageOf({ headers: { 'accept-language': header } })).toBe(language)
})

describe.each([
  ['de-DE,de;q=0.9', 'de'],
  ['en-GB', 'en'],
  ['fr', 'en'],
])('in %s', (header, tag) => {
  const titles: Record<string, Record<string, string>> = {
    '/plays/check': { de: 'Ein Spiel prüfen', en: 'Check a play' },
    '/nowhere': { de: 'Diese Seite gibt es nicht', en: 'This page does not exist' },
    '/campaign/nobody/nothing': {
      de: 'Diese Aktion gibt es nicht',
      en: 'There is no such campaign',
    },
    '/draws/nothing': { de: 'Diese Ziehung gibt es nicht', en: 'No such draw' },
  }
  test.each(Object.keys(titles))('%s', async (path) => {
    const headers = { 'accept-language': header, accept: 'text/html' }
    const { text, status } = await world.get(path, undefined, headers)
    expect(status).toBe(path === '/plays/check' ? 200 : 404)
    expect(text).toContain(`<html lang="${tag}">`)
    expect(text).toContain(`<h1>${titles[path]?.[tag]}</h1>`)
    expect(text).not.toMatch(/\{\w+\}[^"&]*</)
  })
})

test('a kept copy of the page that checks plays is that of its language', async () => {
  const of = (language: string, more: Record<string, string> = {}) =>
    world.get('/plays/check', undefined, { 'accept-language': language, ...more })
  const [german, english] = [await of('de'), await of('en')]
  expect(german.headers.get('vary')).toBe('accept-language')
  const etag = german.headers.get('etag') ?? ''
  expect(etag).not.toBe(english.headers.get('etag'))
  expect((await of('de', { 'if-none-match': etag })).status).toBe(304)
  expect((await of('en', { 'if-none-match': etag })).status).toBe(200)
})
