/** Connections to a PostgreSQL server, or to the one of several servers that accepts writes. */
import pg from 'pg'
import { hostUrls, wantsWriter } from '../config/database-hosts.ts'

/** A host that does not answer within this time is skipped if there are others. */
const hostMs = 3_000

/** The SQLSTATE of a server that does not accept writes. */
const readOnlyState = '25006'

const refuseReadOnly = async (client: pg.ClientBase) => {
  const { rows } = await client.query({ text: 'SHOW transaction_read_only', rowMode: 'array' })
  if (rows[0]?.[0] === 'on')
    throw Object.assign(new Error('no host of the database accepts writes'), {
      code: readOnlyState,
    })
}

/** Whether another host could help. It cannot if all connections of the pool are in use. */
const isOfHost = ({ message }: Error) => !message.startsWith('timeout exceeded when trying')

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: pg.PoolClient['release'],
) => void

class ImpatientClient extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super({ ...options, connectionTimeoutMillis: hostMs })
  }
}

/** Connects to the host that last worked. If it fails, tries the others in turn. */
export class HostsPool extends pg.Pool {
  readonly #urls: string[]

  /** The number of hosts. */
  get hosts() {
    return this.#urls.length
  }

  constructor(url: string, options: pg.PoolConfig) {
    const urls = hostUrls(url)
    super({
      ...options,
      connectionString: urls[0],
      ...(wantsWriter(urls) && { onConnect: refuseReadOnly }),
      ...(urls.length > 1 && { Client: ImpatientClient }),
    })
    this.#urls = urls
  }

  /** Makes the next host the first to try. */
  moveOnFrom(url: string | undefined) {
    // If many connections fail at one host, only the first failure changes the host.
    if (this.options.connectionString !== url) return
    const next = (this.#urls.indexOf(url as string) + 1) % this.#urls.length
    this.options.connectionString = this.#urls[next]
  }

  async #connect(): Promise<pg.PoolClient> {
    for (let left = this.#urls.length; ; left--) {
      const url = this.options.connectionString
      try {
        return await super.connect()
      } catch (error) {
        if (this.ending || !isOfHost(error as Error)) throw error
        this.moveOnFrom(url)
        if (left <= 1) throw error
      }
    }
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected) {
    if (this.#urls.length === 1) return callback ? super.connect(callback) : super.connect()
    const connected = this.#connect()
    if (!callback) return connected
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    )
  }
}
