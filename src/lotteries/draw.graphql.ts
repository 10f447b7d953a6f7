import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { equal } from '../core/graphql/filters.ts'
import { enumType } from '../core/graphql/input.ts'
import { list } from '../core/graphql/list.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { mapped, rows } from '../core/graphql/rows.ts'
import { tenantOf } from '../core/tenant.ts'
import { oneOf, reference, text } from '../core/validation.ts'
import type { LotteryDraw } from '../generated/prisma/client.ts'
import { DrawStatus } from '../generated/prisma/enums.ts'
import { cancelDraw, ScheduleDraw, scheduleDraw } from './draw.ts'
import { findOpenDraws, getDraw, pageUrlOf } from './draw-view.ts'
import type { TierResult } from './finish-draw.ts'
import { LotteryRef, LotteryRulesRef } from './lottery.graphql.ts'
import type { LotteryRules } from './lottery.rules.ts'
import { managerOf, visibleTo } from './lottery.ts'
import { executeDraw } from './run-draw.ts'

export const DrawStatusRef = enumType('DrawStatus', 'How far a draw is.', {
  SCHEDULED: 'Will open.',
  OPEN: 'Takes tickets. The commitment to the seed is published.',
  CLOSED: 'Takes no more tickets. The root is published as soon as it is computed.',
  DRAWING: 'The seed is revealed and the numbers are drawn; tickets are held against them.',
  COMPLETED: 'All is known, and paid.',
  CANCELLED: 'Called off; its tickets are cancelled.',
})

const hex = (bytes: Uint8Array | null) => (bytes ? Buffer.from(bytes).toString('hex') : null)

type Tier = TierResult & { name: string }

export const TierResultRef = builder.objectRef<Tier>('TierResult').implement({
  description: 'What a tier paid in a draw.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the tier.' }),
    winners: t.exposeInt('winners', { description: 'Winning lines.' }),
    payoutCents: t.expose('payoutCents', {
      type: 'SafeInt',
      description: 'What they got together, in cents.',
    }),
  }),
})

const tiersOf = ({ rules, results }: Pick<LotteryDraw, 'rules' | 'results'>): Tier[] =>
  ((results ?? []) as TierResult[]).map((result, i) => ({
    ...result,
    name: (JSON.parse(rules ?? '') as LotteryRules).tiers[i]?.name ?? '',
  }))

const at = (description: string) => ({ type: 'DateTime' as const, description })

const DrawRef = builder.prismaNode('LotteryDraw', {
  description:
    'One draw of a lottery. Anybody can check that its numbers follow from the published seed and tickets: see `drawProof`.',
  id: { field: 'id' },
  nullable: true,
  include: { lottery: true },
  findUnique: (id, ctx) => ({ id, lottery: visibleTo(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    drawId: t.exposeString('id', { description: 'UUID, the same in REST and in events.' }),
    lotteryId: t.exposeString('lotteryId', { description: 'UUID of the lottery.' }),
    lotterySlug: t.string({
      description: 'Slug of the lottery.',
      resolve: ({ lottery }) => lottery.slug,
    }),
    drawNo: t.exposeInt('drawNo', { description: '1, 2, 3, … of its lottery.' }),
    status: t.expose('status', { type: DrawStatusRef, description: 'How far it is.' }),
    opensAt: t.expose('opensAt', at('When it opens.')),
    closesAt: t.expose('closesAt', at('No ticket enters at or after this moment.')),
    drawsAt: t.expose('drawsAt', at('When the numbers are drawn.')),
    completedAt: t.expose('completedAt', { ...at('When it was complete.'), nullable: true }),
    rules: t.field({
      type: LotteryRulesRef,
      nullable: true,
      description: 'The rules it opened with; null before.',
      resolve: ({ rules }) => (rules ? (JSON.parse(rules) as LotteryRules) : null),
    }),
    ticketCount: t.int({
      description: 'Tickets that take part: those that are not cancelled.',
      resolve: ({ tickets, cancelled }) => tickets - cancelled,
    }),
    progress: t.float({
      description: 'How many of the tickets have been held against the numbers, 0 to 1.',
      resolve: ({ status, settled, tickets }) =>
        status === 'COMPLETED' ? 1 : tickets === 0 ? 0 : settled / tickets,
    }),
    commitment: t.string({
      nullable: true,
      description: 'SHA-256 of the seed, in hexadecimal; published at opening.',
      resolve: ({ commitment }) => hex(commitment),
    }),
    root: t.string({
      nullable: true,
      description: 'Merkle root of its tickets, in hexadecimal; published after closing.',
      resolve: ({ root }) => hex(root),
    }),
    seed: t.string({
      nullable: true,
      description: 'The seed, in hexadecimal; revealed with the numbers.',
      resolve: ({ seed }) => hex(seed),
    }),
    main: t.exposeIntList('main', { description: 'Main numbers drawn; empty before.' }),
    bonus: t.exposeIntList('bonus', { description: 'Bonus numbers drawn; empty before.' }),
    potCents: t.expose('potCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'The pot, in cents; null before it is complete.',
    }),
    payoutCents: t.expose('payoutCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'What all winners got together, in cents; null before it is complete.',
    }),
    tiers: t.field({
      type: [TierResultRef],
      description: 'What was won, by tier; empty before it is complete.',
      resolve: tiersOf,
    }),
    pageUrl: t.string({
      description: 'Public page of the draw.',
      resolve: ({ id }, _, ctx) => pageUrlOf(ctx.config, id),
    }),
  }),
})

