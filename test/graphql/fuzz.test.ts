import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { junkJson, junkText, seed } from '../rest/junk.ts'
import { createWorld, type World } from '../world.ts'
import { type Operation, operationsOf } from './documents.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 20)
})
afterAll(() => world.end())

const operations = [...operationsOf('query', 1), ...operationsOf('mutation', 1)].filter(
  ({ args }) => args.length > 0,
)

const base64url = (text: string) => Buffer.from(text).toString('base64url')

const moments = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '2026-02-30T00:00:00.000Z']
const nodeTypes = ['User', 'Play', 'ApiKey', 'LedgerEntry', 'RewardRule', 'Query', 'Node', 'X']
const cursorNumbers = fc.constantFrom(1, 0, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 1.5)

/** Texts that look as if the API had made them: ids, and cursors of each kind of list. */
const forged = fc.oneof(
  fc
    .tuple(fc.constantFrom(...nodeTypes), fc.constantFrom('00000000-0000-7000-8000-000000000000'))
    .map(([type, id]) => base64url(`${type}:${id}`)),
  fc
    .tuple(cursorNumbers, fc.constantFrom(...moments), junkText, cursorNumbers)
    .map((cursor) => base64url(JSON.stringify(cursor))),
  fc.oneof(cursorNumbers, junkJson).map((value) => base64url(JSON.stringify(value))),
)

const text = fc.oneof(junkText, fc.constantFrom('ann', 'signup'), forged)
const int = fc.oneof(fc.constantFrom(0, 1, -1, 5, 100, 2 ** 31 - 1, -(2 ** 31)), fc.integer())

/** Fields of inputs; each input is given those that it has. */
const fields: Record<string, fc.Arbitrary<unknown>> = {
  userId: text,
  eventType: text,
  displayName: text,
  email: text,
  reference: text,
  label: text,
  keyId: text,
  metadata: junkJson,
  points: int,
  gameType: fc.constant('NEON_WHEEL'),
  kind: fc.constant('PUBLIC'),
}
const inputs: Record<string, string[]> = {
  awardPoints: ['userId', 'eventType', 'displayName', 'email', 'metadata', 'reference'],
  playGame: ['userId', 'gameType'],
  createApiKey: ['kind', 'label'],
  revokeApiKey: ['keyId'],
  setRewardRule: ['eventType', 'points'],
  deleteRewardRule: ['eventType'],
}

/** Seldom anything, mostly a value that comes past the type system. */
const mostly = (good: fc.Arbitrary<unknown>) =>
  fc.oneof({ arbitrary: good, weight: 15 }, { arbitrary: junkJson, weight: 1 })

const valueFor = (operation: string, type: string): fc.Arbitrary<unknown> => {
  if (type.startsWith('[')) return mostly(fc.array(text, { maxLength: 5 }))
  if (/^(String|ID)/.test(type)) return mostly(text)
  if (/^Int/.test(type)) return mostly(int)
  if (/^GameType/.test(type)) return mostly(fc.constant('NEON_WHEEL'))
  const names = inputs[operation] ?? []
  return mostly(
    fc.record(Object.fromEntries(names.map((name) => [name, mostly(fields[name] ?? junkJson)])), {
      requiredKeys: names.slice(0, 2),
    }),
  )
}

const call = fc.nat(operations.length - 1).chain((n) => {
  const operation = operations[n] as Operation
  const values = operation.args.map(({ type, required }) => {
    const value = valueFor(operation.name, type)
    return required ? value : fc.option(value, { nil: undefined, freq: 1 })
  })
  return fc.record({ operation: fc.constant(operation), values: fc.tuple(...values) })
})

const answered = new Set<string>()

test(`no junk in any argument gives an internal error (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(call, async ({ operation: { name, args, document }, values }) => {
      const variables = Object.fromEntries(args.map((arg, i) => [arg.name, values[i]]))
      // A list is positioned by cursor or by page; both are refused before anything is tried.
      if (variables.after !== undefined) for (const arg of ['page', 'limit']) delete variables[arg]
      const answer = await world.graphql(document, variables)
      expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(500)
      expect(answer.text, name).not.toMatch(/"INTERNAL"|"DOCUMENT_TOO_COMPLEX"/)
      expect(answer.text, name).not.toMatch(/prisma|postgres|node_modules/i)
      if (answer.body.data) answered.add(name)
    }),
    { numRuns: 300, seed },
  )
  // Junk that never comes past the first check would prove nothing.
  expect(answered.size).toBeGreaterThan(operations.length / 2)
})
