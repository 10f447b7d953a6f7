import { z } from 'zod'
import { builder } from '../core/graphql/builder.ts'
import { query } from '../core/graphql/query.ts'
import { DrawRef } from './draw.graphql.ts'
import type { DrawView } from './draw-view.ts'
import { findTicketProof, publishedTickets, type TicketProof, ticketsUrlOf } from './proof.ts'

const TicketProofRef = builder.objectRef<TicketProof>('TicketProof').implement({
  description: 'Proof that a ticket is in the list of a draw, and whose it is.',
  fields: (t) => ({
    record: t.exposeString('record', { description: 'Its line in the published list.' }),
    position: t.exposeInt('position', {
      description: "Its place in the list; 0 is the draw's own.",
    }),
    path: t.exposeStringList('path', {
      description: 'Hashes beside the way up to the root, in hexadecimal, the lowest first.',
    }),
    holder: t.exposeString('entrant', {
      description: 'Who holds it: the external id, or the e-mail address in lower case.',
    }),
    salt: t.exposeString('salt', {
      description: 'Hides the holder in the list. Give it to the holder only.',
    }),
  }),
})

const DrawProofRef = builder
  .objectRef<{ draw: DrawView; ticket: TicketProof | null }>('DrawProof')
  .implement({
    description:
      'What it takes, with what the draw itself shows, to verify it offline with the program at `/docs/verify-draw.ts`.',
    fields: (t) => ({
      version: t.int({ description: 'Of the format: 1.', resolve: () => 1 }),
      draw: t.field({
        type: DrawRef,
        description: 'The draw.',
        resolve: ({ draw }) => draw,
      }),
      rules: t.string({
        nullable: true,
        description: 'The exact text of the rules; null before it opens.',
        resolve: ({ draw }) => draw.rules,
      }),
      ticketCount: t.int({
        description: 'Tickets in the list, the cancelled ones among them.',
        resolve: ({ draw }) => draw.tickets,
      }),
      tickets: t.stringList({
        nullable: true,
        description:
          'The list, once the root is published. Null above 10,000 tickets: it is at `ticketsUrl`.',
        complexity: 50,
        resolve: ({ draw }, _, ctx) => publishedTickets(ctx.tx, draw),
      }),
      ticketsUrl: t.string({
        nullable: true,
        description: 'The list as a text file, once the root is published.',
        resolve: ({ draw }, _, { config }) => ticketsUrlOf(config, draw),
      }),
      ticket: t.expose('ticket', {
        type: TicketProofRef,
        nullable: true,
        description: 'The proof for the ticket that was asked for, once the root is published.',
      }),
    }),
  })

query([DrawRef, 'proof'], {
  description: 'What is needed to verify this draw. Null for a `ticketRef` that is not yours.',
  key: 'secret',
  args: z.object({
    ticketRef: z.string().nullish().describe('One of your tickets, to prove it, too.'),
  }),
  type: DrawProofRef,
  nullable: true,
  complexity: 10,
  resolve: async ({ ticketRef }, ctx, caller, draw) => {
    if (!ticketRef) return { draw, ticket: null }
    const found = await findTicketProof(ctx.tx, draw, ticketRef, caller)
    return found && { draw, ...found }
  },
})
