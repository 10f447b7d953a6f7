/** What starting or changing a lottery would mean: the most it can cost, and what speaks against it. */
import { z } from 'zod'
import type { Lottery } from '../generated/prisma/client.ts'
import { usd } from '../kit/money.ts'
import { builder } from '../kit/schema/builder.ts'
import { type LaunchIssue, LaunchIssueRef } from '../kit/schema/launch-issue.ts'
import { MoneyRef } from '../kit/schema/money.ts'
import { query } from '../kit/schema/query.ts'
import { LotteryRef } from './lottery.graphql.ts'
import { LotteryRules, nextClosing, potOf } from './lottery.rules.ts'
import { expectedCentsOf, largestPrizeOf, maxPayoutOf } from './lottery-cost.rules.ts'

type LotteryLaunchCheck = { rules: LotteryRules; nextDrawAt: Date | null; issues: LaunchIssue[] }

/** When the next draw closes by the calendar of the lottery, and is drawn; null if there is none. */
const nextDrawOf = (lottery: Lottery, now: Date): Date | null => {
  const { frequency, firstClosesAt, endsAt, drawDelaySeconds } = lottery
  const closesAt = nextClosing(frequency, firstClosesAt, now)
  if (!closesAt || (endsAt && closesAt > endsAt)) return null
  return new Date(closesAt.getTime() + drawDelaySeconds * 1000)
}

const issuesOf = ({ endsAt, description }: Lottery, now: Date): LaunchIssue[] => [
  ...(endsAt && endsAt <= now
    ? [
        {
          severity: 'BLOCKER' as const,
          code: 'ALREADY_OVER' as const,
          message: 'Its end is in the past, so no draw would open.',
        },
      ]
    : []),
  ...(description
    ? []
    : [
        {
          severity: 'WARNING' as const,
          code: 'NO_DESCRIPTION' as const,
          message: 'Its page does not say what it is about.',
        },
      ]),
]

const thousandLines = 1000

const LaunchCheckRef = builder.objectRef<LotteryLaunchCheck>('LotteryLaunchCheck').implement({
  description:
    'What a lottery means once it runs: what a draw can cost, and what speaks against it.',
  fields: (t) => ({
    issues: t.expose('issues', {
      type: [LaunchIssueRef],
      description: 'What to know before it runs; empty if all is well.',
    }),
    nextDrawAt: t.expose('nextDrawAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it draws next by its frequency; null if draws are scheduled by hand, and if none closes before its end.',
    }),
    pot: t.field({
      type: MoneyRef,
      description: 'The pot before the first ticket.',
      resolve: ({ rules }) => usd(potOf(rules, 0)),
    }),
    largestPrize: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'The largest fixed prize of a line; null if all prizes are shares of the pot.',
      resolve: ({ rules }) => {
        const cents = largestPrizeOf(rules)
        return cents === null ? null : usd(cents)
      },
    }),
    expectedPayout: t.field({
      type: MoneyRef,
      description:
        'Fixed prizes that 1,000 lines win on average, to the cent. Shares of the pot do not count.',
      resolve: ({ rules }) => usd(Math.round(expectedCentsOf(rules) * thousandLines)),
    }),
    maxPayout: t.field({
      type: MoneyRef,
      nullable: true,
      description:
        'The most that a draw can pay; null for no limit: a fixed prize is paid to each winning line, and a pot may grow with each ticket.',
      resolve: ({ rules }) => {
        const cents = maxPayoutOf(rules)
        return cents === null ? null : usd(cents)
      },
    }),
  }),
})

query([LotteryRef, 'launchCheck'], {
  description:
    'What the lottery means once it runs, or with rules that are not saved yet: what a draw can cost, and what speaks against it. Writes nothing.',
  args: z.object({
    rules: LotteryRules.nullish().describe(
      'The rules to look at. Defaults to those of the lottery.',
    ),
  }),
  type: LaunchCheckRef,
  resolve: ({ rules }, ctx, _, lottery) => {
    const now = ctx.clock()
    return {
      rules: rules ?? (lottery.rules as LotteryRules),
      nextDrawAt: nextDrawOf(lottery, now),
      issues: issuesOf(lottery, now),
    }
  },
})
