/** The rules of lotteries: which lines are valid, what they match, and what they win. */
import { z } from 'zod'
import type { LotteryFrequency } from '../generated/prisma/enums.ts'
import type { FieldError } from '../kit/errors.ts'
import { oneKey } from '../kit/node-id.ts'
import type { Random } from '../kit/random.ts'
import { integer, maxPoints, money, text } from '../kit/validation.ts'

export type NumberRange = { count: number; min: number; max: number }

export const NumberRange = z
  .object({
    count: integer(0, 20).describe('How many a line has.'),
    min: integer(0, 999).describe('The smallest number of the range.'),
    max: integer(0, 999).describe('The largest number of the range.'),
  })
  .refine(({ count, min, max }) => max - min + 1 >= count, 'must have at least `count` numbers')
  .refine(({ min, max }) => max - min < 200, 'must have at most 200 numbers')
  .describe('How many different numbers are chosen, and from which range.')

/** What each winning line gets. */
const Prize = oneKey({
  amount: money(1, maxPoints).describe('For each winning line.'),
  potShareBasisPoints: integer(1, 10_000).describe(
    'A share of the pot in hundredths of a percent, split equally among the winning lines.',
  ),
})
  .meta({ graphql: 'LotteryPrizeInput' })
  .describe('An amount or a share of the pot.')

/** A tier as callers give it. */
export const PrizeTierInput = z
  .object({
    name: text(60).describe('Name of the prize, as users see it.'),
    mainMatches: integer(0, 20).describe('Minimum of main numbers that a line must match.'),
    bonusMatches: integer(0, 20).describe('Minimum of bonus numbers that a line must match.'),
    prize: Prize.describe('What a winning line gets: an amount, or a share of the pot.'),
  })
  .describe(
    'The prize for a number of matches. A line wins the first tier of the list that it reaches.',
  )

/** A tier as rules have it. Proofs publish it in this form. */
export type PrizeTier = {
  name: string
  /** Minimum of main numbers that a line must match. */
  main: number
  /** Minimum of bonus numbers that a line must match. */
  bonus: number
  amountCents?: number
  potShareBasisPoints?: number
}

const PrizeTier = PrizeTierInput.transform(
  ({ name, mainMatches, bonusMatches, prize: { amount, ...share } }): PrizeTier => ({
    name,
    main: mainMatches,
    bonus: bonusMatches,
    ...(amount ? { amountCents: amount.amountCents } : share),
  }),
)

const rulesText =
  'Numbers, prizes and limits of a lottery. A draw keeps the rules that it opened with.'

/** Rules as callers give them. */
export const LotteryRulesInput = z
  .object({
    mainRange: NumberRange,
    bonusRange: NumberRange.nullish().describe(
      'Bonus numbers, drawn separately. Defaults to none.',
    ),
    maxTicketsPerUser: integer(1, 10_000)
      .nullish()
      .transform((max) => max ?? 10)
      .describe('Maximum of tickets per user and draw. Defaults to 10.'),
    potBase: money(0, maxPoints)
      .nullish()
      .describe('The pot before the first ticket. Defaults to nothing.'),
    potPerTicket: money(0, 1_000_000)
      .nullish()
      .describe('What each ticket adds to the pot, unless it is cancelled. Defaults to nothing.'),
    tiers: z
      .array(PrizeTier, { error: 'is required' })
      .min(1, 'must have at least one tier')
      .max(30, 'must have at most 30 tiers')
      .describe('Prizes, the best first.'),
  })
  .superRefine(({ mainRange: main, bonusRange: bonus, tiers }, ctx) => {
    const refuse = (tier: number, field: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: ['tiers', tier, field], message })
    if (main.count < 1)
      ctx.addIssue({ code: 'custom', path: ['mainRange', 'count'], message: 'must be at least 1' })
    const names = new Set<string>()
    for (const [i, tier] of tiers.entries()) {
      if (tier.main > main.count) refuse(i, 'mainMatches', `must be at most ${main.count}`)
      if (tier.bonus > (bonus?.count ?? 0))
        refuse(i, 'bonusMatches', `must be at most ${bonus?.count ?? 0}`)
      if (tier.main + tier.bonus === 0)
        refuse(i, 'mainMatches', 'must be at least 1 if no bonus number is needed')
      if (names.has(tier.name)) refuse(i, 'name', 'must be different in each tier')
      names.add(tier.name)
    }
    const shares = tiers.reduce((sum, tier) => sum + (tier.potShareBasisPoints ?? 0), 0)
    if (shares > 10_000)
      ctx.addIssue({
        code: 'custom',
        path: ['tiers'],
        message: 'must not share out more than the pot',
      })
  })
  .describe(rulesText)

