import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { tenantOf } from '../core/tenant.ts'
import { DrawStatusRef, TierResultRef } from './draw.graphql.ts'
import { getDraw } from './draw-view.ts'
import { type DrawProof, getProof } from './proof.ts'

const InclusionRef = builder.objectRef<NonNullable<DrawProof['ticket']>>('TicketProof').implement({
  description: 'That a ticket is in the list of a draw, and whose it is.',
  fields: (t) => ({
    record: t.exposeString('record', { description: 'Its line in the published list.' }),
    position: t.exposeInt('position', {
      description: "Its place in the list; 0 is the draw's own.",
    }),
    path: t.exposeStringList('path', {
      description: 'Hashes beside the way up to the root, in hexadecimal, the lowest first.',
    }),
    holder: t.exposeString('entrant', {
      description: 'Who holds it: the user id, or the e-mail address in lower case.',
    }),
    salt: t.exposeString('salt', {
      description: 'Hides the holder in the list; give it to them and to nobody else.',
    }),
  }),
})

const DrawProofRef = builder.objectRef<DrawProof>('DrawProof').implement({
  description:
    'Everything that is needed to verify a draw offline, with `npm run verify-draw`. What is not yet published is null.',
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'Of the format: 1.' }),
    drawId: t.exposeString('drawId', { description: 'UUID of the draw.' }),
    lotterySlug: t.exposeString('lotterySlug', { description: 'Slug of the lottery.' }),
    drawNo: t.exposeInt('drawNo', { description: 'Number of the draw.' }),
    status: t.expose('status', { type: DrawStatusRef, description: 'How far the draw is.' }),
    rules: t.exposeString('rules', {
      nullable: true,
      description: 'The rules as text, to the letter.',
    }),
    commitment: t.exposeString('commitment', {
      nullable: true,
      description: 'SHA-256 of the seed; published at opening.',
    }),
    ticketCount: t.exposeInt('ticketCount', {
      description: 'Tickets in the list, the cancelled ones among them.',
    }),
    root: t.exposeString('root', {
      nullable: true,
      description: 'Merkle root of the list; published after closing.',
    }),
    seed: t.exposeString('seed', { nullable: true, description: 'The seed, once it is revealed.' }),
    main: t.exposeIntList('main', { description: 'Main numbers drawn.' }),
    bonus: t.exposeIntList('bonus', { description: 'Bonus numbers drawn.' }),
    potCents: t.expose('potCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'The pot, in cents.',
    }),
    payoutCents: t.expose('payoutCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'What all winners got together, in cents.',
    }),
    tiers: t.expose('tiers', { type: [TierResultRef], description: 'What was won, by tier.' }),
    tickets: t.exposeStringList('tickets', {
      nullable: true,
      description: 'The list, of up to 10,000 tickets; a longer one is at `ticketsUrl`.',
    }),
    ticketsUrl: t.exposeString('ticketsUrl', {
      nullable: true,
      description: 'The list as a text file, once the draw has closed.',
    }),
    ticket: t.expose('ticket', {
      type: InclusionRef,
      nullable: true,
      description: 'The proof for the ticket that was asked for, once the root is published.',
    }),
  }),
})

builder.queryField('drawProof', (t) =>
  t.field({
    type: DrawProofRef,
    description:
      'What is needed to verify a draw. Errors LOTTERY_NOT_FOUND, DRAW_NOT_FOUND, TICKET_NOT_FOUND.',
    authScopes: { key: 'secret' },
    args: {
      slug: t.arg.string({ required: true, description: 'Slug of its lottery.' }),
      drawId: t.arg.string({ required: true, description: 'UUID of the draw.' }),
      ticketRef: t.arg.string({ description: 'A ticket of this partner to prove, too.' }),
    },
    resolve: async (_, { ticketRef, ...args }, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'secret'))
      const draw = await getDraw(ctx, tenant, args)
      return getProof(ctx, draw, { tenant, ticketRef: ticketRef ?? null })
    },
  }),
)
