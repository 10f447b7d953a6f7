/** Tickets of users in all draws (docs/decisions/lottery-draws.md). */

import { type EndUser, Prisma } from '../generated/prisma/client.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import type { Part } from '../kit/schema/connection.ts'
import { findParts, type ListedTable } from '../kit/schema/parts.ts'
import { countHeldTickets } from './ticket.sql.ts'
import { statusOfTicket } from './ticket-status.sql.ts'
import { type TicketStatus, type TicketView, ticketInclude } from './ticket-view.ts'

type User = Pick<EndUser, 'partnerId' | 'environment' | 'externalId' | 'email' | 'emailBySecret'>

/** A holder of tickets, as in the columns of `held`. */
type Holder = { holder: string; isAddress: boolean }

type Held = { id: string } & TicketView['draw'] & TicketView['lottery']

type Statuses = readonly TicketStatus[] | null | undefined

const held = (statuses: Statuses): ListedTable => {
  const some = statuses
    ? Prisma.sql`WHERE ${statusOfTicket('h')} = ANY (${[...statuses]}::text[])`
    : Prisma.empty
  return {
    from: Prisma.sql`(SELECT h.id, h.draw_id, h.partner_id, h.environment,
      coalesce(h.external_user_id, lower(h.email)) AS holder, h.external_user_id IS NULL AS is_address
      FROM lottery_ticket h ${some}) t
      JOIN lottery_draw d ON d.id = t.draw_id JOIN lottery l ON l.id = d.lottery_id`,
    name: statuses ? 'held_tickets_by_status' : 'held_tickets',
    columns: Prisma.sql`t.id, d.status, d.rules, l.slug`,
    parent: {
      partner_id: 'uuid',
      environment: '"Environment"',
      holder: 'text',
      is_address: 'boolean',
    },
    by: { id: 'uuid' },
  }
}

/**
 * The names under which a user holds tickets. An address that a public key has set proves nothing, so it
 * gives access to no tickets.
 */
const holdersOf = ({ externalId, email, emailBySecret }: User): Holder[] => {
  const addresses = new Set([
    ...(externalId.includes('@') ? [externalId.toLowerCase()] : []),
    ...(email && emailBySecret ? [email.toLowerCase()] : []),
  ])
  const byAddress = [...addresses].map((holder) => ({ holder, isAddress: true }))
  return [{ holder: externalId, isAddress: false }, ...byAddress]
}

type Asked = Part & { user: User; statuses: Statuses; isUp: boolean }

/** Pages of the ids of the tickets of users, with the same filter. */
const findHeld = async (work: Work, statuses: Statuses, requested: Asked[]) => {
  const places = requested.flatMap(({ user, take, skip, ...part }, n) =>
    holdersOf(user).map(({ holder, isAddress }) => ({
      n,
      ...part,
      take: skip + take,
      skip: 0,
      parent: [user.partnerId, user.environment, holder, String(isAddress)],
    })),
  )
  const found = await findParts<Held>(work, held(statuses), places)
  return requested.map(({ take, skip, isUp, backward }, n) => {
    const tickets = found.flatMap((part, i) => (places[i]?.n === n ? part : []))
    tickets.sort((a, b) => (a.id < b.id === (isUp !== backward) ? -1 : 1))
    return tickets.slice(skip, skip + take)
  })
}

/** Pages of the tickets of users, by ticket id, which is in the order of time. One statement for each filter. */
export const findUserTickets = async (work: Work, requested: Asked[]) => {
  const parts: Held[][] = []
  const groups = Map.groupBy(requested.keys(), (n) => requested[n]?.statuses?.join())
  for (const places of groups.values()) {
    const some = places.map((n) => requested[n] as Asked)
    const found = await findHeld(work, some[0]?.statuses, some)
    for (const [i, n] of places.entries()) parts[n] = found[i] ?? []
  }
  const ids = parts.flat().map(({ id }) => id)
  const tickets = await acrossTenants(work.tx, 'IDS').lotteryTicket.findMany({
    where: { id: { in: ids } },
    include: { wins: ticketInclude.wins },
  })
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  return parts.map((part) =>
    part.flatMap(({ id, status, rules, slug }) => {
      const ticket = byId.get(id)
      return ticket ? { ...ticket, draw: { status, rules }, lottery: { slug } } : []
    }),
  )
}

/** The number of tickets of users, up to `maxCount`. */
export const countUserTickets = async (
  { tx }: Work,
  requested: { user: User; statuses: Statuses; maxCount: number }[],
): Promise<number[]> => {
  const holders = requested.flatMap(({ user, statuses, maxCount }, place) =>
    holdersOf(user).map((holder) => ({
      place,
      maxCount,
      statuses: statuses && [...statuses],
      ...user,
      ...holder,
    })),
  )
  const counted = Map.groupBy(await countHeldTickets(tx, holders), ({ place }) => place)
  return requested.map(({ maxCount }, place) => {
    const counts = counted.get(place) ?? []
    return Math.min(
      counts.reduce((sum, { count }) => sum + count, 0),
      maxCount,
    )
  })
}
