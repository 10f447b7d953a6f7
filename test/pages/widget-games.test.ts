/** What the pictures of games make of a game and a play. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Prize } from '../../packages/widgets/src/prizes.ts'
import { prizesOf } from '../../packages/widgets/src/prizes.ts'
import { reelsOf, symbolPrizesOf } from '../../packages/widgets/src/slots-reels.ts'
import {
  arcsOf,
  colorsOf,
  labelOn,
  labelRadius,
  lineHeight,
  signsOf,
  stopIn,
  textWidth,
} from '../../packages/widgets/src/wheel-arcs.ts'

const tiers = ['COMMON', 'RARE', 'EPIC'] as const
const kinds = ['POINTS', 'CASHBACK', 'XP', 'ITEM', 'SPECIAL']

const prizeOf = (probability: number, more: Partial<Prize> = {}): Prize => ({
  ...{ tier: 'COMMON', type: 'POINTS', value: 10, label: '10 points' },
  ...more,
  probability,
})

/** The prizes of a game with any weights, every third of which gives nothing. */
const games = fc
  .array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 100 })
  .map((weights) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    return weights.map((weight, i) =>
      prizeOf(weight / total, {
        label: `Prize ${i}`,
        value: i % 3 === 2 ? 0 : i + 1,
        tier: tiers[i % 3] ?? 'COMMON',
        type: kinds[i % 5] ?? '',
      }),
    )
  })

const demo = [
  prizeOf(0.02, { tier: 'EPIC', type: 'CASHBACK', value: 20, label: '20 % cashback' }),
  prizeOf(0.08, { tier: 'RARE', value: 200, label: '200 points' }),
  prizeOf(0.15, { tier: 'RARE', type: 'XP', value: 100, label: '100 XP' }),
  prizeOf(0.35, { value: 20, label: '20 points' }),
  prizeOf(0.4, { type: 'XP', value: 0, label: 'Better luck next time' }),
]

describe('the arcs of the wheel', () => {
  test('are exactly as wide as the odds when all of them can be seen', () => {
    const arcs = arcsOf(demo)
    for (const { prize, from, to, isWidened } of arcs) {
      expect(to - from).toBeCloseTo((demo[prize]?.probability ?? 0) * 360, 9)
      expect(isWidened).toBe(false)
    }
  })

  test('make a full turn without gaps, never narrower than a visible minimum, for any odds', () => {
    fc.assert(
      fc.property(games, (prizes) => {
        const arcs = arcsOf(prizes)
        expect(arcs[0]?.from).toBe(0)
        expect(arcs.at(-1)?.to).toBe(360)
        expect(new Set(arcs.map(({ prize }) => prize)).size).toBe(prizes.length)
        for (const [i, { from, to }] of arcs.entries()) {
          expect(from).toBe(i === 0 ? 0 : arcs[i - 1]?.to)
          expect(to - from).toBeGreaterThan(Math.min(3, 180 / prizes.length) - 1e-6)
        }
      }),
    )
  })

  test('give a prize that is likelier never a narrower arc, and only small ones a wider one than the odds', () => {
    fc.assert(
      fc.property(games, (prizes) => {
        const arcs = arcsOf(prizes)
        const widths = new Map(arcs.map(({ prize, from, to }) => [prize, to - from]))
        const sorted = prizes
          .map(({ probability }, i) => ({ probability, width: widths.get(i) ?? 0 }))
          .sort((a, b) => a.probability - b.probability)
        for (const [i, { width }] of sorted.entries())
          expect(width).toBeGreaterThan((sorted[i - 1]?.width ?? 0) - 1e-6)
        for (const { isWidened, from, to } of arcs)
          if (isWidened) expect(to - from).toBeLessThan(3 + 1e-6)
      }),
    )
  })

  test('hold the pointer away from their borders, at a place that follows from the play alone', () => {
    fc.assert(
      fc.property(games, fc.integer({ min: 1, max: 35_999 }), (prizes, hundredths) => {
        for (const arc of arcsOf(prizes)) {
          const stop = stopIn(arc, hundredths / 100)
          const margin = Math.min(2, (arc.to - arc.from) * 0.4) - 1e-9
          expect(stop).toBeGreaterThan(arc.from + margin)
          expect(stop).toBeLessThan(arc.to - margin)
          expect(stopIn(arc, hundredths / 100)).toBe(stop)
        }
      }),
    )
  })

  test('use every part of an arc equally often', () => {
    const arc = { prize: 0, from: 90, to: 194, isWidened: false }
    expect(stopIn(arc, 90) - stopIn(arc, 0)).toBeCloseTo(stopIn(arc, 360) - stopIn(arc, 270), 9)
    expect([stopIn(arc, 0), stopIn(arc, 180), stopIn(arc, 360)]).toEqual([92, 142, 192])
  })

  test('have another color than their neighbors, and none for no prize', () => {
    fc.assert(
      fc.property(games, (prizes) => {
        const arcs = arcsOf(prizes)
        const colors = colorsOf(prizes, arcs)
        for (const [i, { prize }] of arcs.entries()) {
          const next = arcs[(i + 1) % arcs.length]?.prize ?? 0
          expect(colors[prize] === null).toBe(prizes[prize]?.value === 0)
          if (next !== prize && colors[prize] !== null) expect(colors[next]).not.toBe(colors[prize])
        }
      }),
    )
  })

  test('are one for rows that look the same, and none for what is never drawn', () => {
    const rows = [prizeOf(0.25), prizeOf(0), prizeOf(0.25), prizeOf(0, { label: 'Never' })]
    const [shown, ...others] = prizesOf([...rows, prizeOf(0.5, { label: 'Other' })])
    expect(shown).toMatchObject({ label: '10 points', probability: 0.5 })
    expect(others.map(({ label }) => label)).toEqual(['Other'])
    expect(rows[0]?.probability).toBe(0.25)
  })
})

