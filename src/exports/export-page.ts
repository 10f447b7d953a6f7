/** A page of the rows of an export, and where the next one begins. */

import type { DataExport } from '../generated/prisma/client.ts'
import type { Db } from '../kit/database/db.ts'
import type { ExportRow } from './export-text.ts'

/** The key of the last row that was read, as JSON. */
export type ExportPlace = readonly (string | number)[]

/** Rows of a page, each with its time; rows of other periods and batches are dropped later. */
export type Page = {
  rows: { at: Date; row: ExportRow; isWanted?: boolean }[]
  /** Null at the end. */
  place: ExportPlace | null
}

export type Source = {
  columns: readonly string[]
  read(db: Db, requested: DataExport, place: ExportPlace | null): Promise<Page>
}

/** The maximum number of rows of a page, and of users. */
export const pageRows = 2_000

/** The condition for the rows after a place that has one key. */
export const afterPlace = (key: string, place: ExportPlace | null) =>
  place ? { [key]: { gt: place[0] as string } } : {}

/** Where the next page begins; null if this was the last. */
export const placeOf = <R>(found: R[], of: (last: R) => ExportPlace): ExportPlace | null =>
  found.length < pageRows ? null : of(found.at(-1) as R)
