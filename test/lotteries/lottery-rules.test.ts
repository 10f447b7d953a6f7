import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cryptoRandom } from '../../src/kit/random.ts'
import {
  countMatches,
  jackpotOf,
  type LotteryRules,
  lineFaults,
  maskOf,
  nextClosing,
  prizeOf,
  prizeTierOf,
  quickPick,
  refCode,
  ticketRefOf,
  winningMatches,
} from '../../src/lotteries/lottery.rules.ts'
import {
  expectedCentsOf,
  largestPrizeOf,
  maxPayoutOf,
} from '../../src/lotteries/lottery-cost.rules.ts'
import { drawNumbers } from '../../src/lotteries/proof-format.ts'
import { seeded } from '../games/random.ts'

const rules: LotteryRules = {
  main: { count: 3, min: 5, max: 12 },
  bonus: { count: 1, min: 0, max: 3 },
  maxTicketsPerUser: 10,
  potBaseCents: 0,
  potPerTicketCents: 0,
  tiers: [
    { name: 'A', main: 3, bonus: 1, amountCents: 9 },
    { name: 'B', main: 3, bonus: 0, amountCents: 5 },
    { name: 'C', main: 0, bonus: 1, amountCents: 1 },
  ],
}

describe('the jackpot', () => {
  it('is the largest prize when none is a share of the pot, wherever it is in the list', () => {
    expect(jackpotOf(rules)).toBe(9)
    expect(jackpotOf({ tiers: [...rules.tiers].reverse() })).toBe(9)
  })

  it('is null when one prize is a share of the pot', () => {
    const share = { name: 'D', main: 1, bonus: 0, potShareBasisPoints: 1 }
    expect(jackpotOf({ tiers: [...rules.tiers, share] })).toBeNull()
  })
})

