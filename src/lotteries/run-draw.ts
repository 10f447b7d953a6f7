/**
 * Runs a draw in steps: close it, publish the root, draw the numbers, compare all tickets with them, and pay. Each step
 * takes effect only after the step before it, and is idempotent. So an interrupted draw (kill -9) continues on any
 * node, and two nodes can run the same draw.
 */
import type { LotteryDraw } from '../generated/prisma/client.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import { bindTo, unseal } from '../kit/security/seal.ts'
import type { EventData } from '../kit/streams/events.ts'
import type { Tenant } from '../kit/tenant.ts'
import { writeNumbers, writeRoot, writeSettled } from './draw.sql.ts'
import { closeDraw, keepDraws, seedPurpose } from './draw.ts'
import type { DrawView } from './draw-view.ts'
import type { drawCompleted } from './lottery.events.ts'
import {
  type LotteryRules,
  maskOf,
  maxLines,
  potOf,
  prizeOf,
  winningMatches,
} from './lottery.rules.ts'
import type { LotteryBy } from './lottery-key.ts'
import { drawNumbers, merkleRoot } from './proof-format.ts'
import { countWinners, insertWins, writeResults } from './settle.sql.ts'
import { makeNodes, nodesOfStep, readNodes } from './tree.ts'

export type TierResult = { winners: number; payoutCents: number }

/**
 * Completes a draw whose tickets are all settled: prices the winning lines, pays the shares of the pot to the cent, and
 * announces the draw and each winning ticket. One idempotent statement writes everything.
 */
const finishDraw = async ({ tx, clock }: Work, draw: LotteryDraw): Promise<void> => {
  const rules = JSON.parse(draw.rules ?? '') as LotteryRules
  const counts = await countWinners(tx, draw.id)
  const winnersOf = new Map(counts.map(({ tierNo, winners }) => [tierNo, winners]))
  const potCents = potOf(rules, draw.tickets - draw.cancelled)
  const prizes = rules.tiers.map((tier, tierNo) => {
    const winners = winnersOf.get(tierNo) ?? 0
    const { each, remainder } = prizeOf(tier, potCents, winners)
    return { tier: tierNo, name: tier.name, winners, each, remainder }
  })
  const results: TierResult[] = prizes.map(({ winners, each, remainder }) => ({
    winners,
    payoutCents: winners * each + remainder,
  }))
  const payoutCents = results.reduce((sum, result) => sum + result.payoutCents, 0)
  const winningLines = results.reduce((sum, { winners }) => sum + winners, 0)
  const { slug } = await tx.lottery.findUniqueOrThrow({ where: { id: draw.lotteryId } })
  const now = clock()
  const completed = {
    drawId: draw.id,
    lotteryId: draw.lotteryId,
    lotterySlug: slug,
    drawNo: draw.drawNo,
    main: draw.main,
    bonus: draw.bonus,
    ticketCount: draw.tickets - draw.cancelled,
    winningLines,
    potCents,
    payoutCents,
    completedAt: now.toISOString(),
  } satisfies EventData<typeof drawCompleted>
  const outcome = { prizes, potCents, payoutCents, results, completed }
  await writeResults(tx, draw, outcome, now)
}

/** The size of one step: nodes of the tree, and tickets to compare with the numbers. */
const defaultSteps = { nodes: nodesOfStep, tickets: 50_000 }

const rulesOf = ({ rules }: { rules: string | null }) => JSON.parse(rules ?? '') as LotteryRules

/** Adds the missing nodes of the tree and publishes the root. */
const publishRoot = async (work: Work, draw: LotteryDraw, nodesOfStep: number): Promise<void> => {
  await makeNodes(work, draw, nodesOfStep)
  const root = merkleRoot(await readNodes(work.tx, draw))
  await writeRoot(work.tx, draw.id, root)
}

/** Reveals the seed and draws the numbers. They are derived from seed and root, so every node draws the same. */
const revealSeed = async ({ tx, clock, keys }: Work, draw: LotteryDraw): Promise<void> => {
  const { id, sealedSeed, root } = draw
  if (!sealedSeed || !root) throw new Error(`draw ${id} has no seed or no root`)
  const seed = Buffer.from(unseal(keys.master, bindTo(draw, seedPurpose), sealedSeed), 'hex')
  const { main, bonus } = drawNumbers(rulesOf(draw), seed, root)
  await writeNumbers(tx, id, { seed, main, bonus }, clock())
}

