/** Re-seals values under the first version of the master key, in batches, while the service runs. */

import { bindTo, type MasterKeys, type SealedColumn, seal, unseal } from '../security/seal.ts'
import type { Db } from './db.ts'
import { countStale, type RowPlace, selectStale, updateStale } from './reseal.sql.ts'

export type Progress = { column: string; done: number; stale: number; unreadable: number }

const rowsOfBatch = 200

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/**
 * Re-seals one column. After an interruption the next call continues, because it only finds values that are
 * not done.
 */
export const resealColumn = async (
  db: Db,
  keys: MasterKeys,
  column: SealedColumn,
  report: (progress: Progress) => void,
): Promise<Progress> => {
  const progress: Progress = {
    column: `${column.table}.${column.column}`,
    done: 0,
    stale: await countStale(db, keys, column),
    unreadable: 0,
  }
  let after: RowPlace | undefined
  while (progress.stale > 0) {
    const rows = await selectStale(db, keys, column, { after, take: rowsOfBatch })
    const fresh = rows.flatMap(({ place, sealed, partnerId, environment }) => {
      const id = Object.values(place).at(-1) as string
      const binding = bindTo({ partnerId, environment, id }, column.purpose)
      try {
        const text = unseal(keys, binding, sealed)
        return { place, old: base64(sealed), sealed: base64(seal(keys, binding, text)) }
      } catch {
        progress.unreadable++
        return []
      }
    })
    if (fresh.length > 0) progress.done += await updateStale(db, keys, column, fresh)
    after = rows.at(-1)?.place
    if (rows.length > 0) report(progress)
    if (rows.length < rowsOfBatch) break
  }
  return progress
}
