/**
 * Calls that lock several rows, in the order of docs/decisions/lock-order.md. Somebody else holds the row that comes
 * first. While the call waits for it, the row that comes last must be free: two calls that take the same rows cannot
 * wait for each other. The rows stand in their table in the opposite order. The cases name the neighbours that were
 * looked for; that all other statements name an order is in test/architecture/locks.test.ts. The embedded database
 * runs one transaction at a time.
 */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateKeyUses, updateSignInUses } from '../../src/accounts/last-use.sql.ts'
import { leaveArenaSessions } from '../../src/arena/sessions/seat.ts'
import { recordReferrals } from '../../src/campaigns/referral.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import type { Lottery } from '../../src/generated/prisma/client.ts'
import { setClassificationRules } from '../../src/journeys/classification.ts'
import { updateEvents } from '../../src/journeys/erasure.sql.ts'
import { eraseUser, finishErasure } from '../../src/journeys/erasure.ts'
import { claimOffers, createOffers } from '../../src/journeys/offer.ts'
import { inTransaction } from '../../src/kit/database/db.ts'
import type { UserId } from '../../src/kit/user-id.ts'
import { keepDraws } from '../../src/lotteries/draw.ts'
import { CreateLottery, createLottery } from '../../src/lotteries/lottery.ts'
import { lockTicketsOfHolder } from '../../src/lotteries/ticket.sql.ts'
import { enterLotteries } from '../../src/lotteries/ticket.ts'
import { awardPoints } from '../../src/points/points.ts'
import { claimGrants, retryGrant } from '../../src/programme/grant.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import {
  lockOrMakeSome,
  lockOrMakeUsers,
  lockUsers,
  lockUsersById,
  makeUsers,
} from '../../src/users/end-user.ts'
import { setTimeZones } from '../../src/users/time-zone.ts'
import { createAttemptWriter } from '../../src/webhooks/delivery.ts'
import { createArena } from '../arena/arena-world.ts'
import { openDrawOf, smallRules } from '../lotteries/lottery.ts'
import { programmeOf } from '../programme/programme.ts'
import { storeEndpoint } from '../webhooks/stored.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { type Case, lockedRows, type Row } from './row-locks.ts'
import { good } from './stage.ts'
import { stages } from './writer-stages.ts'

