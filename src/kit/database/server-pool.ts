/** A pool of connections to a PostgreSQL server. It tells outages from other errors and ends connections that hang. */
import pg from 'pg'
import { hostUrls, wantsWriter } from '../config/setting-text.ts'
import { connectionOptions, type TimeLimits } from '../config/time-limits.ts'
import { notificationState } from './notifications.ts'
import { noteWrite, Outage, outcomeOfState } from './outage.ts'

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

type ConnectCallback = (
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
class HostsPool extends pg.Pool {
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
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback) {
    if (this.#urls.length === 1) return callback ? super.connect(callback) : super.connect()
    const connected = this.#connect()
    if (!callback) return connected
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    )
  }
}

/** The state of a connection. */
type Link = {
  /** When the running statement was sent; undefined if there is none. */
  sentAt: number | undefined
  isLost: boolean
  /** The connection was opened while the server accepted no writes, and keeps refusing them. */
  isReadOnly: boolean
  /** What the open transaction has announced. */
  news: string[]
}

type Connected = (error?: Error, client?: pg.PoolClient, release?: () => void) => void

/** Statements that write nothing: those that control transactions, and reads as Prisma writes them. */
const readOnlyStatement = /^(SELECT ("|COUNT\()|BEGIN|ROLLBACK|SAVEPOINT|RELEASE|SET |LISTEN)/

/** Whether sending this statement may have committed a write. */
const mayCommit = (text: string, isInTransaction: boolean) =>
  isInTransaction ? /^\s*COMMIT/i.test(text) : !readOnlyStatement.test(text)

/** Errors of the server have a severity. Errors without one come from the connection or from our code. */
const toOutage = (error: pg.DatabaseError, { isLost }: Link, commits: boolean): Error => {
  const outcome =
    error.severity === undefined
      ? isLost && (commits ? 'unknown' : 'nothing done')
      : outcomeOfState(error.code ?? '', commits)
  return outcome ? new Outage(outcome, error.message, error) : error
}

export class ServerPool extends HostsPool {
  /** Called when a connection breaks, cannot be opened, or accepts no writes. */
  onTrouble: (trouble: { isReadOnly: boolean }) => void = () => {}
  /** Called after each statement, with the milliseconds until its answer. */
  onStatement: (text: string, ms: number, isFailed: boolean) => void = () => {}
  /** Called with what a transaction has announced, once it has committed or may have. */
  onNews: (messages: string[]) => void = () => {}
  /** The number of refused calls. */
  refused = 0
  #isRefusing = false
  readonly #links = new Map<pg.PoolClient, Link>()
  readonly #waiting = new Set<Connected>()

  constructor(url: string, options: pg.PoolConfig) {
    super(url, options)
    this.on('error', () => {}) // the pool has already dropped an idle connection that broke
    this.on('connect', (client) => this.#watch(client))
    this.on('release', (_, client) => {
      if (this.#links.get(client)?.isReadOnly) void client.end()
    })
  }

  /** The number of open connections, in use or not. */
  get size() {
    return this.#links.size
  }

  #watch(client: pg.PoolClient) {
    const link: Link = { sentAt: undefined, isLost: false, isReadOnly: false, news: [] }
    this.#links.set(client, link)
    client.connection.on('error', () => {
      link.isLost = true
    })
    client.connection.on('end', () => {
      link.isLost = true
      this.#links.delete(client)
    })
    client.on('notice', ({ code, message }) => {
      if (code === notificationState && message) link.news.push(message)
    })
    // Its user gets the error from the statement. A pooler that loses its server says so before it ends the connection.
    client.on('error', () => {
      link.isLost = true
      this.onTrouble(link)
    })
    const query = client.query.bind(client) as (...args: unknown[]) => void
    // With a callback: the promise of `pg` keeps its rows in memory until the whole heap is collected
    // (docs/decisions/server-start-and-memory.md).
    const send = (config: unknown, values: unknown[] | undefined) =>
      new Promise<pg.QueryResult>((resolve, reject) => {
        query(config, values, (error: Error | null, result: pg.QueryResult) =>
          error ? reject(error) : resolve(result),
        )
      })
    client.query = (async (config: string | pg.QueryConfig, values?: unknown[]) => {
      const text = typeof config === 'string' ? config : config.text
      const commits = mayCommit(text, client.getTransactionStatus() !== 'I')
      const sentAt = performance.now()
      link.sentAt = sentAt
      let isFailed = true
      try {
        const result = await send(config, values)
        isFailed = false
        if (commits) noteWrite()
        this.#endOf(client, link, result.command !== 'ROLLBACK')
        return result
      } catch (error) {
        if ((error as pg.DatabaseError).code === '25006') {
          link.isReadOnly = true
          this.onTrouble(link)
        }
        const outage = toOutage(error as pg.DatabaseError, link, commits)
        this.#endOf(client, link, outage instanceof Outage && outage.outcome === 'unknown')
        throw outage
      } finally {
        link.sentAt = undefined
        this.onStatement(text, performance.now() - sentAt, isFailed)
      }
    }) as typeof client.query
  }

  /** Called after a statement. Publishes the news if it has ended a transaction. */
  #endOf(client: pg.PoolClient, link: Link, mayBeCommitted: boolean) {
    if (link.news.length === 0 || !(link.isLost || client.getTransactionStatus() === 'I')) return
    const { news } = link
    link.news = []
    if (mayBeCommitted) this.onNews(news)
  }

  #connect(done: Connected) {
    if (this.#isRefusing) {
      this.refused++
      return process.nextTick(done, new Outage('nothing done', 'The database is unreachable'))
    }
    this.#waiting.add(done)
    super.connect((error, client, release) => {
      // This call was refused in the meantime.
      if (!this.#waiting.delete(done)) return release?.()
      if (!error) return done(undefined, client, release)
      this.onTrouble({ isReadOnly: false })
      done(new Outage('nothing done', error.message, error))
    })
  }

  #take(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.#connect((error, client) => (error ? reject(error) : resolve(client as pg.PoolClient)))
    })
  }

  override connect = ((done?: Connected) =>
    done ? this.#connect(done) : this.#take()) as HostsPool['connect']

  override query = (async (config: string | pg.QueryConfig, values?: unknown[]) => {
    const client = await this.#take()
    try {
      const result = await client.query(config, values)
      client.release()
      return result
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  }) as HostsPool['query']

  /** Refuses calls, including those that wait for a connection; or accepts calls again. */
  refuse(isRefusing: boolean) {
    this.#isRefusing = isRefusing
    if (!isRefusing) return
    for (const done of this.#waiting) {
      this.refused++
      done(new Outage('nothing done', 'The database is unreachable'))
    }
    this.#waiting.clear()
  }

  /** Ends connections whose statement has had no answer for this long. With `idle`, also idle connections. */
  endSilent(longestMs: number, { idle = false } = {}) {
    const sentBefore = performance.now() - longestMs
    for (const [client, { sentAt }] of this.#links)
      if (sentAt === undefined ? idle : sentAt < sentBefore)
        client.connection.stream.destroy(new Error('The database does not answer'))
  }
}

/**
 * A pool whose connections have these limits, without opening one.
 * @param max the largest number of connections
 */
export const createServerPool = (url: string, max: number, limits: TimeLimits): ServerPool =>
  new ServerPool(url, { max, application_name: 'tessera', ...connectionOptions(limits) })

/**
 * Opens a pool whose server cancels statements that take too long, unless a pooler refuses these settings.
 * @param max the largest number of connections
 */
export const openServerPool = async (
  url: string,
  max: number,
  limits: TimeLimits,
): Promise<{ pool: ServerPool; keepsLimits: boolean }> => {
  const pool = createServerPool(url, max, limits)
  try {
    ;(await pool.connect()).release()
    return { pool, keepsLimits: true }
  } catch (error) {
    await pool.end()
    if (!/unsupported startup parameter/.test((error as Error).message)) throw error
    const unlimited = { ...limits, statementMs: 0, lockMs: 0, idleTransactionMs: 0 }
    return { pool: createServerPool(url, max, unlimited), keepsLimits: false }
  }
}
