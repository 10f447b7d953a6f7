import { z } from 'zod'
import { PartnerRef } from '../accounts/partner.graphql.ts'
import { findPartners } from '../accounts/partner.ts'
import { listVersions } from '../accounts/settings-versions/settings-version.graphql.ts'
import type { Lottery } from '../generated/prisma/client.ts'
import { LotteryFrequency, LotteryStatus } from '../generated/prisma/enums.ts'
import { usd } from '../kit/money.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { versioned, versionField } from '../kit/schema/expected-version.ts'
import { among, containing, someOf } from '../kit/schema/filters.ts'
import { enumType, environmentField, inputType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { MoneyRef } from '../kit/schema/money.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { PlatformRef } from '../kit/schema/platform.ts'
import { publicPart, refuseNonOwners } from '../kit/schema/public-part.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { title } from '../kit/validation.ts'
import { keepDraws } from './draw.ts'
import {
  jackpotOf,
  type LotteryRules,
  LotteryRulesInput,
  NumberRange,
  type PrizeTier,
  PrizeTierInput,
} from './lottery.rules.ts'
import {
  CreateLottery,
  createLottery,
  deleteLottery,
  RestoreLottery,
  restoreLottery,
  setLotteryStatus,
  UpdateLottery,
  updateLottery,
} from './lottery.ts'
import {
  findLotteries,
  LotteryBy,
  managedBy,
  managedId,
  managerOf,
  managesLottery,
  mayHaveLottery,
  openTo,
  orVisible,
  seesLottery,
} from './lottery-key.ts'

inputType('NumberRangeInput', NumberRange)
inputType('LotteryPrizeTierInput', PrizeTierInput)
inputType('LotteryRulesInput', LotteryRulesInput)

const NumberRangeRef = builder.objectRef<NumberRange>('NumberRange').implement({
  description: 'How many different numbers are chosen, and from which range.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'How many a line has.' }),
    min: t.exposeInt('min', { description: 'The smallest number of the range.' }),
    max: t.exposeInt('max', { description: 'The largest number of the range.' }),
  }),
})

const PrizeTierRef = builder.objectRef<PrizeTier>('LotteryPrizeTier').implement({
  description:
    'The prize for a number of matches. A line wins the first tier of the list that it reaches.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the prize, as users see it.' }),
    mainMatches: t.exposeInt('main', {
      description: 'Minimum of main numbers that a line must match.',
    }),
    bonusMatches: t.exposeInt('bonus', {
      description: 'Minimum of bonus numbers that a line must match.',
    }),
    amount: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'For each winning line; null if the prize is a share of the pot.',
      resolve: ({ amountCents }) => (amountCents == null ? null : usd(amountCents)),
    }),
    potShareBasisPoints: t.int({
      nullable: true,
      description:
        'Share of the pot in hundredths of a percent, split equally among the winning lines. The first lines get the remaining cents, one each. A share that nobody wins is not paid.',
      resolve: ({ potShareBasisPoints }) => potShareBasisPoints ?? null,
    }),
  }),
})

export const LotteryRulesRef = builder.objectRef<LotteryRules>('LotteryRules').implement({
  description: 'Numbers, prizes and limits of a lottery.',
  fields: (t) => ({
    mainRange: t.expose('main', {
      type: NumberRangeRef,
      description: 'The main numbers of a line.',
    }),
    bonusRange: t.field({
      type: NumberRangeRef,
      nullable: true,
      description: 'Bonus numbers; null if there are none.',
      resolve: ({ bonus }) => (bonus?.count ? bonus : null),
    }),
    maxTicketsPerUser: t.exposeInt('maxTicketsPerUser', {
      description: 'Maximum of tickets per user and draw.',
    }),
    potBase: t.field({
      type: MoneyRef,
      description: 'The pot before the first ticket.',
      resolve: ({ potBaseCents }) => usd(potBaseCents),
    }),
    potPerTicket: t.field({
      type: MoneyRef,
      description: 'What each ticket adds to the pot, unless it is cancelled.',
      resolve: ({ potPerTicketCents }) => usd(potPerTicketCents),
    }),
    jackpot: t.field({
      type: MoneyRef,
      nullable: true,
      description:
        'The largest prize, if no prize is a share of the pot; otherwise null, and the pot can be won.',
      resolve: (rules) => {
        const amountCents = jackpotOf(rules)
        return amountCents === null ? null : usd(amountCents)
      },
    }),
    tiers: t.expose('tiers', { type: [PrizeTierRef], description: 'Prizes, the best first.' }),
  }),
})

