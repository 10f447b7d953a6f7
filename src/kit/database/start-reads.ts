/**
 * Reads of a start, by the driver alone. The first statement of a Prisma client would load its query compiler, which
 * takes a tenth of a start.
 */
import { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from './db.ts'
import { queryRaw } from './driver.ts'

/** A version of the master key that the database knows, with what is sealed under it. */
export type KnownMasterKey = { version: number; pepper: Uint8Array }

/** The oldest first. */
export const findMasterKeys = (db: Db): Promise<KnownMasterKey[]> =>
  queryRaw(db, Prisma.sql`SELECT version, pepper FROM master_key_version ORDER BY version`)

export const hasPartners = async (db: Db): Promise<boolean> =>
  (await queryRaw(db, Prisma.sql`SELECT FROM partner LIMIT 1`)).length > 0