let world: World
let { query, isLastFree, moveToEnd, twoOf, usersNamed } = {} as ReturnType<typeof lockedRows>
beforeAll(async () => {
  world = await createWorld()
  ;({ query, isLastFree, moveToEnd, twoOf, usersNamed } = lockedRows(world))
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

let count = 0
const usesOf = (rows: [Row, Row]) => rows.toReversed().map(({ id }) => ({ id, usedAt: new Date() }))

const cases: Record<string, () => Promise<Case>> = {
  'the times when keys were used': async () => {
    const keys = await world.runtime.db.apiKey.findMany({ where: world.tenant, take: 2 })
    const rows = await twoOf(
      'api_key',
      keys.map(({ id }) => id),
    )
    return {
      first: rows[0],
      last: rows[1],
      call: () => updateKeyUses(world.runtime.db, usesOf(rows)),
    }
  },

  'the times when sign-ins were used': async () => {
    await world.signInAs('OWNER')
    await world.signInAs('ADMIN')
    const signIns = await world.runtime.db.signIn.findMany({ take: 2 })
    const rows = await twoOf(
      'sign_in',
      signIns.map(({ id }) => id),
    )
    return {
      first: rows[0],
      last: rows[1],
      call: () => updateSignInUses(world.runtime.db, usesOf(rows)),
    }
  },

  'events that lose a name': async () => {
    await usersNamed('a', 'b')
    const events = await world.runtime.db.event.findMany({ where: world.tenant, take: 2 })
    const rows = await twoOf(
      'event',
      events.map(({ id }) => id),
    )
    const changes = rows.toReversed().map(({ id }) => ({
      id,
      data: events.find((event) => event.id === id)?.data as object,
    }))
    return {
      first: rows[0],
      last: rows[1],
      call: () => updateEvents(world.runtime.db, changes as never),
    }
  },

  'endpoints of attempts that failed': async () => {
    const { runtime } = world
    const url = 'https://8.8.8.8/hook'
    const ids = [
      await storeEndpoint(world, { ...world.tenant, url }),
      await storeEndpoint(world, { ...world.tenant, url }),
    ]
    const rows = await twoOf('webhook_endpoint', ids)
    await usersNamed('a')
    const attempts = await Promise.all(
      rows.toReversed().map(async ({ id: endpointId }) => ({
        delivery: {
          id: (await runtime.db.webhookDelivery.findFirstOrThrow({ where: { endpointId } })).id,
          endpointId,
          tries: 0,
        },
        startedAt: new Date(1_000_000),
        durationMs: 1,
        responseStatus: 500,
        retryAfterSeconds: null,
        responseBody: null,
        error: null,
      })),
    )
    const write = createAttemptWriter(runtime.config)
    return { first: rows[0], last: rows[1], call: () => write(runtime, attempts as never) }
  },

  'users by their names': async () => {
    const { keyOf, rowOf } = await usersNamed('a', 'b')
    const keys = [keyOf('b'), keyOf('a')]
    const call = () => inTransaction(world.runtime, (work) => lockUsers(work, keys))
    return { first: rowOf('a'), last: rowOf('b'), call }
  },

  'users by their ids': async () => {
    const { rowOf } = await usersNamed('a', 'b')
    const ids = [rowOf('b').id, rowOf('a').id] as UserId[]
    const call = () => inTransaction(world.runtime, (work) => lockUsersById(work, ids))
    return { first: rowOf('a'), last: rowOf('b'), call }
  },

  'profiles of users whose time zones change': async () => {
    const { keyOf, rowOf } = await usersNamed('a', 'b')
    const [first, last] = ['a', 'b']
      .map((letter) => ({ table: 'user_profile', column: 'user_id', id: rowOf(letter).id }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [Row, Row]
    await moveToEnd(first)
    const zones = ['b', 'a'].map((letter) => ({
      ...keyOf(letter),
      timeZone: 'Asia/Tokyo',
      isTrusted: true,
    }))
    const call = () => setTimeZones(world.runtime, zones, new Date())
    return { first, last, call }
  },

  'a user who is created before the next is locked': async () => {
    const { keyOf, rowOf } = await usersNamed('b')
    const keys = [keyOf('b'), keyOf('a')]
    const call = () => inTransaction(world.runtime, (work) => lockOrMakeUsers(work, keys))
    return { first: { newUser: keyOf('a').externalId }, last: rowOf('b'), call }
  },

  'a user who is not to be created before one who may be': async () => {
    const { keyOf, rowOf } = await usersNamed('a', 'b')
    const keys = ['b', 'a'].map((name) => ({ ...keyOf(name), isMade: name === 'b' }))
    const call = () => inTransaction(world.runtime, (work) => lockOrMakeSome(work, keys))
    return { first: rowOf('a'), last: rowOf('b'), call }
  },

  'an award that creates a user before the next is changed': async () => {
    const { keyOf, rowOf } = await usersNamed('b')
    const awards = ['b', 'a'].map((name) => ({ ...keyOf(name), eventType: 'signup' }))
    const call = async () => good(await awardPoints(world.runtime, awards))
    return { first: { newUser: keyOf('a').externalId }, last: rowOf('b'), call }
  },

  'a referral that creates a referee before the referrer is locked': async () => {
    const place = { world, partner: world.partner, tenant: world.tenant, game: { id: '' } }
    const [item] = (await stages(world).recordReferrals?.items(place)) ?? []
    const { id } = await world.runtime.db.endUser.findFirstOrThrow({
      where: { ...world.tenant, externalId: 'ann' },
    })
    const referee = `a-name-${++count}`
    const referral = { ...(item as object), referee }
    const call = async () => good(await recordReferrals(world.runtime, [referral as never]))
    return { first: { newUser: referee }, last: { table: 'end_user', id }, call }
  },

  'the erasure of a user before the user': async () => {
    const { keyOf, rowOf } = await usersNamed('a')
    const { id, externalId } = await eraseUser(world.runtime, keyOf('a'))
    await finishErasure(world.runtime, id as UserId)
    const again = world.userKey(externalId)
    return {
      first: { table: 'user_erasure', column: 'user_id', id },
      last: rowOf('a'),
      call: () => eraseUser(world.runtime, again),
    }
  },

  'the profile of a user before an offer that is claimed': async () => {
    const { keyOf, rowOf } = await usersNamed('a')
    const offer = { ...keyOf('a'), offerType: 'welcome_bonus' }
    const [made] = good(await createOffers(world.runtime, [offer as never]))
    const claim = { ...keyOf('a'), offerId: made?.id as string }
    return {
      first: { table: 'user_profile', column: 'user_id', id: rowOf('a').id },
      last: { table: 'offer', id: claim.offerId },
      call: async () => good(await claimOffers(world.runtime, [claim as never])),
    }
  },

  'offers of a user that have expired': async () => {
    const { keyOf } = await usersNamed('a')
    const offer = { ...keyOf('a'), offerType: 'welcome_bonus' }
    const made = good(await createOffers(world.runtime, [offer, offer] as never))
    const rows = await twoOf(
      'offer',
      made.map(({ id }) => id),
    )
    // The places of a user are in an index, too.
    await query('UPDATE offer SET place = 3 WHERE id = $1', [rows[0].id])
    for (const { id } of rows.toReversed())
      await query(`UPDATE offer SET expires_at = now() - interval '1 hour' WHERE id = $1`, [id])
    const call = async () => good(await createOffers(world.runtime, [offer as never]))
    return { first: rows[0], last: rows[1], call }
  },

  'profiles that new rules make due': async () => {
    const { rowOf } = await usersNamed('a', 'b')
    const ids = [rowOf('a').id, rowOf('b').id].sort()
    const rowsOf = (id = ''): Row => ({ table: 'user_profile', column: 'user_id', id })
    await query(`UPDATE user_profile SET due_at = 'epoch' WHERE user_id <> ALL ($1)`, [ids])
    for (const [year, id] of [
      ['2030', ids[1]],
      ['2031', ids[0]],
    ])
      await query('UPDATE user_profile SET due_at = make_date($1, 1, 1) WHERE user_id = $2', [
        year,
        id,
      ])
    const call = () => setClassificationRules(world.runtime, { ...world.tenant, newMaxEvents: 1 })
    return { first: rowsOf(ids[0]), last: rowsOf(ids[1]), call }
  },

  'a user before the reward that is given': async () => {
    const call = programmeOf(world)
    const { keyOf, rowOf } = await usersNamed('a')
    const reward = await call.badge()
    return {
      first: rowOf('a'),
      last: { table: 'reward', id: reward.uuid },
      call: async () => good((await call.giveAlone(keyOf('a'), reward.slug)) as Error[]),
    }
  },

  'a user before the grant that is claimed': async () => {
    const call = programmeOf(world)
    const { keyOf, rowOf } = await usersNamed('a')
    const { uuid } = await call.badge()
    const [grant] = await call.grantAll([keyOf('a')], uuid, { needsClaim: true })
    const claim = { ...keyOf('a'), grantId: grant?.id as string }
    return {
      first: rowOf('a'),
      last: { table: 'reward_grant', id: claim.grantId },
      call: async () => good((await claimGrants(world.runtime, [claim])) as Error[]),
    }
  },

  'a reward before the grant that is tried again': async () => {
    const call = programmeOf(world)
    const { keyOf } = await usersNamed('a')
    const reward = await call.badge({ stock: 0 })
    const [grant] = await call.grantAll([keyOf('a')], reward.uuid)
    await call.updateReward({ reward: { slug: reward.slug }, stock: 1 })
    const grantId = grant?.id as string
    return {
      first: { table: 'reward', id: reward.uuid },
      last: { table: 'reward_grant', id: grantId },
      call: () => retryGrant(world.runtime, { ...world.tenant, grantId }),
    }
  },

  'grants that the payer settles': async () => {
    const call = programmeOf(world)
    const { keyOf } = await usersNamed('a')
    const { uuid } = await call.badge()
    const grants = await call.grantAll([keyOf('a'), keyOf('a')], uuid)
    const rows = await twoOf(
      'reward_grant',
      grants.map(({ id }) => id),
    )
    return { first: rows[0], last: rows[1], call: () => settleDueGrants(world.runtime) }
  },

  'draws of a holder, by their lotteries': async () => {
    const key = world.userKey(`holder-${++count}`)
    const made: Lottery[] = []
    for (const slug of [`order-${count}-a`, `order-${count}-b`]) {
      const more = { slug, name: 'Small', frequency: 'DAILY', rules: smallRules }
      const input = CreateLottery.parse({ ...more, drawDelaySeconds: 0 })
      const by = { isOperator: false, ...world.tenant }
      made.push(await createLottery(world.runtime, { ...by, ...input }))
    }
    const [early, late] = made.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [Lottery, Lottery]
    // The draw of the lottery that comes last has the smaller id.
    for (const { id } of [late, early]) await keepDraws(world.runtime, id)
    const entry = { ...key, email: 'holder@example.com' }
    for (const { slug } of made)
      good(await enterLotteries(world.runtime, [{ ...entry, lotterySlug: slug } as never]))
    const [first, last] = [await openDrawOf(world, early), await openDrawOf(world, late)]
    const until = { address: 'none@example.com', until: new Date(Date.now() + 60_000) }
    return {
      first: { table: 'lottery_draw', id: first.id },
      last: { table: 'lottery_draw', id: last.id },
      call: () =>
        inTransaction(world.runtime, ({ tx }) =>
          lockTicketsOfHolder(tx, { ...key, email: null }, until),
        ),
    }
  },

  'points between partners before a player who leaves': async () => {
    const arena = await createArena(world)
    const [ours, theirs] = [world.partner, await world.createPartner()]
    const game = await arena.publish({
      entryFee: 10,
      developerRevenueShare: 0,
      resultPolicy: 'QUORUM',
      maxPlayers: 4,
      minPlayers: 2,
    })
    await arena.accept(game.id, [ours, theirs])
    const [ann, ben] = [await arena.createUser(1, ours), await arena.createUser(1, theirs)]
    const { id: sessionId } = await arena.openSession(game.id, { userId: ann }, ours)
    expect((await arena.join(sessionId, ben, theirs)).status).toBe(200)
    const tenant = { partnerId: theirs.partnerId, environment: 'LIVE' } as const
    const key = world.userKey(ben, tenant)
    const { id } = await world.runtime.db.endUser.findFirstOrThrow({ where: key })
    return {
      first: { table: 'arena_flow', column: 'game_id', id: game.id },
      last: { table: 'end_user', id },
      call: async () => good(await leaveArenaSessions(world.runtime, [{ ...key, sessionId }])),
    }
  },
}

test.runIf(onPostgres).each(Object.keys(cases))('%s: the last row is free', async (name) => {
  const item = await (cases[name] as () => Promise<Case>)()
  expect(await isLastFree(item)).toBe(true)
})

/** A transaction that lets its counters stand open would make all others wait, in whatever order. */
test.runIf(onPostgres)('counters of two transactions do not wait for each other', async () => {
  const { partnerId, environment } = world.tenant
  const client = new pg.Client(world.server.database.pool.options.connectionString)
  await client.connect()
  try {
    await client.query('BEGIN')
    // All shards but those that transactions beside this one get.
    await client.query(
      `INSERT INTO counter AS c (partner_id, environment, name, shard, value)
        SELECT $1, $2, 'users', shard, 0 FROM generate_series(0, 63) shard
        WHERE (statistic_shard(), shard) IS NOT NULL AND shard NOT BETWEEN 1 AND 4
        ON CONFLICT (partner_id, environment, name, shard) DO UPDATE SET value = c.value`,
      [partnerId, environment],
    )
    await makeUsers(world.runtime, [world.userKey('counted')])
    const held = `SELECT FROM pg_stat_activity WHERE $1::int = ANY (pg_blocking_pids(pid))`
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
    expect((await query(held, [rows[0].pid])).rowCount).toBe(0)
  } finally {
    await client.end()
  }
})
