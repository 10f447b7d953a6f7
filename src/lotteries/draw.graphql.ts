import { z } from 'zod'
import { BrandRef } from '../accounts/brand.graphql.ts'
import { brandOver, findBrands, noBrand } from '../accounts/brand.ts'
import { findPartners } from '../accounts/partner.ts'
import type { LotteryDraw } from '../generated/prisma/client.ts'
import { DrawStatus } from '../generated/prisma/enums.ts'
import type { Context } from '../kit/access/context.ts'
import { usd } from '../kit/money.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { among, equal, isEmpty, someOf } from '../kit/schema/filters.ts'
import { EnvironmentRef, enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { MoneyRef } from '../kit/schema/money.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { findNumbered, numbered, type Range } from '../kit/schema/numbered.ts'
import { publicPart } from '../kit/schema/public-part.ts'
import { query } from '../kit/schema/query.ts'
import { mapped, rows } from '../kit/schema/rows.ts'
import { integer } from '../kit/validation.ts'
import { cancelDraw, ScheduleDraw, scheduleDraw } from './draw.ts'
import { type DrawView, findDraws, findLastDraws, findOpenDraws, pageUrlOf } from './draw-view.ts'
import { LotteryRef, LotteryRulesRef, PublicLotteryRef } from './lottery.graphql.ts'
import { type LotteryRules, potOf } from './lottery.rules.ts'
import { LotteryBy, managedId, managerOf, orVisible, seesLottery } from './lottery-key.ts'
import { findTicketPositions } from './proof.ts'
import type { TierResult } from './run-draw.ts'
import { closeDrawNow, finishDrawNow } from './run-draw.ts'

const DrawStatusRef = enumType('LotteryDrawStatus', 'The status of a draw.', {
  SCHEDULED: 'Not open yet.',
  OPEN: 'Accepts tickets. The commitment to the seed is published.',
  CLOSED: 'Accepts no more tickets. The root is published as soon as it is computed.',
  DRAWING:
    'The seed is revealed and the numbers are drawn. Results of tickets are being determined.',
  COMPLETED: 'Drawn and paid.',
  CANCELLED: 'Cancelled, with its tickets.',
})

const hex = (bytes: Uint8Array | null) => (bytes ? Buffer.from(bytes).toString('hex') : null)

type Tier = TierResult & { name: string }

const TierResultRef = builder.objectRef<Tier>('LotteryTierResult').implement({
  description: 'The result of a prize tier in a draw.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the tier.' }),
    winnerCount: t.exposeInt('winners', { description: 'Number of winning lines.' }),
    payout: t.field({
      type: MoneyRef,
      description: 'Total paid to its winning lines.',
      resolve: ({ payoutCents }) => usd(payoutCents),
    }),
  }),
})

const currentRulesOf = ({ rules, lottery }: DrawView) =>
  (rules ? JSON.parse(rules) : lottery.rules) as LotteryRules

const tiersOf = ({ rules, results }: Pick<LotteryDraw, 'rules' | 'results'>): Tier[] =>
  ((results ?? []) as TierResult[]).map((result, i) => ({
    ...result,
    name: (JSON.parse(rules ?? '') as LotteryRules).tiers[i]?.name ?? '',
  }))

const at = (description: string) => ({ type: 'DateTime' as const, description })

