/** Everything that moves points, on a few wallets of two partners, so that the operations collide. */

import { jobs } from '../../src/all-jobs.ts'
import { supportAgents } from '../../src/arena/agents/support.ts'
import { createArenaSessions } from '../../src/arena/sessions/opening.ts'
import { reportArenaResults } from '../../src/arena/sessions/result.ts'
import {
  joinArenaSessions,
  leaveArenaSessions,
  startArenaSessions,
} from '../../src/arena/sessions/seat.ts'
import { sessionTokenOf } from '../../src/arena/sessions/session.ts'
import { recordCampaignEvents } from '../../src/campaigns/campaign-event.ts'
import { generateCodes } from '../../src/campaigns/code-batch.ts'
import { redeemCodes } from '../../src/campaigns/code-redemption.ts'
import { redeemWinCodes } from '../../src/campaigns/instant-win.ts'
import { giveReferralCodes, recordReferrals } from '../../src/campaigns/referral.ts'
import { playGames } from '../../src/games/play.ts'
import { trackUsers } from '../../src/journeys/identify.ts'
import { claimOffers, createOffers } from '../../src/journeys/offer.ts'
import { trackEvents } from '../../src/journeys/track.ts'
import { TesseraError } from '../../src/kit/errors.ts'
import { closeDraw, keepDraws } from '../../src/lotteries/draw.ts'
import { runDraw } from '../../src/lotteries/run-draw.ts'
import { enterLotteries } from '../../src/lotteries/ticket.ts'
import { awardPoints } from '../../src/points/points.ts'
import { giveRewards } from '../../src/programme/gift.ts'
import { claimGrants } from '../../src/programme/grant.ts'
import { createReward } from '../../src/programme/reward.ts'
import { createArena } from '../arena/arena-world.ts'
import { makeAgent } from '../arena/matches/arena.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { makeLottery } from '../lotteries/lottery.ts'
import type { TestPartner, World } from '../world.ts'
import { goalOperations } from './goal-operations.ts'
import { shopOperations } from './shop-operations.ts'

const wallets = ['ann', 'ben', 'cid', 'dan', 'eve', 'fay', 'gus']

/** A session that may still be open, and who sits in it. */
type Session = { id: string; seats: { playerId: string; key: ReturnType<World['userKey']> }[] }

type Random = () => number

/** The last few of something, of which any is taken. */
const shelf = <T>(random: Random, most = 30) => {
  const items: T[] = []
  return {
    put: (item: T) => {
      items.push(item)
      if (items.length > most) items.shift()
    },
    any: (): T | undefined => items[Math.floor(random() * items.length)],
  }
}

/** The rows on which all operations work. */
const prepare = async (world: World, other: TestPartner) => {
  const { runtime, partner } = world
  const tenant = { partnerId: partner.partnerId, environment: 'LIVE' } as const
  const instantWinRules = {
    winRate: 0.5,
    prizeTiers: [{ name: 'Gold', points: 5, maxWins: 1_000_000 }],
  }
  const slug = await makeCampaign(
    world,
    'summer-sale',
    { maxEventsPerUser: null, instantWinRules },
    tenant,
  )
  const batch = { ...tenant, slug, codeCount: 10_000, points: 3 }
  const { codes } = await generateCodes(runtime, batch as never)
  const rewards = ['bonus', 'few']
  for (const name of rewards)
    await createReward(runtime, {
      ...tenant,
      name,
      kind: 'POINTS',
      points: 4,
      stock: name === 'few' ? 100 : null,
    })
  const lotteries = [await makeLottery(world, {}, tenant), await makeLottery(world, {}, tenant)]
  const arena = await createArena(world)
  const game = await arena.publish({ entryFee: 2, maxPlayers: 3, resultPolicy: 'QUORUM' })
  await arena.accept(game.id, [partner, other])
  const agents = [
    await makeAgent(runtime, partner.partnerId, 'random', { isPublic: true }),
    await makeAgent(runtime, partner.partnerId, 'random', { isPublic: true }),
  ]
  return { tenant, slug, codes, rewards, lotteries, game, agents }
}