/** Compares tickets with the numbers and writes the lines that win. Idempotent. */
const settleTickets = async (
  { tx }: Pick<Work, 'tx'>,
  draw: LotteryDraw,
  from: number,
  to: number,
): Promise<void> => {
  const rules = rulesOf(draw)
  const { main, bonus } = maskOf(rules, draw)
  const wins = winningMatches(rules).map((match) => ({
    ...match,
    cents: rules.tiers[match.tier]?.amountCents ?? null,
  }))
  const fewest = Math.min(...wins.map((match) => match.main + match.bonus))
  const lines = Array.from({ length: maxLines }, (_, i) => (main + bonus).repeat(i + 1))
  await insertWins(tx, draw.id, { main, bonus, lines, wins, fewest }, from, to)
}

/** Settles the next tickets in two parallel parts, then stores the progress. */
const settleNext = async (work: Work, draw: LotteryDraw, ticketsOfStep: number): Promise<void> => {
  const from = draw.settled
  const middle = Math.min(from + ticketsOfStep, draw.tickets)
  const to = Math.min(middle + ticketsOfStep, draw.tickets)
  await Promise.all([
    settleTickets(work, draw, from, middle),
    middle < to && settleTickets(work, draw, middle, to),
  ])
  await writeSettled(work.tx, draw.id, from, to)
}

type RunOptions = {
  /** Closes and draws now, before the scheduled time. */
  early?: boolean
  /** Stops between two steps after this time; a job continues. */
  maxMs?: number
  /** Called before each step with the progress. */
  report?: (draw: LotteryDraw) => void
  steps?: typeof defaultSteps
}

/** Runs all due steps of a draw. Returns the draw after them. */
export const runDraw = async (
  work: Work,
  id: string,
  {
    early = false,
    maxMs = Number.POSITIVE_INFINITY,
    report,
    steps = defaultSteps,
  }: RunOptions = {},
): Promise<LotteryDraw> => {
  const { tx, clock } = work
  const end = performance.now() + maxMs
  for (;;) {
    const draw = await tx.lotteryDraw.findUniqueOrThrow({ where: { id } })
    report?.(draw)
    if (performance.now() > end) return draw
    const now = clock()
    if (draw.status === 'OPEN') {
      const closed = await closeDraw(work, id, { early })
      if (!closed && !early && draw.closesAt > now) return draw
      if (closed) await keepDraws(work, draw.lotteryId)
    } else if (draw.status === 'CLOSED' && !draw.root) await publishRoot(work, draw, steps.nodes)
    else if (draw.status === 'CLOSED' && (early || draw.drawsAt <= now))
      await revealSeed(work, draw)
    else if (draw.status === 'DRAWING' && draw.settled < draw.tickets)
      await settleNext(work, draw, steps.tickets)
    else if (draw.status === 'DRAWING') await finishDraw(work, draw)
    else return draw
  }
}

/** The longest time that a request waits for a large draw. */
const longestAnswerMs = 10_000

type ExecuteDraw = {
  environment: Tenant['environment']
  drawId: string
  /** If given, the draw must belong to it. */
  lottery: LotteryBy | null
}

/**
 * Closes a draw of any partner now, before its scheduled time, so that it can be run.
 * @throws TesseraError LOTTERY_NOT_FOUND, DRAW_NOT_FOUND; DRAW_NOT_OPEN when it has not opened yet or was cancelled;
 * DRAW_ALREADY_EXECUTED when it is complete
 */
export const closeDrawNow = async (
  work: Work,
  { environment, drawId: id, lottery: by }: ExecuteDraw,
): Promise<DrawView> => {
  const { tx } = work
  const of = { environment, ...by }
  if (by && !(await tx.lottery.findFirst({ where: of })))
    throw new TesseraError('LOTTERY_NOT_FOUND')
  const draw = await tx.lotteryDraw.findFirst({
    where: { id, lottery: of },
    include: { lottery: true },
  })
  if (!draw) throw new TesseraError('DRAW_NOT_FOUND')
  const { status } = draw
  if (status === 'COMPLETED')
    throw new TesseraError('DRAW_ALREADY_EXECUTED', { status, since: draw.completedAt })
  if (status === 'SCHEDULED' || status === 'CANCELLED')
    throw new TesseraError('DRAW_NOT_OPEN', { status, since: draw.closedAt })
  await closeDraw(work, id, { early: true })
  return draw
}

/** Runs a draw that is closed. A large one may still be DRAWING in the answer; a job completes it. */
export const finishDrawNow = async (work: Work, { id, lottery }: DrawView): Promise<DrawView> => {
  await keepDraws(work, lottery.id)
  return { ...(await runDraw(work, id, { early: true, maxMs: longestAnswerMs })), lottery }
}
