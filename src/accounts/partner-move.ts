/** Whether a partner is served by this cell (decision 0204). */
import { TesseraError } from '../core/errors.ts'
import type { Partner } from '../generated/prisma/client.ts'

/** The columns that decide which cell serves a partner. */
export const placeOfPartner = { closedAt: true, move: true, cell: true } as const

export type PartnerPlace = Pick<Partner, keyof typeof placeOfPartner>

/** The other cell that serves a partner; null if it is this one. */
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

/** Whether nodes may cache which cell serves the partner. Once a move is announced, they read it each time. */
export const staysHere = ({ move }: Pick<PartnerPlace, 'move'>): boolean => move === null

/** Marks callers of a partner who may only read. */
export const heldOf = ({ move }: Pick<PartnerPlace, 'move'>): { isHeld?: true } =>
  move === 'HELD' ? { isHeld: true } : {}
