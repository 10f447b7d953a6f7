/** The only reader of environment variables, and of the files that they name. Everything else gets a `Config`. */
import ipaddr from 'ipaddr.js'
import { withoutEndSlashes } from '../security/address.ts'
import type { MasterKeys } from '../security/seal.ts'
import {
  EnvironmentVariables,
  type SentVariables,
  type TraceSettings,
  traceSettingsOf,
} from './environment-variables.ts'
import { readSettings } from './setting-files.ts'
import { hostUrls } from './setting-text.ts'
import { answerMsOf, type TimeLimits } from './time-limits.ts'

/** A line for each setting that contradicts another, or that another requires. */
const settingConflicts = (e: SentVariables): string[] => {
  const found: [unknown, string][] = [
    [e.MASTER_KEY && e.MASTER_KEYS, 'MASTER_KEY: must not be set together with MASTER_KEYS'],
    [
      (e.DATABASE_DIRECT_URL || e.DATABASE_READ_URL) && !e.DATABASE_URL,
      'DATABASE_URL: must be set, too',
    ],
    [hostUrls(e.DATABASE_READ_URL ?? '').length > 1, 'DATABASE_READ_URL: must name one host'],
    [e.SMTP_URL && !e.MAIL_FROM, 'MAIL_FROM: must be set, too'],
    [e.ADMIN_EMAIL && !e.ADMIN_PASSWORD, 'ADMIN_PASSWORD: must be set, too'],
    [e.ADMIN_PASSWORD && !e.ADMIN_EMAIL, 'ADMIN_EMAIL: must be set, too'],
    [
      e.RETENTION_DELIVERY_DAYS > e.RETENTION_EVENT_DAYS,
      'RETENTION_DELIVERY_DAYS: must not be longer than RETENTION_EVENT_DAYS',
    ],
  ]
  return found.flatMap(([isFound, fault]) => (isFound ? [fault] : []))
}

const secret = 'tessera-development-only-master-key'

/** Whether a name or an address is local to this machine, so that nobody else can reach it. */
const isLoopback = (host: string) => {
  const name = host.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(name)
    ? ipaddr.process(name).range() === 'loopback'
    : /^(.+\.)?localhost$/i.test(name)
}

export type Config = {
  /** NODE_ENV is `production`, or other machines can reach the server. */
  production: boolean
  port: number
  /** Where `/metrics` is served instead of on `port`. */
  metricsPort: number | undefined
  host: string
  /** The name of this cell in the text of its keys; undefined for the cell without a name. */
  cell: string | undefined
  /** Folder of the embedded database and of the demo keys. */
  dataDir: string
  /** A PostgreSQL server; undefined means the embedded database. */
  databaseUrl: string | undefined
  /** The same database without a pooler in transaction mode; undefined if there is no pooler. */
  databaseDirectUrl: string | undefined
  /** A hot standby of `databaseUrl` for statistics, exports and public lists. */
  databaseReadUrl: string | undefined
  /** Connections of the process through `databaseUrl`, and through `databaseReadUrl`. */
  databasePool: number
  /** Time limits of that server. */
  databaseLimits: TimeLimits
  redisUrl: string | undefined
  /** The public URL of this service, without a trailing slash. */
  publicUrl: string
  /** Where vulnerabilities are reported, as a URI; shown in `security.txt`. */
  securityContact: string | undefined
  /** The server that sends mail, and the sender; undefined if no mail is sent. */
  mail: { smtpUrl: string; from: string } | undefined
  /** Origins whose pages may use sign-ins: that of `publicUrl` and those listed. */
  corsOrigins: string[]
  /** Proxies whose `X-Forwarded-For` is trusted: their number or their addresses. */
  trustProxy: number | string[] | undefined
  /** A file or a folder of persisted GraphQL documents. */
  trustedDocuments: string | undefined
  /** Whether GraphQL only executes persisted documents. */
  onlyTrusted: boolean
  /** Requests per second by kind of caller; null means no limits. */
  rateLimits: { secret: number; public: number; anonymous: number } | null
  /** Open WebSockets and event streams at this node, per address and per secret key or member. */
  connectionLimits: { address: number; key: number } | null
  /** Sign-in attempts per address in ten minutes. */
  signInLimit: number
  /** Users that a public key may create from a network in ten minutes; null means no limit. */
  newUserLimit: number | null
  /** How long a stopping server continues to serve while `/readyz` reports that it is stopping. */
  drainDelayMs: number
  /** Whether this node runs background jobs. */
  jobs: boolean
  /** Whether a first start in development makes ninety days of demo data. */
  demoPast: boolean
  /** Whether a start migrates the database, or waits for somebody to do it. */
  migrate: boolean
  /** How long entries of the audit log are kept. */
  auditLogDays: number
  /** How many days other rows are kept; 0 means forever. */
  retention: {
    eventDays: number
    deliveryDays: number
    /** The events of a match, after its end. */
    matchEventDays: number
    /** After they have expired. */
    signInDays: number
  }
  /** Whether webhooks may reach this machine and its network; only in development. */
  webhookAllowPrivate: boolean
  /** Seconds before each attempt of a delivery, instead of the documented table. */
  webhookRetrySeconds: number[] | undefined
  /** Matches of agents. */
  arena: {
    /** Whether the matchmaker pairs agents, so that something is always live. */
    matchmaker: boolean
    /** How many matches the matchmaker keeps open. */
    liveMatches: number
    /** The pause between games. */
    gamePauseMs: number
    /** The pause after a move, so that people can follow. */
    movePauseMs: number
    /** How long an agent may take for a move. */
    moveTimeMs: number
    /** How long a node holds a match without writing; longer than a move takes. */
    leaseMs: number
  }
  logLevel: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  /** Whether each answered request is logged. */
  accessLog: boolean
  /** Statements that take this many milliseconds are logged by their names; 0 logs none. */
  slowStatementMs: number
  /** Where traces are sent; undefined if tracing is off. */
  traces: TraceSettings | undefined
  /** The first key seals and signs. The others still open and verify. */
  masterKeys: MasterKeys
  /** An operator to create at the start, unless a member has this address. */
  admin: { email: string; password: string } | undefined
  /** Warnings about settings that an operator may have forgotten. */
  warnings: string[]
}

