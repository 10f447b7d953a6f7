/** The versions of games of chance. */

import type { GameMechanicVersion } from '../generated/prisma/client.ts'
import type { Work } from '../kit/runtime.ts'
import { findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { selectMechanicVersions } from './mechanic.sql.ts'
import type { MechanicKey } from './mechanic.ts'

/** Reads versions of mechanics by their numbers, in one statement. */
export const findMechanicVersions = async (
  { tx }: Work,
  keys: (MechanicKey & { version: number })[],
): Promise<GameMechanicVersion[]> => {
  const rows = await selectMechanicVersions(tx, keys)
  const found = new Map(rows.map(({ n, ...version }) => [n, version]))
  return keys.map((_, n) => found.get(n) as GameMechanicVersion)
}

/** Pages of the versions of mechanics. */
export const findVersionParts = (work: Work, asked: PartOf[]): Promise<GameMechanicVersion[][]> =>
  findRowParts(
    work,
    { model: 'GameMechanicVersion', parent: 'mechanic_id', by: { version: 'int' } },
    asked,
  )
