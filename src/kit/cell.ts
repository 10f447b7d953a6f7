/** Cells: whole installations behind one router, which picks the cell by the text of the credential. */
import { z } from 'zod'
import { TesseraError } from './errors.ts'

/** The name that routers use for the cell without a name. */
const defaultCellName = 'default'

export const cellName = z
  .string()
  .regex(
    /^[a-z][a-z0-9]{0,15}$/,
    'must be up to 16 lower-case letters and digits, beginning with a letter',
  )
  .refine(
    (text) => text !== defaultCellName,
    `must not be ${defaultCellName}, which is the cell without a name`,
  )

export const isCellName = (text: string): boolean => cellName.safeParse(text).success

/** The prefix of the random part of a credential: `c2_`, or empty. */
export const cellPrefix = (cell: string | undefined): string =>
  cell === undefined ? '' : `${cell}_`

/** The claim of a signed token that names its cell. */
export const cellClaim = (cell: string | undefined): { cell?: string } =>
  cell === undefined ? {} : { cell }

/**
 * Handles the refusal of a credential of a cell.
 * @param named the cell of the credential; undefined is the default cell
 * @param own the cell of this server
 * @throws TesseraError WRONG_CELL if it is of another cell, or the refusal
 */
export const refuseInCell = (
  refusal: unknown,
  named: string | undefined,
  own: string | undefined,
): never => {
  if (named === own || !(refusal instanceof TesseraError) || refusal.status !== 401) throw refusal
  const { message } = refusal
  throw new TesseraError('WRONG_CELL', { message, cell: named ?? defaultCellName })
}

/**
 * Handles the refusal of a credential. If its text names another cell, that is the reason.
 * @param format of the credential; its first group is the name of the cell
 * @param own the cell of this server
 */
export const orOtherCell =
  (text: string, format: RegExp, own: string | undefined) =>
  (refusal: unknown): never => {
    const match = format.exec(text)
    return refuseInCell(refusal, match ? match[1] : own, own)
  }
