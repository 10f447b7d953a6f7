import { z } from 'zod'
import { builder } from '../kit/schema/builder.ts'
import { query } from '../kit/schema/query.ts'
import { DrawRef } from './draw.graphql.ts'
import type { DrawView } from './draw-view.ts'
import { findTicketProof, publishedTickets, type TicketProof, ticketsUrlOf } from './proof.ts'

const TicketProofRef = builder.objectRef<TicketProof>('LotteryTicketProof').implement({
  description: 'Proof that a ticket is in the list of a draw, and who holds it.',
  fields: (t) => ({
    record: t.exposeString('record', { description: 'Its line in the published list.' }),
    position: t.exposeInt('position', {
      description: 'Position in the list; 0 is the line of the draw itself.',
    }),
    path: t.exposeStringList('path', {
      description: 'Sibling hashes on the path to the root, in hexadecimal, the lowest first.',
    }),
    holder: t.exposeString('entrant', {
      description: 'The holder: the external id, or the e-mail address in lower case.',
    }),
    salt: t.exposeString('salt', {
      description: 'The salt that hides the holder in the list. Give it only to the holder.',
    }),
  }),
})

const DrawProofRef = builder
  .objectRef<{ draw: DrawView; ticket: TicketProof | null }>('LotteryDrawProof')
  .implement({
    description:
      'What is needed, besides the fields of the draw, to verify it offline with the program at `/docs/verify-draw.ts`.',
    fields: (t) => ({
      version: t.int({ description: 'Version of the format: 1.', resolve: () => 1 }),
      draw: t.field({
        type: DrawRef,
        description: 'The draw that it proves.',
        resolve: ({ draw }) => draw,
      }),
      rules: t.string({
        nullable: true,
        description: 'The exact text of the rules; null before the draw opens.',
        resolve: ({ draw }) => draw.rules,
      }),
      ticketCount: t.int({
        description: 'Tickets in the list, including cancelled ones.',
        resolve: ({ draw }) => draw.tickets,
      }),
      tickets: t.stringList({
        nullable: true,
        description:
          'The list of tickets; null until the root is published. Null for more than 10,000 tickets: see `ticketsUrl`.',
        complexity: 50,
        resolve: ({ draw }, _, ctx) => publishedTickets(ctx, draw),
      }),
      ticketsUrl: t.field({
        type: 'URL',
        nullable: true,
        description: 'URL of the list as a text file; null until the root is published.',
        resolve: ({ draw }, _, { config }) => ticketsUrlOf(config, draw),
      }),
      ticket: t.expose('ticket', {
        type: TicketProofRef,
        nullable: true,
        description: 'The proof of the requested ticket; null until the root is published.',
      }),
    }),
  })

query([DrawRef, 'proof'], {
  description: 'What is needed to verify this draw. Null for a `ticketRef` that is not yours.',
  key: 'secret',
  args: z.object({
    ticketRef: z
      .string()
      .nullish()
      .describe('The reference of one of your tickets, to include its proof.'),
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
