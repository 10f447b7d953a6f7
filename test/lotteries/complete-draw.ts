/** A complete draw for tests of other things. */
import { closeDrawNow, finishDrawNow } from '../../src/lotteries/run-draw.ts'
import { enterLotteries } from '../../src/lotteries/ticket.ts'
import type { TestPartner, World } from '../world.ts'
import { makeLottery, openDrawOf } from './lottery.ts'

/** Makes a draw of a partner with a few tickets. @returns its id and the path of its proof */
export const makeDraw = async (world: World, { partnerId }: TestPartner) => {
  const tenant = { partnerId, environment: 'TEST' as const }
  const lottery = await makeLottery(world, {}, tenant)
  const { id } = await openDrawOf(world, lottery)
  const entries = Array.from({ length: 9 }, (_, n) => ({
    ...{ ...tenant, email: `u${n}@example.com`, lotterySlug: lottery.slug, externalId: null },
  }))
  await enterLotteries(world.runtime, entries)
  const asked = { environment: tenant.environment, drawId: id, lottery: null }
  await finishDrawNow(world.runtime, await closeDrawNow(world.runtime, asked))
  return { id, proof: `/v1/lotteries/${lottery.slug}/draws/${id}/proof` }
}
