/** PostgreSQL inside this process, with the interface of a `pg` pool, so one driver adapter serves both databases. */

import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PGlite, type Results } from '@electric-sql/pglite'
import pg from 'pg'
import { PrivateFiles } from './data-dir.ts'

/** A DATA_DIR that no process serves from. */
export const emptyDatabase = join(import.meta.dirname, '../../generated/empty-database')

/** Copies the files of the empty database, unless there are files already or it was not built. */
export const copyEmptyDatabase = (target: string): void => {
  const source = join(emptyDatabase, 'db')
  if (existsSync(target) || !existsSync(source)) return
  // Renamed when it is complete, so an interrupted start leaves nothing that looks like a database.
  const partial = `${target}.partial`
  rmSync(partial, { recursive: true, force: true })
  // Copied folders get the mode that the umask leaves.
  const umask = process.umask(0o077)
  cpSync(source, partial, { recursive: true })
  process.umask(umask)
  renameSync(partial, target)
}

type QueryConfig = {
  text: string
  values?: unknown[]
  rowMode?: 'array'
  types?: { getTypeParser(oid: number, format: 'text'): (value: string) => unknown }
}

/** Statements run in this thread. After this long, sockets and timers get their turn. */
const runMs = 10

/**
 * Limits of the write-ahead log, and statistics from 3,000 rows of a table. Statistics from 30,000 rows take a
 * quarter of a second, which would block all requests. A start fills all buffers with zeros, so they are half of the
 * usual size. Transactions call pg_notify themselves: with one connection, no other commit waits for its lock.
 */
const settings = [
  'shared_buffers=64MB',
  'min_wal_size=32MB',
  'max_wal_size=128MB',
  'default_statistics_target=10',
  'tessera.news=notify',
]
const startParams = [
  ...PGlite.defaultStartParams,
  ...settings.flatMap((setting) => ['-c', setting]),
]

type TextResults = Results<(string | null)[]>

/** A result as `pg` gives it, from the texts that PostgreSQL sent. */
const answerOf = ({ fields, rows, affectedRows }: TextResults, { rowMode, types }: QueryConfig) => {
  const { getTypeParser } = types ?? pg.types
  const parse = fields.map(({ dataTypeID }) => getTypeParser(dataTypeID, 'text'))
  const parsed = rows.map((row) => row.map((text, i) => (text === null ? null : parse[i]?.(text))))
  return {
    fields,
    rowCount: affectedRows || rows.length,
    rows:
      rowMode === 'array'
        ? parsed
        : parsed.map((row) => Object.fromEntries(row.map((value, i) => [fields[i]?.name, value]))),
  }
}

/**
 * A pool of one connection. A client has exclusive use of the database until it is released. Code inside a
 * transaction must use that transaction, or it waits forever.
 */
export class EmbeddedPool extends pg.Pool {
  readonly #db: PGlite
  #last: Promise<unknown> = Promise.resolve()
  #pausedAt = 0
  /** Callers who have their turn or wait for it. */
  #turns = 0
  /** The total time of all statements, in milliseconds. */
  busyMs = 0
  /** A backup needs the write-ahead log, so no checkpoint may remove it. */
  keepsLog = false
  /** Called after each statement, with the milliseconds that it took. */
  onStatement: (text: string, ms: number, isFailed: boolean) => void = () => {}

  private constructor(db: PGlite) {
    super({ max: 1 })
    this.#db = db
    // Every value stays the text that PostgreSQL sent, and `pg` parses it. Parsers given with a query would be
    // merged with these several hundred on every query.
    for (const oid of Object.keys(db.parsers)) db.parsers[Number(oid)] = (text) => text
  }

  /** @param dataDir a folder, or undefined for a database in memory */
  static async open(dataDir: string | undefined): Promise<EmbeddedPool> {
    const where = dataDir ? { fs: new PrivateFiles(dataDir) } : { dataDir: 'memory://' }
    return new EmbeddedPool(await PGlite.create({ ...where, startParams }))
  }

  /** Waits for a turn and returns the function that ends it. */
  async #turn(): Promise<() => void> {
    const before = this.#last
    const turn = Promise.withResolvers<void>()
    let isDone = false
    this.#last = turn.promise
    this.#turns++
    await before
    if (performance.now() - this.#pausedAt > runMs) {
      await nextTurn()
      this.#pausedAt = performance.now()
    }
    return () => {
      if (isDone) return
      isDone = true
      this.#turns--
      turn.resolve()
    }
  }

  /** The connection counts, as a server pool reports them. */
  get usage() {
    return {
      totalCount: 1,
      idleCount: this.#turns > 0 ? 0 : 1,
      waitingCount: Math.max(0, this.#turns - 1),
    }
  }

  async #run(config: string | QueryConfig, values?: unknown[]) {
    const startedAt = performance.now()
    let isFailed = true
    try {
      const result = await this.#execute(config, values)
      isFailed = false
      return result
    } finally {
      const ms = performance.now() - startedAt
      this.busyMs += ms
      this.onStatement(typeof config === 'string' ? config : config.text, ms, isFailed)
    }
  }

  async #execute(config: string | QueryConfig, values?: unknown[]) {
    const query = typeof config === 'string' ? { text: config, values } : config
    if (!query.values?.length && typeof config === 'string') {
      const results = await this.#db.exec(query.text, { rowMode: 'array' })
      const answers = results.map((result) => answerOf(result as TextResults, query))
      return answers.length > 1 ? answers : { fields: [], rows: [], rowCount: 0, ...answers[0] }
    }
    const result = await this.#db.query(query.text, query.values ?? [], { rowMode: 'array' })
    return answerOf(result as TextResults, query)
  }

  override query = (async (config: string | QueryConfig, values?: unknown[]) => {
    const done = await this.#turn()
    try {
      return await this.#run(config, values)
    } catch (error) {
      // The next caller must not inherit a transaction that a text of several statements left open.
      if (typeof config === 'string') await this.#db.exec('ROLLBACK')
      throw error
    } finally {
      done()
    }
  }) as pg.Pool['query']

  override connect = (async () => {
    const done = await this.#turn()
    const nothing = () => {}
    return {
      query: (config: string | QueryConfig, values?: unknown[]) => this.#run(config, values),
      release: done,
      on: nothing,
      removeListener: nothing,
    }
  }) as never

  /** Subscribes to the notifications of a channel and returns the function that unsubscribes. */
  async listen(
    channel: string,
    onMessage: (payload: string) => void,
  ): Promise<() => Promise<void>> {
    const done = await this.#turn()
    try {
      await this.#db.listen(channel, onMessage)
      return async () => {} // the subscription ends with the database
    } finally {
      done()
    }
  }

  override async end(): Promise<void> {
    const done = await this.#turn()
    try {
      await this.#db.close()
    } finally {
      done() // later callers get an error instead of waiting forever
    }
  }
}
