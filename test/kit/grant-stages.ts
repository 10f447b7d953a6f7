/** The stages of writers of grants. */
import { giveRewards } from '../../src/programme/gift.ts'
import { claimGrants, type UserGrant } from '../../src/programme/grant.ts'
import { createReward } from '../../src/programme/reward.ts'
import { good, type Place, type Stage, type Writer } from './stage.ts'

const makeRewards = async ({ world: { runtime }, tenant }: Place) => {
  await createReward(runtime, { ...tenant, name: 'bonus', kind: 'POINTS', points: 7 })
  await createReward(runtime, { ...tenant, name: 'badge', kind: 'BADGE', stock: 2 })
}

const giftOf =
  ({ tenant }: Place) =>
  (externalId: string, name: string, more: object = {}) => ({
    ...tenant,
    externalId,
    reward: { name },
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
  claimGrants: {
    writer: claimGrants as Writer,
    items: async (place) => {
      await makeRewards(place)
      const gift = giftOf(place)
      const asked = ['ann', 'ann', 'ben'].map((name) => gift(name, 'bonus', { needsClaim: true }))
      const held = gift('ben', 'bonus', { heldUntil: new Date(Date.now() + 3_600_000) })
      const made = good(await giveRewards(place.world.runtime, [...asked, held] as never))
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