export class ConfigError extends Error {
  readonly production: boolean

  constructor(message: string, production = false) {
    super(message)
    this.production = production
  }
}

/** `MASTER_KEY` alone is version 1. */
const masterKeysOf = (e: SentVariables): MasterKeys =>
  e.MASTER_KEYS ?? [{ version: 1, text: e.MASTER_KEY ?? secret }]

/** Settings that production requires or refuses. */
const productionFaults = (e: SentVariables): string[] => [
  ...(masterKeysOf(e).some(({ text }) => text === secret)
    ? ['MASTER_KEY: must be set in production']
    : []),
  ...(e.WEBHOOK_ALLOW_PRIVATE === '1' ? ['WEBHOOK_ALLOW_PRIVATE: is for development only'] : []),
  ...(e.DATABASE_URL || e.EMBEDDED === '1'
    ? []
    : ['DATABASE_URL: must be set in production; EMBEDDED=1 keeps the data in DATA_DIR instead']),
]

const productionWarnings = (e: SentVariables): string[] => [
  ...(e.PUBLIC_URL ? [] : ['PUBLIC_URL is not set: links in answers and pages lead to localhost']),
  ...(e.TRUST_PROXY === undefined
    ? ['TRUST_PROXY is not set: behind a proxy all callers share one address; 0 says there is none']
    : []),
]

/** @throws ConfigError */
const parseEnvironment = (env: Record<string, string | undefined>): SentVariables => {
  const { settings, faults } = readSettings(Object.keys(EnvironmentVariables.shape), env)
  const result = EnvironmentVariables.safeParse(settings)
  for (const { path, message } of result.error?.issues ?? [])
    faults.push(`${path.join('.')}: ${message}`)
  if (result.success && faults.length === 0) return result.data
  const lines = faults.map((fault) => `${fault} (see .env.example)`)
  throw new ConfigError(lines.join('\n'), settings.NODE_ENV === 'production')
}

/**
 * Whether the server runs as in production.
 * @throws ConfigError for variables that contradict each other, or that production needs
 */
const readProduction = (e: SentVariables): boolean => {
  const isReachable =
    !isLoopback(e.HOST) || !isLoopback(new URL(e.PUBLIC_URL ?? 'http://localhost').hostname)
  const production = e.NODE_ENV === 'production' || isReachable
  const faults = [...(production ? productionFaults(e) : []), ...settingConflicts(e)]
  if (faults.length > 0)
    throw new ConfigError(
      [
        ...faults.map((fault) => `${fault} (see .env.example)`),
        ...(isReachable && e.NODE_ENV !== 'production'
          ? ['Other machines can reach this server (HOST, PUBLIC_URL): it runs as in production.']
          : []),
      ].join('\n'),
      production,
    )
  return production
}

