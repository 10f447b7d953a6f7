/** How long the database may take, by the server's own clock and by ours. */
import type pg from 'pg'

export type TimeLimits = {
  /** A connection, and a free one of the pool. */
  connectMs: number
  /** A statement; the server breaks it off. 0 for no limit, as with the next two. */
  statementMs: number
  /** A wait for a lock. */
  lockMs: number
  /** A transaction between two statements: a node that hangs must not hold its locks. */
  idleTransactionMs: number
  /** An answer to a statement; then the connection is given up. Longer than `statementMs`. */
  answerMs: number
}

export const defaultLimits: TimeLimits = {
  connectMs: 5_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleTransactionMs: 10_000,
  answerMs: 35_000,
}

const keepAliveMs = 10_000

/** Options of a connection. The server is told its limits as the connection opens, which costs no statement. */
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
