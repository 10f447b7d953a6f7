/** The demo partner, which gives newcomers something to award, play and look at. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import { createApiKey } from '../accounts/api-key.ts'
import { updateBrand } from '../accounts/brand.ts'
import { hashPassword } from '../accounts/password.ts'
import type { CreateCampaign } from '../campaigns/campaign-input.ts'
import { createCampaign } from '../campaigns/campaign-management.ts'
import { type SetGame, setGameMechanic } from '../games/mechanic.ts'
import { createOffers } from '../journeys/offer.ts'
import type { Config } from '../kit/config/config.ts'
import { inTransaction } from '../kit/database/db.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { externalId } from '../kit/user-id.ts'
import { awardPoints } from '../points/points.ts'
import { setRewardRule } from '../points/reward-rule.ts'
import type { UserKey } from '../users/end-user.ts'
import { seedArena, seedArenaAgents } from './arena.ts'
import { seedGoals } from './goals.ts'
import { seedLotteriesWithDraw } from './lotteries.ts'
import { startOfPast } from './past.ts'
import { seedShop } from './shop.ts'

export const demoCampaigns: CreateCampaign[] = [
  {
    slug: 'summer-sale',
    name: 'Summer Sale',
    description:
      'Shop, sign in, bring your friends: everything you do this summer earns points, and every tenth time a little luck comes with it.',
    status: 'ACTIVE',
    maxEventsPerUser: 100,
    eventRules: [
      { eventType: 'purchase', points: 100 },
      { eventType: 'signup', points: 50 },
      { eventType: 'daily_login', points: 10 },
    ],
    instantWinRules: {
      winRate: 0.1,
      prizeTiers: [
        { name: 'Gold', points: 1000, weight: 5, maxWins: 100 },
        { name: 'Silver', points: 250, weight: 25, maxWins: 1000 },
        { name: 'Bronze', points: 50, weight: 70, maxWins: 10_000 },
      ],
    },
    referralRules: { referrerPoints: 200, refereePoints: 100 },
  },
  {
    slug: 'golden-ticket',
    name: 'Golden Ticket',
    description: 'Eight tickets, and whoever comes first wins. When they are gone, they are gone.',
    status: 'ACTIVE',
    maxEventsPerUser: 20,
    eventRules: [{ eventType: 'purchase', points: 10 }],
    instantWinRules: {
      winRate: 1,
      prizeTiers: [
        { name: 'Gold', points: 500, weight: 1, maxWins: 3 },
        { name: 'Silver', points: 100, weight: 1, maxWins: 5 },
      ],
    },
  },
  {
    slug: 'winter-archive',
    name: 'Winter Archive',
    description: 'Last winter’s campaign, for the record.',
    status: 'ENDED',
    eventRules: [{ eventType: 'purchase', points: 25 }],
  },
]

/** Not a picture: the demo loads nothing from other servers. */
const demoBrand = {
  color: '#6D28D9',
  promoter: 'Demo Ltd, 1 Example Street, London',
  terms:
    'Open to users of the demo. One account each. Points have no value, and prizes are not handed out.',
}

export const seedCampaigns = async (work: Work, tenant: Tenant): Promise<void> => {
  await updateBrand(work, { ...tenant, ...demoBrand })
  for (const campaign of demoCampaigns) await createCampaign(work, { ...tenant, ...campaign })
}

const dayMs = 24 * 3600 * 1000

export const seedJourneys = async (work: Work, user: UserKey): Promise<void> => {
  const yesterday = new Date(work.clock().getTime() - dayMs)
  const past = { ...work, clock: () => yesterday }
  const offers = [
    ...(await createOffers(past, [
      {
        ...user,
        offerType: 'daily_free_spin',
        points: 20,
        description: 'Yesterday only.',
        expiresAt: new Date(yesterday.getTime() + dayMs / 2),
      },
    ])),
    ...(await createOffers(work, [
      {
        ...user,
        offerType: 'welcome_bonus',
        points: 50,
        description: 'For your first days with us.',
        expiresAt: new Date(work.clock().getTime() + 30 * dayMs),
      },
    ])),
  ]
  for (const offer of offers) if (offer instanceof Error) throw offer
}

export type Demo = {
  partnerId: string
  partnerSlug: string
  keys: { publicTest: string; secretTest: string; publicLive: string; secretLive: string }
  developer: { email: string; password: string }
  admin: { email: string; password: string }
}

export const demoRules = { signup: 100, purchase: 50, referral: 200, daily_login: 10 }

