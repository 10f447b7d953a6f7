/** After the erasure of a user with every kind of data, no column identifies them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { journeyJobs } from '../../src/journeys/journey.jobs.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { createArena } from '../arena/arena-world.ts'
import { makeAgent } from '../arena/matches/arena.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { makeLottery, openDrawOf } from '../lotteries/lottery.ts'
import { pointsByHand } from '../points/by-hand.ts'
import { programmeOf } from '../programme/programme.ts'
import { type Answer, createWorld, type World } from '../world.ts'
import { traces } from './traces.ts'

const who = 'Anna-Externa'
const person = [who, 'anna.externa@', 'Anna Displayed']
const email = 'Anna.Externa@example.com'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const done = (answer: Answer): Answer => {
  if (answer.status >= 300 || answer.body.errors) throw new Error(answer.text)
  return answer
}

const byHand = async () => {
  const hand = pointsByHand(world)
  const { ledgerEntry } = await hand.adjust(who, 5, { reason: `${who} complained` })
  await hand.reverse(ledgerEntry.uuid, `${who} was wrong`)
}

const inCampaigns = async () => {
  const call = callsTo(world)
  const slug = await makeCampaign(world, 'summer-sale')
  await world.givePoints('ben', 1)
  const codeOf = async (userId: string) =>
    (await call.referralCode(slug, userId)).body.data.referralCode
  const refer = async (referrerId: string, refereeId: string) =>
    done(await call.refer(slug, { referrerId, refereeId, referralCode: await codeOf(referrerId) }))
  await refer('ben', who)
  await refer(who, 'carl')
  const batch = { slug, batchSize: 1, pointsValue: 5 }
  const [code] = done(await call.generate(batch)).body.data.codes
  done(await call.redeem(slug, { code, userId: who }))
  expect((await call.redeem(slug, { code: 'WRONG-CODE', userId: who })).status).toBe(400)
  const golden = await makeCampaign(world, 'golden-ticket')
  const { winCode } = done(await call.buy(golden, who)).body.data.instantWin
  done(await call.redeemWin(golden, { userId: who, winCode }))
}

/** A draw in which they win, and one that is open still; with the partner's id, and without. */
const inLotteries = async () => {
  const every = [1, 2, 3].map((bonus) => ({ main: [1, 2, 3], bonus: [bonus] }))
  const admin = await world.signInAs('OPERATOR')
  for (const isClosed of [true, false]) {
    const { id, slug: lotterySlug } = await makeLottery(world)
    for (const more of [{ userId: who }, {}, { userId: 'ben', email: 'ben@example.com' }]) {
      const entry = { lotterySlug, email, lines: every, ...more }
      done(await world.post('/v1/lotteries/entries', world.keys.secret, entry))
    }
    const draw = await openDrawOf(world, { id })
    if (isClosed)
      done(await world.post(`/admin/lotteries/${lotterySlug}/draws/${draw.id}/execute`, admin))
  }
}

const root = '/v1/user-journeys'
const stage = async () => {
  for (const job of journeyJobs) await job.run(world.runtime)
  return done(await world.get(`${root}/users/${who}`, world.keys.public)).body.data.lifecycleStage
}

const inJourneys = async () => {
  const offers = `${root}/users/${who}/offers`
  const { id } = done(
    await world.post(offers, world.keys.secret, { offerType: 'vip_play', pointsValue: 10 }),
  ).body.data.offer
  done(await world.post(`${offers}/${id}/claim`, world.keys.public))
  const tracked = { externalId: who, category: 'CUSTOM', eventType: 'met', sourceId: 'x' }
  for (let i = 0; i < 5; i++)
    done(await world.post(`${root}/events`, world.keys.public, { ...tracked, reference: `${i}` }))
  expect(await stage()).toBe('active')
}

