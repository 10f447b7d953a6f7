import { z } from 'zod'
import { type Caller, requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { equal } from '../core/graphql/filters.ts'
import { enumType, inputType } from '../core/graphql/input.ts'
import { list } from '../core/graphql/list.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { rows } from '../core/graphql/rows.ts'
import { tenantOf } from '../core/tenant.ts'
import { oneOf } from '../core/validation.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { LotteryFrequency, LotteryStatus } from '../generated/prisma/enums.ts'
import { keepDraws } from './draw.ts'
import { LotteryRules, NumberRange, PrizeTier } from './lottery.rules.ts'
import {
  CreateLottery,
  createLottery,
  getLottery,
  managedBy,
  managerOf,
  SetLotteryStatus,
  setLotteryStatus,
  UpdateLottery,
  updateLottery,
  visibleTo,
} from './lottery.ts'

const LotteryStatusRef = enumType('LotteryStatus', 'What a lottery does.', {
  DRAFT: 'In preparation: seen by those who manage it alone.',
  ACTIVE: 'Takes entries while a draw is open.',
  PAUSED: 'Takes no entries; draws that have opened are drawn all the same.',
  COMPLETED: 'Ended by hand.',
  EXPIRED: 'Ended by itself, at `endsAt`.',
})

enumType('InitialLotteryStatus', 'What a new lottery can be.', {
  DRAFT: 'In preparation.',
  ACTIVE: 'Opens its first draw at `startsAt`.',
})

enumType('SettableLotteryStatus', 'What a lottery can be made to do.', {
  ACTIVE: 'Go on, or begin.',
  PAUSED: 'Take no entries.',
  COMPLETED: 'End; there is no way back.',
})

const LotteryFrequencyRef = enumType('LotteryFrequency', 'How often a lottery draws.', {
  DAILY: 'Every day at the same time (UTC).',
  WEEKLY: 'Every week.',
  MONTHLY: 'Every month on the same day, or on the last one of a shorter month.',
  CUSTOM: 'When a draw is scheduled by hand.',
})

const LotteryTypeRef = enumType('LotteryType', 'What a lottery draws.', {
  NUMBERS: 'Numbers; a line of a ticket wins by what it matches.',
})

inputType('NumberRangeInput', NumberRange)
inputType('LotteryPrizeTierInput', PrizeTier)
inputType('LotteryRulesInput', LotteryRules)

const NumberRangeRef = builder.objectRef<NumberRange>('NumberRange').implement({
  description: 'So many different numbers between two bounds, both allowed.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'How many a line has.' }),
    min: t.exposeInt('min', { description: 'The smallest.' }),
    max: t.exposeInt('max', { description: 'The largest.' }),
  }),
})

const PrizeTierRef = builder.objectRef<PrizeTier>('LotteryPrizeTier').implement({
  description: 'What some matches win. A line wins the first tier of the list that it reaches.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name, as winners see it.' }),
    main: t.exposeInt('main', { description: 'Main numbers a line must match, at least.' }),
    bonus: t.exposeInt('bonus', { description: 'Bonus numbers a line must match, at least.' }),
    amountCents: t.int({
      nullable: true,
      description: 'Cents for each winning line; null when it is a share of the pot.',
      resolve: ({ amountCents }) => amountCents ?? null,
    }),
    potShareBasisPoints: t.int({
      nullable: true,
      description:
        'Share of the pot in hundredths of a percent, split among the winning lines to the cent: what does not divide goes, a cent each, to the first of them. A share nobody wins is not paid.',
      resolve: ({ potShareBasisPoints }) => potShareBasisPoints ?? null,
    }),
  }),
})

export const LotteryRulesRef = builder.objectRef<LotteryRules>('LotteryRules').implement({
  description: 'Numbers, prizes and limits of a lottery.',
  fields: (t) => ({
    main: t.expose('main', { type: NumberRangeRef, description: 'Main numbers.' }),
    bonus: t.field({
      type: NumberRangeRef,
      nullable: true,
      description: 'Bonus numbers, if any.',
      resolve: ({ bonus }) => (bonus?.count ? bonus : null),
    }),
    maxTicketsPerUser: t.exposeInt('maxTicketsPerUser', {
      description: 'Tickets of one user in one draw.',
    }),
    potBaseCents: t.exposeInt('potBaseCents', {
      description: 'Cents in the pot before the first ticket.',
    }),
    potPerTicketCents: t.exposeInt('potPerTicketCents', {
      description: 'Cents that each ticket which is not cancelled adds.',
    }),
    tiers: t.expose('tiers', { type: [PrizeTierRef], description: 'Prizes, the best first.' }),
  }),
})

