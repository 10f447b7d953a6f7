/** Reads of draws. */

import type { Config } from '../core/config.ts'
import { TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { isUuid } from '../core/validation.ts'
import type { Lottery, LotteryDraw } from '../generated/prisma/client.ts'
import { getLottery } from './lottery.ts'

export const pageUrlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, drawId: string): string =>
  `${publicUrl}/draws/${drawId}`

export type DrawView = LotteryDraw & { lottery: Lottery }

/**
 * A draw of a lottery that this partner can see.
 * @throws TesseraError LOTTERY_NOT_FOUND, DRAW_NOT_FOUND
 */
export const getDraw = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  { slug, drawId }: { slug: string; drawId: string },
): Promise<DrawView> => {
  const lottery = await getLottery({ tx }, tenant, slug)
  const draw =
    isUuid(drawId) &&
    (await tx.lotteryDraw.findFirst({ where: { id: drawId, lotteryId: lottery.id } }))
  if (!draw) throw new TesseraError('DRAW_NOT_FOUND')
  return { ...draw, lottery }
}

/** For each lottery its open draw that closes next, in one statement; null where there is none. */
export const findOpenDraws = async (
  { tx, clock }: Work,
  lotteryIds: string[],
): Promise<(DrawView | Error)[]> => {
  const draws = await tx.lotteryDraw.findMany({
    where: { lotteryId: { in: lotteryIds }, status: 'OPEN', closesAt: { gt: clock() } },
    orderBy: [{ closesAt: 'desc' }, { drawNo: 'desc' }],
    include: { lottery: true },
  })
  const next = new Map(draws.map((draw) => [draw.lotteryId, draw]))
  return lotteryIds.map((id) => next.get(id) ?? (null as never))
}
