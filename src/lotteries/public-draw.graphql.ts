/** What pages show of lotteries and draws. */
import { z } from 'zod'
import { nodeId } from '../kit/node-id.ts'
import { query } from '../kit/schema/query.ts'
import { PublicDrawRef } from './draw.graphql.ts'
import { findPublicDraw } from './draw-view.ts'
import { PublicLotteryRef } from './lottery.graphql.ts'
import { findLotteries, LotteryBy, managerOf } from './lottery-key.ts'

query('publicLotteryDraw', {
  description: 'A draw, as shown on its public page; null if not found or of a draft.',
  key: 'anyone',
  args: z.object({ id: nodeId('LotteryDraw').describe('The draw, by its global id or its UUID.') }),
  type: PublicDrawRef,
  nullable: true,
  onStandby: true,
  resolve: ({ id }, ctx) => findPublicDraw(ctx, id),
})

query('publicLottery', {
  description: 'A lottery, as pages and widgets show it; null if not found or a draft.',
  key: 'public',
  args: z.object({ by: LotteryBy }),
  type: PublicLotteryRef,
  nullable: true,
  onStandby: true,
  resolve: async ({ by }, ctx, caller) => {
    const lottery = await ctx.read(findLotteries, { ...managerOf(caller), ...by })
    // A draft is found by its id.
    return lottery && lottery.status !== 'DRAFT' ? lottery : null
  },
})
