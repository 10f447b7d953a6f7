/** Grants that several callers change at once, beside everything else that moves points of the same users. */
import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { eraseUser, finishErasure } from '../../src/journeys/erasure.ts'
import type { UserId } from '../../src/kit/user-id.ts'
import { claimGrants, revokeGrant } from '../../src/programme/grant.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { type Programme, programmeOf } from './programme.ts'

let world: World
let call: Programme
beforeAll(async () => {
  world = await createWorld({ isAlone: true })
  call = programmeOf(world)
})
const deadlocks = async () => {
  const { rows } = await world.server.database.pool.query({
    text: 'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()',
  })
  return rows[0]?.n ?? 0
}
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(async () => {
  expect(await deadlocks()).toBe(0)
  await world.end()
})

const settle = () => settleDueGrants(world.runtime)
const times = <T>(count: number, run: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => run(n))

/** The code of a result of a writer that is called without group commit, as by another node. */
const codeOf = async (result: Promise<(Error | object)[]>): Promise<string> => {
  const [only] = await result
  return (only as { code?: string }).code ?? 'done'
}

const erase = async (userId: string) => {
  const { id } = await eraseUser(world.runtime, world.userKey(userId))
  await finishErasure(world.runtime, id as UserId)
  return id
}

const rounds = onPostgres ? 8 : 2

test('of several claims of one grant, one succeeds', async () => {
  const reward = await call.pointsReward(5)
  for (let round = 0; round < rounds; round++) {
    const user = world.userKey(randomUUID())
    const [grant] = await call.grantAll([user], reward.uuid, { needsClaim: true })
    const claim = { ...user, grantId: grant?.id as string }
    const codes = await Promise.all(times(4, () => codeOf(claimGrants(world.runtime, [claim]))))
    expect(codes.sort()).toEqual([...times(3, () => 'GRANT_NOT_ACTIVE'), 'done'])
    expect(await call.balance(user.externalId)).toBe(5)
  }
})

test('of a claim, a revocation and the end of the time to claim, each order leaves a whole grant', async () => {
  const reward = await call.pointsReward(5)
  const seen = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const userId = randomUUID()
    const claimExpiresAt = new Date(Date.now() + 500)
    const given = await call.give(userId, reward, {
      needsClaim: true,
      claimExpiresAt: claimExpiresAt.toISOString(),
    })
    const grantId = given.uuid as string
    const user = world.userKey(userId)
    const wait = claimExpiresAt.getTime() - Date.now()
    const soon = () => new Promise((resolve) => setTimeout(resolve, wait - 60 + randomInt(120)))
    await Promise.all([
      soon().then(() => codeOf(claimGrants(world.runtime, [{ ...user, grantId }]))),
      soon().then(() =>
        revokeGrant(world.runtime, { ...world.tenant, grantId }).catch(({ code }) => code),
      ),
      soon().then(settle),
      soon().then(settle),
    ])
    await settle()
    const { status, shortfall } = await call.grant(grantId)
    seen.add(status)
    const balance = { ISSUED: 5, REVOKED: 0, EXPIRED: 0 }[status as 'ISSUED']
    expect([status, await call.balance(userId), shortfall ?? 0]).toEqual([status, balance, 0])
  }
  expect([...seen].every((item) => ['ISSUED', 'REVOKED', 'EXPIRED'].includes(item))).toBe(true)
})

test('the payer beside an erasure: a grant is paid before it, or revoked by it', async () => {
  const reward = await call.pointsReward(5)
  for (let round = 0; round < rounds; round++) {
    const userId = randomUUID()
    const grants = await Promise.all(
      times(3, () => call.grantAll([world.userKey(userId)], reward.uuid)),
    )
    const [, , id] = await Promise.all([settle(), settle(), erase(userId)])
    await settle()
    const ids = grants.flat().map((grant) => grant.id)
    const found = await world.runtime.db.rewardGrant.findMany({ where: { id: { in: ids } } })
    const paid = found.filter(({ status }) => status === 'ISSUED').length
    const revoked = found.filter(({ status }) => status === 'REVOKED').length
    expect(paid + revoked).toBe(3)
    const user = await world.runtime.db.endUser.findUniqueOrThrow({ where: { id } })
    expect(Number(user.balance)).toBe(5 * paid)
  }
})

test('a stock that many callers share is never exceeded', async () => {
  const reward = await call.pointsReward(1, { stock: 7 })
  const answers = await Promise.all(
    times(20, () => call.giveAlone(world.userKey(randomUUID()), reward.slug)),
  )
  const statuses = answers.flat().map((grant) => (grant as { status: string }).status)
  expect(statuses.filter((status) => status === 'ISSUED')).toHaveLength(7)
  expect(statuses.filter((status) => status === 'FAILED')).toHaveLength(13)
})

test('of gifts with one reference to several users at once, one is given', async () => {
  const reward = await call.pointsReward(1)
  const reference = randomUUID()
  const users = times(6, () => randomUUID())
  const results = await Promise.all(users.map((userId) => call.give(userId, reward, { reference })))
  const codes = results.map(({ code }) => code ?? 'done').sort()
  expect(codes).toEqual([...times(5, () => 'DUPLICATE_REFERENCE'), 'done'])
})

test('gifts, claims, revocations, awards, plays, reversals and the payer at once leave all of it whole', async () => {
  const users = times(4, (n) => `all-${n}-${randomUUID()}`)
  for (const userId of users) await world.givePoints(userId, 5)
  const rewards = [
    await call.pointsReward(20, { stock: 60 }),
    await call.pointsReward(30),
    await call.badge({ stock: 50 }),
  ]
  const grants: { id: string; userId: string }[] = []
  const any = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T
  const anyGrant = () =>
    grants.length > 0 ? any(grants) : { id: randomUUID(), userId: any(users) }
  const give = async () => {
    const userId = any(users)
    const more = any([{}, {}, { needsClaim: true }])
    const grant = await call.give(userId, any(rewards), more)
    if (grant.uuid) grants.push({ id: grant.uuid, userId })
  }
  const reverse = async () => {
    const entries = await world.runtime.db.ledgerEntry.findMany({
      where: { ...world.tenant, account: 'issuance' },
      take: 20,
      orderBy: { id: 'desc' },
    })
    const input = { ledgerEntryId: any(entries).id, reason: 'x' }
    await call.mutate('reverseLedgerEntry', 'user { balance }', input)
  }
  const acts = [
    give,
    give,
    async () => {
      const made = await call.grantAll(
        users.toSorted(() => randomInt(3) - 1).map((userId) => world.userKey(userId)),
        any(rewards).uuid,
        any([{}, { needsClaim: true }]),
      )
      made.forEach(({ id }, n) => void (n < 1 && grants.push({ id, userId: any(users) })))
    },
    async () => {
      const { id: grantId, userId } = anyGrant()
      const claim = { ...world.userKey(userId), grantId }
      await codeOf(claimGrants(world.runtime, [claim]))
    },
    async () => call.revoke({ grantId: anyGrant().id }),
    async () => call.retry({ grantId: anyGrant().id }),
    settle,
    () => world.givePoints(any(users), 1, 'purchase'),
    async () =>
      world.post('/v1/games/play', world.keys.public, {
        userId: any(users),
        gameType: 'NEON_WHEEL',
      }),
    reverse,
  ]
  for (let round = 0; round < (onPostgres ? 12 : 3); round++)
    await Promise.all(times(20, () => any(acts)()))
  await settle()
  await settle()
  const open = await world.runtime.db.rewardGrant.count({ where: { dueAt: { lte: new Date() } } })
  expect(open).toBe(0)
}, 120_000)
