/** Probes whether a server is writable, without waiting for a connection of the pool. */
import pg from 'pg'
import type { ServerPool } from './server-pool.ts'

/** `broken`: the connection of an earlier probe was lost. The server itself may be available. */
export type Found = 'writable' | 'read-only' | 'full' | 'unreachable' | 'broken'

/** Also false if the user of the database lacks the privilege to write. */
const question = `SELECT NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::bool
  AND has_table_privilege('ledger_entry', 'INSERT') AS "isWritable"`

const tooManyConnections = '53300'

/** The finding of a failed probe. */
const foundBy = (
  { code, severity }: pg.DatabaseError,
  { isNew, pool }: { isNew: boolean; pool: ServerPool },
): Found => {
  if (code === tooManyConnections) return pool.size > 0 ? 'writable' : 'full'
  if (severity === 'ERROR') return 'read-only'
  return isNew ? 'unreachable' : 'broken'
}

/** Creates an observer. Its connection stays open between probes. */
export const createObserver = (pool: ServerPool) => {
  let kept: pg.Client | undefined
  let isStale = false
  let host = pool.options.connectionString
  let why = ''
  /** How many probes were abandoned. */
  let abandoned = 0
  const drop = (client: pg.Client | undefined) => {
    client?.connection.stream.destroy()
    if (kept === client) kept = undefined
  }
  const probeHost = async (): Promise<Found> => {
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
      drop(client) // a new session may accept writes
      return 'read-only'
    } catch (error) {
      drop(client)
      why = (error as Error).message
      return foundBy(error as pg.DatabaseError, { isNew, pool })
    }
  }
  /** Probes the hosts in turn until one accepts writes. */
  const probe = async (): Promise<Found> => {
    const before = abandoned
    let best: Found = 'unreachable'
    for (let left = pool.hosts; left > 0 && abandoned === before; left--) {
      const found = await probeHost()
      if (found !== 'read-only' && found !== 'unreachable') return found
      if (found === 'read-only') best = found
      if (abandoned === before) pool.moveOnFrom(host)
    }
    return best
  }
  return {
    probe,
    /** The reason of the last failure. */
    why: () => why,
    /** Abandons the current probe. The next one goes to the next host. */
    abandon: () => {
      abandoned++
      drop(kept)
      why = 'it does not answer'
      pool.moveOnFrom(host)
    },
    /** Makes the next probe open a new session, which may have other privileges and settings. */
    reconnect: () => {
      isStale = true
    },
  }
}
