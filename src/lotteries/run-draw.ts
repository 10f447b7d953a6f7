/**
 * The end of a draw, step by step: close, publish the root, draw the numbers, hold all tickets against
 * them, pay. A step takes effect only when the one before has, and doing it again changes nothing, so a
 * draw that was broken off anywhere (kill -9) goes on from there, on any node, and two who run the same
 * draw do it once.
 */

import { TesseraError } from '../core/errors.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { bindTo, unseal } from '../core/seal.ts'
import type { Tenant } from '../core/tenant.ts'
import type { LotteryDraw } from '../generated/prisma/client.ts'
import { closeDraw, keepDraws, seedPurpose } from './draw.ts'
import type { DrawView } from './draw-view.ts'
import { finishDraw } from './finish-draw.ts'
import { type LotteryRules, maskOf, maxLines, winningMatches } from './lottery.rules.ts'
import type { DrawWork } from './lottery.ts'
import type { LotteryBy } from './lottery-key.ts'
import { drawNumbers, merkleRoot } from './proof-format.ts'
import { makeNodes, nodesOfStep, readNodes } from './tree.ts'

/** How much is done in one step: nodes of the tree made, and tickets held against the numbers. */
const defaultSteps = { nodes: nodesOfStep, tickets: 50_000 }

const bytes = (data: Uint8Array) => new Uint8Array(data)
const rulesOf = ({ rules }: { rules: string | null }) => JSON.parse(rules ?? '') as LotteryRules

/** Makes the nodes that are still missing and then the root, which is published with it. */
const publishRoot = async (work: Work, draw: LotteryDraw, nodesOfStep: number): Promise<void> => {
  await makeNodes(work, draw, nodesOfStep)
  const root = merkleRoot(await readNodes(work.tx, draw))
  await work.tx.$executeRaw`/* publish_root */
    UPDATE lottery_draw SET root = ${bytes(root)}
    WHERE id = ${draw.id}::uuid AND status = 'CLOSED' AND root IS NULL`
}

/** Reveals the seed and draws: the numbers follow from seed and root, so it does not matter who does it, or how often. */
const revealSeed = async ({ tx, clock, config }: DrawWork, draw: LotteryDraw): Promise<void> => {
  const { id, sealedSeed, root } = draw
  if (!sealedSeed || !root) throw new Error(`draw ${id} has no seed or no root`)
  const seed = Buffer.from(unseal(config.masterKeys, bindTo(draw, seedPurpose), sealedSeed), 'hex')
  const { main, bonus } = drawNumbers(rulesOf(draw), seed, root)
  await tx.$executeRaw`/* reveal_seed */
    UPDATE lottery_draw SET status = 'DRAWING', seed = ${bytes(seed)}, main = ${main}::int[],
      bonus = ${bonus}::int[], drawn_at = ${clock()}::timestamptz
    WHERE id = ${id}::uuid AND status = 'CLOSED' AND root IS NOT NULL`
}

/**
 * Holds tickets against the numbers and writes down the lines that win; harmless when that was done. The
 * filter comes first: a ticket whose lines all together match fewer numbers than the smallest prize asks
 * of one line wins nothing, and most are such.
 */
