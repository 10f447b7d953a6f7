/**
 * The decider locks rows in the order of docs/decisions/lock-order.md, as test/kit/lock-order.test.ts shows for
 * others: users, rewards, profiles, grants.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { reverseEntries } from '../../src/points/correction.ts'
import { awardPoints } from '../../src/points/points.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { type Case, lockedRows, type Row } from '../kit/row-locks.ts'
import { good } from '../kit/stage.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { goalsOf } from './goals.ts'

let world: World
let goals: ReturnType<typeof goalsOf>
let { isLastFree, moveToEnd, twoOf, usersNamed } = {} as ReturnType<typeof lockedRows>
beforeAll(async () => {
  world = await createWorld({ isAlone: true })
  goals = goalsOf(world)
  ;({ isLastFree, moveToEnd, twoOf, usersNamed } = lockedRows(world))
})
afterAll(async () => {
  await settle()
  expect(await goals.query('SELECT FROM goal_mark')).toEqual([])
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

/** Decides and pays all that is due. */
const settle = async () => {
  await goals.settle()
  await settleDueGrants(world.runtime)
}

/** A goal that each award completes. */
const plant = async (rewardIds: string[]) => {
  await settle()
  await goals.plant([{ facts: ['POINTS_AWARDED'], eventTypes: ['purchase'] }], {
    ...{ rewardIds, repeat: 'UNLIMITED', maxCompletions: null },
  })
  await goals.count()
}

/** Has a goal of these users due to be decided. Returns the ids of the entries. */
const award = async (keys: ReturnType<World['userKey']>[]) =>
  good(
    await awardPoints(
      world.runtime,
      keys.map((key) => ({ ...key, eventType: 'purchase' })),
    ),
  ).map(({ ledgerEntry }) => ledgerEntry.id)

const profileOf = ({ id }: Row): Row => ({ table: 'user_profile', column: 'user_id', id })
const decide = () => decideGoals(world.runtime)

const cases: Record<string, () => Promise<Case>> = {
  'rewards of a goal that is decided': async () => {
    const { keyOf } = await usersNamed('a')
    const [first, last] = await twoOf('reward', [await goals.reward(1), await goals.reward(1)])
    await plant([last.id, first.id])
    await award([keyOf('a')])
    return { first, last, call: decide }
  },

  'a reward before the profile of a user': async () => {
    const { keyOf, rowOf } = await usersNamed('a')
    const id = await goals.reward(1)
    await plant([id])
    await award([keyOf('a')])
    return { first: { table: 'reward', id }, last: profileOf(rowOf('a')), call: decide }
  },

  'profiles of users': async () => {
    const { keyOf, rowOf } = await usersNamed('a', 'b')
    await plant([])
    await award([keyOf('b'), keyOf('a')])
    const [first, last] = [rowOf('a'), rowOf('b')]
      .map(profileOf)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [Row, Row]
    await moveToEnd(first)
    return { first, last, call: decide }
  },

  'the profile of a user before the grant that a reversal takes back': async () => {
    const { keyOf, rowOf } = await usersNamed('a')
    const reward = await goals.reward(1)
    await plant([reward])
    const [ledgerEntryId = ''] = await award([keyOf('a')])
    await settle()
    const by = { ...world.tenant, memberId: null, apiKeyId: randomUUID(), reason: 'test' }
    good(await reverseEntries(world.runtime, [{ ...by, ledgerEntryId }]))
    const { id } = await world.runtime.db.rewardGrant.findFirstOrThrow({
      where: { rewardId: reward },
    })
    return { first: profileOf(rowOf('a')), last: { table: 'reward_grant', id }, call: decide }
  },
}

test.runIf(onPostgres).each(Object.keys(cases))('%s: the last row is free', async (name) => {
  const item = await (cases[name] as () => Promise<Case>)()
  expect(await isLastFree(item)).toBe(true)
})

/** Users whom others have locked are left for the next run. */
test.runIf(onPostgres)(
  'a user who is locked does not hold up the decisions of others',
  async () => {
    const { keyOf, rowOf } = await usersNamed('a', 'b')
    await plant([await goals.reward(1)])
    await award([keyOf('a'), keyOf('b')])
    const client = await world.server.database.pool.connect()
    const waiting = async () =>
      (await goals.query('SELECT DISTINCT user_id AS id FROM goal_mark')).map(({ id }) => id)
    try {
      await client.query('BEGIN')
      await client.query({
        text: 'SELECT FROM end_user WHERE id = $1 FOR NO KEY UPDATE',
        values: [rowOf('a').id],
      })
      await decide()
      expect(await waiting()).toEqual([rowOf('a').id])
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
    await decide()
    expect(await waiting()).toEqual([])
  },
)
