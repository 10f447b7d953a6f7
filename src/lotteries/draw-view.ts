/** Reads of draws. */

import type { Config } from '../core/config.ts'
import { inOrder } from '../core/in-order.ts'
import type { Work } from '../core/runtime.ts'
import type { Lottery, LotteryDraw } from '../generated/prisma/client.ts'

export const pageUrlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, drawId: string): string =>
  `${publicUrl}/draws/${drawId}`

export type DrawView = LotteryDraw & { lottery: Lottery }

/** Reads draws by their ids, in one statement; null for unknown ids. */
export const findDraws = async ({ tx }: Work, ids: string[]): Promise<(DrawView | null)[]> =>
  inOrder(
    ids,
    await tx.lotteryDraw.findMany({ where: { id: { in: ids } }, include: { lottery: true } }),
  )

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
  const next = new Map(draws.map((draw) => [draw.lotteryId, draw]))
  return lotteryIds.map((id) => next.get(id) ?? null)
}