export const PublicDrawRef = publicPart<DrawView>('LotteryDraw', {
  description:
    'One draw of a lottery. Anyone can verify that its numbers follow from the published seed and tickets.',
  isOwn: (ctx, { lottery }) => seesLottery(ctx, lottery),
  isPublic: async (_, { lottery }) => lottery.status !== 'DRAFT',
  // Long: the fields of one type, one after another.
  fields: (t) => ({
    lottery: t.field({
      type: PublicLotteryRef,
      description: 'The lottery it belongs to.',
      resolve: ({ lottery }) => lottery,
    }),
    number: t.exposeInt('drawNo', { description: 'Numbered from 1 within the lottery.' }),
    status: t.expose('status', { type: DrawStatusRef, description: 'Its status.' }),
    opensAt: t.expose('opensAt', at('When it opens.')),
    closesAt: t.expose('closesAt', at('When it closes. No ticket is accepted from then on.')),
    drawsAt: t.expose('drawsAt', at('When the numbers are drawn.')),
    completedAt: t.expose('completedAt', {
      ...at('When it was completed; null before.'),
      nullable: true,
    }),
    finalRules: t.field({
      type: LotteryRulesRef,
      nullable: true,
      description: 'The rules, which are fixed at opening; null before.',
      resolve: ({ rules }) => (rules ? (JSON.parse(rules) as LotteryRules) : null),
    }),
    ticketCount: t.int({
      description: 'Number of tickets that are not cancelled.',
      resolve: ({ tickets, cancelled }) => tickets - cancelled,
    }),
    settledRate: t.float({
      description: 'Share of the tickets whose results have been determined, 0 to 1.',
      resolve: ({ status, settled, tickets }) =>
        status === 'COMPLETED' ? 1 : tickets === 0 ? 0 : settled / tickets,
    }),
    commitment: t.string({
      nullable: true,
      description: 'SHA-256 of the seed, in hexadecimal. Published at opening.',
      resolve: ({ commitment }) => hex(commitment),
    }),
    root: t.string({
      nullable: true,
      description: 'Merkle root of its tickets, in hexadecimal. Published after closing.',
      resolve: ({ root }) => hex(root),
    }),
    seed: t.string({
      nullable: true,
      description: 'The seed, in hexadecimal. Revealed with the numbers.',
      resolve: ({ seed }) => hex(seed),
    }),
    pageUrl: t.field({
      type: 'URL',
      description: 'Public page of the draw.',
      resolve: ({ id }, _, ctx) => pageUrlOf(ctx.config, id),
    }),
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
    ticketPosition: t.int({
      nullable: true,
      description:
        'The position of a ticket in the published list. Null if the list does not have it, and until the root is published.',
      args: {
        ticketRef: t.arg.string({ required: true, description: 'The reference of any ticket.' }),
      },
      resolve: ({ id: drawId, lotteryId, root }, { ticketRef }, ctx) =>
        root && load(ctx, findTicketPositions, { lotteryId, drawId, ticketRef }),
    }),
  }),
})

builder.interfaceFields(PublicDrawRef, (t) => ({
  partnerName: t.string({
    nullable: true,
    description: 'Name of the partner who runs it; null if every partner can enter.',
    resolve: async ({ lottery: { partnerId } }, _, ctx) =>
      partnerId === null ? null : (await load(ctx, findPartners, partnerId)).name,
  }),
  timeZone: t.field({
    type: 'TimeZone',
    description:
      'The time zone of the partner who runs it, in which its page shows times; `UTC` if every partner can enter.',
    resolve: async ({ lottery: { partnerId } }, _, ctx) =>
      partnerId === null ? 'UTC' : (await load(ctx, findPartners, partnerId)).timeZone,
  }),
  brand: t.field({
    type: BrandRef,
    description:
      'What its page looks like: color and logo of the lottery, and the brand of the partner for the rest.',
    resolve: async ({ environment, lottery: { partnerId, primaryColor, logoUrl } }, _, ctx) => {
      const own = { ...noBrand, color: primaryColor, logoUrl }
      return partnerId === null
        ? own
        : brandOver(own, await load(ctx, findBrands, { partnerId, environment }))
    },
  }),
  mainNumbers: t.exposeIntList('main', {
    description: 'Drawn main numbers; empty before the draw.',
  }),
  bonusNumbers: t.exposeIntList('bonus', {
    description: 'Drawn bonus numbers; empty before the draw.',
  }),
  finalPot: t.field({
    type: MoneyRef,
    nullable: true,
    description: 'The pot that was paid from; null before it is completed.',
    resolve: ({ potCents }) => (potCents === null ? null : usd(potCents)),
  }),
  payout: t.field({
    type: MoneyRef,
    nullable: true,
    description: 'Total of the prizes; null before it is completed.',
    resolve: ({ payoutCents }) => (payoutCents === null ? null : usd(payoutCents)),
  }),
  tiers: t.field({
    type: [TierResultRef],
    description: 'Results by tier; empty before it is completed.',
    resolve: tiersOf,
  }),
}))

export const DrawRef = builder.prismaNode('LotteryDraw', {
  id: { field: 'id' },
  nullable: true,
  interfaces: [PublicDrawRef],
  include: { lottery: true },
  findUnique: (id, ctx) => ({
    id,
    lottery: orVisible(ctx, { status: { not: 'DRAFT' as const } }),
  }),
  fields: (t) => ({
    lottery: t.field({
      type: LotteryRef,
      description: 'The lottery it belongs to.',
      resolve: ({ lottery }) => lottery,
    }),
  }),
})

const maxDrawNo = 2_147_483_647

const DrawFilter = z
  .object({
    statuses: someOf('LotteryDrawStatus', DrawStatus)
      .nullish()
      .describe('Only draws of these statuses.'),
    number: integer(1, maxDrawNo).nullish().describe('Only the draw of this number.'),
  })
  .describe('Filters draws.')