describe('a prize is written on its arc', () => {
  test('where it fits: those of the demo by name, but the smallest by its number', () => {
    const arcs = arcsOf(demo)
    const shown = signsOf(demo, arcs).map((sign, i) => [arcs[i]?.prize, sign?.lines.join(' ')])
    expect(Object.fromEntries(shown)).toEqual({
      0: '1',
      1: '200 points',
      2: '100 XP',
      3: '20 points',
      4: 'Better luck next time',
    })
  })

  test('inside of it, and in readable size', () => {
    const labels = fc.array(fc.stringMatching(/^[A-Za-z0-9%]{1,12}$/), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(labels, fc.double({ min: 1, max: 360, noNaN: true }), (words, width) => {
        const label = labelOn(
          words.join(' '),
          { prize: 0, from: 0, to: width, isWidened: false },
          60,
        )
        if (!label) return
        const { lines, size, isRadial } = label
        expect(lines.join(' ')).toBe(words.join(' '))
        expect(size).toBeGreaterThanOrEqual(20)
        const tangent = width >= 180 ? Number.POSITIVE_INFINITY : Math.tan((width * Math.PI) / 360)
        for (const [i, line] of lines.entries()) {
          const along = textWidth(line, size)
          const [bottom, half] = isRadial
            ? [labelRadius - along, (lines.length * size * lineHeight) / 2]
            : [labelRadius - size - i * size * lineHeight, along / 2]
          expect(bottom).toBeGreaterThan(55)
          expect(half).toBeLessThanOrEqual(bottom * tangent)
        }
      }),
    )
  })

  test('by its number on a pin if its arc is thin, unless pins would cover each other', () => {
    const thin = [0.001, 0.001, 0.001].map((probability, i) =>
      prizeOf(probability, { label: `${i}` }),
    )
    const prizes = [...thin, prizeOf(0.497, { label: 'One' }), prizeOf(0.5, { label: 'Two' })]
    const arcs = arcsOf(prizes)
    const pins = signsOf(prizes, arcs).filter((sign) => sign?.isPin)
    expect(pins.length).toBeGreaterThan(0)
    expect(arcs.filter(({ isWidened }) => isWidened)).toHaveLength(3)
    for (const sign of pins) expect(sign).toMatchObject({ isNumber: true })
  })
})

describe('the reels of the slots', () => {
  test('show the symbol of the prize three times for each prize of each kind, and never for none', () => {
    const triples = fc.array(fc.nat(7), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(games, triples, (rewards, reels) => {
        const prizes = symbolPrizesOf(rewards)
        const symbols = Math.max(8, prizes.length)
        const seen = new Map<number, string>()
        for (const reward of rewards) {
          const shown = reelsOf({ reward, outcome: { reels } }, prizes, symbols)
          expect(shown).toHaveLength(3)
          for (const symbol of shown) expect(symbol).toBeLessThan(symbols)
          expect(new Set(shown).size === 1).toBe(reward.value > 0)
          if (reward.value === 0) continue
          expect(seen.has(shown[0] ?? 0)).toBe(false)
          seen.set(shown[0] ?? 0, reward.label)
        }
      }),
    )
  })

  test('show what was drawn for no prize, but never three equal symbols', () => {
    const reward = prizeOf(1, { value: 0, tier: 'RARE' })
    expect(reelsOf({ reward, outcome: { reels: [4, 0, 4] } }, [], 8)).toEqual([4, 0, 4])
    expect(reelsOf({ reward, outcome: { reels: [7, 7, 7] } }, [], 8)).toEqual([7, 7, 0])
  })

  test('show a symbol of no other prize for one that the game no longer has', () => {
    const prizes = symbolPrizesOf(demo)
    const reward = prizeOf(1, { label: 'Gone' })
    expect(reelsOf({ reward, outcome: { reels: [0, 0, 0] } }, prizes, 8)).toEqual([4, 4, 4])
  })
})
