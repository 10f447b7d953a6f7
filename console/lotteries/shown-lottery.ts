import type { LotteryQuery } from '../generated/types.ts'

export type ShownLottery = NonNullable<LotteryQuery['lottery']>
