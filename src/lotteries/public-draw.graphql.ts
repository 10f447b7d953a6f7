/** The public page of a draw: what anyone can see without a key. */
import { z } from 'zod'
import { usd } from '../kit/money.ts'
import { nodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { EnvironmentRef } from '../kit/schema/input.ts'
import { MoneyRef } from '../kit/schema/money.ts'
import { query } from '../kit/schema/query.ts'
import { DrawRef } from './draw.graphql.ts'
import { type DrawView, findPublicDraw, listShownDraws } from './draw-view.ts'
import { LotteryRulesRef } from './lottery.graphql.ts'
import { type LotteryRules, potOf } from './lottery.rules.ts'
import { findLotteries, LotteryBy, managerOf } from './lottery-key.ts'
import { findTicketPositions } from './proof.ts'

const currentRulesOf = ({ rules, lottery }: DrawView) =>
  (rules ? JSON.parse(rules) : lottery.rules) as LotteryRules

builder.prismaObjectFields(DrawRef, (t) => ({
  environment: t.expose('environment', { type: EnvironmentRef, description: 'TEST or LIVE.' }),
  lotteryName: t.string({
    description: 'Display name of its lottery.',
    resolve: ({ lottery }) => lottery.name,
  }),
  drawnAt: t.expose('drawnAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the numbers were drawn; null before.',
  }),
  rules: t.field({
    type: LotteryRulesRef,
    description: 'Its rules. Until it opens, those of the lottery, which may still change.',
    resolve: currentRulesOf,
  }),
  pot: t.field({
    type: MoneyRef,
    description: 'The pot of the tickets so far; the final one once it is completed.',
    resolve: (draw) =>
      usd(draw.potCents ?? potOf(currentRulesOf(draw), draw.tickets - draw.cancelled)),
  }),
  listedCount: t.exposeInt('tickets', {
    description: 'Number of tickets in the list to verify, including cancelled ones.',
  }),
}))

query([DrawRef, 'ticketPosition'], {
  description:
    'The position of a ticket in the published list. Null if the list does not have it, and until the root is published.',
  args: z.object({ ticketRef: z.string().describe('The reference of any ticket.') }),
  type: 'Int',
  nullable: true,
  resolve: ({ ticketRef }, ctx, _, { id: drawId, lotteryId, root }) =>
    root && load(ctx, findTicketPositions, { lotteryId, drawId, ticketRef }),
})

query('publicLotteryDraw', {
  description: 'A draw, as shown on its public page; null if not found or of a draft.',
  key: 'anyone',
  args: z.object({ id: nodeId('LotteryDraw').describe('The draw.') }),
  type: DrawRef,
  nullable: true,
  onStandby: true,
  resolve: ({ id }, ctx) => findPublicDraw(ctx, id),
})

query('lotteryDraws', {
  description:
    'What a page shows of a lottery: its open draw that closes next, then the last one whose numbers are drawn. Empty if there is no such lottery.',
  key: 'public',
  args: z.object({ by: LotteryBy }),
  type: [DrawRef],
  complexity: () => ({ field: 1, multiplier: 2 }),
  onStandby: true,
  resolve: async ({ by }, ctx, caller) => {
    const lottery = await ctx.read(findLotteries, { ...managerOf(caller), ...by })
    // A draft is found by its id.
    return lottery && lottery.status !== 'DRAFT' ? listShownDraws(ctx, lottery.id) : []
  },
})
