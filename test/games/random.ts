/** Repeatable randomness: a run prints its seed, and `TEST_SEED` reuses it. */
import type { Random } from '../../src/kit/random.ts'

/** A generator that returns the same numbers for the same seed (mulberry32). */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
  return { int: (bound) => Math.floor((next() / 2 ** 32) * bound) }
}

/** The seed of this run. */
export const runSeed = (): number => {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`seed: TEST_SEED=${seed}`)
  return seed
}

/** A random generator for this run. Prints its seed. */
export const runRandom = (): Random => seeded(runSeed())

export const pick = <T>({ int }: Random, items: readonly T[]): T => items[int(items.length)] as T
