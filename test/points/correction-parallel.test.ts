/** Corrections that meet each other, awards and plays: the ledger stays whole. */
import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { adjustPoints, reverseEntries } from '../../src/points/correction.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { pointsByHand } from './by-hand.ts'

let world: World
let hand: ReturnType<typeof pointsByHand>
beforeAll(async () => {
  world = await createWorld()
  hand = pointsByHand(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const times = <T>(count: number, run: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => run(n))

const codesOf = (answers: { code?: string }[]) => answers.map(({ code }) => code ?? 'done').sort()

const by = { reason: 'x', memberId: null, apiKeyId: randomUUID() }

/** The code of a result of a writer that is called without group commit, as by another node. */
const codeOf = async (result: Promise<(Error | object)[]>) => {
  const [only] = await result
  return { code: (only as { code?: string }).code }
}

test('of two adjustments that together overdraw, one is refused', async () => {
  const userId = randomUUID()
  await world.givePoints(userId, 1)
  const answers = await Promise.all(times(2, () => hand.adjust(userId, -60)))
  expect(codesOf(answers)).toEqual(['INSUFFICIENT_POINTS', 'done'])
  expect(await hand.history(userId)).toMatchObject([{ balanceAfter: 40 }, { balanceAfter: 100 }])
})

test('of two adjustments that together overdraw on two nodes, one is refused', async () => {
  const user = world.userKey(randomUUID())
  await world.givePoints(user.externalId, 1)
  const answers = await Promise.all(
    times(2, () => codeOf(adjustPoints(world.runtime, [{ ...user, ...by, points: -60 }]))),
  )
  expect(codesOf(answers)).toEqual(['INSUFFICIENT_POINTS', 'done'])
})

test('of two reversals of an entry, one is refused with the other', async () => {
  const userId = randomUUID()
  await world.givePoints(userId, 3)
  const [{ uuid }] = await hand.history(userId)
  const answers = await Promise.all(times(2, () => hand.reverse(uuid)))
  expect(codesOf(answers)).toEqual(['LEDGER_ENTRY_REVERSED', 'done'])
  const made = answers.find(({ ledgerEntry }) => ledgerEntry)
  const refused = answers.find(({ code }) => code)
  expect(refused.reversal.uuid).toBe(made.ledgerEntry.uuid)
})

test('of two reversals of an entry on two nodes, one is refused', async () => {
  const userId = randomUUID()
  await world.givePoints(userId, 3)
  const [{ uuid: ledgerEntryId }] = await hand.history(userId)
  const reversal = { ...world.tenant, ...by, ledgerEntryId }
  const answers = await Promise.all(
    times(2, () => codeOf(reverseEntries(world.runtime, [reversal]))),
  )
  expect(codesOf(answers)).toEqual(['LEDGER_ENTRY_REVERSED', 'done'])
})

test('a reference that several callers send at once adjusts once, for whatever users', async () => {
  const users = times(4, () => randomUUID())
  for (const userId of users) await world.givePoints(userId, 1)
  const reference = randomUUID()
  const answers = await Promise.all(
    times(12, (n) => hand.adjust(users[n % 4] as string, 1, { reference })),
  )
  expect(codesOf(answers).filter((code) => code === 'done')).toHaveLength(1)
  expect(codesOf(answers)[0]).toBe('DUPLICATE_REFERENCE')
})

const rounds = onPostgres ? 6 : 4

const everyOutcome = [
  'done',
  'INSUFFICIENT_POINTS',
  'DUPLICATE_REFERENCE',
  'LEDGER_ENTRY_REVERSED',
  'LEDGER_ENTRY_NOT_REVERSIBLE',
]

test('random awards, plays, adjustments and reversals at once leave a whole ledger', async () => {
  const users = times(3, (n) => `random-${n}-${randomUUID()}`)
  for (const userId of users) await world.givePoints(userId, 2)
  const someone = () => users[randomInt(users.length)] as string
  const acts = [
    () => world.givePoints(someone(), 1, 'purchase'),
    () =>
      world.post('/v1/games/play', world.keys.public, {
        userId: someone(),
        gameType: 'NEON_WHEEL',
      }),
    () => hand.adjust(someone(), randomInt(-150, 0)),
    () => hand.adjust(someone(), randomInt(1, 80), { reference: `r-${randomInt(30)}` }),
    async () => {
      const entries = await hand.history(someone())
      return hand.reverse(entries[randomInt(entries.length)].uuid)
    },
  ]
  const outcomes = new Set<string>()
  const isMissing = () => everyOutcome.some((outcome) => !outcomes.has(outcome))
  // The calls are random, so it may take more rounds until each outcome has occurred.
  for (let round = 0; round < rounds || (isMissing() && round < 20 * rounds); round++) {
    const answers = await Promise.all(times(40, () => acts[randomInt(acts.length)]?.()))
    for (const answer of answers) {
      const { code, status } = (answer ?? {}) as { code?: string; status?: number }
      outcomes.add(code ?? 'done')
      expect([undefined, 200, 402]).toContain(status)
    }
    expect(await audit(world.server.database.pool)).toBe(0)
  }
  expect([...outcomes]).toEqual(expect.arrayContaining(everyOutcome))
}, 120_000)
