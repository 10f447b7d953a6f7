/** The pages of docs/pages.md, on the demo data. */
import { readFileSync } from 'node:fs'
import { marked, type Tokens } from 'marked'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Demo } from '../../src/demo/demo.ts'
import { seedPast } from '../../src/demo/past.ts'
import { createWorld, type World } from '../world.ts'

const text = readFileSync(new URL('../../docs/pages.md', import.meta.url), 'utf8')
const blocks = marked.lexer(text).filter(({ type }) => type === 'code') as Tokens.Code[]

const pages = blocks.flatMap(({ lang = '', text: query }, i) => {
  const [language, credential = ''] = lang.split(' ')
  if (language !== 'graphql') return []
  const next = blocks[i + 1]
  const variables = next?.lang === 'json variables' ? JSON.parse(next.text) : {}
  return [{ name: /query (\w+)/.exec(query)?.[1] ?? '', query, credential, variables }]
})

/** What the demo lacks: endpoints of webhooks, games that wait for a review, and requests so far. */
const empty = new Set([
  'Keys.analytics',
  'Webhooks.webhookEndpoints',
  'Webhooks.analytics',
  'ReviewQueue.admin',
])

let world: World
let headersOf: Record<string, Record<string, string>>
beforeAll(async () => {
  world = await createWorld({
    config: { production: false, rateLimits: { secret: 1_000, public: 1_000, anonymous: 1_000 } },
  })
  const { keys, developer, admin } = world.server.demo as Demo
  await seedPast(world.runtime, new AbortController().signal)
  const bearer = async ({ email, password }: Demo['developer']) => {
    const { body } = await world.post('/dashboard/auth/login', undefined, { email, password })
    return { authorization: `Bearer ${body.data.accessToken}`, 'x-environment': 'LIVE' }
  }
  headersOf = {
    secret: { 'x-api-secret': keys.secretLive },
    member: await bearer(developer),
    operator: await bearer(admin),
  }
}, 120_000)
afterAll(() => world.end())

/** Whether an answer has something to show: an item of a list, or a value that is not 0. */
const hasContent = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : value !== null && typeof value === 'object'
      ? Object.values(value).some(hasContent)
      : Boolean(value)

test.each(pages)('$name is one query', async ({ name, query, credential, variables }) => {
  const to = new Date()
  const from = new Date(to.getTime() - 90 * 86_400_000)
  const { status, body } = await world.call('POST', '/graphql', {
    headers: headersOf[credential] as Record<string, string>,
    body: { query, variables: { ...variables, from, to } },
  })
  expect(body.errors).toBeUndefined()
  expect(status).toBe(200)
  expect(body.extensions.cost.requested).toBeLessThan(1_000)
  for (const [field, value] of Object.entries(body.data))
    if (!empty.has(`${name}.${field}`)) expect(hasContent(value), field).toBe(true)
})

test('every page is tested', () => {
  expect(pages.map(({ name }) => name).sort()).toEqual([
    'AuditLog',
    'CampaignResults',
    'Campaigns',
    'Codes',
    'Funnel',
    'GamesAndOdds',
    'Keys',
    'Ledger',
    'LotteriesAndDraws',
    'Matches',
    'Overview',
    'Platform',
    'ReviewQueue',
    'Segments',
    'Team',
    'User360',
    'Users',
    'Webhooks',
  ])
})
