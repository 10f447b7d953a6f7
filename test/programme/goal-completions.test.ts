/** The completions of a goal, and the grants of goals, as lists. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { createWorld, type World } from '../world.ts'
import { goalsOf } from './goals.ts'
import { programmeOf } from './programme.ts'

let world: World
let goal: string
let other: string
let goals: ReturnType<typeof goalsOf>
let now = new Date('2026-03-04T10:00:00Z')

const award = async (userId: string, eventType: string): Promise<string> => {
  const { body } = await world.post('/v1/points/award', world.keys.secret, { userId, eventType })
  return body.data.ledgerId
}
const settle = async () => {
  await goals.settle()
  await settleDueGrants(world.runtime)
}

/** Ann completes the first goal twice, once more after a reversal, and bob completes both goals. */
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  goals = goalsOf(world)
  const call = programmeOf(world)
  const rewardIds = [await goals.reward(5), await goals.reward()]
  const plan = { repeat: 'UNLIMITED', maxCompletions: null, rewardIds } as const
  goal = await goals.plant([{ facts: ['POINTS_AWARDED'], eventTypes: ['purchase'] }], plan)
  other = await goals.plant([{ facts: ['POINTS_AWARDED'], eventTypes: ['signup'] }], plan)
  await settle()
  await award('ann', 'purchase')
  await settle()
  now = new Date('2026-03-05T10:00:00Z')
  const last = await award('ann', 'purchase')
  await award('bob', 'purchase')
  await award('bob', 'signup')
  await settle()
  const input = { ledgerEntryId: last, reason: 'test' }
  await call.mutate('reverseLedgerEntry', 'ledgerEntry { id }', input)
  await settle()
  now = new Date('2026-03-06T10:00:00Z')
  await award('ann', 'purchase')
  await award('cleo', 'purchase')
  await settle()
  await call.give('ann', await call.badge())
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const ask = async (query: string, by?: object) => (await world.graphql(query, {}, by as never)).body

const listOf = async (args: string, of = goal) => {
  const { data, errors } = await ask(`{ goal(by: { id: "${of}" }) { completions${args} {
    totalCount { value precision } nodes { user { externalId } windowStart number round completedAt revokedAt
      goal { uuid } grants { status points reward { kind } } } } } }`)
  expect(errors).toBeUndefined()
  return data.goal.completions
}
type Node = { user: { externalId: string }; number: number }
const whoseOf = ({ nodes }: { nodes: Node[] }) =>
  nodes.map(({ user, number }) => `${user.externalId} ${number}`)

test('the completions of a goal have their users, windows, rounds and grants, newest first', async () => {
  const all = await listOf('')
  expect(all.totalCount).toEqual({ value: 4, precision: 'EXACT' })
  expect(whoseOf(all).toSorted()).toEqual(['ann 1', 'ann 2', 'bob 1', 'cleo 1'])
  expect(whoseOf(all)[0]).toBe('cleo 1')
  expect(whoseOf(all)[3]).toBe('ann 1')
  const again = all.nodes.find(
    ({ user, number }: Node) => user.externalId === 'ann' && number === 2,
  )
  // The grants of the first round were revoked.
  expect(again).toEqual({
    user: { externalId: 'ann' },
    windowStart: '1970-01-01',
    number: 2,
    round: 2,
    completedAt: '2026-03-06T10:00:00.000Z',
    revokedAt: null,
    goal: { uuid: goal },
    grants: [
      { status: 'ISSUED', points: 5, reward: { kind: 'POINTS' } },
      { status: 'ISSUED', points: null, reward: { kind: 'BADGE' } },
    ],
  })
  const [first] = (await listOf('(first: 1, orderBy: { field: CREATED_AT, direction: ASC })')).nodes
  expect(first.user.externalId).toBe('ann')
})

test('can be filtered by user, time and whether they count', async () => {
  expect(whoseOf(await listOf('(filter: { user: { externalId: "bob" } })'))).toEqual(['bob 1'])
  expect(await listOf('(filter: { user: { externalId: "nobody" } })')).toMatchObject({ nodes: [] })
  const period = '{ from: "2026-03-05T00:00:00Z", to: "2026-03-06T00:00:00Z" }'
  expect(whoseOf(await listOf(`(filter: { completedAt: ${period} })`))).toEqual(['bob 1'])
  expect((await listOf('(filter: { isRevoked: true })')).totalCount.value).toBe(0)
  await goals.query(`UPDATE goal_completion SET revoked_at = now() WHERE goal_id = $1`, [other])
  expect(whoseOf(await listOf('(filter: { isRevoked: true })', other))).toEqual(['bob 1'])
  expect(await listOf('(filter: { isRevoked: false })', other)).toMatchObject({ nodes: [] })
  // It was not completed again, and is not counted so.
  await goals.query('ALTER TABLE goal_completion DISABLE TRIGGER USER')
  await goals.query(`UPDATE goal_completion SET revoked_at = NULL WHERE goal_id = $1`, [other])
  await goals.query('ALTER TABLE goal_completion ENABLE TRIGGER USER')
})

test('are for secret keys and members', async () => {
  const query = `{ goal(by: { id: "${goal}" }) { completions { nodes { number } } } }`
  const { data, errors } = await ask(query, { public: world.keys.public, secret: '' })
  expect(data.goal.completions).toBeNull()
  expect(errors).toHaveLength(1)
})

test('grants can be filtered by goal, those of all users and those of one', async () => {
  const idsOf = (...of: string[]) => of.map((id) => `"${encodeNodeId('Goal', id)}"`).join(', ')
  const grants = async (...of: string[]) => {
    const filter = `(filter: { goalIds: [${idsOf(...of)}] })`
    const { data, errors } = await ask(`{
      grants${filter} { totalCount { value } nodes { goalCompletion { goal { uuid } } } }
      user(by: { externalId: "bob" }) { grants${filter} { totalCount { value } } } }`)
    expect(errors).toBeUndefined()
    const found = data.grants.nodes.map(
      (node: { goalCompletion: { goal: { uuid: string } } }) => node.goalCompletion.goal.uuid,
    )
    return [new Set(found), data.grants.totalCount.value, data.user.grants.totalCount.value]
  }
  // Ann has two rounds of her second completion.
  expect(await grants(goal)).toEqual([new Set([goal]), 10, 2])
  expect(await grants(other)).toEqual([new Set([other]), 2, 2])
  expect(await grants(goal, other)).toEqual([new Set([goal, other]), 12, 4])
  expect(await grants(randomUUID())).toEqual([new Set(), 0, 0])
  expect(await grants()).toEqual([new Set(), 0, 0])
})
