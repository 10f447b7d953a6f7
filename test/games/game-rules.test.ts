import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meanWorthOf } from '../../console/games/odds.ts'
import {
  drawOutcome,
  drawReward,
  expectedPayoutOf,
  expectedWorthOf,
  probabilitiesOf,
  type Reward,
} from '../../src/games/game.rules.ts'
import type { Random } from '../../src/kit/random.ts'
import { runSeed, seeded } from './random.ts'

const seed = runSeed()
const tiers = ['epic', 'rare', 'common'] as const
const rewardOf = (tier: (typeof tiers)[number], label = 'x'): Reward => ({
  tier,
  type: 'xp',
  value: 1,
  label,
})

/** Returns these numbers in turn, and records the bounds. */
const scripted = (...numbers: number[]): Random & { bounds: number[] } => {
  const bounds: number[] = []
  return { bounds, int: (bound) => numbers[bounds.push(bound) - 1] ?? 0 }
}

const tableOf = (weights: number[]) =>
  weights.map((weight, i) => ({ ...rewardOf('common', `${i}`), weight, worthPoints: i }))

const weightTables = fc
  .array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 100 })
  .filter((weights) => weights.some((weight) => weight > 0))

describe('a reward table', () => {
  it('gives each reward the share of its weight', () => {
    expect(probabilitiesOf(tableOf([1, 0, 3])).map(({ probability }) => probability)).toEqual([
      0.25, 0, 0.75,
    ])
  })

  it('pays the average of its points', () => {
    const points = { ...rewardOf('rare'), type: 'points' } as const
    const xp = rewardOf('common')
    expect(
      expectedPayoutOf([
        { ...points, value: 200, weight: 1 },
        { ...points, value: 20, weight: 3 },
        { ...xp, value: 900, weight: 4 },
      ]),
    ).toBe(32.5)
  })

  it('is worth its points, and what is said of its other rewards', () => {
    const item = { ...rewardOf('rare'), type: 'item' } as const
    const rewards = [
      { ...item, type: 'points', value: 200, weight: 1, worthPoints: 7 } as const,
      { ...item, weight: 2, worthPoints: 50 },
      { ...item, value: 0, weight: 3, worthPoints: 1_000 },
      { ...item, weight: 4 },
    ]
    expect(expectedWorthOf(rewards)).toBe(30)
    expect(
      meanWorthOf(rewards.map((reward) => ({ ...reward, type: reward.type.toUpperCase() }))),
    ).toBe(30)
  })

  it('draws each reward for exactly as many numbers as its weight', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 }),
        (weights) => {
          const total = weights.reduce((sum, weight) => sum + weight, 0)
          fc.pre(total > 0)
          const counts = weights.map(() => 0)
          for (let n = 0; n < total; n++) {
            const random = scripted(n)
            const index = Number(drawReward(tableOf(weights), random).label)
            counts[index] = (counts[index] ?? 0) + 1
            expect(random.bounds).toEqual([total])
          }
          expect(counts).toEqual(weights)
        },
      ),
      { seed },
    )
  })

  it('never draws a weight of 0 and never shows a weight or worth', () => {
    fc.assert(
      fc.property(weightTables, fc.integer(), (weights, start) => {
        const random = seeded(start)
        for (let i = 0; i < 20; i++) {
          const reward = drawReward(tableOf(weights), random)
          expect(weights[Number(reward.label)]).toBeGreaterThan(0)
          expect(Object.keys(reward)).toEqual(['tier', 'type', 'value', 'label'])
        }
      }),
      { seed },
    )
  })

  it.each([
    // The quantile of chi-square at 1 in 10,000, with one degree of freedom less than there are rewards.
    { weights: [2, 8, 15, 35, 40], limit: 23.51 },
    { weights: [1, 9, 40, 50], limit: 21.11 },
    { weights: [1, 14, 45, 40], limit: 21.11 },
    { weights: [1_000_000, 500_000, 0, 250_000], limit: 18.42 },
  ])('draws $weights as often as the weights say', ({ weights, limit }) => {
    const draws = 100_000
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const random = seeded(20_261)
    const counts = weights.map(() => 0)
    for (let i = 0; i < draws; i++) {
      const index = Number(drawReward(tableOf(weights), random).label)
      counts[index] = (counts[index] ?? 0) + 1
    }
    const chiSquare = weights.reduce((sum, weight, i) => {
      const expected = (draws * weight) / total
      return weight === 0 ? sum : sum + ((counts[i] ?? 0) - expected) ** 2 / expected
    }, 0)
    expect(chiSquare).toBeLessThan(limit)
  })
})