const LotteryStatusRef = enumType(
  'LotteryStatus',
  'The status of a lottery.',
  {
    DRAFT: 'A draft. Visible only to its owner and operators.',
    ACTIVE: 'Accepts entries while a draw is open.',
    PAUSED: 'Accepts no entries. Draws that have opened are still drawn.',
    COMPLETED: 'Ended by its owner, with `endLottery`.',
    EXPIRED: 'Ended by itself, at `endsAt`.',
  },
  { nameOf: (status) => (status === 'COMPLETED' ? 'ENDED' : status) },
)

const LotteryFrequencyRef = enumType('LotteryFrequency', 'How often a lottery draws.', {
  DAILY: 'Every day at the same time (UTC).',
  WEEKLY: 'Every week on the same day and at the same time (UTC).',
  MONTHLY: 'Every month on the same day, or on the last day of a shorter month.',
  CUSTOM: 'Draws are scheduled by hand.',
})

export const PublicLotteryRef = publicPart<Lottery>('Lottery', {
  description: 'A lottery of one partner, or of every partner.',
  isOwn: seesLottery,
  isPublic: async (_, { status }) => status !== 'DRAFT',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'Part of its URLs; never changes.' }),
    name: t.exposeString('name', { description: 'Name shown to users, such as on its pages.' }),
    description: t.exposeString('description', {
      description: 'Short description; empty if there is none.',
    }),
    environment: t.expose('environment', environmentField),
    status: t.expose('status', {
      type: LotteryStatusRef,
      description: 'Whether it accepts entries.',
    }),
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
      description: 'Rules of the next draw to open. Each draw shows its own.',
      resolve: ({ rules }) => rules as LotteryRules,
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'No draw closes later; null for no end.',
    }),
    primaryColor: t.exposeString('primaryColor', {
      nullable: true,
      description: 'Main color of its pages and widgets, `#RRGGBB`; null for the default.',
    }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description: 'URL of its logo; null if there is none.',
    }),
    currency: t.string({
      description: 'ISO 4217 code of the currency of all its amounts.',
      resolve: () => 'USD',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
})

export const LotteryRef = builder.prismaNode('Lottery', {
  id: { field: 'id' },
  nullable: true,
  interfaces: [PublicLotteryRef],
  findUnique: (id, ctx) => ({ id, ...orVisible(ctx, { status: { not: 'DRAFT' as const } }) }),
  authScopes: refuseNonOwners(mayHaveLottery),
  fields: (t) => ({
    drawDelaySeconds: t.exposeInt('drawDelaySeconds'),
    partner: t.field({
      type: PartnerRef,
      nullable: true,
      description: 'The partner who owns it; null if every partner can enter.',
      resolve: ({ partnerId }, _, ctx) => (partnerId ? load(ctx, findPartners, partnerId) : null),
    }),
    version: t.exposeInt('version', versionField),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it was last changed.',
    }),
  }),
})

versioned(LotteryRef)
// Those of a lottery that every partner can enter name operators.
listVersions(LotteryRef, 'lottery', managesLottery)

const LotteryFilter = z
  .object({
    statuses: someOf('LotteryStatus', LotteryStatus)
      .nullish()
      .describe('Only lotteries of these statuses.'),
    frequencies: someOf('LotteryFrequency', LotteryFrequency)
      .nullish()
      .describe('Only lotteries of these frequencies.'),
    search: title(255)
      .nullish()
      .describe('Only lotteries whose name or slug contains this; case-insensitive.'),
  })
  .describe('Conditions on lotteries; all that are given must hold.')

const whereOf = ({ statuses, frequencies, search }: z.output<typeof LotteryFilter>) => ({
  ...among({ status: statuses, frequency: frequencies }),
  ...containing(search, ['name', 'slug']),
})

// A partner has few lotteries, so each order sorts the rows that it shows.
const orders = {
  SLUG: { by: ['slug', 'id'], description: 'By slug, and among equals by time of creation.' },
  NAME: { by: ['name', 'id'], description: 'By name, and among equals by time of creation.' },
  CREATED_AT: { by: ['id'], description: 'By time of creation.' },
  STARTS_AT: { by: ['startsAt', 'id'], description: 'By the time when they start.' },
} as const

list('lotteries', {
  description: 'Your lotteries, including drafts, and those open to every partner, by slug.',
  key: 'secret',
  of: LotteryRef,
  filter: LotteryFilter,
  orders,
  order: ['SLUG', 'ASC'],
  from: ({ caller, filter, order, ctx }) =>
    rows(ctx.db.lottery, { where: { AND: [openTo(caller), whereOf(filter)] }, order }),
})