/** Grants in each status that has an event, given with a note. */
const inProgramme = async () => {
  const call = programmeOf(world)
  const note = `${who} complained`
  const reward = await call.pointsReward(5)
  const soon = () => new Date(Date.now() + 150).toISOString()
  await call.give(who, reward, { note, needsClaim: true })
  await call.give(who, reward, { note, needsClaim: true, claimExpiresAt: soon() })
  await call.give(who, await call.badge(), { note })
  const { uuid: grantId } = await call.give(who, reward, { note })
  await call.revoke({ grantId })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await settleDueGrants(world.runtime)
}

const inTheArena = async () => {
  const { partner } = world
  const arena = await createArena(world)
  await world.givePoints(who, 3, 'signup', partner.live.secret)
  const agent = await makeAgent(world.runtime, partner.partnerId, 'random')
  const support = { userId: who, amount: 5 }
  done(await world.post(`/v1/arena/agents/${agent.id}/support`, partner.live.secret, support))
  const game = await arena.publish({ entryFee: 10, resultPolicy: 'TOKEN' })
  const session = await arena.openSession(game.id)
  const seat = done(await arena.join(session.id, who)).body.data
  await arena.join(session.id, await arena.createUser(3))
  done(await arena.report(session.id, { winnerId: seat.playerId }, seat.sessionToken))
}

const erase = async (by = world.keys) =>
  (
    await world.graphql(
      `mutation ($id: String!) { eraseUser(input: { user: { externalId: $id } }) {
        ... on EraseUserPayload { user { externalId } } ...on Error { code } } }`,
      { id: who },
      by,
    )
  ).body.data.eraseUser.user.externalId as string

test('no column contains the name of an erased user who had every kind of data', async () => {
  const award = { userId: who, eventType: 'signup', displayName: 'Anna Displayed', email }
  for (const { secret } of [world.keys, world.partner.live])
    done(await world.post('/v1/points/award', secret, award))
  expect(await stage()).toBe('new')
  const play = { userId: who, gameType: 'ENIGMA_BOXES' }
  done(await world.post('/v1/games/play', world.keys.public, play))
  await byHand()
  await inCampaigns()
  await inLotteries()
  await inTheArena()
  await inJourneys()
  await inProgramme()
  const { db } = world.runtime
  const types = await db.event.groupBy({ by: ['type'] })
  expect(types.map(({ type }) => type).sort()).toEqual([
    'arena.game_reviewed',
    'arena.session_completed',
    'campaign.code_redeemed',
    'campaign.instant_win_won',
    'campaign.referral_completed',
    'game.played',
    'grant.expired',
    'grant.issued',
    'grant.ready',
    'grant.revoked',
    'journey.offer_claimed',
    'journey.stage_changed',
    'lottery.draw_completed',
    'lottery.entry_created',
    'lottery.ticket_won',
    'points.adjusted',
    'points.awarded',
    'points.reversed',
  ])
  const payloads = { select: { data: true }, orderBy: { id: 'asc' } } as const
  const ids = (await db.event.findMany({ select: { id: true } })).map(({ id }) => id)
  const before = (await db.event.findMany(payloads)).map(({ data }) => JSON.stringify(data))

  const [pseudonym, inLive] = [await erase(), await erase(world.partner.live)]
  expect(await traces(world, person)).toEqual([])
  // The data of others is complete, and events differ only in the name. The erasure revokes the grant that is ready.
  const isOld = { where: { id: { in: ids } } }
  const after = (await db.event.findMany({ ...payloads, ...isOld })).map(({ data }) =>
    JSON.stringify(data),
  )
  expect(after).toEqual(
    before.map((text, i) =>
      text
        .replaceAll(email, `${pseudonym}@erased.invalid`)
        .replaceAll(who, after[i]?.includes(inLive) ? inLive : pseudonym),
    ),
  )
  const tickets = await db.lotteryTicket.findMany()
  const holders = tickets.map(({ email, externalUserId }) => [externalUserId, email])
  expect(new Set(holders.map(String))).toEqual(
    new Set([
      `${pseudonym},${pseudonym}@erased.invalid`,
      `,${pseudonym}@erased.invalid`,
      'ben,ben@example.com',
    ]),
  )
})
