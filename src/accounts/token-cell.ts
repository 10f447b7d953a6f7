/** The cell that a JSON Web Token of ours names. */
import { decodeJwt } from 'jose'
import { isCellName, refuseInCell } from '../kit/cell.ts'
import type { Runtime } from '../kit/runtime.ts'

/** The issuer of all tokens that Tessera signs. */
export const tokenIssuer = 'tessera'

/** The cell that a token names. Its signature is not checked: the other cell may have another master key. */
const cellOf = (token: string, own: string | undefined): string | undefined => {
  try {
    const { iss, cell } = decodeJwt(token)
    if (iss !== tokenIssuer) return own
    if (cell === undefined) return undefined
    return isCellName(String(cell)) ? String(cell) : own
  } catch {
    return own
  }
}

/** Handles the refusal of a token. If it is of another cell, that is the reason. */
export const orCellOfToken =
  ({ keys: { cell } }: Pick<Runtime, 'keys'>, token: string) =>
  (refusal: unknown): never =>
    refuseInCell(refusal, cellOf(token, cell), cell)
