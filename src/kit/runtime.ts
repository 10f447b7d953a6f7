import type pg from 'pg'
import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import { type Database, type Db, type Queries, retrying, type Tx } from './database/db.ts'
import { asSingleAttempt, noteWrite } from './database/outage.ts'
import type { PubSub } from './database/pubsub.ts'
import type { Standby } from './database/standby.ts'
import type { Batch } from './group-commit/batch.ts'
import type { Busy } from './group-commit/busy-items.ts'
import { type Coalesced, type CoalesceOptions, coalesce } from './group-commit/coalesce.ts'
import type { Degraded } from './observability/degraded.ts'
import type { Logger } from './observability/log.ts'
import { exportGauge, type Metrics } from './observability/metrics.ts'
import type { Tracing } from './observability/tracing.ts'
import type { Random } from './random.ts'
import type { MasterKeys } from './security/seal.ts'
import type { Singletons } from './singleton.ts'

/**
 * The secrets of the server: master keys seal, and the pepper, which outlives them, makes stored HMACs. `cell` is the
 * name of the cell in new credentials; undefined in the default cell.
 */
export type Keys = { master: MasterKeys; pepper: string; cell?: string | undefined }

/** The dependencies of a domain function. `tx` is the database, or a transaction. */
export type Work = {
  tx: Queries
  clock: Clock
  random: Random
  keys: Keys
  singletons: Singletons
}

/** Work in a transaction: all of it is written or nothing, and its locks hold until the end. */
export type Transaction = Work & { tx: Tx }

/** A domain function that processes a list in a constant number of statements. */
type Writer<T, R> = (work: Work, items: T[]) => Promise<(R | Error)[]>

/** The same for a read. The results are in the order of the items, which may repeat. */
export type Reader<T, R> = Writer<T, R>

type Reads = Pick<Runtime, 'read' | 'readAll'>

/** The services that live as long as the process. Every request uses them. */
export type Runtime = Work & {
  db: Db
  /** For changes of partitions. */
  direct: pg.Pool
  config: Config
  log: Logger
  metrics: Metrics
  degraded: Degraded
  pubsub: PubSub
  /** Undefined unless there is a standby for reads. Its reads are batched on it. */
  standby: (Standby & Reads) | undefined
  /** Undefined unless tracing is on. */
  tracing: Tracing | undefined
  /** Group commit: writes one item together with concurrent ones. */
  write<T, R>(writer: Writer<T, R>, item: T): Promise<R>
  /** The same for reads, which may run in parallel. */
  read<T, R>(reader: Reader<T, R>, item: T): Promise<R>
  /** Reads a list in one batch, with the items of concurrent calls. Each item has a result or an error. */
  readAll<T, R>(reader: Reader<T, R>, items: readonly T[]): Promise<(R | Error)[]>
}

/** Exports how many calls wait for the next batch, and for locked rows, by operation. */
const measureQueues = ({ registry }: Metrics, calls: Map<unknown, Queue>): void => {
  exportGauge(
    registry,
    {
      name: 'tessera_batch_locked',
      help: 'Calls that wait for a locked wallet, campaign or session, by operation',
      labelNames: ['operation'],
    },
    () => Array.from(calls.values(), ({ operation, call }) => [{ operation }, call.busy()]),
  )
  exportGauge(
    registry,
    {
      name: 'tessera_batch_waiting',
      help: 'Calls that wait for the next batch, by operation',
      labelNames: ['operation'],
    },
    () => Array.from(calls.values(), ({ operation, call }) => [{ operation }, call.waiting()]),
  )
}

/** A batch of a writer, measured and traced. */
const batchOf =
  <T, R>(
    fn: Writer<T, R>,
    work: Work,
    { metrics, tracing }: Pick<Runtime, 'metrics' | 'tracing'>,
  ): Batch<T, R> =>
  (items, callers) => {
    metrics.batchSize.observe({ operation: fn.name }, items.length)
    if (!tracing) return fn(work, items)
    const attributes = { 'tessera.batch.size': items.length }
    return tracing.batch({ name: `batch ${fn.name}`, attributes }, callers, () => fn(work, items))
  }

/** A batch of lists. They are processed as one list, and each gets its part of the results. */
const inOneList =
  <T, R>(batch: Batch<T, R>): Batch<readonly T[], (R | Error)[]> =>
  async (lists, callers) => {
    const results = await batch(lists.flat(), callers)
    let end = 0
    return lists.map(({ length }) => {
      end += length
      return results.slice(end - length, end)
    })
  }

