/** Rules of a new lottery. */
import type { CreateLotteryInput } from '../generated/types.ts'
import type { lotteriesTexts } from '../texts/lotteries-texts.ts'

export type LotteryGame = keyof typeof lotteriesTexts.games

const tier = (name: string, mainMatches: number, bonusMatches: number, amountCents: number) => ({
  name,
  mainMatches,
  bonusMatches,
  prize: { amount: { amountCents, currency: 'USD' } },
})

export const lotteryGames: Record<LotteryGame, CreateLotteryInput['rules']> = {
  '6of49': {
    mainRange: { count: 6, min: 1, max: 49 },
    tiers: [
      tier('Jackpot', 6, 0, 100_000_00),
      tier('Five', 5, 0, 500_00),
      tier('Four', 4, 0, 20_00),
      tier('Three', 3, 0, 2_00),
    ],
  },
  '5of50': {
    mainRange: { count: 5, min: 1, max: 50 },
    bonusRange: { count: 2, min: 1, max: 12 },
    tiers: [
      tier('Jackpot', 5, 2, 250_000_00),
      tier('Five and one', 5, 1, 10_000_00),
      tier('Five', 5, 0, 1_000_00),
      tier('Four', 4, 0, 25_00),
      tier('Three', 3, 0, 5_00),
    ],
  },
  '3of20': {
    mainRange: { count: 3, min: 1, max: 20 },
    tiers: [tier('Three', 3, 0, 250_00), tier('Two', 2, 0, 2_00)],
  },
}
