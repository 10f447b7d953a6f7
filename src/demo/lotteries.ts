/** The lotteries of the demo partner. */
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { keepDraws } from '../lotteries/draw.ts'
import { CreateLottery, createLottery, setLotteryStatus } from '../lotteries/lottery.ts'

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
  main: { count: 6, min: 1, max: 49 },
  bonus: { count: 1, min: 1, max: 10 },
  maxTicketsPerUser: 10,
  potBaseCents: 1_000_000,
  potPerTicketCents: 50,
  tiers: [
    { name: 'Jackpot', main: 6, bonus: 1, potShareBasisPoints: 6_000 },
    { name: 'Second', main: 6, bonus: 0, potShareBasisPoints: 2_000 },
    { name: 'Third', main: 5, bonus: 0, potShareBasisPoints: 1_000 },
    { name: 'Fourth', main: 4, bonus: 0, amountCents: 5_000 },
    { name: 'Fifth', main: 3, bonus: 0, amountCents: 1_000 },
    { name: 'Consolation', main: 2, bonus: 1, amountCents: 500 },
  ],
}

const dailyRules = {
  main: { count: 5, min: 1, max: 35 },
  maxTicketsPerUser: 3,
  potBaseCents: 100_000,
  potPerTicketCents: 10,
  tiers: [
    { name: 'Jackpot', main: 5, bonus: 0, potShareBasisPoints: 7_000 },
    { name: 'Second', main: 4, bonus: 0, potShareBasisPoints: 2_000 },
    { name: 'Third', main: 3, bonus: 0, amountCents: 500 },
    { name: 'Fourth', main: 2, bonus: 0, amountCents: 100 },
  ],
}

const demoLotteries = (now: Date) => [
  {
    slug: 'weekly-draw',
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

/** Creates the demo lotteries in one environment, with their draws. */
export const seedLotteries = async (work: Work, tenant: Tenant): Promise<void> => {
  for (const lottery of demoLotteries(work.clock())) {
    const input = CreateLottery.parse(lottery)
    const { id } = await createLottery(work, { ...tenant, isOperator: false, ...input })
    await keepDraws(work, id)
    if (input.slug === 'paused-draw')
      await setLotteryStatus(work, {
        ...tenant,
        isOperator: false,
        lotteryId: id,
        status: 'PAUSED',
      })
  }
}