const DrawFilter = z
  .object({
    status: oneOf('DrawStatus', DrawStatus).nullish().describe('Only draws that are so far.'),
  })
  .describe('Which draws.')

list([LotteryRef, 'draws'], {
  description: 'The draws of this lottery, newest first.',
  of: DrawRef,
  filter: DrawFilter,
  orders: { NUMBER: { by: ['drawNo'], description: 'By `drawNo`.' } },
  order: ['NUMBER', 'DESC'],
  from: ({ parent: lottery, filter, order, ctx }) =>
    mapped(
      rows(ctx.db.lotteryDraw, {
        where: { lotteryId: lottery.id, ...equal(filter) },
        order,
        counting: filter.status ? 'EXACT' : () => lottery.draws,
      }),
      (draws) => draws.map((draw) => ({ ...draw, lottery })),
    ),
})

builder.prismaObjectFields('Lottery', (t) => ({
  openDraw: t.field({
    type: DrawRef,
    nullable: true,
    description: 'The open draw that closes next: where entries go now.',
    resolve: (lottery, _, ctx) => ctx.read(findOpenDraws, lottery.id) as never,
  }),
}))

builder.queryField('draw', (t) =>
  t.field({
    type: DrawRef,
    description: 'A draw. Errors LOTTERY_NOT_FOUND, DRAW_NOT_FOUND.',
    authScopes: { key: 'secret' },
    args: {
      slug: t.arg.string({ required: true, description: 'Slug of its lottery.' }),
      drawId: t.arg.string({ required: true, description: 'UUID of the draw.' }),
    },
    resolve: (_, args, ctx) => getDraw(ctx, tenantOf(requireCaller(ctx, 'secret')), args) as never,
  }),
)

mutation('scheduleDraw', {
  description: 'Adds a draw beside those that the frequency of the lottery makes.',
  key: 'secret',
  input: ScheduleDraw,
  payload: DrawRef as never,
  errors: ['LOTTERY_NOT_FOUND', 'LOTTERY_OVER'],
  resolve: async (input, ctx, caller) =>
    withLottery(ctx.db, await scheduleDraw(ctx, { ...managerOf(caller), ...input })),
})

const withLottery = (
  db: { lotteryDraw: { findUniqueOrThrow(args: object): Promise<unknown> } },
  { id }: LotteryDraw,
) => db.lotteryDraw.findUniqueOrThrow({ where: { id }, include: { lottery: true } })

const drawId = () => z.uuid('must be a UUID').describe('UUID of the draw.')

mutation('cancelDraw', {
  description: 'Calls off a draw that has not closed; its tickets are cancelled with it.',
  key: 'secret',
  input: z.object({ drawId: drawId() }).describe('A draw to call off.'),
  payload: DrawRef as never,
  errors: ['DRAW_NOT_FOUND', 'DRAW_NOT_OPEN'],
  resolve: async (input, ctx, caller) =>
    withLottery(ctx.db, await cancelDraw(ctx, { ...managerOf(caller), ...input })),
})

mutation('executeDraw', {
  description:
    'For administrators: runs a draw now, whatever its schedule says. A large one may still be DRAWING in the answer; it ends by itself.',
  key: 'admin',
  input: z
    .object({
      drawId: text(255).describe('UUID of the draw.'),
      slug: reference().nullish().describe('Slug of its lottery, to be checked if given.'),
    })
    .describe('A draw to run.'),
  payload: DrawRef as never,
  errors: ['LOTTERY_NOT_FOUND', 'DRAW_NOT_FOUND', 'DRAW_NOT_OPEN', 'DRAW_ALREADY_EXECUTED'],
  resolve: async ({ drawId, slug }, ctx, { environment }) =>
    withLottery(ctx.db, await executeDraw(ctx, { environment, drawId, lotterySlug: slug ?? null })),
})