list([PlatformRef, 'lotteries'], {
  description: 'The lotteries of all partners, including drafts, by slug.',
  key: 'operator',
  of: LotteryRef,
  filter: LotteryFilter,
  orders,
  order: ['SLUG', 'ASC'],
  from: ({ caller, filter, order, ctx }) =>
    rows(ctx.db.lottery, {
      where: { AND: [managedBy(managerOf(caller)), whereOf(filter)] },
      order,
    }),
})

query('lottery', {
  description: 'A lottery. Drafts are found by id, not by slug.',
  key: 'secret',
  args: z.object({ by: LotteryBy }),
  type: LotteryRef,
  nullable: true,
  resolve: ({ by }, ctx, caller) => ctx.read(findLotteries, { ...managerOf(caller), ...by }),
})

mutation('createLottery', {
  description: 'Creates a lottery. Its first draw opens at `startsAt`.',
  key: 'secret',
  right: 'LOTTERIES_WRITE',
  input: CreateLottery,
  payload: { lottery: LotteryRef },
  errors: ['ADMIN_REQUIRED', 'LOTTERY_SLUG_TAKEN'],
  resolve: async (input, ctx, caller) => {
    const { id } = await createLottery(ctx, { ...managerOf(caller), ...input })
    await keepDraws(ctx, id)
    return { lottery: await ctx.db.lottery.findUniqueOrThrow({ where: { id } }) }
  },
})

mutation('updateLottery', {
  description: 'Changes a lottery. Draws that have opened keep their published rules.',
  key: 'secret',
  right: 'LOTTERIES_WRITE',
  input: UpdateLottery,
  payload: { lottery: LotteryRef },
  isVersioned: true,
  errors: ['LOTTERY_NOT_FOUND'],
  resolve: async ({ lottery, ...input }, ctx, caller) => {
    const manager = managerOf(caller)
    const lotteryId = await managedId(ctx, manager, lottery)
    return { lottery: await updateLottery(ctx, { ...manager, ...input, lotteryId }) }
  },
})

mutation('restoreLottery', {
  description:
    'Sets a lottery as it was in an earlier version, as a new version. Draws that have opened keep their published rules.',
  key: 'secret',
  right: 'LOTTERIES_WRITE',
  input: RestoreLottery,
  payload: { lottery: LotteryRef },
  isVersioned: true,
  errors: ['LOTTERY_NOT_FOUND'],
  resolve: async ({ lottery, version }, ctx, caller) => {
    const manager = managerOf(caller)
    const lotteryId = await managedId(ctx, manager, lottery)
    return { lottery: await restoreLottery(ctx, { ...manager, lotteryId, version }) }
  },
})

const lotteryTo = (verb: string) =>
  z
    .object({ lottery: LotteryBy.describe('The lottery, by id or slug.') })
    .describe(`A lottery to ${verb}.`)

mutation('deleteLottery', {
  description:
    'Deletes a lottery of which no draw has ever opened, with its scheduled draws. Any other is ended instead.',
  key: 'secret',
  right: 'LOTTERIES_WRITE',
  input: lotteryTo('delete'),
  payload: {
    deletedId: { type: 'ID', description: 'The global id of the deleted lottery.' },
    lottery: { type: LotteryRef, description: 'The deleted lottery, as it was last.' },
  },
  errors: ['LOTTERY_NOT_FOUND', 'LOTTERY_IN_USE'],
  resolve: async ({ lottery: by }, ctx, caller) => {
    const manager = managerOf(caller)
    const lotteryId = await managedId(ctx, manager, by)
    const lottery = await deleteLottery(ctx, { ...manager, lotteryId })
    return { deletedId: encodeNodeId('Lottery', lottery.id), lottery }
  },
})

for (const [name, status, description] of [
  [
    'startLottery',
    'ACTIVE',
    'Starts a draft or paused lottery, which accepts entries from then on.',
  ],
  [
    'pauseLottery',
    'PAUSED',
    'Pauses a lottery: it accepts no entries. Draws that have opened are still drawn.',
  ],
  [
    'endLottery',
    'COMPLETED',
    'Ends a lottery permanently. Draws that have opened are still drawn.',
  ],
] as const)
  mutation(name, {
    description,
    key: 'secret',
    right: 'LOTTERIES_WRITE',
    input: lotteryTo(name.slice(0, -'Lottery'.length)),
    payload: { lottery: LotteryRef },
    errors: ['LOTTERY_NOT_FOUND', 'LOTTERY_OVER'],
    resolve: async ({ lottery: by }, ctx, caller) => {
      const manager = managerOf(caller)
      const lotteryId = await managedId(ctx, manager, by)
      const lottery = await setLotteryStatus(ctx, { ...manager, lotteryId, status })
      await keepDraws(ctx, lottery.id)
      return { lottery }
    },
  })