const inOrderOf = ({ count, min, max }: NumberRange): NumberRange => ({ count, min, max })

/**
 * The rules of a draw. Together with seed and tickets they decide everything. Proofs publish them in this form, with
 * amounts in cents.
 */
export const LotteryRules = LotteryRulesInput.transform(
  ({ mainRange, bonusRange, maxTicketsPerUser, potBase, potPerTicket, tiers }) => ({
    main: mainRange,
    ...(bonusRange !== undefined && { bonus: bonusRange }),
    maxTicketsPerUser,
    potBaseCents: potBase?.amountCents ?? 0,
    potPerTicketCents: potPerTicket?.amountCents ?? 0,
    tiers,
  }),
).describe(rulesText)

export type LotteryRules = z.output<typeof LotteryRules>

/** The same rules with their keys in the order in which `LotteryRules` writes them. */
export const inStoredForm = (rules: LotteryRules): LotteryRules => ({
  main: inOrderOf(rules.main),
  ...(rules.bonus !== undefined && { bonus: rules.bonus && inOrderOf(rules.bonus) }),
  maxTicketsPerUser: rules.maxTicketsPerUser,
  potBaseCents: rules.potBaseCents,
  potPerTicketCents: rules.potPerTicketCents,
  tiers: rules.tiers.map(({ name, main, bonus, ...prize }) => ({ name, main, bonus, ...prize })),
})

export type Line = { main: number[]; bonus: number[] }

/** The maximum number of lines of a ticket. */
export const maxLines = 10

/** The errors in the main or bonus numbers of a line. */
const numberFaults = (
  numbers: number[],
  wanted: NumberRange,
  field: string,
  name: string,
): FieldError[] => {
  if (numbers.length !== wanted.count) {
    const message = wanted.count === 0 ? 'must be empty' : `must have ${wanted.count} ${name}`
    return [{ field, code: 'wrong_count', message: `${field} ${message}` }]
  }
  return numbers.flatMap((number, i) => {
    const place = `${field}.${i}`
    if (number < wanted.min || number > wanted.max)
      return {
        field: place,
        code: 'out_of_range',
        message: `${place} must be between ${wanted.min} and ${wanted.max}, not ${number}`,
      }
    if (!Number.isInteger(number)) {
      const message = `${place} must be a whole number, not ${number}`
      return { field: place, code: 'not_whole', message }
    }
    if (numbers.indexOf(number) < i)
      return { field: place, code: 'repeated', message: `${place} repeats ${number}` }
    return []
  })
}

const none: NumberRange = { count: 0, min: 0, max: 0 }

/** The errors in the lines of a ticket, by line and number. */
export const lineFaults = (rules: LotteryRules, lines: Line[]): FieldError[] =>
  lines.length < 1 || lines.length > maxLines
    ? [{ field: 'lines', code: 'wrong_count', message: `lines must have 1 to ${maxLines} lines` }]
    : lines.flatMap(({ main, bonus }, i) => [
        ...numberFaults(main, rules.main, `lines.${i}.main`, 'main numbers'),
        ...numberFaults(bonus, rules.bonus ?? none, `lines.${i}.bonus`, 'bonus numbers'),
      ])

const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b)

/** Distinct numbers of a range in ascending order; every set is equally likely. `below(n)` returns 0 to n − 1. */
export const pickNumbers = (
  { count, min, max }: NumberRange,
  below: (bound: number) => number,
): number[] => {
  const left = Array.from({ length: max - min + 1 }, (_, i) => min + i)
  return ascending(
    Array.from({ length: count }, () => left.splice(below(left.length), 1)[0] ?? min),
  )
}

/** A random line. Every line is equally likely. */
export const quickPick = ({ main, bonus }: LotteryRules, { int }: Random): Line => ({
  main: pickNumbers(main, int),
  bonus: bonus ? pickNumbers(bonus, int) : [],
})

/** The same line with its numbers in ascending order, as it is stored and published. */
export const sortLine = ({ main, bonus }: Line): Line => ({
  main: ascending(main),
  bonus: ascending(bonus),
})

/** How many numbers of a line were drawn. */
export const countMatches = (line: Line, drawn: Line): { main: number; bonus: number } => ({
  main: line.main.filter((number) => drawn.main.includes(number)).length,
  bonus: line.bonus.filter((number) => drawn.bonus.includes(number)).length,
})

/** The first tier that the matches reach, or null. */
export const prizeTierOf = (
  { tiers }: LotteryRules,
  main: number,
  bonus: number,
): number | null => {
  const found = tiers.findIndex((tier) => main >= tier.main && bonus >= tier.bonus)
  return found < 0 ? null : found
}

