/** Arithmetic of a reward table, the same as on the server. */
export type OddsRow = {
  type: string
  value: number
  weight: number
  /** What a reward that is not points is worth, in points. An empty field is not known. */
  worthPoints?: number | string | null | undefined
}

/** A field that is being edited may be empty, which counts as 0. */
const weightsOf = (rows: readonly OddsRow[]) => rows.map(({ weight }) => Number(weight))

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** How likely each row is; zeros without any weight. */
export const rowChancesOf = (rows: readonly OddsRow[]): number[] => {
  const weights = weightsOf(rows)
  const total = sumOf(weights)
  return weights.map((weight) => (total === 0 ? 0 : weight / total))
}

/** The points that a play wins on average. */
export const meanPayoutOf = (rows: readonly OddsRow[]): number => {
  const chances = rowChancesOf(rows)
  return sumOf(
    rows.map(({ type, value }, i) => (type === 'POINTS' ? Number(value) * (chances[i] ?? 0) : 0)),
  )
}

/** What a reward is worth in points; null if nobody has said. No reward is worth nothing. */
export const worthOf = ({ type, value, worthPoints }: OddsRow): number | null => {
  if (type === 'POINTS' || Number(value) === 0) return Number(value)
  return worthPoints == null || worthPoints === '' ? null : Number(worthPoints)
}

/** What the rewards of a play are worth on average, in points. Those whose worth is not known count as 0. */
export const meanWorthOf = (rows: readonly OddsRow[]): number => {
  const chances = rowChancesOf(rows)
  return sumOf(rows.map((row, i) => (worthOf(row) ?? 0) * (chances[i] ?? 0)))
}

/** How often each row came up in a number of simulated plays, which show the odds to a member. The server draws real plays. */
export const simulate = (rows: readonly OddsRow[], plays: number): number[] => {
  const weights = weightsOf(rows)
  const total = sumOf(weights)
  const counts = rows.map(() => 0)
  if (total === 0) return counts
  for (let play = 0; play < plays; play++) {
    let left = Math.random() * total
    const drawn = weights.findIndex((weight) => {
      left -= weight
      return left < 0
    })
    counts[drawn] = (counts[drawn] ?? 0) + 1
  }
  return counts
}
