import { countUpTo } from '../kit/schema/connection.ts'
import { list } from '../kit/schema/list.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { TicketRef } from './ticket.graphql.ts'
import { countUserTickets, findUserTickets } from './user-tickets.ts'

type Ticket = typeof TicketRef.$inferType

list([UserRef, 'tickets'], {
  description:
    "The user's tickets in all lotteries, newest first. Includes tickets entered by e-mail address alone, if a secret key or a member has set that address on the user. Requires a secret key.",
  key: 'secret',
  of: TicketRef,
  name: 'UserTicket',
  orders: { CREATED_AT: { by: ['id'], description: 'By time of entry.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: user, order, ctx }) => {
    const isUp = order[0]?.[1] === 'asc'
    return {
      order: isUp ? 'id asc' : 'id desc',
      placeOf: ({ id }) => [id],
      count: () => countUpTo((maxCount) => ctx.read(countUserTickets, { user, maxCount })),
      // The draw and the lottery are read only if more of them is selected.
      fetch: async (part) => (await ctx.read(findUserTickets, { ...part, user, isUp })) as Ticket[],
    }
  },
})
