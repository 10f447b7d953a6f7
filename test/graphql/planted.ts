/** A user of LIVE with marked values in all fields that a secret key can set, and related objects. */
import { expect } from 'vitest'
import type { Offer } from '../../src/generated/prisma/client.ts'
import { runDraw } from '../../src/lotteries/run-draw.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { createArena } from '../arena/arena-world.ts'
import { makeAgent, makeMatch, playAll } from '../arena/matches/arena.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { makeLottery, openDrawOf } from '../lotteries/lottery.ts'
import { countAll } from '../programme/goals.ts'
import type { Answer, World } from '../world.ts'

/** In everything that no public key may see; short, because a phone number has 20 characters. */
export const mark = 'm4rk'
export const userId = 'planted'

const done = (answer: Answer): Answer => {
  expect([200, 201], answer.text).toContain(answer.status)
  expect(answer.body.errors, answer.text).toBeUndefined()
  return answer
}

/** Makes an offer that has room: an older one is claimed first. */
export const plantOffer = async ({ post, partner, runtime }: World): Promise<Offer> => {
  const path = `/v1/user-journeys/users/${userId}/offers`
  const offer = { offerType: 'vip_play', pointsValue: 5, metadata: { is: `${mark}-offer` } }
  const { body } = done(await post(path, partner.live.secret, offer))
  return runtime.db.offer.findUniqueOrThrow({ where: { id: body.data.offer.id } })
}

/** A goal of a segment that the user has completed, and a grant of it. */
const plantGoal = async ({ graphql, partner, runtime }: World): Promise<void> => {
  const document = `mutation {
    createSegment(input: { name: "${mark}-segment", stage: NEW }) { __typename }
    createReward(input: { name: "bonus", kind: BADGE, price: 5 }) { __typename }
    createGoal(input: { slug: "planted-goal", name: "Goal", window: EVER, repeat: ONCE, countFrom: EVER,
      tasks: [{ target: 1, measure: { facts: [POINTS_AWARDED] } }], rewards: [{ slug: "bonus" }] }) { __typename }
    startGoal(input: { goal: { slug: "planted-goal" } }) { __typename }
    createOther: createGoal(input: { slug: "other", name: "Other", window: EVER, repeat: ONCE,
      tasks: [{ target: 9, measure: { facts: [ACTIVITY] } }], requires: [{ slug: "planted-goal" }] }) { __typename }
    startOther: startGoal(input: { goal: { slug: "other" } }) { __typename }
  }`
  const { text } = done(await graphql(document, {}, { secret: partner.live.secret }))
  expect(text).not.toContain('Error')
  await countAll(runtime)
  await decideGoals(runtime)
  const { db } = runtime
  const segment = await db.segment.findFirstOrThrow({ where: { name: `${mark}-segment` } })
  await db.goal.updateMany({ data: { segmentId: segment.id } })
}

/** Plants everything, and returns the ids. */
export const plant = async (world: World) => {
  const { runtime, partner, post, graphql } = world
  const { live, partnerId } = partner
  const tenant = { partnerId, environment: 'LIVE' } as const
  await world.givePoints(userId, 50, 'signup', live.secret)
  done(
    await post('/v1/points/award', live.secret, {
      userId,
      eventType: 'signup',
      displayName: 'Planted',
      email: `${mark}-email@x.example`,
      metadata: { is: `${mark}-award` },
    }),
  )
  const bySecret = { secret: live.secret }
  const input = {
    user: { externalId: userId },
    phone: `${mark}-phone`,
    source: `${mark}-source`,
    tags: { is: `${mark}-tags` },
    metadata: { is: `${mark}-metadata` },
  }
  const track = 'mutation ($input: TrackUserInput!) { trackUser(input: $input) { __typename } }'
  done(await graphql(track, { input }, bySecret))
  const event = {
    user: { externalId: userId },
    category: 'CUSTOM',
    eventType: 'checkout',
    reference: 'order-1',
    metadata: { is: `${mark}-event` },
  }
  const send =
    'mutation ($input: TrackActivityInput!) { trackActivity(input: $input) { __typename } }'
  done(await graphql(send, { input: event }, bySecret))
  await plantGoal(world)
  const slug = await makeCampaign(world, 'summer-sale', {}, tenant)
  const recorded = { userId, eventType: 'purchase', metadata: { is: `${mark}-campaign` } }
  done(await post(`/v1/campaigns/${slug}/events`, live.secret, recorded))
  const lottery = await makeLottery(world, {}, tenant)
  done(
    await post('/v1/lotteries/entries', live.secret, {
      lotterySlug: lottery.slug,
      userId,
      email: `${mark}-ticket@x.example`,
      lines: [{ main: [1, 2, 3], bonus: [1] }],
    }),
  )
  const draw = await openDrawOf(world, lottery)
  await runDraw(runtime, draw.id, { early: true })
  const play = { userId, gameType: 'NEON_WHEEL' }
  const { body } = done(await post('/v1/games/play', live.public, play))
  const agents = [
    await makeAgent(runtime, partnerId, 'random'),
    await makeAgent(runtime, partnerId, 'random'),
  ] as const
  const match = await makeMatch(runtime, agents)
  await playAll(runtime)
  const [{ id: agentId }] = agents
  done(await post(`/v1/arena/agents/${agentId}/support`, live.secret, { userId, amount: 5 }))
  const arena = await createArena(world)
  const game = await arena.publish()
  const session = await arena.openSession(game.id, { userId, isPublic: true })
  const { id: sessionId, playerId } = session
  await runtime.db.arenaSessionMove.create({
    data: { sessionId, playerId, seq: 1, data: {}, totalBytes: 2, sentAt: new Date() },
  })
  const user = await runtime.db.endUser.findFirstOrThrow({ where: { externalId: userId } })
  const of = { where: { userId: user.id }, orderBy: { id: 'desc' } } as const
  const nodes = {
    User: user,
    Activity: await runtime.db.userActivity.findFirstOrThrow({
      where: { userId: user.id, eventType: 'checkout' },
    }),
    Offer: await plantOffer(world),
    Play: { id: body.data.playId },
    StageChange: await runtime.db.stageChange.findFirstOrThrow(of),
    LedgerEntry: await runtime.db.ledgerEntry.findFirstOrThrow(of),
  }
  return { slug, agentId, matchId: match.id, game, sessionId, drawId: draw.id, nodes }
}