describe('a wheel', () => {
  it('stops strictly inside its segment, for 2 to 360 segments and the first and last angle', () => {
    for (let segments = 2; segments <= 360; segments++)
      for (let segment = 0; segment < segments; segment++)
        for (const end of ['first', 'last']) {
          let calls = 0
          const int = (bound: number) => (calls++ === 0 ? segment : end === 'first' ? 0 : bound - 1)
          const outcome = drawOutcome('NEON_WHEEL', segments, rewardOf('common'), { int })
          if (!('spinAngle' in outcome)) throw new Error('not a wheel')
          const { winningSegment, spinAngle } = outcome
          const hundredths = Math.round(spinAngle * 100)
          const isInside =
            winningSegment === segment &&
            hundredths / 100 === spinAngle &&
            hundredths * segments > segment * 36_000 &&
            hundredths * segments < (segment + 1) * 36_000
          if (!isInside)
            throw new Error(`${JSON.stringify(outcome)} of ${segments}, asked for ${segment}`)
        }
  })
})

describe('slots', () => {
  it.each(['epic', 'rare'] as const)('show three equal symbols for a reward that is %s', (tier) => {
    for (let symbols = 2; symbols <= 20; symbols++)
      for (let first = 0; first < symbols; first++)
        expect(drawOutcome('COSMIC_SLOTS', symbols, rewardOf(tier), scripted(first))).toEqual({
          reels: [first, first, first],
        })
  })

  it('show each mixed triple exactly once for a common reward', () => {
    for (let symbols = 2; symbols <= 8; symbols++) {
      const seen = new Set<string>()
      for (let first = 0; first < symbols; first++)
        for (let pair = 0; pair < symbols ** 2 - 1; pair++) {
          const random = scripted(first, pair)
          const outcome = drawOutcome('COSMIC_SLOTS', symbols, rewardOf('common'), random)
          const reels = 'reels' in outcome ? outcome.reels : []
          expect(random.bounds).toEqual([symbols, symbols ** 2 - 1])
          expect(new Set(reels).size).toBeGreaterThan(1)
          expect(reels.every((symbol) => symbol >= 0 && symbol < symbols)).toBe(true)
          seen.add(String(reels))
        }
      expect(seen.size).toBe(symbols ** 3 - symbols)
    }
  })
})

it('every outcome is in range, whatever the game, its size and the reward', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 360 }),
      fc.constantFrom(...tiers),
      fc.integer(),
      (segments, tier, start) => {
        const random = seeded(start)
        const inRange = (n: number) => Number.isInteger(n) && n >= 0 && n < segments
        const wheel = drawOutcome('NEON_WHEEL', segments, rewardOf(tier), random)
        expect('spinAngle' in wheel && inRange(wheel.winningSegment)).toBe(true)
        const slots = drawOutcome('COSMIC_SLOTS', segments, rewardOf(tier), random)
        const reels = 'reels' in slots ? slots.reels : []
        expect(reels.length === 3 && reels.every(inRange)).toBe(true)
        expect(new Set(reels).size === 1).toBe(tier !== 'common')
        const boxes = drawOutcome('ENIGMA_BOXES', segments, rewardOf(tier), random)
        expect('boxIndex' in boxes && inRange(boxes.boxIndex)).toBe(true)
      },
    ),
    { seed, numRuns: 1000 },
  )
})
