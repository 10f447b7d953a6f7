/** Lotteries for tests, created by the functions that the API calls. */

import { seedLotteries } from '../../src/demo/lotteries.ts'
import type { Lottery } from '../../src/generated/prisma/client.ts'
import { usd } from '../../src/kit/money.ts'
import type { Tenant } from '../../src/kit/tenant.ts'
import { keepDraws } from '../../src/lotteries/draw.ts'
import { CreateLottery, createLottery } from '../../src/lotteries/lottery.ts'
import type { World } from '../world.ts'

/** Three of ten, so that a few tickets win every prize. */
export const smallRules = {
  mainRange: { count: 3, min: 1, max: 10 },
  bonusRange: { count: 1, min: 1, max: 3 },
  maxTicketsPerUser: 10_000,
  potBase: usd(10_000),
  potPerTicket: usd(7),
  tiers: [
    { name: 'Jackpot', mainMatches: 3, bonusMatches: 1, prize: { potShareBasisPoints: 5_000 } },
    { name: 'Three', mainMatches: 3, bonusMatches: 0, prize: { potShareBasisPoints: 2_500 } },
    { name: 'Two', mainMatches: 2, bonusMatches: 0, prize: { potShareBasisPoints: 1_000 } },
    { name: 'Bonus', mainMatches: 0, bonusMatches: 1, prize: { amount: usd(50) } },
  ],
}

export const demoLotteries = (world: World, tenant: Tenant = world.tenant) =>
  seedLotteries(world.runtime, tenant)

let made = 0

/** Creates a lottery with an open draw. `more` replaces defaults. */
export const makeLottery = async (
  world: World,
  more: Record<string, unknown> = {},
  tenant: Tenant & { isOperator?: boolean } = world.tenant,
): Promise<Lottery> => {
  const input = CreateLottery.parse({
    slug: `small-${++made}`,
    name: 'Small',
    frequency: 'DAILY',
    rules: smallRules,
    drawDelaySeconds: 0,
    ...more,
  })
  const lottery = await createLottery(world.runtime, { isOperator: false, ...tenant, ...input })
  await keepDraws(world.runtime, lottery.id)
  return lottery
}

/** The open draw of a lottery that closes next. */
export const openDrawOf = (world: World, { id }: { id: string }) =>
  world.runtime.db.lotteryDraw.findFirstOrThrow({
    where: { lotteryId: id, status: 'OPEN' },
    orderBy: { closesAt: 'asc' },
  })
