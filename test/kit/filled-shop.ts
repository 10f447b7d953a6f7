import { runUserBatches } from '../../src/journeys/user-batch.ts'
import { shopOf } from '../programme/shop.ts'
import type { World } from '../world.ts'

/** Ann and ben buy something each, and claim an offer with a reward. */
export const fillShop = async (world: World) => {
  const shop = shopOf(world)
  const { slug } = await shop.sold('CODE', 1)
  await shop.addCodes(slug, ['one', 'two'])
  await shop.sold('ITEM', 1_000_000)
  for (const [n, userId] of ['ann', 'ben'].entries()) {
    await shop.reveal((await shop.buy(userId, slug)).uuid)
    const freePlays = { gameType: 'NEON_WHEEL', count: n + 1 }
    await shop.give(
      userId,
      await shop.createReward({ name: userId, kind: 'FREE_PLAYS', freePlays }),
    )
    const { offer } = await shop.mutate('createOffer', 'offer { uuid }', {
      user: { externalId: userId },
      offerType: 'VIP_PLAY',
      reward: { slug: userId },
    })
    await shop.mutate('createOffersForUsers', 'userBatch { uuid }', {
      filter: { segment: { name: n === 0 ? 'DE' : 'FR' } },
      offerType: 'VIP_PLAY',
      reward: { slug: userId },
    })
    await shop.mutate('claimOffer', 'offer { uuid }', {
      user: { externalId: userId },
      offerId: offer.uuid,
    })
  }
  await runUserBatches(world.runtime)
}

/** The query that reads it. */
export const ofShop = `{
  rewards(filter: { isForSale: true }) { nodes { ann: availability(user: { externalId: "ann" }) { canBuy }
    ben: availability(user: { externalId: "ben" }) { canBuy } } }
  userBatches { nodes { segment { name } reward { slug } } }
  grants { nodes { code } } users { nodes { freePlays { count } offers { nodes { reward { slug } grant { status } batch { title } } } } }
}`
