import type { Job } from '../kit/jobs/job.ts'
import type { Runtime } from '../kit/runtime.ts'
import { findDueLotteries } from './draw.sql.ts'
import { keepDraws, openAheadMs } from './draw.ts'
import { runDraw } from './run-draw.ts'
import { findGrownDraws, makeNodes } from './tree.ts'

/** Lotteries with a draw to open, to cancel or to add, or that are over. */
const listDueLotteries = ({ db, clock }: Runtime) =>
  findDueLotteries(db, clock(), new Date(clock().getTime() + openAheadMs))

/** Draws with a step that is due. */
const findDueDraws = async ({ db, clock }: Runtime) => {
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

/** A failure does not stop the others. */
const forEach = async (
  { log }: Runtime,
  found: { id: string }[],
  act: (id: string) => Promise<unknown>,
) => {
  for (const { id } of found)
    await act(id).catch((err: unknown) => log.error({ err, id }, 'a lottery or draw is stuck'))
}

/** How often the log reports the progress of a large draw. */
const reportEveryMs = 2_000

const runDueDraw = async (runtime: Runtime, id: string) => {
  let reportedAt = performance.now()
  await runDraw(runtime, id, {
    report: ({ status, settled, tickets }) => {
      if (performance.now() - reportedAt < reportEveryMs) return
      reportedAt = performance.now()
      runtime.log.info({ drawId: id, status, settled, tickets }, 'a draw is in progress')
    },
  })
}

export const lotteryJobs: Job[] = [
  {
    name: 'run-lotteries',
    everySeconds: 2,
    run: async (runtime) => {
      await forEach(runtime, await listDueLotteries(runtime), (id) => keepDraws(runtime, id))
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
