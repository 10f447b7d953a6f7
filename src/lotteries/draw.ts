/** Schedules, opens, closes and cancels draws. */
import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Lottery, LotteryDraw } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import { bindTo, type SealedColumn, seal } from '../kit/security/seal.ts'
import { lockDraw, lockLotteryRow, markDrawCancelled, markDrawClosed } from './draw.sql.ts'
import type { DrawView } from './draw-view.ts'
import { nextClosing } from './lottery.rules.ts'
import { lockLottery } from './lottery.ts'
import { LotteryBy, type Manager, managedBy } from './lottery-key.ts'
import { commitmentOf } from './proof-format.ts'

export const seedPurpose = 'lottery seed'

export const sealedDrawColumns: SealedColumn[] = [
  { table: 'lottery_draw', column: 'sealed_seed', key: { id: 'uuid' }, purpose: seedPurpose },
]

/** The next draw opens this long before the last one closes, so that users can always enter one. */
export const openAheadMs = 60_000

const bytes = (data: Uint8Array) => new Uint8Array(data)

/** Adds the next draw of a lottery, which must be locked. */
const addDraw = async (
  { tx }: Work,
  lottery: Lottery,
  { opensAt, closesAt }: { opensAt: Date; closesAt: Date },
): Promise<LotteryDraw> => {
  const { draws: drawNo } = await tx.lottery.update({
    where: { id: lottery.id },
    data: { draws: { increment: 1 } },
  })
  return tx.lotteryDraw.create({
    data: {
      id: uuid(),
      lotteryId: lottery.id,
      partnerId: lottery.partnerId,
      environment: lottery.environment,
      drawNo,
      status: 'SCHEDULED',
      opensAt,
      closesAt,
      drawsAt: new Date(closesAt.getTime() + lottery.drawDelaySeconds * 1000),
    },
  })
}

/**
 * Opens a scheduled draw that is due: creates its seed, publishes the commitment to the seed, and fixes the rules. The
 * seed stays encrypted until it is revealed.
 */
const openDraw = async ({ tx, clock, keys }: Work, draw: LotteryDraw, rules: unknown) => {
  const seed = randomBytes(32)
  await tx.lotteryDraw.updateMany({
    where: {
      id: draw.id,
      status: 'SCHEDULED',
      opensAt: { lte: clock() },
      closesAt: { gt: clock() },
    },
    data: {
      status: 'OPEN',
      rules: JSON.stringify(rules),
      commitment: bytes(commitmentOf(seed)),
      sealedSeed: seal(keys.master, bindTo(draw, seedPurpose), seed.toString('hex')),
      openedAt: clock(),
    },
  })
}

/**
 * Brings the draws of a lottery up to date: opens draws that are due, adds the next one when there is none or the last
 * is about to close, and ends the lottery at its end. It can run at any time.
 */
export const keepDraws = (work: Work, lotteryId: string): Promise<void> =>
  inTransaction(work, async (txWork) => {
    const { tx } = txWork
    const now = work.clock()
    await lockLotteryRow(tx, lotteryId)
    const lottery = await tx.lottery.findUnique({ where: { id: lotteryId } })
    if (lottery?.status !== 'ACTIVE') return
    // Nobody could enter these draws, because no server was running while they should have been open.
    await tx.lotteryDraw.updateMany({
      where: { lotteryId, status: 'SCHEDULED', closesAt: { lte: now } },
      data: { status: 'CANCELLED' },
    })
    const coming = await tx.lotteryDraw.findMany({
      where: { lotteryId, status: { in: ['SCHEDULED', 'OPEN'] }, closesAt: { gt: now } },
      orderBy: { drawNo: 'asc' },
    })
    const ahead = new Date(now.getTime() + openAheadMs)
    if (!coming.some(({ closesAt }) => closesAt > ahead)) {
      const last = await tx.lotteryDraw.findFirst({
        where: { lotteryId },
        orderBy: { closesAt: 'desc' },
      })
      const after = last && last.closesAt > now ? last.closesAt : now
      const closesAt = nextClosing(lottery.frequency, lottery.firstClosesAt, after)
      if (closesAt && !(lottery.endsAt && closesAt > lottery.endsAt)) {
        const opensAt = new Date(Math.max(lottery.startsAt.getTime(), now.getTime()))
        if (opensAt < closesAt) coming.push(await addDraw(txWork, lottery, { opensAt, closesAt }))
      }
    }
    for (const draw of coming)
      if (draw.status === 'SCHEDULED' && draw.opensAt <= now)
        await openDraw(txWork, draw, lottery.rules)
    if (lottery.endsAt && lottery.endsAt <= now)
      await tx.lottery.update({ where: { id: lotteryId }, data: { status: 'EXPIRED' } })
  })

