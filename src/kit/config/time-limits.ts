/** Time limits of the database, some enforced by the server and some by this process. */
import type pg from 'pg'

export type TimeLimits = {
  /** Opening a connection, and waiting for a free one of the pool. */
  connectMs: number
  /** A statement, which the server then cancels. 0 for no limit, as with the next two. */
  statementMs: number
  /** A wait for a lock. */
  lockMs: number
  /** The time between two statements of a transaction, so that a node that hangs does not hold its locks. */
  idleTransactionMs: number
  /** The answer to a statement, after which the connection is closed. Longer than `statementMs`. */
  answerMs: number
}

/** The time limit of an answer: none if statements have no limit. */
export const answerMsOf = (statementMs: number): number =>
  statementMs === 0 ? Number.POSITIVE_INFINITY : statementMs + 5_000

export const defaultLimits: TimeLimits = {
  connectMs: 5_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleTransactionMs: 10_000,
  answerMs: answerMsOf(30_000),
}

/** How long a batch of group commit waits for a lock. Its items then wait aside, as long as `lockMs`. */
const batchLockMs = 100

/** The limits of connections for group commit. */
export const batchLimits = (limits: TimeLimits): TimeLimits => ({
  ...limits,
  lockMs: limits.lockMs === 0 ? batchLockMs : Math.min(limits.lockMs, batchLockMs),
})

const keepAliveMs = 10_000

/** Options of a connection. The limits are sent when it opens, which takes no extra statement. */
export const connectionOptions = ({
  connectMs,
  statementMs,
  lockMs,
  idleTransactionMs,
}: TimeLimits): pg.PoolConfig => ({
  connectionTimeoutMillis: connectMs,
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleTransactionMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveMs,
})
