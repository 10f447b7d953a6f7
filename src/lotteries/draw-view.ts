/** Reads of draws. */

import type { Lottery, LotteryDraw } from '../generated/prisma/client.ts'
import type { Config } from '../kit/config/config.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { isUuid } from '../kit/validation.ts'
import { findLastDrawIds } from './draw.sql.ts'

export const pageUrlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, drawId: string): string =>
  `${publicUrl}/draws/${drawId}`

export type DrawView = LotteryDraw & { lottery: Lottery }

/** Reads draws by their ids, in one statement; null for unknown ids. */
export const findDraws = async ({ tx }: Work, ids: string[]): Promise<(DrawView | null)[]> =>
  inOrder(
    ids,
    await tx.lotteryDraw.findMany({ where: { id: { in: ids } }, include: { lottery: true } }),
  )

/** A draw by its id, for anyone: all of it is public. Null if it does not exist or its lottery is a draft. */
export const findPublicDraw = async (
  { read }: Pick<Runtime, 'read'>,
  id: string,
): Promise<DrawView | null> => {
  const draw = isUuid(id) ? await read(findDraws, id.toLowerCase()) : null
  return draw?.lottery.status === 'DRAFT' ? null : draw
}

/** The open draw of each lottery that closes next, in one statement; null where there is none. */
export const findOpenDraws = async (
  { tx, clock }: Work,
  lotteryIds: string[],
): Promise<(DrawView | null)[]> => {
  const draws = await tx.lotteryDraw.findMany({
    where: { lotteryId: { in: lotteryIds }, status: 'OPEN', closesAt: { gt: clock() } },
    orderBy: [{ closesAt: 'desc' }, { drawNo: 'desc' }],
    include: { lottery: true },
  })
  return inOrder(lotteryIds, draws, ({ lotteryId }) => lotteryId)
}

/** The last draw of each lottery whose numbers are drawn, in two statements; null where there is none. */
export const findLastDraws = async (
  work: Work,
  lotteryIds: string[],
): Promise<(DrawView | null)[]> => {
  const last = await findLastDrawIds(work.tx, lotteryIds)
  const draws = await findDraws(
    work,
    last.map(({ id }) => id),
  )
  return inOrder(
    lotteryIds,
    draws.filter((draw) => draw !== null),
    ({ lotteryId }) => lotteryId,
  )
}
