/** Whether a partner is served by this cell (decision 0204). */
import { TesseraError } from '../core/errors.ts'
import type { Partner } from '../generated/prisma/client.ts'

/** The columns that decide about it. */
export const placeOfPartner = { closedAt: true, move: true, cell: true } as const

export type PartnerPlace = Pick<Partner, keyof typeof placeOfPartner>

/** The cell that serves a partner of whom this one has rows; null if it is this one. */
export const elsewhere = ({ move, cell }: Pick<PartnerPlace, 'move' | 'cell'>): string | null =>
  move === 'MOVED' || move === 'ARRIVING' ? cell : null

/**
 * Refuses a partner who is closed, or is served elsewhere.
 * @throws TesseraError PARTNER_NOT_FOUND, PARTNER_MOVING, WRONG_CELL
 */
export const requireHere = (place: PartnerPlace): void => {
  const { closedAt, move } = place
  const cell = elsewhere(place)
  if (cell !== null) throw new TesseraError('WRONG_CELL', { cell })
  if (move === 'ARRIVING') throw new TesseraError('PARTNER_MOVING')
  if (closedAt) throw new TesseraError('PARTNER_NOT_FOUND')
}

/** Whether nodes may cache where the partner is. From the announcement of a move on they ask each time. */
export const staysHere = ({ move }: Pick<PartnerPlace, 'move'>): boolean => move === null

/** What callers of a partner have who may only read. */
export const heldOf = ({ move }: Pick<PartnerPlace, 'move'>): { isHeld?: true } =>
  move === 'HELD' ? { isHeld: true } : {}