describe('a quick pick', () => {
  it('always fits the rules, and every line is equally likely', () => {
    const random = seeded(7)
    const counts = new Map<string, number>()
    const draws = 56 * 4 * 100
    for (let i = 0; i < draws; i++) {
      const line = quickPick(rules, random)
      expect(lineFaults(rules, [line])).toEqual([])
      const name = JSON.stringify(line)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    // C(8, 3) × 4 lines, 100 of each expected: chi-square with 223 degrees of freedom, 1 in 10,000.
    expect(counts.size).toBe(224)
    const chi = [...counts.values()].reduce((sum, n) => sum + (n - 100) ** 2 / 100, 0)
    expect(chi).toBeLessThan(308)
    expect(lineFaults(rules, [quickPick(rules, cryptoRandom)])).toEqual([])
  })
})

describe('numbers from seed and root', () => {
  it('are deterministic, differ for other input, and are equally likely', () => {
    const root = new Uint8Array(32).fill(9)
    const seen = Array.from({ length: 13 }, () => 0)
    for (let i = 0; i < 8_000; i++) {
      const seed = new Uint8Array(32)
      new DataView(seed.buffer).setUint32(0, i)
      const drawn = drawNumbers(rules, seed, root)
      expect(lineFaults(rules, [drawn])).toEqual([])
      for (const number of drawn.main) seen[number] = (seen[number] ?? 0) + 1
    }
    for (const count of seen.slice(5)) expect(Math.abs(count - 3_000)).toBeLessThan(200)
    const item = drawNumbers(rules, new Uint8Array(32), root)
    expect(drawNumbers(rules, new Uint8Array(32), root)).toEqual(item)
  })
})

describe('tiers', () => {
  it('are the first that the matches reach; the table for SQL agrees', () => {
    const table = winningMatches(rules)
    for (let main = 0; main <= 3; main++)
      for (const bonus of [0, 1]) {
        const found = table.find((row) => row.main === main && row.bonus === bonus)
        expect(found?.tier ?? null).toBe(prizeTierOf(rules, main, bonus))
      }
    expect([
      prizeTierOf(rules, 3, 1),
      prizeTierOf(rules, 3, 0),
      prizeTierOf(rules, 2, 1),
      prizeTierOf(rules, 2, 0),
    ]).toEqual([0, 1, 2, null])
  })

  it('count matches as bits do', () => {
    const random = seeded(3)
    for (let i = 0; i < 500; i++) {
      const [line, drawn] = [quickPick(rules, random), quickPick(rules, random)]
      const [a, b] = [maskOf(rules, line), maskOf(rules, drawn)]
      const both = (x: string, y: string) =>
        [...x].filter((bit, j) => bit === '1' && y[j] === '1').length
      expect(countMatches(line, drawn)).toEqual({
        main: both(a.main, b.main),
        bonus: both(a.bonus, b.bonus),
      })
    }
  })
})

it('a share of the pot is paid to the cent, for any pot and number of winners', () => {
  fc.assert(
    fc.property(
      fc.nat(1e9),
      fc.integer({ min: 1, max: 1e5 }),
      fc.integer({ min: 1, max: 10_000 }),
      (pot, winners, share) => {
        const { each, remainder } = prizeOf(
          { name: '', main: 1, bonus: 0, potShareBasisPoints: share },
          pot,
          winners,
        )
        expect(remainder).toBeLessThan(winners)
        expect(winners * each + remainder).toBe(Math.floor((pot * share) / 10_000))
      },
    ),
  )
  const tier = { name: '', main: 1, bonus: 0, potShareBasisPoints: 5_000 }
  expect(prizeOf(tier, 1_000, 0)).toEqual({ each: 0, remainder: 0 })
  expect(prizeOf(tier, 1_001, 3)).toEqual({ each: 166, remainder: 2 })
})

it('references of 1,679,616 consecutive tickets are all different', () => {
  const seen = new Uint8Array(36 ** 4)
  for (let n = 5; n < 5 + 36 ** 4; n++) {
    const code = refCode(n)
    const index = Number.parseInt(code, 36)
    if (code.length !== 4 || seen[index]) throw new Error(code)
    seen[index] = 1
  }
  expect(ticketRefOf(1, new Date('2026-03-07T23:59:59.999Z'))).toMatch(/^LX-2026-0307-[A-Z0-9]{4}$/)
})

describe('the cost of a draw', () => {
  it('is on average that of all possible draws', () => {
    const line = { main: [5, 6, 7], bonus: [0] }
    let cents = 0
    let draws = 0
    for (let a = 5; a <= 12; a++)
      for (let b = a + 1; b <= 12; b++)
        for (let c = b + 1; c <= 12; c++)
          for (let d = 0; d <= 3; d++) {
            const { main, bonus } = countMatches(line, { main: [a, b, c], bonus: [d] })
            const tier = prizeTierOf(rules, main, bonus)
            cents += (tier === null ? undefined : rules.tiers[tier]?.amountCents) ?? 0
            draws++
          }
    expect(expectedCentsOf(rules)).toBeCloseTo(cents / draws, 12)
  })

  it('has a limit only if all prizes are shares of a pot that does not grow', () => {
    expect([largestPrizeOf(rules), maxPayoutOf(rules)]).toEqual([9, null])
    const share = (potShareBasisPoints: number) => ({
      ...{ name: String(potShareBasisPoints), main: 3, bonus: 0, potShareBasisPoints },
    })
    const shares = { ...rules, potBaseCents: 1_001, tiers: [share(5_000), share(2_500)] }
    expect([largestPrizeOf(shares), maxPayoutOf(shares)]).toEqual([null, 500 + 250])
    expect(maxPayoutOf({ ...shares, potPerTicketCents: 1 })).toBeNull()
    expect(expectedCentsOf(shares)).toBe(0)
  })
})

describe('closings', () => {
  const at = (text: string) => new Date(`${text}:00Z`)
  it.each([
    ['DAILY', '2026-01-31T20:00', '2026-01-31T20:00', '2026-02-01T20:00'],
    ['DAILY', '2026-01-31T20:00', '2026-03-05T20:01', '2026-03-06T20:00'],
    ['WEEKLY', '2026-01-31T20:00', '2026-02-14T19:59', '2026-02-14T20:00'],
    ['MONTHLY', '2026-01-31T20:00', '2026-01-31T20:00', '2026-02-28T20:00'],
    ['MONTHLY', '2026-01-31T20:00', '2026-02-28T20:00', '2026-03-31T20:00'],
    ['MONTHLY', '2026-01-31T20:00', '2028-02-10T00:00', '2028-02-29T20:00'],
    ['MONTHLY', '2026-12-15T20:00', '2026-12-15T20:00', '2027-01-15T20:00'],
    ['DAILY', '2026-05-01T20:00', '2026-01-01T00:00', '2026-05-01T20:00'],
  ] as const)('of a %s lottery from %s after %s: %s', (frequency, first, after, expected) => {
    expect(nextClosing(frequency, at(first), at(after))).toEqual(at(expected))
  })
  it('of a CUSTOM lottery are scheduled by hand', () => {
    expect(nextClosing('CUSTOM', at('2026-01-01T00:00'), at('2026-01-01T00:00'))).toBeNull()
  })
})
