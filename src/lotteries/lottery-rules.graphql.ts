/** The numbers and prizes of a lottery. */
import { builder } from '../kit/schema/builder.ts'
import { inputType } from '../kit/schema/input.ts'
import { LotteryRules, NumberRange, PrizeTier } from './lottery.rules.ts'

inputType('NumberRangeInput', NumberRange)
inputType('LotteryPrizeTierInput', PrizeTier)
inputType('LotteryRulesInput', LotteryRules)

const NumberRangeRef = builder.objectRef<NumberRange>('NumberRange').implement({
  description: 'How many different numbers are chosen, and from which range.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'How many a line has.' }),
    min: t.exposeInt('min', { description: 'Smallest number.' }),
    max: t.exposeInt('max', { description: 'Largest number.' }),
  }),
})

const PrizeTierRef = builder.objectRef<PrizeTier>('LotteryPrizeTier').implement({
  description:
    'The prize for a number of matches. A line wins the first tier of the list that it reaches.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Display name.' }),
    main: t.exposeInt('main', { description: 'Minimum of main numbers that a line must match.' }),
    bonus: t.exposeInt('bonus', {
      description: 'Minimum of bonus numbers that a line must match.',
    }),
    amountCents: t.int({
      nullable: true,
      description: 'Cents for each winning line; null if the prize is a share of the pot.',
      resolve: ({ amountCents }) => amountCents ?? null,
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
    main: t.expose('main', { type: NumberRangeRef, description: 'Main numbers.' }),
    bonus: t.field({
      type: NumberRangeRef,
      nullable: true,
      description: 'Bonus numbers; null if there are none.',
      resolve: ({ bonus }) => (bonus?.count ? bonus : null),
    }),
    maxTicketsPerUser: t.exposeInt('maxTicketsPerUser', {
      description: 'Maximum of tickets per user and draw.',
    }),
    potBaseCents: t.exposeInt('potBaseCents', {
      description: 'Cents in the pot before the first ticket.',
    }),
    potPerTicketCents: t.exposeInt('potPerTicketCents', {
      description: 'Cents that each ticket adds, unless it is cancelled.',
    }),
    tiers: t.expose('tiers', { type: [PrizeTierRef], description: 'Prizes, the best first.' }),
  }),
})
