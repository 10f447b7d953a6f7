import type { ShownLottery } from './shown-lottery.ts'

export type ShownDraw = NonNullable<ShownLottery['draw']>
