/** What an answer says when its document asks for something deprecated. No part of the schema is, so some are planted. */
import { buildSchema, type ExecutionResult, parse } from 'graphql'
import { expect, test } from 'vitest'
import { sayDeprecations } from '../../src/graphql/deprecations.ts'

const until = 'Deprecated on 2027-01-15. Use `points`. Removed on 2028-01-15.'
const later = 'Deprecated on 2027-03-01. Use GOOD. Removed on 2027-12-01.'
const schema = buildSchema(`
  enum Mood { GOOD OLD @deprecated(reason: "${later}") }
  input Change { mood: Mood, note: String @deprecated(reason: "${until}") }
  type User { points: Int, total: Int @deprecated(reason: "${until}") }
  type Query {
    user(id: ID, slug: ID @deprecated(reason: "${until}")): User
    mood(of: Mood, change: Change): Mood
  }`)

/** The extensions and the headers of an answer to a document. */
const answerTo = (text: string) => {
  const headers: Record<string, string> = {}
  const reply = {
    header: (name: string, value: string) => Object.assign(headers, { [name]: value }),
  }
  const plugin = sayDeprecations(schema)
  const args = { document: parse(text), contextValue: { reply } }
  const result: ExecutionResult = { data: {} }
  const hooks = plugin.onExecute?.({ args } as never) as
    | { onExecuteDone(of: { result: ExecutionResult }): void }
    | undefined
  hooks?.onExecuteDone({ result })
  return { deprecations: result.extensions?.deprecations, headers }
}

test('nothing, if nothing is deprecated', () => {
  expect(answerTo('{ user(id: 1) { points } mood(of: GOOD, change: { mood: GOOD }) }')).toEqual({
    deprecations: undefined,
    headers: {},
  })
})

test.each([
  ['a field', '{ user { total } }', 'User.total', until],
  ['a field in a fragment', '{ user { ...f } } fragment f on User { total }', 'User.total', until],
  ['an argument', '{ user(slug: 1) { points } }', 'Query.user(slug:)', until],
  ['an enum value', '{ mood(of: OLD) }', 'Mood.OLD', later],
  ['an input field', '{ mood(change: { note: "x" }) }', 'Change.note', until],
])('%s by its coordinate, with the reason', (_, text, coordinate, reason) => {
  expect(answerTo(text).deprecations).toEqual([{ coordinate, reason }])
})

test('the earliest days in headers', () => {
  expect(answerTo('{ mood(of: OLD) user { total } }').headers).toEqual({
    deprecation: `@${Date.parse('2027-01-15') / 1000}`,
    sunset: 'Wed, 01 Dec 2027 00:00:00 GMT',
    link: '</docs/graphql/changelog>; rel="deprecation"; type="text/html"',
  })
})