const timeLimitsOf = (e: SentVariables): TimeLimits => ({
  connectMs: e.DATABASE_CONNECT_TIMEOUT_MS,
  statementMs: e.DATABASE_STATEMENT_TIMEOUT_MS,
  lockMs: e.DATABASE_LOCK_TIMEOUT_MS,
  idleTransactionMs: e.DATABASE_IDLE_TRANSACTION_TIMEOUT_MS,
  answerMs: answerMsOf(e.DATABASE_STATEMENT_TIMEOUT_MS),
})

const retentionOf = (e: SentVariables): Config['retention'] => ({
  eventDays: e.RETENTION_EVENT_DAYS,
  deliveryDays: e.RETENTION_DELIVERY_DAYS,
  matchEventDays: e.RETENTION_MATCH_EVENT_DAYS,
  signInDays: e.RETENTION_SIGN_IN_DAYS,
})

/**
 * Validates the environment and returns the configuration.
 * @throws ConfigError with one line for each invalid variable.
 */
export const readConfig = (env: Record<string, string | undefined> = process.env): Config => {
  const e = parseEnvironment(env)
  const production = readProduction(e)
  const isTest = e.NODE_ENV === 'test'
  const publicUrl = withoutEndSlashes(e.PUBLIC_URL ?? `http://localhost:${e.PORT}`)
  return {
    production,
    port: e.PORT,
    metricsPort: e.METRICS_PORT,
    host: e.HOST,
    cell: e.CELL,
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    databaseDirectUrl: e.DATABASE_DIRECT_URL,
    databaseReadUrl: e.DATABASE_READ_URL,
    databasePool: e.DATABASE_POOL,
    databaseLimits: timeLimitsOf(e),
    redisUrl: e.REDIS_URL,
    publicUrl,
    securityContact: e.SECURITY_CONTACT,
    mail: e.SMTP_URL && e.MAIL_FROM ? { smtpUrl: e.SMTP_URL, from: e.MAIL_FROM } : undefined,
    corsOrigins: [new URL(publicUrl).origin, ...(e.CORS_ORIGINS ?? [])],
    trustProxy: e.TRUST_PROXY,
    trustedDocuments: e.TRUSTED_DOCUMENTS,
    onlyTrusted: e.ONLY_TRUSTED_DOCUMENTS === '1',
    rateLimits: e.RATE_LIMIT,
    connectionLimits: e.CONNECTION_LIMIT,
    signInLimit: e.SIGN_IN_LIMIT,
    newUserLimit: e.NEW_USER_LIMIT,
    drainDelayMs: e.DRAIN_DELAY_MS,
    jobs: e.JOBS === 'on',
    demoPast: e.DEMO_PAST === 'on',
    migrate: e.MIGRATE === 'on',
    auditLogDays: e.AUDIT_LOG_DAYS,
    retention: retentionOf(e),
    webhookAllowPrivate: e.WEBHOOK_ALLOW_PRIVATE === '1',
    webhookRetrySeconds: e.WEBHOOK_RETRY_SCHEDULE,
    arena: {
      matchmaker: (e.ARENA_MATCHMAKER ?? (isTest ? 'off' : 'on')) === 'on',
      liveMatches: e.ARENA_LIVE_MATCHES,
      gamePauseMs: e.ARENA_GAME_PAUSE_MS ?? (isTest ? 0 : 5_000),
      movePauseMs: e.ARENA_MOVE_PAUSE_MS ?? (isTest ? 0 : 800),
      moveTimeMs: 15_000,
      leaseMs: 30_000,
    },
    logLevel: e.LOG_LEVEL,
    accessLog: e.ACCESS_LOG ? e.ACCESS_LOG === 'on' : production,
    // The first statements on an empty database are slow, and nobody waits for those of the demo.
    slowStatementMs: e.SLOW_STATEMENT_MS ?? (production ? 500 : 0),
    traces: traceSettingsOf(e),
    masterKeys: masterKeysOf(e),
    admin:
      e.ADMIN_EMAIL && e.ADMIN_PASSWORD
        ? { email: e.ADMIN_EMAIL, password: e.ADMIN_PASSWORD }
        : undefined,
    warnings: production ? productionWarnings(e) : [],
  }
}
