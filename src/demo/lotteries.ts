/** The lotteries of the demo partner. */
import { usd } from '../kit/money.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { keepDraws } from '../lotteries/draw.ts'
import { CreateLottery, createLottery, setLotteryStatus } from '../lotteries/lottery.ts'
import { runDraw } from '../lotteries/run-draw.ts'
import { enterLotteries } from '../lotteries/ticket.ts'

const dayMs = 24 * 3600 * 1000

/**
 * The next time at this hour (UTC), on this day of the week (0 is Sunday; any day if omitted), at least a day from
 * now.
 */
const nextTime = (now: Date, hour: number, weekday?: number): Date => {
  const time = new Date(
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, hour),
  )
  while (
    time.getTime() - now.getTime() < dayMs ||
    (weekday ?? time.getUTCDay()) !== time.getUTCDay()
  )
    time.setUTCDate(time.getUTCDate() + 1)
  return time
}

const weeklyRules = {
  mainRange: { count: 6, min: 1, max: 49 },
  bonusRange: { count: 1, min: 1, max: 10 },
  maxTicketsPerUser: 10,
  potBase: usd(1_000_000),
  potPerTicket: usd(50),
  tiers: [
    { name: 'Jackpot', mainMatches: 6, bonusMatches: 1, prize: { potShareBasisPoints: 6_000 } },
    { name: 'Second', mainMatches: 6, bonusMatches: 0, prize: { potShareBasisPoints: 2_000 } },
    { name: 'Third', mainMatches: 5, bonusMatches: 0, prize: { potShareBasisPoints: 1_000 } },
    { name: 'Fourth', mainMatches: 4, bonusMatches: 0, prize: { amount: usd(5_000) } },
    { name: 'Fifth', mainMatches: 3, bonusMatches: 0, prize: { amount: usd(1_000) } },
    { name: 'Consolation', mainMatches: 2, bonusMatches: 1, prize: { amount: usd(500) } },
  ],
}

const dailyRules = {
  mainRange: { count: 5, min: 1, max: 35 },
  maxTicketsPerUser: 3,
  potBase: usd(100_000),
  potPerTicket: usd(10),
  tiers: [
    { name: 'Jackpot', mainMatches: 5, bonusMatches: 0, prize: { potShareBasisPoints: 7_000 } },
    { name: 'Second', mainMatches: 4, bonusMatches: 0, prize: { potShareBasisPoints: 2_000 } },
    { name: 'Third', mainMatches: 3, bonusMatches: 0, prize: { amount: usd(500) } },
    { name: 'Fourth', mainMatches: 2, bonusMatches: 0, prize: { amount: usd(100) } },
  ],
}

/** The lottery with a draw that is over. */
const weekly = 'weekly-draw'

const demoLotteries = (now: Date) => [
  {
    slug: weekly,
    name: 'Weekly Draw',
    description: 'Six of 49 and a bonus number, every Saturday evening.',
    frequency: 'WEEKLY',
    rules: weeklyRules,
    firstClosesAt: nextTime(now, 20, 6),
  },
  {
    slug: 'daily-pick',
    name: 'Daily Pick',
    description: 'Five of 35, every evening.',
    frequency: 'DAILY',
    rules: dailyRules,
    firstClosesAt: nextTime(now, 19),
  },
  {
    slug: 'paused-draw',
    name: 'Paused Draw',
    description: 'A lottery that rests.',
    frequency: 'WEEKLY',
    rules: dailyRules,
    firstClosesAt: nextTime(now, 20, 0),
  },
  {
    slug: 'coming-soon',
    name: 'Coming Soon',
    description: 'It has been announced; its first draw opens in a year.',
    frequency: 'MONTHLY',
    rules: weeklyRules,
    startsAt: new Date(now.getTime() + 365 * dayMs),
    firstClosesAt: new Date(now.getTime() + 395 * dayMs),
  },
]

/**
 * Creates the demo lotteries in one environment, with their draws.
 * @param weeklySince when the first weekly draw opened; it closes after the current time
 */
export const seedLotteries = async (
  work: Work,
  tenant: Tenant,
  weeklySince: Date = work.clock(),
): Promise<void> => {
  for (const lottery of demoLotteries(work.clock())) {
    const input = CreateLottery.parse(lottery)
    const asOf = input.slug === weekly ? { ...work, clock: () => weeklySince } : work
    const { id } = await createLottery(asOf, { ...tenant, isOperator: false, ...input })
    await keepDraws(asOf, id)
    if (input.slug === 'paused-draw')
      await setLotteryStatus(work, {
        ...tenant,
        isOperator: false,
        lotteryId: id,
        status: 'PAUSED',
      })
  }
}

/** The number of tickets in the draw that is over: enough that some of them usually win. */
const ticketsOfDraw = 60

/**
 * Creates the demo lotteries, one of them as of a week ago, and runs its first draw as of yesterday, so that there is a
 * proof to verify. Its tickets have addresses and no users.
 */
export const seedLotteriesWithDraw = async (work: Work, tenant: Tenant): Promise<void> => {
  const now = work.clock().getTime()
  const daysAgo = (days: number) => new Date(now - days * dayMs)
  const asOf = (days: number) => ({ ...work, clock: () => daysAgo(days) })
  await seedLotteries(work, tenant, daysAgo(7))
  const entries = Array.from({ length: ticketsOfDraw }, (_, n) => ({
    ...tenant,
    lotterySlug: weekly,
    email: `player-${n + 1}@example.com`,
    lines: null,
  }))
  for (const ticket of await enterLotteries(asOf(3), entries))
    if (ticket instanceof Error) throw ticket
  const { id } = await work.tx.lotteryDraw.findFirstOrThrow({
    where: { ...tenant, status: 'OPEN', lottery: { slug: weekly } },
  })
  await runDraw(asOf(1), id, { early: true })
}
