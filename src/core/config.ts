/** The only reader of the environment. Everything else is handed a `Config`. */
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { withoutEndSlashes } from './address.ts'
import type { MasterKeys } from './seal.ts'

const secret = 'tessera-development-only-master-key'

/** Whether a name or an address means this machine, so that nobody else can call it. */
const isLoopback = (host: string) => {
  const name = host.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(name)
    ? ipaddr.process(name).range() === 'loopback'
    : /^(.+\.)?localhost$/i.test(name)
}

/** `off`, `on`, or the limits to change: `secret=500,public=50`. */
const limitsOf = <K extends string>(defaults: Record<K, number>) => {
  const kinds = Object.keys(defaults)
  const example = kinds.map((kind) => `${kind}=${defaults[kind as K] * 5}`).join(',')
  return z
    .string()
    .transform((text, ctx) => {
      const limits = { ...defaults }
      if (text === 'off') return null
      if (text === 'on') return limits
      for (const part of text.split(',')) {
        const [kind = '', value = '', ...rest] = part.trim().split('=')
        if (!kinds.includes(kind) || !/^[1-9]\d{0,6}$/.test(value) || rest.length > 0) {
          ctx.addIssue(`must be off, on, or limits like ${example}`)
          return z.NEVER
        }
        limits[kind as K] = Number(value)
      }
      return limits
    })
    .default({ ...defaults } as never)
}

const isAddress = (text: string) =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) || ipaddr.isValidCIDR(text)

/** How many proxies stand in front (0 for none), or their addresses: `1`, `10.0.0.0/8,192.0.2.7`. */
const trustProxy = z.string().transform((text, ctx) => {
  if (/^\d$/.test(text)) return Number(text)
  const addresses = text.split(',').map((part) => part.trim())
  if (addresses.every(isAddress)) return addresses
  ctx.addIssue('must be a number of proxies, or addresses like 10.0.0.0/8,192.0.2.7')
  return z.NEVER
})

/** Seconds before each attempt, comma-separated: `0,5,300`. */
const retrySchedule = z
  .string()
  .regex(/^\d{1,6}(,\d{1,6}){0,19}$/, 'must be 1 to 20 whole numbers of seconds, like 0,5,300')
  .transform((text) => text.split(',').map(Number))

const keyText = z.string().min(32, 'must have at least 32 characters, of good randomness')

/** Versions of the master key, the one to seal with first: `2:new key,1:old key`. */
const masterKeys = z.string().transform((text, ctx) => {
  const keys = text.split(/,(?=\d+:)/).map((part) => {
    const [, version, key] = /^([1-9]\d{0,8}):(.{32,})$/.exec(part) ?? []
    return { version: Number(version), text: key ?? '' }
  })
  const isGood = keys.every(({ text }) => text !== '')
  if (isGood && new Set(keys.map(({ version }) => version)).size === keys.length)
    return keys as [(typeof keys)[0], ...typeof keys]
  ctx.addIssue(
    'must be versions and keys of at least 32 characters like 2:NEW,1:OLD, each version once',
  )
  return z.NEVER
})

/** Origins of web pages: `https://app.example.com,http://localhost:3000`. */
const origins = z.string().transform((text, ctx) => {
  const found = text.split(',').map((part) => withoutEndSlashes(part.trim()))
  if (found.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin))
    return found
  ctx.addIssue('must be origins like https://app.example.com,http://localhost:3000')
  return z.NEVER
})

const whole = (min: number, max: number) => {
  const message = `must be a whole number, ${min} to ${max}`
  return z.coerce.number({ error: message }).int(message).min(min, message).max(max, message)
}

