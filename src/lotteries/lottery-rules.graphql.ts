/** The numbers and prizes of a lottery. */
import { builder } from '../core/graphql/builder.ts'
import { inputType } from '../core/graphql/input.ts'
import { LotteryRules, NumberRange, PrizeTier } from './lottery.rules.ts'

inputType('NumberRangeInput', NumberRange)
inputType('LotteryPrizeTierInput', PrizeTier)
inputType('LotteryRulesInput', LotteryRules)

const NumberRangeRef = builder.objectRef<NumberRange>('NumberRange').implement({
  description: 'A number of distinct numbers between two bounds, both included.',
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
