/** The grants of a user in the export, and what an erasure leaves of them. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { type Programme, programmeOf } from './programme.ts'

let world: World
let call: Programme
beforeAll(async () => {
  world = await createWorld()
  call = programmeOf(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** One grant of each kind of state, all with notes. */
const grantsOf = async (userId: string) => {
  const [reward, rare] = [await call.pointsReward(5), await call.badge({ stock: 0 })]
  const note = `${userId} complained`
  return {
    issued: await call.give(userId, reward, { note }),
    held: await call.give(userId, reward, { note, heldUntil: inAnHour() }),
    ready: await call.give(userId, reward, { note, needsClaim: true }),
    failed: await call.give(userId, rare, { note }),
  }
}

test('the export of a user has the grants', async () => {
  const userId = randomUUID()
  const { issued, held } = await grantsOf(userId)
  const { body } = await world.graphql(
    `query ($id: String!) { userData(by: { externalId: $id }) {
      isComplete grants { uuid status note reward { name } user { externalId } } } }`,
    { id: userId },
  )
  const { grants } = body.data.userData
  expect(grants).toHaveLength(4)
  expect(grants).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        uuid: issued.uuid,
        status: 'ISSUED',
        note: `${userId} complained`,
      }),
      expect.objectContaining({ uuid: held.uuid, status: 'HELD' }),
    ]),
  )
})

test('an erasure revokes what is not issued, clears notes, and leaves no name in events', async () => {
  const userId = randomUUID()
  const { issued, held, ready, failed } = await grantsOf(userId)
  const result = await call.mutate('eraseUser', 'user { externalId balance }', {
    user: { externalId: userId },
  })
  const { externalId: pseudonym, balance } = result.user
  expect(balance).toBe(5)
  expect(await call.grant(issued.uuid)).toMatchObject({ status: 'ISSUED', note: null })
  for (const { uuid } of [held, ready, failed])
    expect(await call.grant(uuid)).toMatchObject({ status: 'REVOKED', note: null, issuedAt: null })
  const events = await world.runtime.db.event.findMany({
    where: { type: { startsWith: 'grant.' } },
  })
  const texts = events.map(({ type, data }) => `${type} ${JSON.stringify(data)}`)
  expect(texts.filter((text) => text.includes(userId))).toEqual([])
  const theirs = texts.filter((text) => text.includes(pseudonym))
  expect(theirs.map((text) => text.split(' ')[0]).sort()).toEqual([
    'grant.failed',
    'grant.issued',
    'grant.ready',
    'grant.revoked',
    'grant.revoked',
    'grant.revoked',
  ])
})

test('more grants than one step erases are all revoked', async () => {
  const reward = await call.badge()
  const user = world.userKey(randomUUID())
  for (let i = 0; i < 6; i++)
    await call.grantAll(
      Array.from({ length: 100 }, () => user),
      reward.uuid,
      { needsClaim: true },
    )
  await call.mutate('eraseUser', 'user { uuid }', { user: { externalId: user.externalId } })
  const open = await world.runtime.db.rewardGrant.count({
    where: { rewardId: reward.uuid, status: { not: 'REVOKED' } },
  })
  expect(open).toBe(0)
}, 60_000)