export const demoMechanics: SetGame[] = [
  {
    gameType: 'NEON_WHEEL',
    name: 'Neon Wheel',
    description: 'Spin the wheel and see where it stops.',
    price: 50,
    segments: 12,
    rewards: [
      {
        tier: 'epic',
        type: 'cashback',
        value: 20,
        label: '20 % cashback',
        weight: 2,
        worthPoints: 400,
      },
      { tier: 'rare', type: 'points', value: 200, label: '200 points', weight: 8 },
      { tier: 'rare', type: 'xp', value: 100, label: '100 XP', weight: 15, worthPoints: 10 },
      { tier: 'common', type: 'points', value: 20, label: '20 points', weight: 35 },
      { tier: 'common', type: 'xp', value: 0, label: 'Better luck next time', weight: 40 },
    ],
  },
  {
    gameType: 'COSMIC_SLOTS',
    name: 'Cosmic Slots',
    description: 'Three of a kind wins.',
    price: 30,
    segments: 8,
    rewards: [
      { tier: 'epic', type: 'points', value: 500, label: '500 points', weight: 1 },
      { tier: 'rare', type: 'points', value: 100, label: '100 points', weight: 9 },
      { tier: 'common', type: 'xp', value: 10, label: '10 XP', weight: 40, worthPoints: 1 },
      { tier: 'common', type: 'xp', value: 0, label: 'No luck this time', weight: 50 },
    ],
  },
  {
    gameType: 'ENIGMA_BOXES',
    name: 'Enigma Boxes',
    description: 'One of the boxes opens. What is inside?',
    price: 20,
    segments: 6,
    rewards: [
      {
        tier: 'epic',
        type: 'special',
        value: 1,
        label: 'Mystery gift',
        weight: 1,
        worthPoints: 600,
      },
      {
        tier: 'rare',
        type: 'item',
        value: 1,
        label: 'Collector card',
        weight: 14,
        worthPoints: 30,
      },
      { tier: 'common', type: 'points', value: 10, label: '10 points', weight: 45 },
      { tier: 'common', type: 'xp', value: 0, label: 'An empty box', weight: 40 },
    ],
  },
]

/** Gives an environment of a new partner rules, games, campaigns, lotteries, goals and a user with points. */
export const seedEnvironment = async (work: Work, tenant: Tenant) => {
  // The history of LIVE counts for its goals.
  const startsAt = tenant.environment === 'LIVE' ? startOfPast(work.clock()) : work.clock()
  await seedGoals(work, tenant, startsAt)
  await seedShop(work, tenant, startsAt)
  for (const [eventType, points] of Object.entries(demoRules))
    await setRewardRule(work, { ...tenant, eventType, points })
  for (const mechanic of demoMechanics) await setGameMechanic(work, { ...tenant, ...mechanic })
  const user = { ...tenant, externalId: externalId().parse('demo-user') }
  // Five referrals earn the 1,000 points. Points can only be earned.
  const referrals = Array.from({ length: 5 }, (_, i) => ({
    ...user,
    eventType: 'referral',
    displayName: 'Demo User',
    email: 'demo-user@example.com',
    reference: `demo-referral-${i + 1}`,
  }))
  for (const result of await awardPoints(work, referrals)) if (result instanceof Error) throw result
  await seedCampaigns(work, tenant)
  await seedLotteriesWithDraw(work, tenant)
  await seedJourneys(work, user)
}

const seedMember = async ({ tx }: Work, partnerId: string, email: string, isOperator: boolean) => {
  const password = randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
  const { id } = await tx.member.create({
    data: { id: uuid(), partnerId, email, passwordHash, role: 'OWNER', isOperator },
  })
  return { id, email, password }
}

/** Creates the demo partner on a database without partners. Returns its keys, or null if there was a partner. */
export const seedDemo = async (work: Work & { config: Config }): Promise<Demo | null> =>
  inTransaction(work, async (txWork) => {
    const { tx } = txWork
    await tx.$executeRaw`LOCK TABLE partner IN SHARE ROW EXCLUSIVE MODE`
    if ((await tx.partner.count()) > 0) return null
    const partnerId = uuid()
    const applicationIds = { TEST: uuid(), LIVE: uuid() }
    await tx.partner.create({ data: { id: partnerId, slug: 'demo', name: 'Demo' } })
    await tx.application.createMany({
      data: [
        { id: applicationIds.TEST, partnerId, name: 'Demo application' },
        // The public key of a live demo is visible to everyone.
        {
          id: applicationIds.LIVE,
          partnerId,
          name: 'Live demo application',
          publicProfiles: 'MASKED',
          userTokens: 'REQUIRED',
        },
      ],
    })
    const makeKey = async (kind: 'PUBLIC' | 'SECRET', environment: 'TEST' | 'LIVE') => {
      const applicationId = applicationIds[environment]
      const key = { partnerId, environment, applicationId, kind, label: 'demo' }
      return (await createApiKey(txWork, key)).key
    }
    const { id: reviewerId, ...admin } = await seedMember(
      txWork,
      partnerId,
      'admin@demo.example',
      true,
    )
    const { id: _, ...developer } = await seedMember(
      txWork,
      partnerId,
      'developer@demo.example',
      false,
    )
    await seedArena(txWork, { partnerId, reviewerId })
    const demo: Demo = {
      partnerId,
      partnerSlug: 'demo',
      keys: {
        publicTest: await makeKey('PUBLIC', 'TEST'),
        secretTest: await makeKey('SECRET', 'TEST'),
        publicLive: await makeKey('PUBLIC', 'LIVE'),
        secretLive: await makeKey('SECRET', 'LIVE'),
      },
      developer,
      admin,
    }
    for (const environment of ['TEST', 'LIVE'] as const)
      await seedEnvironment(txWork, { partnerId, environment })
    await seedArenaAgents(txWork, partnerId)
    return demo
  })

/** Writes the keys so that only the owner of the folder can read them. */
export const writeDemo = (dataDir: string, demo: Demo): string => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'demo.json')
  writeFileSync(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  return path
}

/** The keys written by an earlier start; null if there are none. */
export const readDemo = (dataDir: string): Demo | null => {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
  } catch {
    return null
  }
}
