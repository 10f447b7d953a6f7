/** The guides as pages, and every example of the GraphQL guide against a running server. */
import { readFileSync } from 'node:fs'
import { marked, type Tokens } from 'marked'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

type Json = Record<string, unknown>

const text = readFileSync(new URL('../../docs/graphql.md', import.meta.url), 'utf8')
const blocks = marked.lexer(text).filter(({ type }) => type === 'code') as Tokens.Code[]

/** Operations in order, each with the answer printed below it. */
const examples = blocks.flatMap(({ lang = '', text: query }, i) => {
  const [language, key] = lang.split(' ')
  if (language !== 'graphql') return []
  const below = blocks.slice(i + 1, i + 3)
  const variables = below[0]?.lang === 'json variables' ? below.shift() : undefined
  const answer = below[0]?.lang === 'json' ? below[0].text : undefined
  return [{ query, key, variables: variables?.text ?? '{}', answer }]
})

let world: World
let base: string
let member: string
beforeAll(async () => {
  world = await createWorld({ config: { rateLimits: { secret: 100, public: 20, anonymous: 200 } } })
  base = world.base
  member = await world.signInAs('OWNER')
})
afterAll(() => world.end())

const ask = async (body: object, key: string | undefined) => {
  const headers: Record<string, string> =
    key === 'secret'
      ? { 'x-api-secret': world.keys.secret }
      : key === 'public'
        ? { 'x-api-key': world.keys.public }
        : key === 'member'
          ? { authorization: `Bearer ${member}`, 'x-environment': 'TEST' }
          : {}
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Json
}

/** Values that differ between runs contain `…` or are timestamps. */
const isLoose = (shown: unknown): boolean =>
  typeof shown === 'string' && (shown.includes('…') || /^\d{4}-\d\d-\d\dT/.test(shown))

/** An answer without fields that the guide does not show, and with the guide's values where runs differ. */
const asShown = (shown: unknown, answer: unknown): unknown => {
  if (isLoose(shown)) return typeof answer === 'string' ? shown : answer
  if (Array.isArray(shown) && Array.isArray(answer))
    return shown.map((item, i) => asShown(item, answer[i]))
  if (shown === null || typeof shown !== 'object' || !answer) return answer
  return Object.fromEntries(
    Object.entries(shown).map(([key, value]) => {
      const given = (answer as Json)[key]
      // Earlier examples have used up some of this second's allowance.
      return [key, key === 'remaining' && Number(given) > 0 ? value : asShown(value, given)]
    }),
  )
}

test('every example returns what the guide shows', async () => {
  expect(examples.length).toBeGreaterThan(6)
  let id: unknown
  for (const { query, key, variables, answer } of examples) {
    const values = JSON.parse(variables) as Json
    const given = await ask({ query, variables: 'id' in values ? { id } : values }, key)
    const shown = JSON.parse(answer ?? '{}') as Json
    expect({ query, ...(asShown(shown, given) as Json) }).toEqual({ query, ...shown })
    id ??= JSON.stringify(given).match(/"user":\{"id":"([^"]+)/)?.[1]
  }
})

test('the first request works as printed', async () => {
  const command = blocks.find(({ text }) => text.startsWith('curl'))?.text ?? ''
  const body = JSON.parse(/-d '(.*)'/.exec(command)?.[1] ?? '') as object
  expect(await ask(body, 'public')).toMatchObject({ data: { games: expect.any(Array) } })
})

test('the GraphQL call of the README works as printed', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, body = ''] = /-d '(\{"query".*\})'/.exec(readme) ?? []
  const { data, errors } = await ask(JSON.parse(body), 'public')
  expect(errors).toBeUndefined()
  expect(data).toMatchObject({ games: expect.any(Array), leaderboard: expect.any(Object) })
})

test('each guide is a page, and all of its links work', async () => {
  const seen = new Set<string>()
  const open = ['/docs/graphql']
  for (let path = open.pop(); path; path = open.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    if (path === '/graphql') continue // a page in development only
    const response = await fetch(base + path)
    expect([path, response.status]).toEqual([path, 200])
    if (!path.startsWith('/docs/')) continue
    const page = await response.text()
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, name]) => name))
    for (const [, href = ''] of page.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (href.startsWith('#'))
        expect([path, href, ids.has(href.slice(1))]).toEqual([path, href, true])
      else if (href.startsWith('/')) open.push(href.replace(/#.*/, ''))
    }
  }
  expect([...seen].filter((path) => path.startsWith('/docs/')).length).toBe(18)
})
