/** What happens to a user while they are erased. The embedded database runs one transaction at a time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import type { EndUser } from '../../src/generated/prisma/client.ts'
import { classifyUsers, setClassificationRules } from '../../src/journeys/classification.ts'
import { eraseUser, finishErasure } from '../../src/journeys/erasure.ts'
import { inTransaction } from '../../src/kit/database/db.ts'
import type { UserId } from '../../src/kit/user-id.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { lockUserAlone, type UserKey } from '../../src/users/end-user.ts'
import { createArena } from '../arena/arena-world.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { pointsByHand } from '../points/by-hand.ts'
import { programmeOf } from '../programme/programme.ts'
import { createWorld, onPostgres, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const root = '/v1/user-journeys'
let users = 0

const eventsThatName = (name: string) =>
  world.runtime.db.$queryRaw`SELECT type FROM event WHERE data::text LIKE ${`%"${name}"%`}`

describe.runIf(onPostgres).each(['has locked the user', 'has replaced the name'] as const)(
  'while an erasure %s',
  (point) => {
    /** Acts at that point of an erasure, which then commits. */
    const duringErasure = async <T>(key: UserKey, act: () => Promise<T>): Promise<T> => {
      const acting = await inTransaction(world.runtime, async (work) => {
        let user: EndUser | undefined
        if (point === 'has locked the user') await lockUserAlone(work, key)
        else user = await eraseUser(work, key)
        const answer = act()
        await sleep(300)
        user ??= await eraseUser(work, key)
        // In an object, so that the transaction does not wait for it.
        return { answer, user }
      })
      await finishErasure(world.runtime, acting.user.id as UserId)
      return acting.answer
    }

    const createUser = async () => {
      const name = `ann-${++users}`
      await world.givePoints(name, 3)
      const user = await world.runtime.db.endUser.findFirstOrThrow({ where: { externalId: name } })
      return { name, id: user.id, key: world.userKey(name) }
    }
    const idOf = async (name: string) =>
      (await world.runtime.db.endUser.findFirst({ where: { externalId: name } }))?.id

    it('an award goes to a new user', async () => {
      const { name, id, key } = await createUser()
      const input = { userId: name, eventType: 'signup', displayName: 'Ann' }
      const answer = await duringErasure(key, () =>
        world.post('/v1/points/award', world.keys.secret, input),
      )
      expect(answer.body).toMatchObject({ data: { userBalance: 100 } })
      const old = await world.runtime.db.endUser.findUniqueOrThrow({ where: { id } })
      expect(old).toMatchObject({ balance: 300n, displayName: null })
    })

    it('a play is refused', async () => {
      const { name, id, key } = await createUser()
      const answer = await duringErasure(key, () =>
        world.post('/v1/games/play', world.keys.public, { userId: name, gameType: 'NEON_WHEEL' }),
      )
      expect(answer).toMatchObject({ status: 404, body: { errorCode: 'USER_NOT_FOUND' } })
      expect(await world.runtime.db.play.count({ where: { userId: id } })).toBe(0)
      expect(await eventsThatName(name)).toEqual([])
    })

    it('a tracked event belongs to a new user', async () => {
      const { name, key } = await createUser()
      const reference = name
      const event = { externalId: name, category: 'CUSTOM', eventType: 'visit', reference }
      const answer = await duringErasure(key, () =>
        world.post(`${root}/events`, world.keys.public, event),
      )
      expect(answer.status).toBe(200)
      const kept = await world.runtime.db.userActivity.findFirstOrThrow({ where: { reference } })
      expect(kept.userId).toBe(await idOf(name))
    })

    it('profile data is of a new user', async () => {
      const { name, id, key } = await createUser()
      const profile = { externalId: name, displayName: 'Ann', email: '', phone: '12345' }
      const answer = await duringErasure(key, () =>
        world.post(`${root}/users`, world.keys.public, profile),
      )
      expect(answer.status).toBe(200)
      const old = await world.runtime.db.userProfile.findUniqueOrThrow({
        where: { userId: id },
        include: { user: true },
      })
      expect([old.phone, old.user.displayName]).toEqual([null, null])
      const made = await world.runtime.db.endUser.findFirstOrThrow({ where: { externalId: name } })
      expect(made).toMatchObject({ displayName: 'Ann', email: null })
    })

    it('an event in a campaign belongs to a new user', async () => {
      const { name, id, key } = await createUser()
      const slug = await makeCampaign(world, 'golden-ticket')
      const answer = await duringErasure(key, () => callsTo(world).buy(slug, name))
      expect(answer.status).toBe(200)
      const participants = await world.runtime.db.campaignParticipant.findMany({
        where: { userId: { in: [id, (await idOf(name)) as string] } },
      })
      expect(participants).toMatchObject([{ externalId: name, userId: await idOf(name) }])
    })

    it('an offer is refused', async () => {
      const { name, id, key } = await createUser()
      const offer = { offerType: 'vip_play', pointsValue: 10, metadata: { note: 'personal' } }
      const answer = await duringErasure(key, () =>
        world.post(`${root}/users/${name}/offers`, world.keys.secret, offer),
      )
      expect(answer).toMatchObject({ status: 404, body: { errorCode: 'USER_NOT_FOUND' } })
      expect(await world.runtime.db.offer.count({ where: { userId: id, ruleId: null } })).toBe(0)
    })

    it('a gift goes to a new user', async () => {
      const { name, id, key } = await createUser()
      const reward = await programmeOf(world).pointsReward(7)
      const answer = await duringErasure(key, () =>
        world.post(`/v1/users/${name}/grants`, world.keys.secret, { reward: reward.slug }),
      )
      expect(answer.body.data).toMatchObject({ status: 'ISSUED', userId: name })
      const grant = await programmeOf(world).grant(answer.body.data.grantId)
      expect(grant.userId).toBe(await idOf(name))
      const old = await world.runtime.db.endUser.findUniqueOrThrow({ where: { id } })
      expect(old.balance).toBe(300n)
    })

    it('a claim is refused, and the payer pays nothing', async () => {
      const { name, id, key } = await createUser()
      const call = programmeOf(world)
      const { uuid } = await call.pointsReward(7)
      const [claimable] = await call.grantAll([key], uuid, { needsClaim: true })
      const [due] = await call.grantAll([key], uuid)
      const path = `/v1/users/${name}/grants/${claimable?.id}/claim`
      const [answer] = await duringErasure(key, () =>
        Promise.all([world.post(path, world.keys.secret), settleDueGrants(world.runtime)]),
      )
      expect(answer).toMatchObject({ status: 404, body: { errorCode: 'GRANT_NOT_FOUND' } })
      for (const grant of [claimable, due])
        expect((await call.grant(grant?.id as string)).status).toBe('REVOKED')
      const old = await world.runtime.db.endUser.findUniqueOrThrow({ where: { id } })
      expect(old.balance).toBe(300n)
      expect(await eventsThatName(name)).toEqual([])
    })

    it('an entry is taken back from the erased user', async () => {
      const { id, key } = await createUser()
      const entry = await world.runtime.db.ledgerEntry.findFirstOrThrow({ where: { userId: id } })
      const reversed = await duringErasure(key, () => pointsByHand(world).reverse(entry.id))
      expect(reversed).toMatchObject({ user: { balance: 200 } })
    })

    it('no stage of the time before is announced', async () => {
      const { name, id, key } = await createUser()
      await classifyUsers(world.runtime, [id])
      await setClassificationRules(world.runtime, { ...world.tenant, newMaxEvents: 1 })
      await duringErasure(key, () => classifyUsers(world.runtime, [id]))
      await setClassificationRules(world.runtime, world.tenant)
      expect(await eventsThatName(name)).toEqual([])
    })

    it.each([
      { role: 'winner', prize: 14 },
      { role: 'loser', prize: 0 },
    ])('a session pays and names an erased $role by the pseudonym', async ({ role, prize }) => {
      const arena = await createArena(world)
      const game = await arena.publish({ entryFee: 10 })
      const { sessionId, seats } = await arena.play(game.id, 2)
      const [first] = seats
      const live = { ...world.tenant, environment: 'LIVE' as const }
      const erased = role === 'winner' ? first : seats[1]
      const { id } = await world.runtime.db.endUser.findFirstOrThrow({
        where: { externalId: erased.userId },
      })
      const before = await arena.balance(erased.userId)
      const answer = await duringErasure(world.userKey(erased.userId, live), () =>
        arena.report(sessionId, { winnerId: first.playerId }, first.sessionToken),
      )
      expect(answer.status).toBe(200)
      const old = await world.runtime.db.endUser.findUniqueOrThrow({ where: { id } })
      expect(Number(old.balance)).toBe(before + prize)
      expect(await eventsThatName(erased.userId)).toEqual([])
      expect(await eventsThatName(old.externalId)).not.toEqual([])
    })

    it('leaving a session finds nobody', async () => {
      const arena = await createArena(world)
      const game = await arena.publish({ entryFee: 10 })
      const session = await arena.openSession(game.id)
      const userId = await arena.createUser()
      await arena.join(session.id, userId)
      const live = { ...world.tenant, environment: 'LIVE' as const }
      const answer = await duringErasure(world.userKey(userId, live), () =>
        arena.leave(session.id, userId),
      )
      expect(answer).toMatchObject({ status: 404, body: { errorCode: 'PLAYER_NOT_FOUND' } })
    })
  },
)
