/** Erases the holder of tickets. */
import type { Transaction } from '../kit/runtime.ts'
import { type HeldTicket, type Holder, lockTicketsOfHolder, renameHolder } from './ticket.sql.ts'

/** A placeholder address that cannot receive mail. */
export const erasedAddress = (pseudonym: string): string => `${pseudonym}@erased.invalid`

/**
 * The next tickets of a holder, until a time, that do not name the pseudonym yet. Their draws are locked until the
 * transaction ends, which protects the tickets, too.
 */
export const lockTickets = (
  { tx }: Transaction,
  holder: Holder,
  { pseudonym, until }: { pseudonym: string; until: Date },
): Promise<HeldTicket[]> =>
  lockTicketsOfHolder(tx, holder, { address: erasedAddress(pseudonym), until })

/**
 * Replaces a holder with a pseudonym. Numbers, prizes and the published list stay as they are: the list contains only a
 * hash of the holder.
 */
export const forgetHolder = async (
  { tx }: Transaction,
  holder: Holder,
  { tickets, pseudonym }: { tickets: HeldTicket[]; pseudonym: string },
): Promise<void> => {
  if (tickets.length === 0) return
  const ids = tickets.map(({ id }) => id)
  await renameHolder(tx, holder, ids, { pseudonym, address: erasedAddress(pseudonym) })
}
