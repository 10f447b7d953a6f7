/** What requests and mutations cost of the allowance of their caller, in points. */

/** The cost of a REST request, and of a mutation that declares no price. */
export const pointsOfRequest = 500

/**
 * The price of a mutation: points of each call, or of each item in its input, at least `least`, which is that of a
 * request by default. A mutation with a REST route costs at least what the route costs.
 */
export type Price<I> =
  | number
  | { points: number; per: string; count(input: I): number; least?: number }

/** The price in the extensions of a field: constant, or by its arguments. */
export type Pricing = number | (((args: { input?: unknown }) => number) & { least: number })

/** The least that a call costs, if its price depends on its input. */
export const leastOf = ({ least = pointsOfRequest }: { least?: number }) => least

export const priceOf = <I>(price: Price<I>, input: I): number =>
  typeof price === 'number' ? price : Math.max(leastOf(price), price.points * price.count(input))

/** A sentence about the price for the description of the mutation, if it declares one. */
export const priceText = <I>(price?: Price<I>): string[] => {
  if (price === undefined) return []
  if (typeof price === 'number') return [`Costs ${price.toLocaleString('en')} points.`]
  return [`Costs ${price.points} points for each ${price.per}, at least ${leastOf(price)}.`]
}
