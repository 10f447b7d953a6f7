/** One item of everything that the schema lists. */
import { runDraw } from '../../src/lotteries/run-draw.ts'
import { createArena } from '../arena/arena-world.ts'
import { makeAgent, makeMatch, playAll } from '../arena/matches/arena.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { makeLottery } from '../lotteries/lottery.ts'
import type { Answer, World } from '../world.ts'
import { plantRows } from './planted-rows.ts'

const done = (answer: Answer): Answer => {
  if (answer.status >= 300 || answer.body.errors) throw new Error(answer.text)
  return answer
}

/** Items of a user, and of their tenant. */
const plantUser = async (world: World) => {
  const { runtime, keys, tenant, post, givePoints } = world
  await givePoints('anna', 3)
  done(await post('/v1/games/play', keys.public, { userId: 'anna', gameType: 'ENIGMA_BOXES' }))
  const offer = { offerType: 'vip_play', pointsValue: 5 }
  done(await post('/v1/user-journeys/users/anna/offers', keys.secret, offer))
  const where = { externalId: 'anna', environment: tenant.environment }
  const { id: userId } = await runtime.db.endUser.findFirstOrThrow({ where })
  const stage = { userId, toStage: 'new', reason: 'x', changedAt: new Date() } as const
  await runtime.db.stageChange.create({ data: { ...tenant, id: userId, ...stage } })
  await plantRows(world, tenant, userId)
  return userId
}

/** A prize and a referral of a user in a campaign. */
const plantWin = async ({ runtime: { db }, tenant }: World, slug: string, userId: string) => {
  const tier = { where: { ...tenant, campaign: { slug } } }
  const { id: tierId, campaignId } = await db.prizeTier.findFirstOrThrow(tier)
  const of = { ...tenant, id: userId, campaignId }
  const at = new Date()
  const win = { userId, tierId, points: 1, codeHash: Buffer.from('x'), wonAt: at, expiresAt: at }
  await db.instantWin.create({ data: { ...of, ...win } })
  const friend = { id: campaignId, externalId: 'friend', scoreReachedAt: at }
  const { id: refereeId } = await db.endUser.create({ data: { ...tenant, ...friend } })
  const pair = { referrerId: userId, refereeId, createdAt: at }
  await db.referral.create({ data: { ...of, ...pair, referrerReward: 0, refereeReward: 0 } })
}

/** Items of the arena, which is LIVE. */
const plantArena = async (world: World) => {
  const { runtime, partner } = world
  const { partnerId } = partner
  const agents = [
    await makeAgent(runtime, partnerId, 'random'),
    await makeAgent(runtime, partnerId, 'random'),
  ] as const
  await makeMatch(runtime, agents)
  await playAll(runtime)
  const [{ id: agentId }] = agents
  const arena = await createArena(world)
  const support = { userId: await arena.createUser(3), amount: 5 }
  done(await world.post(`/v1/arena/agents/${agentId}/support`, partner.live.secret, support))
  const game: { id: string } = await arena.publish({ entryFee: 10, resultPolicy: 'SERVER' })
  const { id: sourceId } = await arena.openSession(game.id)
  await arena.accept(game.id, [partner])
  const holder = `developer:${partnerId}`
  const account = { partnerId, environment: 'LIVE' } as const
  await runtime.db.pointAccount.create({ data: { name: holder, entries: 1, ...account } })
  await runtime.db.accountEntry.create({
    data: {
      id: game.id,
      ...account,
      holder,
      entryNo: 1,
      eventType: 'x',
      points: 1,
      balanceAfter: 1,
      account: 'x',
      sourceId,
      createdAt: new Date(),
    },
  })
  return { agentId, game, holder }
}

/** Plants all items, and returns the objects that have lists. */
export const plantLists = async (world: World) => {
  const { runtime, keys, post } = world
  const userId = await plantUser(world)
  const slug = await makeCampaign(world, 'summer-sale')
  const event = { userId: 'anna', eventType: 'purchase' }
  done(await post(`/v1/campaigns/${slug}/events`, keys.secret, event))
  const batch = { slug, batchSize: 1, pointsValue: 1 }
  const made = done(await post('/v1/campaigns/codes/generate', keys.secret, batch))
  const { codes, batch: codeBatch } = made.body.data
  done(await post(`/v1/campaigns/${slug}/redeem`, keys.secret, { userId: 'anna', code: codes[0] }))
  await plantWin(world, slug, userId)
  const lottery = await makeLottery(world)
  const entry = { lotterySlug: lottery.slug, userId: 'anna', email: 'a@x.example' }
  const entered = done(await post('/v1/lotteries/entries', keys.secret, entry))
  const { id: ticketId, drawId } = entered.body.data
  const { ticketNo } = await runtime.db.lotteryTicket.findUniqueOrThrow({ where: { id: ticketId } })
  await runDraw(runtime, drawId, { early: true })
  const line = { drawId, ticketNo, lineNo: 0 }
  const won = { tierNo: 0, amountCents: 1 }
  await runtime.db.lotteryWin.upsert({
    where: { drawId_ticketNo_lineNo: line },
    create: { ...world.tenant, ...line, ...won },
    update: won,
  })
  const arena = await plantArena(world)
  const user = await runtime.db.endUser.findUniqueOrThrow({ where: { id: userId } })
  const segmentId = Buffer.from(`Segment:${userId}`).toString('base64url')
  return {
    user,
    slug,
    batchId: codeBatch.id as string,
    lottery,
    drawId: drawId as string,
    segmentId,
    ...arena,
  }
}
