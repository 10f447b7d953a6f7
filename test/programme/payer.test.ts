/** The payer settles what is due, once, whatever else happens to the users and their grants. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { inTransaction } from '../../src/kit/database/db.ts'
import { revokeGrants } from '../../src/programme/grant.sql.ts'
import { settleDueGrants, startPayer } from '../../src/programme/payer.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { type Programme, programmeOf } from './programme.ts'

let world: World
let call: Programme
beforeAll(async () => {
  world = await createWorld()
  call = programmeOf(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const usersNamed = (count: number) =>
  Array.from({ length: count }, () => world.userKey(randomUUID()))

const settle = () => settleDueGrants(world.runtime)

const statusesOf = async (ids: string[]) =>
  (await world.runtime.db.rewardGrant.findMany({ where: { id: { in: ids } } })).map(
    ({ status }) => status,
  )

const query = (text: string, values: unknown[] = []) =>
  world.server.database.pool.query({ text, values })

test('grants of a goal are paid with an event type of their own', async () => {
  const reward = await call.pointsReward(7)
  const users = usersNamed(3)
  const grants = await call.grantAll(users, reward.uuid)
  expect(grants.map(({ status }) => status)).toEqual(['READY', 'READY', 'READY'])
  await settle()
  const entries = await world.runtime.db.ledgerEntry.findMany({
    where: { sourceId: { in: grants.map(({ id }) => id) } },
  })
  expect(entries).toHaveLength(3)
  for (const entry of entries)
    expect(entry).toMatchObject({ eventType: 'goal_reward', account: 'rewards', points: 7 })
  // A second run finds nothing to do.
  await settle()
  for (const { externalId } of users) expect(await call.balance(externalId)).toBe(7)
})

test('several grants of one user are paid in one list, and taken back as far as the points go', async () => {
  const [small, large, badge] = [
    await call.pointsReward(10),
    await call.pointsReward(30),
    await call.badge(),
  ]
  const [user] = usersNamed(1) as [ReturnType<World['userKey']>]
  const rewards = [small.uuid, large.uuid, badge.uuid, small.uuid]
  const ids: string[] = []
  for (const rewardId of rewards)
    ids.push(...(await call.grantAll([user], rewardId)).map(({ id }) => id))
  await settle()
  expect(await call.balance(user.externalId)).toBe(50)
  const spent = { user: { externalId: user.externalId }, points: -15, reason: 'spent' }
  await call.mutate('adjustPoints', 'user { balance }', spent)
  // As the part that decides does after a reversal: it leaves the points to the payer.
  await inTransaction(world.runtime, ({ tx }) => revokeGrants(tx, ids, world.runtime.clock()))
  expect(await call.balance(user.externalId)).toBe(35)
  await settle()
  expect(await call.balance(user.externalId)).toBe(0)
  const grants = await world.runtime.db.rewardGrant.findMany({ where: { id: { in: ids } } })
  const sum = (of: (grant: (typeof grants)[number]) => number | null) =>
    grants.reduce((total, grant) => total + (of(grant) ?? 0), 0)
  expect(sum(({ shortfall }) => shortfall)).toBe(15)
  expect(grants.every(({ status, takenBackAt }) => status === 'REVOKED' && takenBackAt)).toBe(true)
})

test('more grants than one transaction settles are all paid', async () => {
  const reward = await call.pointsReward(1)
  const users = usersNamed(40)
  const ids: string[] = []
  // 40 users with 30 grants each.
  for (let i = 0; i < 30; i++)
    ids.push(...(await call.grantAll(users, reward.uuid)).map(({ id }) => id))
  await settle()
  expect(new Set(await statusesOf(ids))).toEqual(new Set(['ISSUED']))
  for (const { externalId } of users) expect(await call.balance(externalId)).toBe(30)
}, 60_000)

test('a grant that cannot be paid stops no other, and is paid once it can', async () => {
  const reward = await call.pointsReward(3)
  const users = usersNamed(3)
  const grants = await call.grantAll(users, reward.uuid)
  const bad = grants[1]?.id as string
  await query(`CREATE FUNCTION refuse_grant() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.id = '${bad}' THEN RAISE EXCEPTION 'not this one'; END IF; RETURN NEW; END $$`)
  await query(`CREATE TRIGGER refused BEFORE UPDATE ON reward_grant
    FOR EACH ROW EXECUTE FUNCTION refuse_grant()`)
  try {
    await settle()
    const others = grants.map(({ id }) => id).filter((id) => id !== bad)
    expect(await statusesOf(others)).toEqual(['ISSUED', 'ISSUED'])
    expect((await call.grant(bad)).status).toBe('READY')
  } finally {
    await query('DROP TRIGGER refused ON reward_grant')
    await query('DROP FUNCTION refuse_grant')
  }
  await settle()
  expect((await call.grant(bad)).status).toBe('ISSUED')
})

test('a node pays soon after the commit that made a grant, or revoked one', async () => {
  const reward = await call.pointsReward(5)
  const stop = startPayer(world.runtime)
  try {
    const users = usersNamed(1)
    const [grant] = await call.grantAll(users, reward.uuid)
    const id = grant?.id as string
    await expect.poll(async () => (await call.grant(id)).status, { timeout: 5_000 }).toBe('ISSUED')
    await inTransaction(world.runtime, ({ tx }) => revokeGrants(tx, [id], world.runtime.clock()))
    await expect
      .poll(async () => (await call.grant(id)).takenBackAt, { timeout: 5_000 })
      .not.toBeNull()
  } finally {
    await stop()
  }
})

test.runIf(onPostgres)('two payers at once pay each grant once', async () => {
  const reward = await call.pointsReward(2)
  const users = usersNamed(30)
  const ids: string[] = []
  for (let i = 0; i < 5; i++)
    ids.push(...(await call.grantAll(users, reward.uuid)).map(({ id }) => id))
  await Promise.all([settle(), settle(), settle()])
  // A payer leaves users to another one that has locked them.
  await settle()
  expect(new Set(await statusesOf(ids))).toEqual(new Set(['ISSUED']))
  for (const { externalId } of users) expect(await call.balance(externalId)).toBe(10)
})

test.runIf(onPostgres)('a locked user delays only their own grants', async () => {
  const reward = await call.pointsReward(2)
  const [locked, free] = usersNamed(2) as [
    ReturnType<World['userKey']>,
    ReturnType<World['userKey']>,
  ]
  const [theirs] = await call.grantAll([locked], reward.uuid)
  const [other] = await call.grantAll([free], reward.uuid)
  const client = new pg.Client(world.server.database.pool.options.connectionString)
  await client.connect()
  try {
    await client.query('BEGIN')
    const lock = 'SELECT FROM end_user WHERE external_id = $1 FOR NO KEY UPDATE'
    await client.query(lock, [locked.externalId])
    await Promise.race([
      settle(),
      sleep(5_000).then(() => {
        throw new Error('the payer waits')
      }),
    ])
    expect((await call.grant(other?.id as string)).status).toBe('ISSUED')
    expect((await call.grant(theirs?.id as string)).status).toBe('READY')
  } finally {
    await client.end()
  }
  await settle()
  expect((await call.grant(theirs?.id as string)).status).toBe('ISSUED')
})
