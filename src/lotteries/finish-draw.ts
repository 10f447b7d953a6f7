import type { LotteryDraw } from '../generated/prisma/client.ts'
import type { Work } from '../kit/runtime.ts'
import type { EventData } from '../kit/streams/events.ts'
import type { drawCompleted } from './lottery.events.ts'
import { type LotteryRules, potOf, prizeOf } from './lottery.rules.ts'
import { countWinners, writeResults } from './settle.sql.ts'

export type TierResult = { winners: number; payoutCents: number }

/**
 * Completes a draw whose tickets are all settled: prices the winning lines, pays the shares of the pot to the cent, and
 * announces the draw and each winning ticket. One idempotent statement writes everything.
 */
export const finishDraw = async ({ tx, clock }: Work, draw: LotteryDraw): Promise<void> => {
  const rules = JSON.parse(draw.rules ?? '') as LotteryRules
  const counts = await countWinners(tx, draw.id)
  const winnersOf = new Map(counts.map(({ tierNo, winners }) => [tierNo, winners]))
  const potCents = potOf(rules, draw.tickets - draw.cancelled)
  const prizes = rules.tiers.map((tier, tierNo) => {
    const winners = winnersOf.get(tierNo) ?? 0
    const { each, remainder } = prizeOf(tier, potCents, winners)
    return { tier: tierNo, name: tier.name, winners, each, remainder }
  })
  const results: TierResult[] = prizes.map(({ winners, each, remainder }) => ({
    winners,
    payoutCents: winners * each + remainder,
  }))
  const payoutCents = results.reduce((sum, result) => sum + result.payoutCents, 0)
  const winningLines = results.reduce((sum, { winners }) => sum + winners, 0)
  const { slug } = await tx.lottery.findUniqueOrThrow({ where: { id: draw.lotteryId } })
  const now = clock()
  const completed = {
    drawId: draw.id,
    lotteryId: draw.lotteryId,
    lotterySlug: slug,
    drawNo: draw.drawNo,
    main: draw.main,
    bonus: draw.bonus,
    ticketCount: draw.tickets - draw.cancelled,
    winningLines,
    potCents,
    payoutCents,
    completedAt: now.toISOString(),
  } satisfies EventData<typeof drawCompleted>
  const outcome = { prizes, potCents, payoutCents, results, completed }
  await writeResults(tx, draw, outcome, now)
}
