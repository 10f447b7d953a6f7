/** Delays between the attempts of what fails again and again. */

/** Delays that double up to the longest one. */
export const doubling = (firstMs: number, longestMs: number): number[] =>
  firstMs >= longestMs ? [longestMs] : [firstMs, ...doubling(2 * firstMs, longestMs)]

/** The delay after a number of consecutive failures. The last one repeats. */
export const delayAfter = (delays: readonly number[], failures: number): number =>
  delays[Math.min(failures, delays.length) - 1] as number
