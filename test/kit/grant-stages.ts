/** The stages of writers of grants. */
import { giveRewards } from '../../src/programme/gift.ts'
import { claimGrants, type UserGrant } from '../../src/programme/grant.ts'
import { createReward } from '../../src/programme/reward.ts'
import { addRewardCodes, revealCodes } from '../../src/programme/reward-code.ts'
import { buyRewards } from '../../src/programme/shop.ts'
import { award, good, type Place, type Stage, type Writer } from './stage.ts'

const makeRewards = async ({ world: { runtime }, tenant }: Place) => {
  await createReward(runtime, { ...tenant, name: 'bonus', kind: 'POINTS', points: 7 })
  await createReward(runtime, { ...tenant, name: 'badge', kind: 'BADGE', stock: 2 })
}

const giftOf =
  ({ tenant }: Place) =>
  (externalId: string, slug: string, more: object = {}) => ({
    ...tenant,
    externalId,
    reward: { slug },
    memberId: null,
    apiKeyId: tenant.partnerId,
    ...more,
  })

/** The user is shown in the state after the batch. */
const shown = ({ user, ...grant }: UserGrant) => [grant, user.externalId]

export const grantStages: Record<string, Stage> = {
  giveRewards: {
    writer: giveRewards as Writer,
    items: async (place) => {
      await makeRewards(place)
      const gift = giftOf(place)
      return [
        gift('ann', 'bonus', { reference: 'once' }),
        gift('ben', 'badge'),
        gift('ann', 'bonus', { reference: 'once' }),
        gift('ben', 'bonus', { reference: 'once' }),
        gift('ann', 'badge', { reference: 'once' }),
        gift('ann', 'unknown'),
        gift('ann', 'badge', { needsClaim: true }),
        gift('cid', 'badge', { reference: 'last' }),
        gift('cid', 'badge', { reference: 'last' }),
        gift('dan', 'bonus', { heldUntil: new Date(0) }),
      ]
    },
    shown,
  },
  buyRewards: {
    writer: buyRewards as Writer,
    items: async (place) => {
      await award(place, ['ann', 'ben', 'ben'])
      const { runtime } = place.world
      const sold = { ...place.tenant, kind: 'ITEM' as const }
      await createReward(runtime, { ...sold, name: 'mug', price: 60, stock: 2 })
      const limit = { max: 1, window: 'EVER' as const }
      await createReward(runtime, { ...sold, name: 'sticker', price: 10, limit })
      await createReward(runtime, { ...sold, name: 'gift' })
      const buy = (externalId: string, slug: string, reference?: string) => ({
        ...place.tenant,
        externalId,
        reward: { slug },
        reference,
      })
      return [
        buy('ann', 'mug', 'once'),
        buy('ann', 'mug', 'once'),
        buy('ann', 'sticker', 'once'),
        buy('ann', 'sticker'),
        buy('ann', 'sticker'),
        buy('ann', 'mug'),
        buy('ben', 'mug', 'once'),
        buy('ben', 'mug'),
        buy('ben', 'gift'),
        buy('ben', 'unknown'),
        buy('nobody', 'mug'),
      ]
    },
    shown,
  },
  revealCodes: {
    writer: revealCodes as Writer,
    items: async (place) => {
      const { runtime } = place.world
      await makeRewards(place)
      await createReward(runtime, { ...place.tenant, name: 'code', kind: 'CODE' })
      await addRewardCodes(runtime, {
        ...place.tenant,
        reward: { slug: 'code' },
        codes: ['A', 'B'],
      })
      const gift = giftOf(place)
      const made = good(
        await giveRewards(runtime, [
          gift('ann', 'code'),
          gift('ben', 'code', { needsClaim: true }),
          gift('ben', 'bonus'),
        ] as never),
      )
      const reveal = (n: number, externalId: string) => ({
        ...place.tenant,
        externalId,
        grantId: made[n]?.id,
      })
      return [
        reveal(0, 'ann'),
        reveal(0, 'ann'),
        reveal(0, 'ben'),
        reveal(1, 'ben'),
        reveal(2, 'ben'),
        reveal(0, 'nobody'),
      ]
    },
    shown,
  },
  claimGrants: {
    writer: claimGrants as Writer,
    items: async (place) => {
      await makeRewards(place)
      const gift = giftOf(place)
      const requested = ['ann', 'ann', 'ben'].map((name) =>
        gift(name, 'bonus', { needsClaim: true }),
      )
      const held = gift('ben', 'bonus', { heldUntil: new Date(Date.now() + 3_600_000) })
      const made = good(await giveRewards(place.world.runtime, [...requested, held] as never))
      const claim = (n: number, externalId: string) => ({
        ...place.tenant,
        externalId,
        grantId: made[n]?.id,
      })
      return [
        claim(0, 'ann'),
        claim(2, 'ben'),
        claim(0, 'ann'),
        claim(1, 'ben'),
        claim(1, 'ann'),
        claim(3, 'ben'),
        claim(1, 'nobody'),
      ]
    },
    shown,
  },
}