/** @param worlds nodes of one database. The partner of the first is the one whose wallets move. */
export const prepareOperations = async (worlds: readonly [World, World], random: Random) => {
  const [main, { partner: other }] = worlds
  const { tenant, slug, codes, rewards, lotteries, game, agents } = await prepare(main, other)
  const { live } = main.partner
  const sessions = shelf<Session>(random)
  const wins = shelf<{ externalId: string; winCode: string }>(random)
  const offers = shelf<{ externalId: string; offerId: string }>(random)
  const entries = shelf<string>(random)
  const grants = shelf<{ externalId: string; grantId: string }>(random)

  const below = (bound: number) => Math.floor(random() * bound)
  const node = () => worlds[below(2)] as World
  const name = () => wallets[below(wallets.length)] as string
  const wallet = () => main.userKey(name(), tenant)
  const goals = goalOperations(() => node().runtime, below, { tenant, rewards })
  await goals.startAll()
  /** A wallet of either partner, for shared sessions. */
  const player = () =>
    below(4) === 0 ? main.userKey(name(), { ...tenant, partnerId: other.partnerId }) : wallet()
  const reference = () => (below(2) === 0 ? { reference: `order-${below(50)}` } : {})

  const mutate = async (mutation: string, input: object, fields = '') => {
    const { body } = await node().graphql(
      `mutation ($input: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) {
        result: ${mutation}(input: $input) { __typename ${fields} } }`,
      { input },
      live,
    )
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data.result
  }
  const shop = shopOperations(mutate, { name, below })
  await shop.start(slug)

  const open = async () => {
    const key = player()
    const { runtime } = node()
    const opened = await runtime.write(createArenaSessions, { ...key, gameId: game.id })
    const { session, player: seat } = opened
    sessions.put({ id: session.id, seats: seat ? [{ playerId: seat.id, key }] : [] })
  }
  const join = async () => {
    const session = sessions.any()
    const key = player()
    if (!session) return
    const seat = await node().runtime.write(joinArenaSessions, { ...key, sessionId: session.id })
    session.seats.push({ playerId: seat.player.id, key })
  }
  const leave = async () => {
    const session = sessions.any()
    const seat = session?.seats[below(session.seats.length)]
    if (!session || !seat) return
    await node().runtime.write(leaveArenaSessions, { ...seat.key, sessionId: session.id })
  }
  const report = async () => {
    const session = sessions.any()
    const winner = session?.seats[0]
    if (!session || !winner) return
    const { runtime } = node()
    await Promise.all(
      session.seats.map(({ playerId }) =>
        runtime.write(reportArenaResults, {
          sessionId: session.id,
          winnerId: winner.playerId,
          token: sessionTokenOf(runtime.keys, session.id, playerId),
        }),
      ),
    )
  }

  /** The wallets of two users in one call, in any order. */
  const refer = async () => {
    const { runtime } = node()
    const key = wallet()
    const { referralCode } = await runtime.write(giveReferralCodes, { ...key, slug })
    const referee = main.userKey(below(2) === 0 ? name() : `friend-${below(40)}`).externalId
    const code = referralCode as string
    const requested = { ...tenant, slug, referrer: key.externalId, referee, referralCode: code }
    await runtime.write(recordReferrals, requested)
  }
  const takePart = async () => {
    const key = wallet()
    const event = { ...key, slug, eventType: 'purchase' }
    const { instantWinDraw: draw } = await node().runtime.write(recordCampaignEvents, event)
    if (draw?.winCode) wins.put({ externalId: key.externalId, winCode: draw.winCode })
  }
  const redeemWin = async () => {
    const win = wins.any()
    if (!win) return
    const key = main.userKey(win.externalId, tenant)
    await node().runtime.write(redeemWinCodes, { ...key, slug, winCode: win.winCode })
  }
  const offer = async () => {
    const key = wallet()
    const soon = new Date(Date.now() + 2_000)
    const given = { offerType: 'welcome_bonus', points: 2, creditsPoints: true }
    const requested = { ...key, ...given, expiresAt: soon } as never
    const { id } = await node().runtime.write(createOffers, requested)
    offers.put({ externalId: key.externalId, offerId: id })
  }
  const claim = async () => {
    const made = offers.any()
    if (!made) return
    const key = main.userKey(made.externalId, tenant)
    await node().runtime.write(claimOffers, { ...key, offerId: made.offerId })
  }
  const award = async (more: object = {}) => {
    const event = { ...wallet(), eventType: below(2) === 0 ? 'signup' : 'purchase', ...more }
    const { ledgerEntry } = await node().runtime.write(awardPoints, event)
    entries.put(ledgerEntry.id)
  }
  const draw = async () => {
    const lottery = lotteries[below(2)] as (typeof lotteries)[number]
    const { runtime } = node()
    const where = { lotteryId: lottery.id, status: 'OPEN' } as const
    const found = await runtime.db.lotteryDraw.findFirst({ where })
    // Another caller has just closed it.
    if (!found) return
    await closeDraw(runtime, found.id, { early: true })
    await keepDraws(runtime, lottery.id)
    await runDraw(runtime, found.id, { early: true })
  }
  const expire = async () => {
    const { runtime } = node()
    const session = sessions.any()
    if (session)
      await runtime.db.arenaSession.updateMany({
        where: { id: session.id },
        data: { expiresAt: new Date() },
      })
    const names = ['expire-sessions', 'classify-users', 'expire-offers', 'settle-grants']
    for (const job of jobs) if (names.includes(job.name)) await job.run(runtime)
  }
  const give = async () => {
    const key = wallet()
    const more = below(3) === 0 ? { needsClaim: true } : {}
    const gift = { ...key, reward: { slug: rewards[below(2)] as string }, ...more, ...reference() }
    const by = { memberId: null, apiKeyId: tenant.partnerId }
    const { id } = await node().runtime.write(giveRewards, { ...gift, ...by })
    grants.put({ externalId: key.externalId, grantId: id })
  }
  const claimGrant = async () => {
    const grant = grants.any()
    if (grant) await node().runtime.write(claimGrants, { ...tenant, ...grant } as never)
  }
  const revoke = async () => {
    const grant = grants.any()
    if (grant) await mutate('revokeGrant', { grantId: grant.grantId })
  }
  const enter = () => {
    const key = wallet()
    const lotterySlug = lotteries[below(2)]?.slug as string
    return node().runtime.write(enterLotteries, {
      ...key,
      email: `${key.externalId}@shop.example`,
      lotterySlug,
    })
  }
  const track = () =>
    node().runtime.write(trackEvents, {
      ...wallet(),
      category: 'GAME_PLAY',
      eventType: 'visit',
      isTrusted: below(2) === 0,
      ...reference(),
    })

  /** Each with how often it is chosen. */
  const operations: [name: string, weight: number, run: () => Promise<unknown>][] = [
    ['award', 6, () => award()],
    ['award with a reference', 6, () => award(reference())],
    ['play', 6, () => node().runtime.write(playGames, { ...wallet(), gameType: 'NEON_WHEEL' })],
    ['campaign event', 6, takePart],
    ['redeem a win', 4, redeemWin],
    [
      'redeem a code',
      4,
      () => node().runtime.write(redeemCodes, { ...wallet(), slug, code: codes.pop() ?? '' }),
    ],
    ['referral', 4, refer],
    ['lottery entry', 6, enter],
    ['draw', 0.3, draw],
    ['offer', 4, offer],
    ['claim', 4, claim],
    ['give a reward', 4, give],
    ['claim a grant', 3, claimGrant],
    ['revoke a grant', 2, revoke],
    ['buy', 6, shop.buy],
    ['reveal a code', 2, shop.reveal],
    ['fulfil', 1, shop.fulfill],
    ['fail', 1, shop.fail],
    ['cancel', 3, shop.cancel],
    ['spend', 4, () => shop.spend(reference())],
    ['reverse what is spent', 2, shop.reverseSpent],
    ['repay', 2, () => shop.repay(node())],
    ['decide goals', 3, goals.decide],
    ['claim a grant of a goal', 3, goals.claim],
    ['start a goal', 0.3, goals.replace],
    ['track', 4, track],
    [
      'identify',
      3,
      () => node().runtime.write(trackUsers, { ...wallet(), country: 'FI' } as never),
    ],
    ['open a session', 5, open],
    ['join a session', 8, join],
    ['leave a session', 2, leave],
    [
      'start a session',
      3,
      async () => {
        const session = sessions.any()
        if (!session) return
        const started = { sessionId: session.id, partnerId: tenant.partnerId }
        await node().runtime.write(startArenaSessions, started)
      },
    ],
    ['report a result', 6, report],
    [
      'support an agent',
      4,
      () =>
        node().runtime.write(supportAgents, {
          ...wallet(),
          agentId: agents[below(2)]?.id as string,
          points: 1,
        }),
    ],
    [
      'adjust points',
      2,
      () =>
        mutate('adjustPoints', {
          user: { externalId: name() },
          points: below(9) - 2 || 5,
          reason: 'a test',
          ...reference(),
        }),
    ],
    [
      'reverse an entry',
      2,
      async () => {
        const ledgerEntryId = entries.any()
        if (ledgerEntryId) await mutate('reverseLedgerEntry', { ledgerEntryId, reason: 'a test' })
      },
    ],
    ['erase', 1, () => mutate('eraseUser', { user: { externalId: name() } })],
    ['rotate seeds', 2, () => mutate('rotatePlaySeed', { user: { externalId: name() } })],
    ['jobs', 1, expire],
  ]
  // A tenth of a weight is one place in the urn.
  const urn = operations.flatMap((operation) =>
    Array<typeof operation>(Math.round(operation[1] * 10)).fill(operation),
  )
  const choose = () => urn[below(urn.length)] as (typeof operations)[number]

  /** How often each operation was done, and refused. */
  const counts = new Map<string, { done: number; refused: number }>()
  const faults: string[] = []
  const runOne = async (): Promise<void> => {
    const [name, , run] = choose()
    const count = counts.get(name) ?? { done: 0, refused: 0 }
    counts.set(name, count)
    try {
      await run()
      count.done++
    } catch (error) {
      if (error instanceof TesseraError) count.refused++
      else faults.push(`${name}: ${(error as Error).stack}`)
    }
  }
  const shopResults = () => shop.results(main, tenant)
  return { runOne, counts, faults, goals, shopResults, names: operations.map(([name]) => name) }
}
