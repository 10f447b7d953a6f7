import type { LotteryQuery } from '../../generated/operations/types.ts'

export type ShownLottery = NonNullable<LotteryQuery['lottery']>
