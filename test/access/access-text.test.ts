/** What the descriptions of the schema say of access is what the table of access (docs/access.md) has seen. */
import { readFileSync } from 'node:fs'
import { type GraphQLObjectType, getNamedType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { accessText } from '../../src/kit/schema/access-text.ts'
import { schema } from '../../src/schema.ts'

const columns = ['noKey', 'public', 'secret', 'owner', 'admin', 'editor', 'analyst', 'developer']

type Row = { section: string; title: string; right: string; may: Record<string, boolean> }

const table = readFileSync(new URL('../../docs/access.md', import.meta.url), 'utf8')

/** The rows of root fields. A node is refused by its type, not by the field `node`. */
const rows: Row[] = table.split('\n## ').flatMap((part) => {
  const [section = ''] = part.split('\n')
  return part.split('\n').flatMap((line) => {
    const [, first = '', right = '', ...cells] = line.split('|').map((cell) => cell.trim())
    const title = /^\*\*([\w.]+)\*\*$/.exec(first)?.[1]
    if (!title) return []
    const may = [...columns, 'operator'].map((name, i) => [name, !/^\d+$/.test(cells[i] ?? '')])
    return [{ section, title, right, may: Object.fromEntries(may) }]
  })
})

const fieldOf = ({ section, title }: Row) => {
  const roots: Record<string, GraphQLObjectType | null | undefined> = {
    Queries: schema.getQueryType(),
    Mutations: schema.getMutationType(),
    Subscriptions: schema.getSubscriptionType(),
  }
  const [name = '', inner] = title.split('.')
  const field = roots[section]?.getFields()[name]
  return inner ? (getNamedType(field?.type) as GraphQLObjectType).getFields()[inner] : field
}

/** The sentence that the outcomes of a row deserve. */
const sentenceOf = ({ may, right }: Row): string => {
  const of = right ? `, with the right \`${right}\`.` : '.'
  if (may.noKey) return 'Requires no API key'
  if (may.public) return `Requires a public or secret key, or a member${of}`
  if (may.secret) return `Requires a secret key or a member${of}`
  return may.owner ? `Requires a member${of}` : 'For operators.'
}

test('the table has rows of all kinds', () => {
  expect(rows.length).toBeGreaterThan(150)
  expect(new Set(rows.map(({ section }) => section)).size).toBe(3)
})

// A session token is a credential that the table does not try, and so is the token of a user.
const bySessionToken = ['sendArenaSessionMoves', 'arenaSessionMoves']
const byUserToken = ['buyReward', 'claimGrant', 'joinGoal', 'revealCode', 'userChanged']

test.each(
  rows
    .filter(({ title }) => ![...bySessionToken, ...byUserToken].includes(title))
    .map((row) => [row.title, row] as const),
)('%s says who may call it', (_, row) => {
  const { description = '' } = fieldOf(row) ?? {}
  expect(description).toContain(sentenceOf(row))
  // Nothing says it a second time.
  expect(description?.match(/Requires (a|no|an) |For operators/g)).toHaveLength(1)
})

test.each(byUserToken)('%s says that a public key needs the token of the user', (name) => {
  const field =
    schema.getMutationType()?.getFields()[name] ?? schema.getSubscriptionType()?.getFields()[name]
  const { description = '' } = field ?? {}
  const right = name === 'userChanged' ? 'READ' : 'PLAY'
  expect(description).toContain('A public key needs a token of the user')
  expect(description).toContain(
    `Requires a public or secret key, or a member, with the right \`${right}\`.`,
  )
})

describe('an edge', () => {
  const descriptionOf = (type: string, field: string) =>
    (schema.getType(type) as GraphQLObjectType).getFields()[field]?.description

  test.each([
    ['User', 'ledgerEntries', 'Requires a secret key or a member, with the right `READ`.'],
    ['Campaign', 'participants', 'Requires a secret key or a member, with the right `READ`.'],
  ])('%s.%s says its right', (type, field, text) => {
    expect(descriptionOf(type, field)?.endsWith(text)).toBe(true)
  })

  test('without a right of its own says nothing', () => {
    expect(descriptionOf('User', 'plays')).not.toContain('Requires')
  })
})

test('a right that no key can have requires a member', () => {
  expect(accessText('public', 'MEMBERS_READ')).toBe(
    'Requires a member, with the right `MEMBERS_READ`.',
  )
  expect(accessText('public', 'EXPORT')).toBe(accessText('secret', 'EXPORT'))
})