const lengthOf = ({ length }: readonly unknown[]): number => length

/** The result of a list of one item. */
const only = <R>([result]: (R | Error)[]): R => {
  if (result instanceof Error) throw result
  return result as R
}

/** How the batches of any writer meet locks. */
type Locks = Pick<Busy<unknown>, 'needsOf'> & {
  /** Which items need a wallet that is locked now. */
  findLocked(work: Work, items: unknown[]): Promise<boolean[]>
}

const busyOf = (work: Work, { needsOf, findLocked }: Locks, { databaseLimits }: Config) => ({
  needsOf,
  findLocked: (items: unknown[]) => findLocked(work, items),
  longestMs: databaseLimits.lockMs || Number.POSITIVE_INFINITY,
})

type Queue = { operation: string; call: Coalesced<never, unknown> }

/** The queues of one database. */
type Place = { calls: Map<unknown, Queue>; work: Work }

// Long: the services of a process, and the calls that share them.
export const createRuntime = (parts: {
  database: Database
  config: Config
  keys: Keys
  log: Logger
  metrics: Metrics
  degraded: Degraded
  pubsub: PubSub
  standby: Standby | undefined
  tracing: Tracing | undefined
  clock: Clock
  random: Random
  locks: Locks
}): Runtime => {
  const { database, keys, clock, random, locks, ...services } = parts
  const { config, metrics, standby, tracing } = services
  const { db, direct, embedded, batches } = database
  const work: Work = { tx: db, clock, random, keys, singletons: new Map() }
  const calls = new Map<unknown, Queue>()
  measureQueues(metrics, calls)
  const onRefused = () => metrics.limitHits.inc({ limit: 'queue' })

  /** The queue of a function, created when it is first called. */
  const queueOf = <T, R>(
    fn: { name: string },
    calls: Place['calls'],
    options: CoalesceOptions<T>,
    createBatch: () => Batch<T, R>,
  ): Coalesced<T, R> => {
    const known = calls.get(fn)
    if (known) return known.call as Coalesced<T, R>
    const spanOf = tracing && { spanOf: tracing.current }
    const call = coalesce<T, R>(createBatch(), { ...options, onRefused, ...spanOf })
    calls.set(fn, { operation: fn.name, call })
    return call
  }

  const readOn = ({ calls, work }: Place): Reads => {
    const maxInFlight = embedded ? 1 : 2
    const readAll = <T, R>(reader: Reader<T, R>, items: readonly T[]) =>
      queueOf<readonly T[], (R | Error)[]>(reader, calls, { maxInFlight, sizeOf: lengthOf }, () =>
        inOneList(batchOf(reader, work, parts)),
      )(items)
    return { readAll, read: async (reader, item) => only(await readAll(reader, [item])) }
  }
  const inBatches = { calls, work: batches ? { ...work, tx: batches.db } : work }
  const writes = batches && { busy: busyOf(inBatches.work, locks, config) }
  return {
    ...work,
    ...services,
    db,
    direct,
    write: async <T, R>(writer: Writer<T, R>, item: T) => {
      const options = { ...writes, retry: retrying }
      const call = queueOf<T, R>(writer, inBatches.calls, options, () => {
        const batch = batchOf(writer, inBatches.work, parts)
        return (items, callers) => asSingleAttempt(() => batch(items, callers))
      })
      const result = await call(item)
      noteWrite()
      return result
    },
    ...readOn({ calls, work }),
    standby: standby && {
      ...standby,
      ...readOn({ calls: new Map(), work: { ...work, tx: standby.db } }),
    },
  }
}

/** The runtime inside of a transaction. Its reads and writes are not batched with those of others. */
export const runtimeIn = <C extends Runtime>(runtime: C): C => {
  const { tx, clock, random, keys, singletons } = runtime
  const work: Work = { tx, clock, random, keys, singletons }
  const readAll = <T, R>(fn: Writer<T, R>, items: readonly T[]) => fn(work, [...items])
  const call = async <T, R>(fn: Writer<T, R>, item: T) => only(await readAll(fn, [item]))
  return { ...runtime, db: tx as Db, standby: undefined, readAll, read: call, write: call }
}

/**
 * The same runtime or context, reading from the standby while that is usable. What it reads may be older than what the
 * caller has written.
 */
export const onStandby = <R extends Runtime>(runtime: R): R => {
  const { standby } = runtime
  if (!standby?.isUsable()) return runtime
  const { db, read, readAll } = standby
  return { ...runtime, db, tx: db, read, readAll }
}
