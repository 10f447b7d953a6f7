/** Kinds of settings that keep their versions: how each is created, changed in every field, and shown. */
import { usd } from '../../../src/kit/money.ts'

type Run = (name: string, input: object, shown: string) => Promise<Record<string, { id: string }>>

export const lotteryRules = (max: number) => ({
  mainRange: { count: 2, min: 1, max },
  tiers: [{ name: 'All', mainMatches: 2, bonusMatches: 0, prize: { amount: usd(100) } }],
})

/** A kind of settings: how it is created, changed in every field, and shown. */
type Kind = {
  type: string
  field: string
  restore: string
  name: string
  /** Creates one; returns its id and the input that names it. */
  create(): Promise<{ id: string; key: object }>
  keyOf(id: string): object
  change: string
  /** Another value for each field. */
  changed(key: object): object
  /** Everything that a restoration sets. */
  shown: string
}

/** The kinds; `run` calls a mutation and gives its payload. */
export const settingsKinds = (run: Run): Kind[] => [
  {
    type: 'RewardRule',
    field: 'rewardRule',
    restore: 'restoreRewardRule',
    name: 'daily_login',
    create: async () => {
      const key = { eventType: 'daily_login' }
      const { rewardRule } = await run('setRewardRule', { ...key, points: 10 }, 'rewardRule { id }')
      return { key, id: rewardRule?.id ?? '' }
    },
    keyOf: (rewardRuleId) => ({ rewardRuleId }),
    change: 'setRewardRule',
    changed: (key) => ({ ...key, points: 77 }),
    shown: 'points',
  },
  {
    type: 'OfferRule',
    field: 'offerRule',
    restore: 'restoreOfferRule',
    name: 'Come back',
    create: async () => {
      const key = { stage: 'CHURNED', offerType: 'VIP_PLAY' }
      const input = { ...key, title: 'Come back', points: 5, reward: { slug: 'hat' } }
      const { offerRule } = await run('setOfferRule', input, 'offerRule { id }')
      return { key, id: offerRule?.id ?? '' }
    },
    keyOf: (offerRuleId) => ({ offerRuleId }),
    change: 'setOfferRule',
    changed: (key) => ({
      ...key,
      title: 'Welcome back',
      description: 'Again',
      gameType: 'NEON_WHEEL',
      points: 50,
      creditsPoints: false,
      validHours: 1,
      cooldownDays: 1,
      recommendationType: 'REFERRAL',
    }),
    shown: `title description gameType points creditsPoints validHours cooldownDays recommendationType
      reward { slug }`,
  },
  {
    type: 'Campaign',
    field: 'campaign',
    restore: 'restoreCampaign',
    name: 'Summer',
    create: async () => {
      const input = {
        slug: 'summer',
        name: 'Summer',
        endsAt: '2030-01-01T00:00:00.000Z',
        eventRules: [
          { eventType: 'visit', points: 1 },
          { eventType: 'purchase', points: 2 },
        ],
        instantWinRules: {
          winRate: 0.5,
          prizeTiers: [
            { name: 'Hat', points: 5, maxWins: 3, reward: { slug: 'hat' } },
            { name: 'Bag', points: 1, maxWins: 9, weight: 4 },
          ],
        },
      }
      const { campaign } = await run('createCampaign', input, 'campaign { id }')
      return { key: { campaign: { slug: 'summer' } }, id: campaign?.id ?? '' }
    },
    keyOf: (id) => ({ campaign: { id } }),
    change: 'updateCampaign',
    changed: (key) => ({
      ...key,
      name: 'Winter',
      description: 'Cold',
      startsAt: '2029-01-01T00:00:00.000Z',
      endsAt: null,
      maxEventsPerUser: 3,
      creditsWallet: false,
      onReversal: 'REVOKE',
      eventRules: [{ eventType: 'visit', points: 3 }],
      instantWinRules: {
        winRate: 0.25,
        winCodeDays: 3,
        prizeTiers: [{ name: 'Bag', points: 2, maxWins: 8 }],
      },
      referralRules: { referrerPoints: 1, refereePoints: 2 },
    }),
    shown: `name description startsAt endsAt maxEventsPerUser creditsWallet onReversal
      eventRules { eventType points } referralRules { referrerPoints refereePoints }
      instantWinRules { winRate winCodeDays prizeTiers { name points weight maxWins reward { slug } } }`,
  },
  {
    type: 'Lottery',
    field: 'lottery',
    restore: 'restoreLottery',
    name: 'Weekly',
    create: async () => {
      const input = { slug: 'weekly', name: 'Weekly', frequency: 'WEEKLY', rules: lotteryRules(9) }
      const { lottery } = await run('createLottery', input, 'lottery { id }')
      return { key: { lottery: { slug: 'weekly' } }, id: lottery?.id ?? '' }
    },
    keyOf: (id) => ({ lottery: { id } }),
    change: 'updateLottery',
    changed: (key) => ({
      ...key,
      name: 'Every week',
      description: 'A draw',
      rules: {
        ...lotteryRules(19),
        bonusRange: { count: 1, min: 1, max: 3 },
        maxTicketsPerUser: 2,
      },
      endsAt: '2030-01-01T00:00:00.000Z',
      drawDelaySeconds: 5,
      primaryColor: '#102030',
      logoUrl: 'https://example.com/logo.png',
    }),
    shown: `name description endsAt drawDelaySeconds primaryColor logoUrl rules { maxTicketsPerUser
      mainRange { count min max } bonusRange { count } tiers { name mainMatches amount { amountCents } } }`,
  },
  {
    type: 'Game',
    field: 'game',
    restore: 'restoreGame',
    name: 'Wheel',
    create: async () => {
      const input = {
        gameType: 'COSMIC_SLOTS',
        name: 'Wheel',
        description: 'A wheel.',
        price: 5,
        segments: 12,
        imageUrl: 'https://example.com/wheel.png',
        rewards: [{ tier: 'COMMON', type: 'POINTS', value: 5, label: '5', weight: 1 }],
      }
      const { game } = await run('setGame', input, 'game { id }')
      return { key: { gameType: 'COSMIC_SLOTS' }, id: game?.id ?? '' }
    },
    keyOf: () => ({ gameType: 'COSMIC_SLOTS' }),
    change: 'setGame',
    changed: (key) => ({
      ...key,
      name: 'Slots',
      description: 'Slots.',
      price: 6,
      segments: 24,
      rewards: [{ tier: 'EPIC', type: 'XP', value: 7, label: '7', weight: 2 }],
    }),
    shown:
      'name description price imageUrl config { segments rewards { tier type value label weight } }',
  },
]
