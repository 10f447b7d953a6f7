/** For each writer that is called in batches: how its stage is set up, and the items that it is called with. */

import { type RecordedEvent, recordCampaignEvents } from '../../src/campaigns/campaign-event.ts'
import { generateCodes } from '../../src/campaigns/code-batch.ts'
import { type RedeemedCode, redeemCodes } from '../../src/campaigns/code-redemption.ts'
import { type RedeemedWin, redeemWinCodes } from '../../src/campaigns/instant-win.ts'
import {
  type CompletedReferral,
  giveReferralCodes,
  recordReferrals,
} from '../../src/campaigns/referral.ts'
import { demoMechanics } from '../../src/demo/demo.ts'
import { type SetGame, setGameMechanic } from '../../src/games/mechanic.ts'
import { type PlayedGame, playGames } from '../../src/games/play.ts'
import { trackUsers } from '../../src/journeys/identify.ts'
import { claimOffers, createOffers } from '../../src/journeys/offer.ts'
import { trackEvents } from '../../src/journeys/track.ts'
import { usd } from '../../src/kit/money.ts'
import { enterLotteries } from '../../src/lotteries/ticket.ts'
import { awardPoints, type PointsAward } from '../../src/points/points.ts'
import { countNewUsers } from '../../src/users/new-user-limit.ts'
import { createAttemptWriter } from '../../src/webhooks/delivery.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { makeLottery } from '../lotteries/lottery.ts'
import { storeEndpoint } from '../webhooks/stored.ts'
import type { World } from '../world.ts'
import { arenaStages } from './arena-stages.ts'
import { correctionStages } from './correction-stages.ts'
import { grantStages } from './grant-stages.ts'
import { award, good, type Place, type Stage, type Writer } from './stage.ts'

const referrals = async (place: Place) => {
  const { world, tenant } = place
  await award(place, ['ann', 'ben'])
  const slug = await makeCampaign(world, 'summer-sale', {}, tenant)
  const requested = ['ann', 'ben'].map((name) => ({ ...world.userKey(name, tenant), slug }))
  const [ann, ben] = good(await giveReferralCodes(world.runtime, requested))
  return { slug, ann: ann?.referralCode as string, ben: ben?.referralCode as string }
}

