/** Whether a partner is served by this cell (decision 0204). */
import { TesseraError } from '../core/errors.ts'
import type { Partner } from '../generated/prisma/client.ts'

/** The columns that decide about it. */
export const placeOfPartner = { closedAt: true, move: true, cell: true } as const

export type PartnerPlace = Pick<Partner, keyof typeof placeOfPartner>

/**
 * Refuses a partner who is closed, or is served elsewhere.
 * @throws TesseraError PARTNER_NOT_FOUND, PARTNER_MOVING, WRONG_CELL
 */
export const requireHere = ({ closedAt, move, cell }: PartnerPlace): void => {
  if (move === 'MOVED') throw new TesseraError('WRONG_CELL', { cell: cell ?? '' })
  if (move === 'ARRIVING') throw new TesseraError('PARTNER_MOVING')
  if (closedAt) throw new TesseraError('PARTNER_NOT_FOUND')
}

/** Whether nodes may cache where the partner is. From the announcement of a move on they ask each time. */
export const staysHere = ({ move }: Pick<PartnerPlace, 'move'>): boolean => move === null

/** What callers of a partner have who may only read. */
export const heldOf = ({ move }: Pick<PartnerPlace, 'move'>): { isHeld?: true } =>
  move === 'HELD' ? { isHeld: true } : {}
