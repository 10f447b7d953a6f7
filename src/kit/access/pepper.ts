/** The secret of a database, sealed in it under every version of the master key that is in use. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { ConfigError } from '../config/config.ts'
import { type Db, inTransaction, type Queries } from '../database/db.ts'
import { lockName } from '../database/session.sql.ts'
import { findMasterKeys, type KnownMasterKey } from '../database/start-reads.ts'
import { type MasterKeys, seal, unseal } from '../security/seal.ts'

const binding = { purpose: 'pepper', owner: 'database' }

/** @throws ConfigError when the version is not set, or set to another key */
const openRow = (keys: MasterKeys, { version, pepper }: KnownMasterKey): string => {
  const key = keys.find((key) => key.version === version)
  if (!key)
    throw new ConfigError(
      `MASTER_KEYS: must have version ${version} too, because values in the database are sealed under it (see docs/operations.md)`,
    )
  try {
    return unseal(keys, binding, pepper)
  } catch {
    const name = version === 1 ? 'MASTER_KEY:' : `MASTER_KEYS: version ${version} is`
    throw new ConfigError(
      `${name} not the key that this database was sealed with (see docs/operations.md)`,
    )
  }
}

/**
 * The secret of a database with these rows, the oldest version first. `pepper` is undefined if there are none.
 * @throws ConfigError when the master keys do not fit the database
 */
const pepperIn = (keys: MasterKeys, rows: KnownMasterKey[]) => {
  const peppers = rows.map((row) => openRow(keys, row))
  const isNoted = rows.some(({ version }) => version === keys[0].version)
  return { pepper: peppers[0], isNoted }
}

/**
 * Opens the secret of a database and changes nothing. `pepper` is undefined if no server has started on it.
 * @throws ConfigError when the master keys do not fit the database
 */
export const readPepper = async (tx: Queries, keys: MasterKeys) =>
  pepperIn(keys, await tx.masterKeyVersion.findMany({ orderBy: { version: 'asc' } }))

/**
 * The key for stored HMACs of codes, idempotency keys and e-mail addresses. It never changes: their plaintexts
 * are unknown, so they could not be recomputed after a change of the master key. The first start on a database
 * creates it, and each start records the version that this process seals under.
 * @throws ConfigError when the master keys do not fit the database
 */
export const openPepper = async (db: Db, clock: Clock, keys: MasterKeys): Promise<string> => {
  const [first] = keys
  const { pepper, isNoted } = pepperIn(keys, await findMasterKeys(db))
  if (pepper && isNoted) return pepper
  return inTransaction({ tx: db }, async ({ tx }) => {
    await lockName(tx, 'master_key_version')
    const { pepper = randomBytes(32).toString('base64'), isNoted } = await readPepper(tx, keys)
    if (isNoted) return pepper
    const sealed = { pepper: seal(keys, binding, pepper) }
    await tx.masterKeyVersion.upsert({
      where: { version: first.version },
      create: { version: first.version, createdAt: clock(), ...sealed },
      update: sealed,
    })
    return pepper
  })
}