export const LotteryRef = builder.prismaNode('Lottery', {
  description: 'A lottery of one partner, or of every partner.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...visibleTo(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    lotteryId: t.exposeString('id', { description: 'UUID, the same in REST and in events.' }),
    slug: t.exposeString('slug', { description: 'Stands in URLs.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    description: t.exposeString('description', { description: 'Short description.' }),
    status: t.expose('status', { type: LotteryStatusRef, description: 'What it does.' }),
    frequency: t.expose('frequency', {
      type: LotteryFrequencyRef,
      description: 'How often it draws.',
    }),
    isForEveryPartner: t.boolean({
      description: 'Whether every partner can enter.',
      resolve: ({ partnerId }) => partnerId === null,
    }),
    rules: t.field({
      type: LotteryRulesRef,
      description: 'Rules of the next draw that opens; each draw shows its own.',
      resolve: ({ rules }) => rules as LotteryRules,
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    drawDelaySeconds: t.exposeInt('drawDelaySeconds'),
    type: t.field({
      type: LotteryTypeRef,
      description: 'What is drawn.',
      resolve: () => 'NUMBERS' as const,
    }),
    partnerId: t.expose('partnerId', {
      type: 'UUID',
      nullable: true,
      description: 'UUID of the partner it belongs to; null when every partner can enter.',
    }),
    primaryColor: t.exposeString('primaryColor', { nullable: true }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description: 'Picture that stands for it.',
    }),
    requiresTicketPurchase: t.boolean({
      description: 'Whether users buy their tickets. Always false: partners enter their users.',
      resolve: () => false,
    }),
    ticketPriceCents: t.int({ description: 'Always 0: tickets are free.', resolve: () => 0 }),
    currency: t.string({
      description: 'ISO 4217 code of the currency of all its amounts.',
      resolve: () => 'USD',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it was last changed.',
    }),
  }),
})

const LotteryFilter = z
  .object({
    status: oneOf('LotteryStatus', LotteryStatus)
      .nullish()
      .describe('Only lotteries of this status.'),
    frequency: oneOf('LotteryFrequency', LotteryFrequency)
      .nullish()
      .describe('Only lotteries that draw so often.'),
  })
  .describe('Which lotteries.')

const bySlug = { SLUG: { by: ['slug', 'id'], description: 'By slug.' } }

const listLotteries = (
  name: string,
  description: string,
  scopeOf: (caller: Caller) => Prisma.LotteryWhereInput,
) =>
  list(name, {
    description,
    key: 'secret',
    of: LotteryRef,
    filter: LotteryFilter,
    orders: bySlug,
    order: ['SLUG', 'ASC'],
    from: ({ caller, filter, order, ctx }) =>
      rows(ctx.db.lottery, { where: { AND: [scopeOf(caller), equal(filter)] }, order }),
  })

listLotteries('lotteries', 'The lotteries this partner can enter or look at, by slug.', visibleTo)
listLotteries(
  'managedLotteries',
  "The lotteries the caller manages, drafts among them: the partner's own; for an administrator all.",
  (caller) => managedBy(managerOf(caller)),
)

builder.queryField('lottery', (t) =>
  t.field({
    type: LotteryRef,
    description: 'A lottery by its slug. Error LOTTERY_NOT_FOUND.',
    authScopes: { key: 'secret' },
    args: { slug: t.arg.string({ required: true, description: 'Its slug.' }) },
    resolve: (_, { slug }, ctx) =>
      getLottery(ctx, tenantOf(requireCaller(ctx, 'secret')), slug) as never,
  }),
)

mutation('createLottery', {
  description: 'Makes a lottery, and opens its first draw when its time has come.',
  key: 'secret',
  input: CreateLottery,
  payload: LotteryRef as never,
  errors: ['ADMIN_REQUIRED', 'LOTTERY_SLUG_TAKEN'],
  resolve: async (input, ctx, caller) => {
    const lottery = await createLottery(ctx, { ...managerOf(caller), ...input })
    await keepDraws(ctx, lottery.id)
    return ctx.db.lottery.findUniqueOrThrow({ where: { id: lottery.id } })
  },
})

mutation('updateLottery', {
  description: 'Changes a lottery. Draws that have opened keep the rules they published.',
  key: 'secret',
  input: UpdateLottery,
  payload: LotteryRef as never,
  errors: ['LOTTERY_NOT_FOUND'],
  resolve: (input, ctx, caller) => updateLottery(ctx, { ...managerOf(caller), ...input }),
})

mutation('setLotteryStatus', {
  description: 'Starts, pauses or ends a lottery. Draws that have opened are drawn all the same.',
  key: 'secret',
  input: SetLotteryStatus,
  payload: LotteryRef as never,
  errors: ['LOTTERY_NOT_FOUND', 'LOTTERY_OVER'],
  resolve: async (input, ctx, caller) => {
    const lottery = await setLotteryStatus(ctx, { ...managerOf(caller), ...input })
    await keepDraws(ctx, lottery.id)
    return lottery
  },
})
