/** Ninety days of the demo partner's LIVE environment, so that its charts show something. */

import { setTimeout as sleep } from 'node:timers/promises'
import { recordCampaignEvents } from '../campaigns/campaign-event.ts'
import { generateCodes } from '../campaigns/code-batch.ts'
import { redeemCodes } from '../campaigns/code-redemption.ts'
import { playGames } from '../games/play.ts'
import { Device, GameType } from '../generated/prisma/enums.ts'
import { classifyUsers } from '../journeys/classification.ts'
import { trackUsers } from '../journeys/identify.ts'
import { createSegment } from '../journeys/segment.ts'
import { trackEvents } from '../journeys/track.ts'
import { type Database, type Db, inTransaction } from '../kit/database/db.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { type ExternalId, externalId, type UserId } from '../kit/user-id.ts'
import { enterLotteries } from '../lotteries/ticket.ts'
import { awardPoints } from '../points/points.ts'
import { settleDueStreaks } from '../programme/streak-settling.ts'
import { reachGoals } from './past-goals.ts'

const dayMs = 86_400_000
const pastDays = 90

/** The first moment of the past of a demo that is created at a time. */
export const startOfPast = (createdAt: Date): Date =>
  new Date((Math.floor(createdAt.getTime() / dayMs) - pastDays) * dayMs)

/** A customer of the demo: how often they come, and their first and last day, counted from the beginning. */
type Customer = {
  name: string
  externalId: ExternalId
  visitsPerWeek: number
  from: number
  to: number
  country: string
  device: Device
}

const names =
  'Ada Ben Cleo Dan Elif Finn Gita Hugo Ines Jan Kira Leo Mia Noah Olga Paul Quinn Rosa Sam Tara Umar Vera Wim Xenia Yara Zoe Alma Bo Cora Dino Emil Fay Gus Hana Ivo June Karl Lena Max Nina Otto Pia Rafa Sofia Tom Uma Vito Wanda'.split(
    ' ',
  )
const countries = ['DE', 'FR', 'GB', 'US', 'BR', 'JP']

/** Half of them come from the first day on. Every fifth stops coming. */
const customers: Customer[] = names.map((name, n) => {
  const from = n % 2 === 0 ? 0 : (n * 17) % (pastDays - 8)
  return {
    name,
    externalId: externalId().parse(`demo-${name.toLowerCase()}`),
    visitsPerWeek: 1 + ((n * 5) % 7),
    from,
    to: n % 5 === 3 ? from + 10 + ((n * 7) % 30) : pastDays,
    country: countries[(n * 3) % countries.length] as string,
    device: Object.values(Device)[n % Object.values(Device).length] as Device,
  }
})

/** Customers who claim nothing: the rewards of their missions expire, or wait. */
const forgetful = new Set(
  customers.flatMap(({ externalId }, n) => (n % 6 === 0 ? [externalId] : [])),
)

type Visit = { work: Work; tenant: Tenant; customers: Customer[]; now: Date }

const isLikely = ({ random }: Work, percent: number) => random.int(100) < percent

/** A random share of the customers, as user keys. */
const some = ({ work, tenant, customers }: Omit<Visit, 'now'>, percent: number) =>
  customers
    .filter(() => isLikely(work, percent))
    .map(({ externalId }) => ({ ...tenant, externalId }))

type Result = { user: { id: string; externalId: string } } | Error

/** The users of the results that were not refused: an empty wallet, a campaign without plays left. */
const usersOf = (results: Result[]): [UserId, ExternalId][] =>
  results.flatMap((result) =>
    result instanceof Error
      ? []
      : [[result.user.id as UserId, result.user.externalId as ExternalId]],
  )

/** Awards the customers of a visit, and one of them for those who come for the first time. */
const award = ({ work, tenant, customers }: Visit, day: number, newcomers: Customer[]) => {
  const all = { work, tenant, customers }
  const host = customers.find(({ from }) => from < day)
  return awardPoints(work, [
    ...some(all, 100).map((user) => ({
      ...user,
      eventType: 'daily_login',
      reference: `past-${day}-${user.externalId}`,
    })),
    ...some(all, 30).map((user) => ({ ...user, eventType: 'purchase' })),
    ...newcomers.flatMap(({ externalId }) => {
      const reference = `past-${day}-${externalId}`
      return host
        ? [{ ...tenant, externalId: host.externalId, eventType: 'referral', reference }]
        : []
    }),
  ])
}

/** What goals count of a visit, and what follows from it, in one transaction. */
const earn = (all: Visit, day: number, newcomers: Customer[]): Promise<void> =>
  inTransaction(all.work, async (work) => {
    const common = { ...all, work }
    // Campaigns are locked before users.
    const events = some(common, 20).map((user) => {
      return { ...user, slug: 'summer-sale', eventType: 'purchase' }
    })
    const bought = events.length > 0 ? await recordCampaignEvents(work, events) : []
    const awards = await award(common, day, newcomers)
    const gameTypes = Object.values(GameType)
    const plays = [...some(common, 60), ...some(common, 30)].map((user) => ({
      ...user,
      gameType: gameTypes[work.random.int(gameTypes.length)] as GameType,
      isProven: true,
    }))
    const played = plays.length > 0 ? await playGames(work, plays) : []
    const users = new Map([bought, awards, played].flatMap(usersOf))
    const doesClaim = (user: ExternalId) => !forgetful.has(user) && isLikely(work, 80)
    await reachGoals(work, all.tenant, users, { doesClaim, until: all.now })
  })

