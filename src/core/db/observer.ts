/** Asks a server whether it can be written, past the pool and whatever waits there. */
import pg from 'pg'
import type { ServerPool } from './server-pool.ts'

/** `broken`: the connection was lost that an earlier question had opened, which may be all that is wrong. */
export type Found = 'writable' | 'read-only' | 'full' | 'away' | 'broken'

/** Fails where the user of the database may not write, too. */
const question = `SELECT NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::bool
  AND has_table_privilege('ledger_entry', 'INSERT') AS "isWritable"`

const tooManyConnections = '53300'

/** Asks on a connection that is kept from one look to the next. */
export const createObserver = (pool: ServerPool) => {
  let kept: pg.Client | undefined
  let isStale = false
  let host = pool.options.connectionString
  /** How often a question was given up. */
  let given = 0
  const drop = (client: pg.Client | undefined) => {
    client?.connection.stream.destroy()
    if (kept === client) kept = undefined
  }
  const askHost = async (): Promise<Found> => {
    if (isStale) drop(kept)
    isStale = false
    if (!kept) host = pool.options.connectionString
    const client = kept ?? new pg.Client(pool.options)
    const isNew = client !== kept
    kept = client
    try {
      if (isNew) await client.on('error', () => {}).connect()
      const { rows } = await client.query(question)
      if (rows[0].isWritable) return 'writable'
      drop(client) // what opens later may take writes
      return 'read-only'
    } catch (error) {
      drop(client)
      const { code, severity } = error as pg.DatabaseError
      if (code === tooManyConnections) return pool.size > 0 ? 'writable' : 'full'
      if (severity === 'ERROR') return 'read-only'
      return isNew ? 'away' : 'broken'
    }
  }
  /** Asks the hosts in turn until one takes writes. */
  const ask = async (): Promise<Found> => {
    const before = given
    let best: Found = 'away'
    for (let left = pool.hosts; left > 0 && given === before; left--) {
      const found = await askHost()
      if (found !== 'read-only' && found !== 'away') return found
      if (found === 'read-only') best = found
      if (given === before) pool.moveOnFrom(host)
    }
    return best
  }
  return {
    ask,
    /** Gives up the question under way; the next goes to the next host. */
    forget: () => {
      given++
      drop(kept)
      pool.moveOnFrom(host)
    },
    /** Sessions that begin now may be told otherwise: the next question begins one. */
    renew: () => {
      isStale = true
    },
  }
}