const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be a URL like ${example}` })

/** Where flaws are reported: an address of the web, or an e-mail address. */
const contact = z.string().transform((text, ctx) => {
  if (z.email().safeParse(text).success) return `mailto:${text}`
  const isUrl = z.url({ protocol: /^(https|mailto)$/ }).safeParse(text).success
  if (isUrl && !/\s/.test(text)) return text
  ctx.addIssue('must be an e-mail address, or a URL like https://tessera.example.com/security')
  return z.NEVER
})

const port = z.coerce
  .number({ error: 'must be a port, 0 to 65535' })
  .int()
  .min(0, 'must be a port, 0 to 65535')
  .max(65535, 'must be a port, 0 to 65535')

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: port.default(4000),
  METRICS_PORT: port.optional(),
  HOST: z.string().min(1).default('localhost'),
  DATA_DIR: z.string().min(1).default('./.data'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgresql://user:password@host:5432/tessera').optional(),
  EMBEDDED: z.enum(['0', '1']).default('0'),
  REDIS_URL: url(/^rediss?$/, 'redis://host:6379').optional(),
  PUBLIC_URL: url(/^https?$/, 'https://tessera.example.com').optional(),
  SECURITY_CONTACT: contact.optional(),
  CORS_ORIGINS: origins.optional(),
  TRUST_PROXY: trustProxy.optional(),
  RATE_LIMIT: limitsOf({ secret: 100, public: 20, anonymous: 20 }),
  CONNECTION_LIMIT: limitsOf({ address: 200, key: 1000 }),
  SIGN_IN_LIMIT: whole(1, 1_000_000).default(10),
  DRAIN_DELAY_MS: whole(0, 60_000).default(500),
  JOBS: z.enum(['on', 'off']).default('on'),
  MIGRATE: z.enum(['on', 'off']).default('on'),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['0', '1']).default('0'),
  WEBHOOK_RETRY_SCHEDULE: retrySchedule.optional(),
  ARENA_MATCHMAKER: z.enum(['on', 'off']).optional(),
  ARENA_LIVE_MATCHES: whole(1, 1000).default(2),
  ARENA_GAME_PAUSE_MS: whole(0, 3_600_000).optional(),
  ARENA_MOVE_PAUSE_MS: whole(0, 60_000).optional(),
  ARENA_MOVE_TIME_MS: whole(100, 15_000).default(15_000),
  ARENA_LEASE_MS: whole(100, 600_000).default(30_000),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  MASTER_KEY: keyText.optional(),
  MASTER_KEYS: masterKeys.optional(),
  ADMIN_EMAIL: z.email('must be an e-mail address').optional(),
  ADMIN_PASSWORD: z.string().min(12, 'must have at least 12 characters').optional(),
})

export type Config = {
  /** NODE_ENV says so, or others than this machine can reach the server. */
  production: boolean
  port: number
  /** Where `/metrics` is served instead of on `port`. */
  metricsPort: number | undefined
  host: string
  /** Folder of the embedded database and of the demo keys. */
  dataDir: string
  /** A PostgreSQL server; undefined means the embedded database. */
  databaseUrl: string | undefined
  redisUrl: string | undefined
  /** Where the world reaches this service, without a slash at the end. */
  publicUrl: string
  /** Where flaws are reported, as a URI; shown in `security.txt`. */
  securityContact: string | undefined
  /** Origins whose pages may use sign-ins: that of `publicUrl` and those listed. */
  corsOrigins: string[]
  /** Proxies whose `X-Forwarded-For` is believed: how many of them, or their addresses. */
  trustProxy: number | string[] | undefined
  /** Requests a second by kind of caller; null means no limits. */
  rateLimits: { secret: number; public: number; anonymous: number } | null
  /** WebSockets and event streams that are open at a time at this node: of an address, of a secret key or member. */
  connectionLimits: { address: number; key: number } | null
  /** Sign-ins that an address may try in ten minutes. */
  signInLimit: number
  /** How long a server that stops goes on as before, while `/readyz` says that it stops. */
  drainDelayMs: number
  /** Whether this node takes part in the work that runs by itself. */
  jobs: boolean
  /** Whether a start migrates the database; else it waits until somebody has. */
  migrate: boolean
  /** Whether webhooks may reach this machine and its network: in development only. */
  webhookAllowPrivate: boolean
  /** Seconds before each attempt of a delivery, instead of the documented table. */
  webhookRetrySeconds: number[] | undefined
  /** Matches of agents. */
  arena: {
    /** Whether agents are paired by themselves, so that something is always live. */
    matchmaker: boolean
    /** How many matches the matchmaker keeps going. */
    liveMatches: number
    /** From the end of a game to the next. */
    gamePauseMs: number
    /** After a move, so that people can follow. */
    movePauseMs: number
    /** How long an agent may think. */
    moveTimeMs: number
    /** A node that has not written for this long has lost the match to others: longer than a move takes. */
    leaseMs: number
  }
  logLevel: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  /** The first seals and signs; the others still open and verify. */
  masterKeys: MasterKeys
  /** An administrator to make at the start, unless a member has this address. */
  admin: { email: string; password: string } | undefined
  /** What an operator may have forgotten, in words. */
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
const masterKeysOf = (e: z.infer<typeof Environment>): MasterKeys =>
  e.MASTER_KEYS ?? [{ version: 1, text: e.MASTER_KEY ?? secret }]

/** What must not be left to a default, or is for development only. */
const productionFaults = (e: z.infer<typeof Environment>): string[] => [
  ...(masterKeysOf(e).some(({ text }) => text === secret)
    ? ['MASTER_KEY: must be set in production']
    : []),
  ...(e.WEBHOOK_ALLOW_PRIVATE === '1' ? ['WEBHOOK_ALLOW_PRIVATE: is for development only'] : []),
  ...(e.DATABASE_URL || e.EMBEDDED === '1'
    ? []
    : ['DATABASE_URL: must be set in production; EMBEDDED=1 keeps the data in DATA_DIR instead']),
]

const productionWarnings = (e: z.infer<typeof Environment>): string[] => [
  ...(e.PUBLIC_URL ? [] : ['PUBLIC_URL is not set: links in answers and pages lead to localhost']),
  ...(e.TRUST_PROXY === undefined
    ? ['TRUST_PROXY is not set: behind a proxy all callers share one address; 0 says there is none']
    : []),
]

/**
 * Checks the environment and gives the configuration.
 * @throws ConfigError with one line for each bad variable.
 */
export const readConfig = (env: Record<string, string | undefined> = process.env): Config => {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = Environment.safeParse(present)
  if (!result.success)
    throw new ConfigError(
      result.error.issues
        .map((issue) => `${issue.path.join('.')}: ${issue.message} (see .env.example)`)
        .join('\n'),
      present.NODE_ENV === 'production',
    )
  const e = result.data
  const isReachable =
    !isLoopback(e.HOST) || !isLoopback(new URL(e.PUBLIC_URL ?? 'http://localhost').hostname)
  const production = e.NODE_ENV === 'production' || isReachable
  const isTest = e.NODE_ENV === 'test'
  const faults = [
    ...(production ? productionFaults(e) : []),
    ...(e.MASTER_KEY && e.MASTER_KEYS ? ['MASTER_KEY: must not be set beside MASTER_KEYS'] : []),
    ...(e.ADMIN_EMAIL && !e.ADMIN_PASSWORD ? ['ADMIN_PASSWORD: must be set, too'] : []),
    ...(e.ADMIN_PASSWORD && !e.ADMIN_EMAIL ? ['ADMIN_EMAIL: must be set, too'] : []),
  ]
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
  const publicUrl = withoutEndSlashes(e.PUBLIC_URL ?? `http://localhost:${e.PORT}`)
  return {
    production,
    port: e.PORT,
    metricsPort: e.METRICS_PORT,
    host: e.HOST,
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    redisUrl: e.REDIS_URL,
    publicUrl,
    securityContact: e.SECURITY_CONTACT,
    corsOrigins: [new URL(publicUrl).origin, ...(e.CORS_ORIGINS ?? [])],
    trustProxy: e.TRUST_PROXY,
    rateLimits: e.RATE_LIMIT,
    connectionLimits: e.CONNECTION_LIMIT,
    signInLimit: e.SIGN_IN_LIMIT,
    drainDelayMs: e.DRAIN_DELAY_MS,
    jobs: e.JOBS === 'on',
    migrate: e.MIGRATE === 'on',
    webhookAllowPrivate: e.WEBHOOK_ALLOW_PRIVATE === '1',
    webhookRetrySeconds: e.WEBHOOK_RETRY_SCHEDULE,
    arena: {
      matchmaker: (e.ARENA_MATCHMAKER ?? (isTest ? 'off' : 'on')) === 'on',
      liveMatches: e.ARENA_LIVE_MATCHES,
      gamePauseMs: e.ARENA_GAME_PAUSE_MS ?? (isTest ? 0 : 5_000),
      movePauseMs: e.ARENA_MOVE_PAUSE_MS ?? (isTest ? 0 : 800),
      moveTimeMs: e.ARENA_MOVE_TIME_MS,
      leaseMs: e.ARENA_LEASE_MS,
    },
    logLevel: e.LOG_LEVEL,
    masterKeys: masterKeysOf(e),
    admin:
      e.ADMIN_EMAIL && e.ADMIN_PASSWORD
        ? { email: e.ADMIN_EMAIL, password: e.ADMIN_PASSWORD }
        : undefined,
    warnings: production ? productionWarnings(e) : [],
  }
}
