/** Reversals of points that are spent, where the partner lets users owe them. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { reverseEntries } from '../../src/points/correction.ts'
import { repayDueShortfalls } from '../../src/programme/repayment.ts'
import { createWorld, type World } from '../world.ts'
import { pointsByHand } from './by-hand.ts'

let world: World
let hand: ReturnType<typeof pointsByHand>
beforeAll(async () => {
  world = await createWorld()
  hand = pointsByHand(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const setPolicy = async (onShortfall: string) => {
  const { body } = await world.graphql(
    `mutation ($input: UpdatePointPolicyInput!) { updatePointPolicy(input: $input) {
      ... on UpdatePointPolicyPayload { pointPolicy { onShortfall } } } }`,
    { input: { onShortfall } },
  )
  expect(body.data.updatePointPolicy.pointPolicy).toEqual({ onShortfall })
}

const stateOf = async (userId: string) => {
  const { body } = await world.graphql(
    `query ($id: String!) { user(by: { externalId: $id }) { balance lifetimePoints shortfall } }`,
    { id: userId },
  )
  return body.data.user
}

/** A user who has spent some of the 100 points of one award. */
const spender = async (spent: number) => {
  const userId = randomUUID()
  await world.givePoints(userId, 1)
  const [award] = await hand.history(userId)
  await hand.adjust(userId, -spent)
  return { userId, award: award.uuid as string }
}

test('is refused by default', async () => {
  const { body } = await world.graphql('{ pointPolicy { onShortfall updatedAt } }')
  expect(body.data.pointPolicy).toEqual({ onShortfall: 'REFUSE', updatedAt: null })
  const { award } = await spender(70)
  expect(await hand.reverse(award)).toMatchObject({ code: 'INSUFFICIENT_POINTS', price: 100 })
})

test('takes what is there, and the rest from the next credits, but not inside them', async () => {
  await setPolicy('REPAY')
  const { userId, award } = await spender(70)
  expect(await hand.reverse(award)).toMatchObject({ ledgerEntry: { points: -30, balanceAfter: 0 } })
  expect(await stateOf(userId)).toEqual({ balance: 0, lifetimePoints: 70, shortfall: 70 })
  await repayDueShortfalls(world.runtime)
  expect((await hand.history(userId))[0]).toMatchObject({ eventType: 'reversal' })

  await hand.adjust(userId, 40)
  expect(await stateOf(userId)).toMatchObject({ balance: 40, shortfall: 70 })
  await repayDueShortfalls(world.runtime)
  expect(await stateOf(userId)).toEqual({ balance: 0, lifetimePoints: 70, shortfall: 30 })
  await world.givePoints(userId, 1)
  await repayDueShortfalls(world.runtime)
  expect(await stateOf(userId)).toEqual({ balance: 70, lifetimePoints: 140, shortfall: 0 })
  const entries = await hand.history(userId)
  expect(
    entries.flatMap(({ eventType, points }: { eventType: string; points: number }) =>
      eventType === 'shortfall_repaid' ? points : [],
    ),
  ).toEqual([-30, -40])
  expect(await hand.reverse(award)).toMatchObject({ code: 'LEDGER_ENTRY_REVERSED' })
})

test('of points that are all spent, the balance stays 0 and all is owed', async () => {
  const { userId, award } = await spender(100)
  expect(await hand.reverse(award)).toMatchObject({ ledgerEntry: { points: 0 } })
  expect(await stateOf(userId)).toEqual({ balance: 0, lifetimePoints: 100, shortfall: 100 })
})

test('of many reversals, credits and repayments at once, every point is accounted for', async () => {
  const users = await Promise.all(Array.from({ length: 10 }, () => spender(60)))
  const by = { ...world.tenant, reason: 'x', memberId: null, apiKeyId: randomUUID() }
  await Promise.all([
    ...users.map(({ award }) => reverseEntries(world.runtime, [{ ...by, ledgerEntryId: award }])),
    ...users.map(({ userId }) => world.givePoints(userId, 1)),
    ...users.map(() => repayDueShortfalls(world.runtime)),
  ])
  await repayDueShortfalls(world.runtime)
  for (const { userId } of users)
    expect(await stateOf(userId)).toMatchObject({ balance: 40, shortfall: 0 })
})
