/** The shop of the demo: what users can buy, and what offers give. */
import { v7 as uuid } from 'uuid'
import type { OfferType } from '../generated/prisma/enums.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { addRewardCodes } from '../programme/reward-code.ts'

const spins = (count: number, validDays: number) => ({
  kind: 'FREE_PLAYS' as const,
  gameType: 'NEON_WHEEL' as const,
  freePlays: count,
  validDays,
})

const rewards = [
  {
    slug: 'free-spin',
    name: 'Free spin',
    description: 'One spin of the Neon Wheel, within a day.',
    price: 40,
    ...spins(1, 1),
  },
  {
    slug: 'three-free-spins',
    name: 'Three free spins',
    description: 'Three spins of the Neon Wheel, within a week.',
    price: 110,
    ...spins(3, 7),
  },
  {
    slug: 'sticker-pack',
    name: 'Sticker pack',
    description: 'Ten stickers by mail. Once a month.',
    kind: 'ITEM' as const,
    price: 150,
    limitMax: 1,
    limitWindow: 'MONTH' as const,
  },
  {
    slug: 'five-euro-voucher',
    name: '€5 voucher',
    description: 'A code for your next order.',
    kind: 'CODE' as const,
    price: 300,
    stock: 0,
  },
  {
    slug: 'coffee-mug',
    name: 'Coffee mug',
    description: 'Our mug, sent to you.',
    kind: 'ITEM' as const,
    price: 500,
    stock: 50,
  },
  {
    slug: 'gold-member',
    name: 'Gold member',
    description: 'For those who have saved for long.',
    kind: 'BADGE' as const,
    price: 1_000,
    limitMax: 1,
    limitWindow: 'EVER' as const,
  },
]

/** The rewards of offers, by their type. Other types give only points. */
const offerRewards: Partial<Record<OfferType, string>> = {
  daily_free_spin: 'free-spin',
  welcome_free_play: 'three-free-spins',
  win_back_play: 'three-free-spins',
  retention_play: 'free-spin',
  vip_play: 'three-free-spins',
}

/** Creates the shop, in the transaction that creates the partner. */
export const seedShop = async (work: Work, tenant: Tenant, startsAt: Date): Promise<void> => {
  const own = ofTenant(work.tx, tenant)
  const ids = new Map(rewards.map(({ slug }) => [slug, uuid()]))
  await own.reward.createMany({
    data: rewards.map((reward, position) => ({
      ...reward,
      id: ids.get(reward.slug) as string,
      position,
      createdAt: startsAt,
      updatedAt: startsAt,
    })),
  })
  await own.offerReward.createMany({
    data: Object.entries(offerRewards).map(([offerType, slug]) => ({
      offerType: offerType as OfferType,
      rewardId: ids.get(slug) as string,
      updatedAt: startsAt,
    })),
  })
  await addRewardCodes(work, {
    ...tenant,
    reward: { slug: 'five-euro-voucher' },
    codes: Array.from({ length: 20 }, (_, n) => `COFFEE-${(n + 1) * 7919}`),
  })
}