/** Performs a visit of customers. */
const visit = async (all: Visit, day: number) => {
  const { work, tenant, customers } = all
  const newcomers = customers.filter(({ from }) => from === day)
  await trackUsers(
    work,
    newcomers.map(({ externalId, name, country, device }) => ({
      ...tenant,
      externalId,
      displayName: name,
      country,
      device,
      isTrusted: true,
    })),
  )
  await trackEvents(
    work,
    some(all, 100).map((user) => ({
      ...user,
      category: 'SESSION',
      eventType: 'app_opened',
      reference: `past-${day}-opened`, // a day can be interrupted before its awards, and begun again
      isTrusted: true,
    })),
  )
  await earn(all, day, newcomers)
  const due = await ofTenant(work.tx, tenant).userProfile.findMany({
    where: { dueAt: { lte: work.clock() } },
    select: { userId: true },
  })
  await classifyUsers(
    work,
    due.map(({ userId }) => userId),
  )
}

/** The hours of visits in UTC. Half of the customers come at noon, the others in the evening. */
const hours = [11, 18]

const liveThrough = async (runtime: Runtime, tenant: Tenant, day: number, startsAt: Date) => {
  const isWeekend = [0, 6].includes(startsAt.getUTCDay())
  // A visit settles the streaks of its customers. Those of customers who stay away break once a week.
  if (day % 7 === 6 || day === pastDays - 1)
    await settleDueStreaks({ ...runtime, clock: () => startsAt })
  for (const [half, hour] of hours.entries()) {
    const at = new Date(startsAt.getTime() + hour * 3_600_000 + runtime.random.int(5_400_000))
    const work = { ...runtime, tx: runtime.db, clock: () => at }
    const common = customers.filter(
      ({ from, to, visitsPerWeek }, n) =>
        day >= from &&
        day < to &&
        n % hours.length === half &&
        (day === from || isLikely(work, (visitsPerWeek * (isWeekend ? 120 : 90)) / 7)),
    )
    const now = runtime.clock()
    if (common.length > 0) await visit({ work, tenant, customers: common, now }, day)
  }
}

/** Data that the past lacks: tickets of a future draw, codes, and a segment. */
const addToday = async (work: Work, tenant: Tenant) => {
  const all = { work, tenant, customers }
  await enterLotteries(
    work,
    some(all, 40).map((user) => ({
      ...user,
      lotterySlug: 'weekly-draw',
      email: `${user.externalId}@example.com`,
      lines: null,
    })),
  )
  const flyer = { slug: 'summer-sale', codeCount: 200, points: 25, label: 'Flyer in the shop' }
  const { codes } = await generateCodes(work, { ...tenant, ...flyer })
  const redeemed = some(all, 30).map((user, n) => ({
    ...user,
    slug: flyer.slug,
    code: codes[n] as string,
    isProven: true,
  }))
  if (redeemed.length > 0) await redeemCodes(work, redeemed)
  await createSegment(work, { ...tenant, name: 'Slipping away', stage: 'at_risk' })
}

/** The first day that was not written yet. */
const firstOpenDay = async (db: Db, tenant: Tenant): Promise<number> => {
  const own = ofTenant(db, tenant)
  const users = await own.endUser.findMany({
    where: { externalId: { in: customers.map(({ externalId }) => externalId) } },
    select: { id: true },
  })
  const last = await own.ledgerEntry.findFirst({
    where: { userId: { in: users.map(({ id }) => id) }, reference: { startsWith: 'past-' } },
    orderBy: { createdAt: 'desc' },
  })
  return last ? Number(last.reference?.split('-')[1]) + 1 : 0
}

/**
 * Writes the past of the demo partner's LIVE environment, day by day up to the day before it was created. Continues
 * after the last day that an earlier start wrote; an interrupted day is not repeated. Must end before a job classifies
 * these users by the current time.
 * @param restShare the pause after each day, relative to the time that the day took
 */
export const seedPast = async (
  runtime: Runtime,
  signal: AbortSignal,
  { restShare = 0 }: { restShare?: number } = {},
): Promise<void> => {
  const { db, log } = runtime
  const demo = await db.partner.findUnique({ where: { slug: 'demo' } })
  if (!demo) return
  const tenant: Tenant = { partnerId: demo.id, environment: 'LIVE' }
  const first = await firstOpenDay(db, tenant)
  const firstMs = startOfPast(demo.createdAt).getTime()
  for (let day = first; day < pastDays && !signal.aborted; day++) {
    const startedAt = performance.now()
    await liveThrough(runtime, tenant, day, new Date(firstMs + day * dayMs))
    await sleep((performance.now() - startedAt) * restShare)
    if ((day + 1) % 30 === 0) log.info({ days: day + 1, of: pastDays }, 'made the past of the demo')
  }
  if (first < pastDays && !signal.aborted) await addToday({ ...runtime, tx: db }, tenant)
}

const takeTurn = `SELECT pg_try_advisory_lock(hashtext('the past of the demo')) AS mine`
const askTurnMs = 1_000

/**
 * Writes the past as `seedPast` does, on one node at a time. The others wait, and continue if that one has ended before it
 * was done.
 */
export const seedPastOnce = async (
  runtime: Runtime,
  { direct, embedded }: Database,
  signal: AbortSignal,
): Promise<void> => {
  const write = () => seedPast(runtime, signal, { restShare: 2 })
  if (embedded) return write()
  while (!signal.aborted) {
    const client = await direct.connect()
    let isMine = false
    try {
      isMine = (await client.query<{ mine: boolean }>(takeTurn)).rows[0]?.mine ?? false
      if (isMine) return await write()
    } finally {
      client.release(isMine) // closing the connection ends its lock
    }
    await sleep(askTurnMs, undefined, { signal }).catch(() => {})
  }
}