const settleTickets = async (
  { tx }: Pick<Work, 'tx'>,
  draw: LotteryDraw,
  from: number,
  to: number,
): Promise<void> => {
  const rules = rulesOf(draw)
  const drawn = maskOf(rules, { main: draw.main, bonus: draw.bonus })
  const [mainBits, bonusBits] = [drawn.main.length, drawn.bonus.length]
  const wins = winningMatches(rules)
  const table = wins.map((match) => ({
    ...match,
    cents: rules.tiers[match.tier]?.amountCents ?? null,
  }))
  const fewest = Math.min(...wins.map(({ main, bonus }) => main + bonus))
  const line = drawn.main + drawn.bonus
  const linesDrawn = Array.from({ length: maxLines }, (_, i) => line.repeat(i + 1))
  const bits = mainBits + bonusBits
  await tx.$executeRaw`/* settle_tickets */
    WITH wins AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(table)}::json)
        AS w (main int, bonus int, tier int, cents bigint)
    ), matched AS (
      SELECT t.partner_id, t.environment, t.ticket_no, l.n,
        bit_count(substring(t.masks FROM l.n * ${bits}::int + 1 FOR ${mainBits}::int)
          & ${drawn.main}::varbit) AS main,
        bit_count(substring(t.masks FROM l.n * ${bits}::int + ${mainBits}::int + 1
          FOR ${bonusBits}::int) & ${drawn.bonus}::varbit) AS bonus
      FROM lottery_ticket t
      CROSS JOIN LATERAL unnest((ARRAY[0, 1, 2, 3, 4, 5, 6, 7, 8, 9])[1:t.line_count]) l (n)
      WHERE t.draw_id = ${draw.id}::uuid AND t.ticket_no > ${from}::int AND t.ticket_no <= ${to}::int
        AND t.cancelled_at IS NULL
        AND bit_count(t.masks & (SELECT ${linesDrawn}::text[]::varbit[])[t.line_count]) >= ${fewest}::int
        AND EXISTS (SELECT FROM lottery_draw WHERE id = ${draw.id}::uuid AND status = 'DRAWING')
    )
    INSERT INTO lottery_win (partner_id, environment, draw_id, ticket_no, line_no, tier_no,
      amount_cents)
    SELECT l.partner_id, l.environment, ${draw.id}::uuid, l.ticket_no, l.n, w.tier, w.cents
    FROM matched l JOIN wins w ON w.main = l.main AND w.bonus = l.bonus
    ON CONFLICT DO NOTHING`
}

/** Settles the next tickets, two parts of them at once, and then takes note of it. */
const settleNext = async (work: Work, draw: LotteryDraw, ticketsOfStep: number): Promise<void> => {
  const from = draw.settled
  const middle = Math.min(from + ticketsOfStep, draw.tickets)
  const to = Math.min(middle + ticketsOfStep, draw.tickets)
  await Promise.all([
    settleTickets(work, draw, from, middle),
    middle < to && settleTickets(work, draw, middle, to),
  ])
  await work.tx.$executeRaw`/* note_settled */
    UPDATE lottery_draw SET settled = ${to}::int
    WHERE id = ${draw.id}::uuid AND status = 'DRAWING' AND settled = ${from}::int`
}

export type RunOptions = {
  /** Closes and draws now, whatever the schedule says. */
  early?: boolean
  /** Stops between two steps after so long; a job goes on. */
  maxMs?: number
  /** Hears how many tickets are done. */
  report?: (draw: LotteryDraw) => void
  steps?: typeof defaultSteps
}

/** Does what is due of a draw; gives it as it is then. */
export const runDraw = async (
  work: DrawWork,
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

/** An answer is not kept waiting longer for a large draw. */
const longestAnswerMs = 10_000

export type ExecuteDraw = {
  environment: Tenant['environment']
  drawId: string
  /** To be checked, if given. */
  lottery: LotteryBy | null
}

/**
 * Runs a draw of any partner now, whatever its schedule says. A large one may still be DRAWING in the answer; it ends
 * by itself.
 * @throws TesseraError LOTTERY_NOT_FOUND, DRAW_NOT_FOUND; DRAW_NOT_OPEN when it has not opened yet or was
 * called off; DRAW_ALREADY_EXECUTED when it is complete
 */
export const executeDraw = async (
  runtime: Runtime,
  { environment, drawId: id, lottery: by }: ExecuteDraw,
): Promise<DrawView> => {
  const { db } = runtime
  const of = { environment, ...by }
  if (by && !(await db.lottery.findFirst({ where: of })))
    throw new TesseraError('LOTTERY_NOT_FOUND')
  const draw = await db.lotteryDraw.findFirst({
    where: { id, lottery: of },
    include: { lottery: true },
  })
  if (!draw) throw new TesseraError('DRAW_NOT_FOUND')
  const { status, lottery } = draw
  if (status === 'COMPLETED')
    throw new TesseraError('DRAW_ALREADY_EXECUTED', { status, since: draw.completedAt })
  if (status === 'SCHEDULED' || status === 'CANCELLED')
    throw new TesseraError('DRAW_NOT_OPEN', { status, since: draw.closedAt })
  return { ...(await runDraw(runtime, id, { early: true, maxMs: longestAnswerMs })), lottery }
}
