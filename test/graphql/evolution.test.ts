import { execFileSync } from 'node:child_process'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { unannounced } from '../../scripts/schema-diff.ts'

const released = `
  enum Mood { GOOD BAD OLD @deprecated(reason: "Use BAD. Removed on 2027-03-01.") }
  input Change { mood: Mood note: String times: Int = 1 }
  type Query {
    points: Int!
    total: Int @deprecated(reason: "Use \`points\`. Removed on 2027-03-01.")
    someday: Int @deprecated(reason: "Use \`points\`.")
    mood(of: ID, change: Change, first: Int = 20): Mood
  }`

const brokenBy = async (change: [string, string], day = '2027-02-28') => {
  const now = released.replace(...change)
  expect(now).not.toBe(released)
  const changes = await unannounced(buildSchema(released), buildSchema(now), day)
  return changes.map(({ path }) => path)
}

test.each([
  ['a field that is gone', 'points: Int!', '', 'Query.points'],
  ['a field that can be null', 'points: Int!', 'points: Int', 'Query.points'],
  ['a field of another type', 'points: Int!', 'points: String!', 'Query.points'],
  ['an argument that is due', 'of: ID,', 'of: ID!,', 'Query.mood.of'],
  ['an argument that is gone', 'of: ID, ', '', 'Query.mood.of'],
  ['an input field that is due', 'note: String', 'note: String!', 'Change.note'],
  ['an enum value that is gone', 'BAD OLD', 'OLD', 'Mood.BAD'],
  ['another default of an argument', 'first: Int = 20', 'first: Int = 10', 'Query.mood.first'],
  ['no default of an input field', 'times: Int = 1', 'times: Int', 'Change.times'],
  [
    'a deprecated field that is gone without a date',
    /someday.*/.exec(released)?.[0] ?? '',
    '',
    'Query.someday',
  ],
])('%s is refused', async (_, from, to, path) => {
  expect(await brokenBy([from, to])).toEqual([path])
})

test.each([
  ['a field', /total: .*/.exec(released)?.[0] ?? '', 'Query.total'],
  ['an enum value', /OLD .*?\)/.exec(released)?.[0] ?? '', 'Mood.OLD'],
])(
  '%s that was deprecated is refused before its day, and may be gone from then on',
  async (_, text, path) => {
    expect(await brokenBy([text, ''], '2027-02-28')).toEqual([path])
    expect(await brokenBy([text, ''], '2027-03-01')).toEqual([])
  },
)

test.each([
  ['a new field', 'points: Int!', 'points: Int! plays: Int!'],
  ['a new optional argument', 'of: ID', 'of: ID, at: ID'],
  ['a new enum value', 'BAD OLD', 'BAD FAIR OLD'],
  ['a default that had none', 'note: String', 'note: String = ""'],
  ['a field that is never null now', 'total: Int ', 'total: Int! '],
])('%s is fine', async (_, from, to) => {
  expect(await brokenBy([from, to])).toEqual([])
})

test('the schema breaks no client of the last release without notice', () => {
  execFileSync(process.execPath, ['scripts/schema-diff.ts'], { stdio: 'pipe' })
})
