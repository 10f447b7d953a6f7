/** Arithmetic of a lottery: how likely a line wins each prize. */
type Range = { count: number; min: number; max: number }
type Tier = { mainMatches: number; bonusMatches: number }

/** The number of ways to choose `chosen` of `all` items. */
const ways = (all: number, chosen: number): number => {
  if (chosen < 0 || chosen > all) return 0
  let result = 1
  for (let i = 1; i <= chosen; i++) result = (result * (all - chosen + i)) / i
  return result
}

/** The chance that a line matches exactly this many of the drawn numbers. */
const chanceOf = ({ count, min, max }: Range, matches: number) => {
  const all = max - min + 1
  const total = ways(all, count)
  return total === 0 ? 0 : (ways(count, matches) * ways(all - count, count - matches)) / total
}

/** The chance of a line to win each prize. It wins the first one that its matches reach. */
export const lineChances = (main: Range, bonus: Range | null, tiers: readonly Tier[]): number[] => {
  const chances = tiers.map(() => 0)
  const bonusRange = bonus ?? { count: 0, min: 0, max: 0 }
  for (let m = 0; m <= main.count; m++)
    for (let b = 0; b <= bonusRange.count; b++) {
      const won = tiers.findIndex((tier) => m >= tier.mainMatches && b >= tier.bonusMatches)
      if (won >= 0) chances[won] = (chances[won] ?? 0) + chanceOf(main, m) * chanceOf(bonusRange, b)
    }
  return chances
}