const moment = () => z.date({ error: 'must be a moment' })

export const ScheduleDraw = z
  .object({
    lottery: LotteryBy.describe('The lottery, by id or slug.'),
    opensAt: moment().nullish().describe('When it opens. Defaults to now.'),
    closesAt: moment().describe('When it closes, so that no ticket can be entered any more.'),
  })
  .describe('A draw besides those of the frequency.')

type ScheduleDraw = Omit<z.output<typeof ScheduleDraw>, 'lottery'> & { lotteryId: string }

const farthestMs = 20 * 366 * 24 * 3600 * 1000

/**
 * Adds a draw, and opens it if it is due and the lottery is ACTIVE.
 * @throws TesseraError LOTTERY_NOT_FOUND, LOTTERY_OVER, VALIDATION_FAILED for times in the wrong order
 */
export const scheduleDraw = (
  work: Work,
  { lotteryId, opensAt, closesAt, ...manager }: Manager & ScheduleDraw,
): Promise<DrawView> =>
  inTransaction(work, async (txWork) => {
    const { tx } = txWork
    const now = work.clock()
    const lottery = await lockLottery({ tx }, manager, lotteryId)
    if (lottery.status === 'COMPLETED' || lottery.status === 'EXPIRED')
      throw new TesseraError('LOTTERY_OVER', { status: lottery.status, since: null })
    const opens = opensAt && opensAt > now ? opensAt : now
    if (closesAt <= opens || closesAt.getTime() - now.getTime() > farthestMs)
      throw refused('closesAt', 'must be after opensAt and within 20 years')
    const draw = await addDraw(txWork, lottery, { opensAt: opens, closesAt })
    if (lottery.status === 'ACTIVE') await openDraw(txWork, draw, lottery.rules)
    return tx.lotteryDraw.findUniqueOrThrow({ where: { id: draw.id }, include: { lottery: true } })
  })

/**
 * Closes a draw. No ticket can enter it afterwards. Waits for entries in progress, which lock the row, so it closes after
 * the last of them. False when the draw is not open, or is not due and `early` is false.
 */
export const closeDraw = (work: Work, id: string, { early = false } = {}): Promise<boolean> =>
  inTransaction(work, async ({ tx, clock }) => {
    await lockDraw(tx, id)
    return (await markDrawClosed(tx, id, clock(), early)) > 0
  })

/**
 * Cancels a draw that has not closed, and thereby its tickets.
 * @throws TesseraError DRAW_NOT_FOUND; DRAW_NOT_OPEN when it has closed or was cancelled before
 */
export const cancelDraw = async (
  { tx }: Work,
  { drawId: id, ...manager }: Manager & { drawId: string },
): Promise<DrawView> => {
  const where = { id, lottery: managedBy(manager) }
  if (!(await tx.lotteryDraw.findFirst({ where }))) throw new TesseraError('DRAW_NOT_FOUND')
  const count = await markDrawCancelled(tx, id)
  const draw = await tx.lotteryDraw.findUniqueOrThrow({ where: { id }, include: { lottery: true } })
  const { status, closedAt } = draw
  if (count === 0) throw new TesseraError('DRAW_NOT_OPEN', { status, since: closedAt })
  return draw
}
