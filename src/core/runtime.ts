import type { Clock } from './clock.ts'
import { type Batch, coalesce } from './coalesce.ts'
import type { Config } from './config.ts'
import { type Database, type Db, type Queries, retrying, type Tx } from './db/db.ts'
import { asOneCall, noteWrite } from './db/outage.ts'
import type { PubSub } from './db/pubsub.ts'
import type { Degraded } from './degraded.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Random } from './random.ts'
import type { MasterKeys } from './seal.ts'
import type { Singletons } from './singleton.ts'

/** The secrets of the server: master keys seal, and the pepper, which outlives them, makes stored HMACs. */
export type Keys = { master: MasterKeys; pepper: string }

/** What a domain function works with. `tx` is the database, or a transaction. */
export type Work = { tx: Queries; clock: Clock; random: Random; keys: Keys }

/** Work in a transaction: all of it is written or nothing, and its locks hold until the end. */
export type Transaction = Work & { tx: Tx }

/** A domain function that processes a list in a constant number of statements. */
type Writer<T, R> = (work: Work, items: T[]) => Promise<(R | Error)[]>

/** What lives as long as the process and every request uses. */
export type Runtime = Work & {
  db: Db
  config: Config
  log: Logger
  metrics: Metrics
  degraded: Degraded
  pubsub: PubSub
  singletons: Singletons
  /** Group commit: writes one item together with concurrent ones. */
  write<T, R>(writer: Writer<T, R>, item: T): Promise<R>
  /** The same for reads, which may run in parallel. */
  read<T, R>(reader: Writer<T, R>, item: T): Promise<R>
}

type Call<T, R> = (item: T) => Promise<R>

export const createRuntime = (parts: {
  database: Database
  config: Config
  keys: Keys
  log: Logger
  metrics: Metrics
  degraded: Degraded
  pubsub: PubSub
  clock: Clock
  random: Random
}): Runtime => {
  const { database, config, keys, log, metrics, degraded, pubsub, clock, random } = parts
  const { db, embedded } = database
  const work: Work = { tx: db, clock, random, keys }
  const calls = new Map<unknown, unknown>()

  const through = <T, R>(fn: Writer<T, R>, make: (run: Batch<T, R>) => Call<T, R>) => {
    let call = calls.get(fn) as Call<T, R> | undefined
    if (!call) {
      call = make((items) => {
        metrics.batchSize.observe({ operation: fn.name }, items.length)
        return fn(work, items)
      })
      calls.set(fn, call)
    }
    return call
  }

  return {
    ...work,
    db,
    config,
    log,
    metrics,
    degraded,
    pubsub,
    singletons: new Map(),
    write: async (writer, item) => {
      const call = through(writer, (run) =>
        coalesce((items) => asOneCall(() => retrying(() => run(items)))),
      )
      const result = await call(item)
      noteWrite()
      return result
    },
    read: (reader, item) =>
      through(reader, (run) => coalesce(run, { maxInFlight: embedded ? 1 : 2 }))(item),
  }
}

/** The runtime inside of a transaction. What it reads and writes is not put together with that of others. */
export const runtimeIn = <C extends Runtime>(runtime: C): C => {
  const { tx, clock, random, keys } = runtime
  const call = async <T, R>(fn: Writer<T, R>, item: T): Promise<R> => {
    const [result] = await fn({ tx, clock, random, keys }, [item])
    if (result instanceof Error) throw result
    return result as R
  }
  return { ...runtime, db: tx as Db, read: call, write: call }
}