const findDrawRanges = ({ tx }: Work, ranges: (Range & { lotteryId: string })[]) =>
  findNumbered(tx.lotteryDraw, 'drawNo', ranges)

list([LotteryRef, 'draws'], {
  description: 'The draws of this lottery, newest first.',
  of: DrawRef,
  filter: DrawFilter,
  orders: { NUMBER: { by: ['drawNo'], description: 'By number, in the order of creation.' } },
  order: ['NUMBER', 'DESC'],
  from: ({ parent: lottery, filter: { statuses, number: drawNo }, order, ctx }) => {
    const lotteryId = lottery.id
    const where = { ...among({ status: statuses }), ...equal({ drawNo }) }
    const source = isEmpty(where)
      ? numbered('drawNo', {
          last: lottery.draws,
          order,
          read: (range) => load(ctx, findDrawRanges, { lotteryId, ...range }),
        })
      : rows(ctx.db.lotteryDraw, { where: { lotteryId, ...where }, order })
    return mapped(source, (draws) => draws.map((draw) => ({ ...draw, lottery })))
  },
})

const shownDraws = {
  openDraw: [
    'The open draw that closes next and receives entries. Null if none is open.',
    (ctx: Context, lotteryId: string) => load(ctx, findOpenDraws, lotteryId),
  ],
  lastDraw: [
    'The last draw whose numbers are drawn. Null if there is none yet.',
    (ctx: Context, lotteryId: string) => load(ctx, findLastDraws, lotteryId),
  ],
} as const

for (const [name, [description, drawOf]] of Object.entries(shownDraws)) {
  builder.interfaceField(PublicLotteryRef, name, (t) =>
    t.field({
      type: PublicDrawRef,
      nullable: true,
      description,
      resolve: ({ id }, _, ctx) => drawOf(ctx, id),
    }),
  )
  query([LotteryRef, name], {
    description,
    type: DrawRef,
    nullable: true,
    resolve: (_, ctx, __, lottery) => drawOf(ctx, lottery.id),
  })
}

const drawId = () => nodeId('LotteryDraw').describe('The draw.')

query([LotteryRef, 'draw'], {
  description: 'A draw of this lottery; null if not found.',
  args: z.object({ id: drawId() }),
  type: DrawRef,
  nullable: true,
  resolve: async ({ id }, ctx, _, lottery) => {
    const draw = await load(ctx, findDraws, id)
    return draw?.lotteryId === lottery.id ? draw : null
  },
})

mutation('scheduleLotteryDraw', {
  description: 'Schedules an extra draw.',
  key: 'secret',
  right: 'LOTTERIES_WRITE',
  input: ScheduleDraw,
  payload: { lotteryDraw: DrawRef },
  errors: ['LOTTERY_NOT_FOUND', 'LOTTERY_OVER'],
  resolve: async ({ lottery, ...input }, ctx, caller) => {
    const manager = managerOf(caller)
    const lotteryId = await managedId(ctx, manager, lottery)
    return { lotteryDraw: await scheduleDraw(ctx, { ...manager, ...input, lotteryId }) }
  },
})

mutation('cancelLotteryDraw', {
  description: 'Cancels a draw that has not closed, with its tickets.',
  key: 'secret',
  right: 'LOTTERIES_WRITE',
  input: z.object({ lotteryDrawId: drawId() }).describe('A draw to cancel.'),
  payload: { lotteryDraw: DrawRef },
  errors: ['DRAW_NOT_FOUND', 'DRAW_NOT_OPEN'],
  resolve: async ({ lotteryDrawId: drawId }, ctx, caller) => ({
    lotteryDraw: await cancelDraw(ctx, { ...managerOf(caller), drawId }),
  }),
})

mutation('executeLotteryDraw', {
  description:
    'Executes a draw now, regardless of its schedule. A large draw may still be DRAWING in the response; it completes by itself.',
  key: 'operator',
  input: z
    .object({
      lotteryDrawId: drawId(),
      lottery: LotteryBy.nullish().describe('The lottery. If given, the draw must belong to it.'),
    })
    .describe('A draw to execute.'),
  payload: { lotteryDraw: DrawRef },
  errors: ['LOTTERY_NOT_FOUND', 'DRAW_NOT_FOUND', 'DRAW_NOT_OPEN', 'DRAW_ALREADY_EXECUTED'],
  resolve: async ({ lotteryDrawId: drawId, lottery = null }, ctx, { environment }) => ({
    lotteryDraw: await closeDrawNow(ctx, { environment, drawId, lottery }),
  }),
  finish: async ({ lotteryDraw }, ctx) => ({
    lotteryDraw: await finishDrawNow(ctx, lotteryDraw),
  }),
})