export const stages = (world: World): Record<string, Stage> => ({
  awardPoints: {
    writer: awardPoints as Writer,
    items: ({ tenant }) => [
      { ...tenant, externalId: 'ann', eventType: 'signup', reference: 'once' },
      { ...tenant, externalId: 'ben', eventType: 'purchase' },
      { ...tenant, externalId: 'ann', eventType: 'signup', reference: 'once' },
      { ...tenant, externalId: 'ann', eventType: 'no rule' },
      { ...tenant, externalId: 'ann', eventType: 'purchase', email: 'ann@example.com' },
      { ...tenant, externalId: 'ann', eventType: 'purchase', email: 'ann@example.com' },
    ],
    // The user is shown in the state after the batch.
    shown: ({ ledgerEntry: { user, ...entry } }: PointsAward) => [entry, user.externalId],
  },
  playGames: {
    writer: playGames as Writer,
    items: async (place) => {
      await award(place, ['ann', 'ben'])
      const reward = { tier: 'common', type: 'points', value: 10, label: 'Ten', weight: 1 } as const
      const [wheel] = demoMechanics as [SetGame]
      await setGameMechanic(place.world.runtime, { ...place.tenant, ...wheel, rewards: [reward] })
      const play = (externalId: string, gameType = 'NEON_WHEEL') => ({
        ...place.tenant,
        externalId,
        gameType,
      })
      return [play('ann'), play('ben'), play('ann'), play('nobody'), play('ann'), play('ann')]
    },
    // The position of the wheel is random; the user is shown in the state after the batch.
    shown: ({ play: { outcome: _, user, ledgerEntry, ...play } }: PlayedGame) => [
      play,
      user.externalId,
      ledgerEntry.balanceAfter,
    ],
  },
  recordCampaignEvents: {
    writer: recordCampaignEvents as Writer,
    items: async ({ world, tenant }) => {
      const changes = { maxEventsPerUser: 2, instantWinRules: null }
      const slug = await makeCampaign(world, 'summer-sale', changes, tenant)
      const event = (name: string, eventType: string) => ({
        ...world.userKey(name, tenant),
        slug,
        eventType,
      })
      return [
        event('ann', 'purchase'),
        event('ben', 'signup'),
        event('ann', 'purchase'),
        { ...event('ann', 'purchase'), slug: 'unknown' },
        event('ann', 'purchase'),
        event('ben', 'no rule'),
      ]
    },
    // Users are shown in the state after the batch, participants after their event.
    shown: ({ participant, user, ...recorded }: RecordedEvent) => [
      { ...participant, user: user.externalId },
      recorded,
    ],
  },
  redeemCodes: {
    writer: redeemCodes as Writer,
    items: async ({ world, tenant }) => {
      const slug = await makeCampaign(world, 'summer-sale', {}, tenant)
      const input = { ...tenant, slug, codeCount: 2, points: 7 }
      const { codes } = await generateCodes(world.runtime, input as never)
      const redeem = (code: string, name: string) => ({
        ...world.userKey(name, tenant),
        slug,
        code,
      })
      const [first = '', second = ''] = codes
      return [
        redeem(first, 'ann'),
        redeem(second, 'ann'),
        redeem(first, 'ben'),
        redeem(first, 'ann'),
        redeem('SUMM-AAAAAAAA', 'ann'),
      ]
    },
    // Users and code batches are shown in the state after the batch.
    shown: ({ codeBatch, participant, user }: RedeemedCode) => [
      { ...participant, user: user.externalId },
      { ...codeBatch, redeemed: null },
    ],
  },
  redeemWinCodes: {
    writer: redeemWinCodes as Writer,
    items: async ({ world, tenant }) => {
      const prizeTiers = [{ name: 'Gold', points: 500, weight: 1, maxWins: 3 }]
      const instantWinRules = { winRate: 1, prizeTiers }
      const slug = await makeCampaign(world, 'golden-ticket', { instantWinRules }, tenant)
      const event = { ...world.userKey('ann', tenant), slug, eventType: 'purchase' }
      const wins = good(await recordCampaignEvents(world.runtime, [event, event]))
      const redeem = (n: number, name: string) => ({
        ...world.userKey(name, tenant),
        slug,
        winCode: wins[n]?.instantWinDraw?.winCode ?? '',
      })
      return [redeem(0, 'ann'), redeem(1, 'ben'), redeem(0, 'ann'), redeem(1, 'ann')]
    },
    shown: ({ participant, user, ...redeemed }: RedeemedWin) => [
      { ...participant, user: user.externalId },
      redeemed,
    ],
  },
  recordReferrals: {
    writer: recordReferrals as Writer,
    items: async (place) => {
      const { slug, ann, ben } = await referrals(place)
      const refer = (referrer: string, referralCode: string, referee: string) => ({
        ...place.tenant,
        slug,
        referrer,
        referralCode,
        referee,
      })
      return [
        refer('ann', ann, 'cid'),
        refer('ben', ben, 'cid'),
        refer('ann', ann, 'ben'),
        refer('ben', ben, 'ann'),
        refer('ann', ben, 'dan'),
        refer('ann', ann, 'cid'),
        refer('ann', ann, 'dan'),
        refer('ben', ben, 'eve'),
      ]
    },
    shown: ({ referrer, referee, ...completed }: CompletedReferral) => [
      { ...referrer, user: referrer.user.externalId },
      { ...referee, user: referee.user.externalId },
      completed,
    ],
  },
  giveReferralCodes: {
    writer: giveReferralCodes as Writer,
    items: async (place) => {
      await award(place, ['ann', 'ben'])
      const slug = await makeCampaign(place.world, 'summer-sale', {}, place.tenant)
      return ['ann', 'ben', 'ann', 'nobody', 'ann'].map((name) => ({
        ...place.world.userKey(name, place.tenant),
        slug,
      }))
    },
  },
  createOffers: {
    writer: createOffers as Writer,
    items: async (place) => {
      await award(place, ['ann', 'ben'])
      const offer = (externalId: string, more: object = {}) => ({
        ...place.tenant,
        externalId,
        offerType: 'welcome_bonus',
        ...more,
      })
      return [
        offer('ann'),
        offer('ben'),
        offer('ann'),
        offer('nobody'),
        offer('ann', { expiresAt: new Date(0) }),
        offer('ann'),
        offer('ann'),
      ]
    },
  },
  claimOffers: {
    writer: claimOffers as Writer,
    items: async (place) => {
      await award(place, ['ann', 'ben'])
      const offer = { ...place.tenant, offerType: 'welcome_bonus', points: 5 }
      const requested = ['ann', 'ann', 'ben'].map((externalId) => ({ ...offer, externalId }))
      const made = good(await createOffers(place.world.runtime, requested as never))
      const claim = (n: number, externalId: string) => ({
        ...place.tenant,
        externalId,
        offerId: made[n]?.id,
      })
      return [claim(0, 'ann'), claim(2, 'ben'), claim(0, 'ann'), claim(1, 'ben'), claim(1, 'ann')]
    },
  },
  countNewUsers: {
    writer: countNewUsers as Writer,
    items: async (place) => {
      await award(place, ['ann'])
      const of = (externalId: string, max: number) => ({
        ...place.tenant,
        externalId,
        counter: `key ${place.tenant.partnerId} ${max}`,
        max,
      })
      // A counter that somebody else can lock.
      await countNewUsers(place.world.runtime, [of('earlier', 20)] as never)
      return [of('ann', 1), of('new', 20), of('refused', 0), of('new', 20)]
    },
  },
  trackUsers: {
    writer: trackUsers as Writer,
    items: ({ tenant }) => [
      { ...tenant, externalId: 'ann', displayName: 'Ann' },
      { ...tenant, externalId: 'ben', country: 'FI' },
      { ...tenant, externalId: 'ann', country: 'SE' },
      { ...tenant, externalId: 'ann', displayName: 'Ann' },
    ],
    // A profile is shown in the state after the batch to all callers who changed it.
    shown: ({ user }: { user: { externalId: string } }) => user.externalId,
  },
  trackEvents: {
    writer: trackEvents as Writer,
    items: ({ tenant }) => {
      const event = (externalId: string, more: object = {}) => ({
        ...tenant,
        externalId,
        category: 'CUSTOM',
        eventType: 'checkout',
        isTrusted: true,
        ...more,
      })
      return [
        event('ann', { reference: 'once' }),
        event('ann', { reference: 'once', isTrusted: false }),
        event('ben'),
        event('ann', { reference: 'once' }),
        event('ann', { reference: 'once', isTrusted: false }),
        event('ann', { occurredAt: new Date(Date.now() + 3_600_000) }),
        event('ben', { reference: 'once' }),
        event('ben'),
      ]
    },
  },
  enterLotteries: {
    writer: enterLotteries as Writer,
    items: async ({ world, tenant }) => {
      const rules = {
        mainRange: { count: 1, min: 1, max: 5 },
        maxTicketsPerUser: 2,
        tiers: [{ name: 'One', mainMatches: 1, bonusMatches: 0, prize: { amount: usd(1) } }],
      }
      const { slug } = await makeLottery(world, { rules }, tenant)
      const enter = (name: string | null, main: number[], lotterySlug = slug) => ({
        ...(name === null ? tenant : world.userKey(name, tenant)),
        email: 'ann@example.com',
        lotterySlug,
        lines: [{ main }],
      })
      return [
        enter('ann', [1]),
        enter('ben', [2]),
        enter('ann', [1]),
        enter('ann', [9]),
        enter('ann', [3]),
        enter(null, [4]),
        enter('ann', [1], 'unknown'),
      ]
    },
    shown: ({ lines, entryNo, ticketNo }: Record<string, unknown>) => [lines, entryNo, ticketNo],
  },
  ...arenaStages,
  ...correctionStages,
  ...grantStages,
  recordAttempts: {
    writer: createAttemptWriter(world.runtime.config) as Writer,
    items: async (place) => {
      const { db } = place.world.runtime
      const url = 'https://8.8.8.8/hook'
      const endpointId = await storeEndpoint(place.world, { ...place.tenant, url })
      await award(place, ['ann', 'ben'])
      const deliveries = await db.webhookDelivery.findMany({
        where: { endpointId },
        orderBy: { eventId: 'asc' },
      })
      const attempt = (n: number, responseStatus: number, ms: number) => ({
        delivery: { id: deliveries[n]?.id, endpointId, tries: 0 },
        startedAt: new Date(1_000_000 + ms),
        durationMs: ms,
        responseStatus,
        retryAfterSeconds: null,
        responseBody: null,
        error: null,
      })
      return [attempt(0, 500, 1), attempt(1, 200, 2), attempt(0, 200, 3), attempt(1, 200, 4)]
    },
  },
})
