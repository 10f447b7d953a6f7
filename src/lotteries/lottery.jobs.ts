import type { Job } from '../core/job.ts'
import type { Runtime } from '../core/runtime.ts'
import { keepDraws } from './draw.ts'
import { runDraw } from './run-draw.ts'
import { findGrownDraws, makeNodes } from './tree.ts'

/** Lotteries whose draws are not as they should be now. */
const findDueLotteries = ({ db, clock }: Runtime) => {
  const now = clock()
  const ahead = new Date(now.getTime() + 60_000)
  return db.$queryRaw<{ id: string }[]>`/* find_due_lotteries */
    SELECT l.id FROM lottery l
    WHERE l.status = 'ACTIVE' AND (
      l.ends_at <= ${now}::timestamptz
      OR EXISTS (SELECT FROM lottery_draw d WHERE d.lottery_id = l.id AND d.status = 'SCHEDULED'
        AND (d.opens_at <= ${now}::timestamptz OR d.closes_at <= ${now}::timestamptz))
      OR (l.frequency <> 'CUSTOM' AND NOT EXISTS (SELECT FROM lottery_draw d
        WHERE d.lottery_id = l.id AND d.status IN ('SCHEDULED', 'OPEN')
        AND d.closes_at > ${ahead}::timestamptz)))`
}

/** Draws with something to do. */
const findDueDraws = ({ db, clock }: Runtime) => {
  const now = clock()
  return db.lotteryDraw.findMany({
    where: {
      OR: [
        { status: 'OPEN', closesAt: { lte: now } },
        { status: 'CLOSED', root: null },
        { status: 'CLOSED', drawsAt: { lte: now } },
        { status: 'DRAWING' },
      ],
    },
    select: { id: true },
    orderBy: { closesAt: 'asc' },
  })
}

/** One that fails must not keep the others from running. */
const forEach = async (
  { log }: Runtime,
  found: { id: string }[],
  act: (id: string) => Promise<unknown>,
) => {
  for (const { id } of found)
    await act(id).catch((err: unknown) => log.error({ err, id }, 'a lottery or draw is stuck'))
}

/** A million tickets take seconds; whoever waits for them likes to see how far it is. */
const reportEveryMs = 2_000

const runDueDraw = async (runtime: Runtime, id: string) => {
  let reportedAt = performance.now()
  await runDraw(runtime, id, {
    report: ({ status, settled, tickets }) => {
      if (performance.now() - reportedAt < reportEveryMs) return
      reportedAt = performance.now()
      runtime.log.info({ drawId: id, status, settled, tickets }, 'a draw is under way')
    },
  })
}

export const lotteryJobs: Job[] = [
  {
    name: 'run-lotteries',
    everySeconds: 2,
    run: async (runtime) => {
      await forEach(runtime, await findDueLotteries(runtime), (id) => keepDraws(runtime, id))
      await forEach(runtime, await findGrownDraws({ tx: runtime.db }), async (id) =>
        makeNodes(
          { tx: runtime.db },
          await runtime.db.lotteryDraw.findUniqueOrThrow({ where: { id } }),
        ),
      )
      await forEach(runtime, await findDueDraws(runtime), (id) => runDueDraw(runtime, id))
    },
  },
]
