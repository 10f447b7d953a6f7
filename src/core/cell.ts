/** Cells: whole installations behind one router, which picks the cell by the text of the credential (decision 0204). */
import { z } from 'zod'
import { type ErrorCode, TesseraError } from './errors.ts'

/** The name that routers use for the cell without a name. */
export const defaultCellName = 'default'

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

/**
 * Handles the refusal of a credential that this cell does not know. If it names another cell, the router sends the
 * request there.
 * @param named the cell of the credential; undefined is the default cell
 * @param own the cell of this server
 * @throws TesseraError WRONG_CELL, or the refusal
 */
export const orOtherCell =
  (named: string | undefined, own: string | undefined) =>
  (refusal: unknown): never => {
    const isUnknown = refusal instanceof TesseraError && unknown.has(refusal.code)
    if (!isUnknown || named === own) throw refusal
    throw new TesseraError('WRONG_CELL', { cell: named ?? defaultCellName })
  }

const unknown = new Set<ErrorCode>([
  'INVALID_API_KEY',
  'INVALID_BEARER_TOKEN',
  'INVALID_REFRESH_TOKEN',
])

export const isWrongCell = (error: unknown): error is TesseraError & { cell: string } =>
  error instanceof TesseraError && error.code === 'WRONG_CELL'

/** The response header that names the cell of a request. Routers follow it. */
export const cellHeader = 'x-tessera-cell'
