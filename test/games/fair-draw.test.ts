/** The draw of a play as a function of seeds, nonce and version of the game. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type DrawnFrom,
  digestOfPlay,
  drawFairly,
  rulesHash,
  rulesText,
} from '../../src/games/fair-draw.ts'
import type { WeightedReward } from '../../src/games/game.rules.ts'
import { GameType } from '../../src/generated/prisma/enums.ts'
import { runSeed } from './random.ts'

const seed = runSeed()
const rewards = [2, 8, 15, 35, 40].map(
  (weight, i): WeightedReward => ({
    tier: i === 0 ? 'epic' : i < 3 ? 'rare' : 'common',
    type: 'xp',
    value: i,
    label: `reward ${i}`,
    weight,
  }),
)
const draws = fc.record({
  clientSeed: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 16 }),
  nonce: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  gameType: fc.constantFrom(...Object.values(GameType)),
  version: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  rulesHash: fc.constant(rulesHash('rules')),
}) satisfies fc.Arbitrary<DrawnFrom>
const serverSeeds = fc.uint8Array({ minLength: 32, maxLength: 32 })

it('the digest is the HMAC-SHA256 of the documented text', () => {
  fc.assert(
    fc.property(serverSeeds, draws, (key, from) => {
      const { clientSeed, nonce, gameType, version } = from
      const text = `tessera-play-v1\n${clientSeed}\n${nonce}\n${gameType} ${version} ${from.rulesHash}\n0`
      expect(digestOfPlay(key, from)).toBe(createHmac('sha256', key).update(text).digest('hex'))
    }),
    { seed, numRuns: 2_000 },
  )
})

it('the longest client seed has room, and no text is ever cut off', () => {
  const from = { nonce: 2 ** 31 - 1, gameType: 'COSMIC_SLOTS', version: 2 ** 31 - 1 } as const
  const of = (clientSeed: string) =>
    digestOfPlay(Buffer.alloc(32), { ...from, clientSeed, rulesHash: rulesHash('') })
  const texts = ['€'.repeat(64), `${'€'.repeat(63)}x`, '🍀'.repeat(32), 'a'.repeat(64)]
  expect(new Set(texts.map(of)).size).toBe(texts.length)
  expect(() => of('x'.repeat(400))).toThrow('too long')
})

it('the same seeds, nonce and version give the same play, whatever was drawn in between', () => {
  fc.assert(
    fc.property(serverSeeds, draws, draws, (key, from, other) => {
      const rules = { segments: 12, rewards }
      const first = drawFairly(key, from, rules)
      drawFairly(key, other, rules)
      expect(drawFairly(key, from, rules)).toEqual(first)
    }),
    { seed },
  )
})

it('the text of the rules is the same, however the keys of its rewards are sorted', () => {
  const rules = { gameType: 'NEON_WHEEL', segments: 8 } as const
  const turned = rewards.map(
    (reward) => Object.fromEntries(Object.entries(reward).reverse()) as WeightedReward,
  )
  expect(rulesText({ ...rules, rewards: turned })).toBe(rulesText({ ...rules, rewards }))
})

it('consecutive nonces draw each reward as often as its weight says, and no pattern of pairs', () => {
  const count = 100_000
  const from = { clientSeed: 'somebody', gameType: 'ENIGMA_BOXES', version: 1 } as const
  const labels: number[] = []
  for (let nonce = 1; nonce <= count; nonce++) {
    const drawn = drawFairly(
      Buffer.alloc(32, 1),
      { ...from, nonce, rulesHash: rulesHash('x') },
      { segments: 4, rewards },
    )
    labels.push(drawn.reward.value)
  }
  const chi = (found: number[], expected: number[]) =>
    found.reduce((sum, n, i) => sum + (n - (expected[i] ?? 0)) ** 2 / (expected[i] ?? 1), 0)
  const shares = rewards.map(({ weight }) => weight / 100)
  const singles = shares.map((_, i) => labels.filter((label) => label === i).length)
  // The quantiles at 1 in 10,000 for 4 and 24 degrees of freedom.
  expect(
    chi(
      singles,
      shares.map((share) => share * count),
    ),
  ).toBeLessThan(23.51)
  const pairs = shares.flatMap((_, a) =>
    shares.map(
      (_, b) => labels.filter((label, i) => i % 2 && labels[i - 1] === a && label === b).length,
    ),
  )
  const expected = shares.flatMap((a) => shares.map((b) => (a * b * count) / 2))
  expect(chi(pairs, expected)).toBeLessThan(58.6)
})
