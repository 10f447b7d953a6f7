/** The pages of docs/pages.md, on the demo data. */
import { readFileSync } from 'node:fs'
import { isObjectType, Kind, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { marked, type Tokens } from 'marked'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Demo } from '../../src/demo/demo.ts'
import { seedPast } from '../../src/demo/past.ts'
import type { MemberRole } from '../../src/generated/prisma/enums.ts'
import { schema } from '../../src/schema.ts'
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
  'ReviewQueue.platform',
])

type Headers = Record<string, string>

let world: World
let signInWithRole: (role: MemberRole) => Promise<Headers>
let headersOf: Record<string, Headers>
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
  signInWithRole = async (role) => {
    const { email } = developer
    await world.runtime.db.member.updateMany({ where: { email }, data: { role } })
    return bearer(developer)
  }
  headersOf = {
    secret: { 'x-api-secret': keys.secretLive },
    member: await bearer(developer),
    operator: await bearer(admin),
  }
}, 300_000)
afterAll(() => world.end())

/** Whether an answer has something to show: an item of a list, or a value that is not 0. */
const hasContent = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : value !== null && typeof value === 'object'
      ? Object.values(value).some(hasContent)
      : Boolean(value)

const ask = ({ query, variables }: (typeof pages)[number], headers: Headers) => {
  const to = new Date()
  const from = new Date(to.getTime() - 90 * 86_400_000)
  const body = { query, variables: { ...variables, from, to } }
  return world.call('POST', '/graphql', { headers, body })
}

test.each(pages)('$name is one query', async (page) => {
  const { name } = page
  const { status, body } = await ask(page, headersOf[page.credential] as Headers)
  expect(body.errors).toBeUndefined()
  expect(status).toBe(200)
  expect(body.extensions.cost.requested).toBeLessThan(1_000)
  for (const [field, value] of Object.entries(body.data))
    if (!empty.has(`${name}.${field}`)) expect(hasContent(value), field).toBe(true)
})

test.each(['EDITOR', 'ANALYST'] as const)(
  '%s gets each page but what they may not read',
  async (role) => {
    const headers = await signInWithRole(role)
    const refused = new Set<string>()
    for (const page of pages) {
      const { body, text } = await ask(page, headers)
      const errors: { path: string[]; extensions: { code: string } }[] = body.errors ?? []
      for (const { path, extensions } of errors) {
        expect(['RIGHT_REQUIRED', 'ADMIN_REQUIRED'], text).toContain(extensions.code)
        refused.add(`${page.name}.${path.join('.')}`)
      }
      for (const [field, value] of Object.entries(body.data ?? {}))
        if (value === null) expect(refused, text).toContain(`${page.name}.${field}`)
    }
    expect([...refused].sort()).toEqual([
      'AuditLog.auditLog',
      'Keys.apiKeys',
      'Keys.applications',
      'Platform.platform',
      'ReviewQueue.platform',
    ])
  },
)

test('every object of a page is selected with its id', () => {
  const missing: string[] = []
  for (const { name, query } of pages) {
    const types = new TypeInfo(schema)
    const visitor = visitWithTypeInfo(types, {
      SelectionSet: ({ selections }, _, parent) => {
        const type = types.getParentType()
        const isSpread = parent && 'kind' in parent && parent.kind === Kind.INLINE_FRAGMENT
        const hasId = isObjectType(type) && 'id' in type.getFields()
        const selectsId = selections.some(
          (selection) => selection.kind !== Kind.FIELD || selection.name.value === 'id',
        )
        if (hasId && !isSpread && !selectsId) missing.push(`${name}: ${type.name}`)
      },
    })
    visit(parse(query), visitor)
  }
  expect(missing).toEqual([])
})

test('every page is tested', () => {
  expect(pages.map(({ name }) => name).sort()).toEqual([
    'AuditLog',
    'Brand',
    'CampaignResults',
    'Campaigns',
    'Codes',
    'Funnel',
    'GamesAndOdds',
    'GoalResults',
    'Goals',
    'Keys',
    'Ledger',
    'LotteriesAndDraws',
    'Matches',
    'Overview',
    'Platform',
    'Plays',
    'ReviewQueue',
    'RewardsAndGrants',
    'Segments',
    'Team',
    'User360',
    'UserProgramme',
    'Users',
    'Webhooks',
  ])
})
