/** What a lottery costs, as pure functions of its rules. */
import {
  type LotteryRules,
  type NumberRange,
  potOf,
  prizeOf,
  prizeTierOf,
} from './lottery.rules.ts'

/** The number of ways to choose `chosen` of `all` numbers. */
const ways = (all: number, chosen: number): number => {
  if (chosen < 0 || chosen > all) return 0
  let result = 1
  for (let i = 1; i <= chosen; i++) result = (result * (all - chosen + i)) / i
  return result
}

const none: NumberRange = { count: 0, min: 0, max: 0 }

/** The probability that a line matches exactly `matches` of the drawn numbers. */
const matchRate = ({ count, min, max }: NumberRange, matches: number): number => {
  const all = max - min + 1
  return (ways(count, matches) * ways(all - count, count - matches)) / ways(all, count)
}

/** The cents of fixed prizes that a line wins on average. Shares of the pot do not count. */
export const expectedCentsOf = (rules: LotteryRules): number => {
  const { main, tiers } = rules
  const bonus = rules.bonus ?? none
  let cents = 0
  for (let m = 0; m <= main.count; m++)
    for (let b = 0; b <= bonus.count; b++) {
      const tier = tiers[prizeTierOf(rules, m, b) ?? -1]
      cents += (tier?.amountCents ?? 0) * matchRate(main, m) * matchRate(bonus, b)
    }
  return cents
}

/** The largest fixed prize of a line in cents; null if all prizes are shares of the pot. */
export const largestPrizeOf = ({ tiers }: LotteryRules): number | null => {
  const amounts = tiers.flatMap(({ amountCents }) => amountCents ?? [])
  return amounts.length === 0 ? null : Math.max(...amounts)
}

/**
 * The most cents that a draw can pay; null for no limit. A fixed prize is paid to each winning line, and a pot that
 * grows with each ticket is paid out, too, and there may be any number of tickets.
 */
export const maxPayoutOf = (rules: LotteryRules): number | null => {
  if (rules.potPerTicketCents > 0 || largestPrizeOf(rules) !== null) return null
  const pot = potOf(rules, 0)
  return rules.tiers.reduce((sum, tier) => sum + prizeOf(tier, pot, 1).each, 0)
}