/** Every winning pair of matches with its tier, as a table for SQL. */
export const winningMatches = (
  rules: LotteryRules,
): { main: number; bonus: number; tier: number }[] => {
  const table = []
  for (let main = 0; main <= rules.main.count; main++)
    for (let bonus = 0; bonus <= (rules.bonus?.count ?? 0); bonus++) {
      const tier = prizeTierOf(rules, main, bonus)
      if (tier !== null) table.push({ main, bonus, tier })
    }
  return table
}

/** The pot of a draw. */
export const potOf = (rules: LotteryRules, validTickets: number): number =>
  rules.potBaseCents + rules.potPerTicketCents * validTickets

/**
 * The largest fixed prize in cents, which is what a line can win where no prize is a share of the pot. Null where one
 * is, because then it is the pot that can be won.
 */
export const jackpotOf = ({ tiers }: Pick<LotteryRules, 'tiers'>): number | null =>
  tiers.some(({ potShareBasisPoints }) => potShareBasisPoints)
    ? null
    : Math.max(...tiers.map(({ amountCents }) => amountCents ?? 0))

/**
 * The prize of the winning lines of a tier: `each` cents, and one cent more for the first `remainder` lines in the
 * order of tickets and lines. So a share of the pot is paid to the cent. A share without winners is not paid.
 */
export const prizeOf = (
  { amountCents, potShareBasisPoints }: PrizeTier,
  potCents: number,
  winners: number,
): { each: number; remainder: number } => {
  if (amountCents != null) return { each: amountCents, remainder: 0 }
  if (winners === 0) return { each: 0, remainder: 0 }
  const share = Number((BigInt(potCents) * BigInt(potShareBasisPoints ?? 0)) / 10_000n)
  return { each: Math.floor(share / winners), remainder: share % winners }
}

const bitsOf = (numbers: number[], { min, max }: NumberRange): string =>
  Array.from({ length: max - min + 1 }, (_, i) => (numbers.includes(min + i) ? '1' : '0')).join('')

/** A line as bits: one for each main number of the range, then one for each bonus number. */
export const maskOf = (
  { main, bonus }: LotteryRules,
  line: Line,
): { main: string; bonus: string } => ({
  main: bitsOf(line.main, main),
  bonus: bonus ? bitsOf(line.bonus, bonus) : '',
})

/**
 * The code in the reference of a ticket, from its number in the lottery: four characters of A–Z and 0–9. A fixed
 * permutation gives different codes to 1,679,616 consecutive tickets, more than a lottery takes in a day.
 */
export const refCode = (number: number): string => {
  const codes = 36 ** 4
  const shuffled = (BigInt(number) * 1_103_515n + 772_201n) % BigInt(codes)
  return shuffled.toString(36).toUpperCase().padStart(4, '0')
}

/** `LX-<year>-<MMDD>-<4 chars>` with the date in UTC (interface: Lottery ticket). */
export const ticketRefOf = (number: number, at: Date): string => {
  const [year, month, day] = at.toISOString().slice(0, 10).split('-')
  return `LX-${year}-${month}${day}-${refCode(number)}`
}

const dayMs = 24 * 3600 * 1000

/** The same day some months later, or the last day of a shorter month. */
const addMonths = (first: Date, months: number): Date => {
  const moved = new Date(first)
  moved.setUTCDate(1)
  moved.setUTCMonth(first.getUTCMonth() + months)
  const lastDay = new Date(
    Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0),
  ).getUTCDate()
  moved.setUTCDate(Math.min(first.getUTCDate(), lastDay))
  return moved
}

/**
 * The first closing of a lottery after a moment. It skips closings that were missed while the server was down, which
 * have no tickets. Null for CUSTOM, whose draws are scheduled by hand.
 */
export const nextClosing = (
  frequency: LotteryFrequency,
  firstClosesAt: Date,
  after: Date,
): Date | null => {
  if (frequency === 'CUSTOM') return null
  if (firstClosesAt > after) return firstClosesAt
  if (frequency === 'MONTHLY') {
    let months =
      (after.getUTCFullYear() - firstClosesAt.getUTCFullYear()) * 12 +
      after.getUTCMonth() -
      firstClosesAt.getUTCMonth()
    while (addMonths(firstClosesAt, months) <= after) months++
    return addMonths(firstClosesAt, months)
  }
  const periodMs = (frequency === 'DAILY' ? 1 : 7) * dayMs
  const periods = Math.floor((after.getTime() - firstClosesAt.getTime()) / periodMs) + 1
  return new Date(firstClosesAt.getTime() + periods * periodMs)
}
