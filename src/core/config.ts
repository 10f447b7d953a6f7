/** The only reader of the environment. Everything else is handed a `Config`. */
import { z } from 'zod'

const secret = 'tessera-development-only-master-key'

/** `off`, `on`, or the limits to change: `secret=500,public=50,anonymous=50` (requests a second). */
const rateLimit = z.string().transform((text, ctx) => {
  const limits = { secret: 100, public: 20, anonymous: 20 }
  if (text === 'off') return null
  if (text === 'on' || text === '') return limits
  for (const part of text.split(',')) {
    const [, kind, value] = /^(secret|public|anonymous)=([1-9]\d{0,6})$/.exec(part.trim()) ?? []
    if (!kind) {
      ctx.addIssue('must be off, on, or limits like secret=500,public=50,anonymous=50')
      return z.NEVER
    }
    limits[kind as keyof typeof limits] = Number(value)
  }
  return limits
})

const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be a URL like ${example}` })

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: z.coerce
    .number({ error: 'must be a port, 0 to 65535' })
    .int()
    .min(0, 'must be a port, 0 to 65535')
    .max(65535, 'must be a port, 0 to 65535')
    .default(4000),
  HOST: z.string().min(1).default('localhost'),
  DATA_DIR: z.string().min(1).default('./.data'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgresql://user:password@host:5432/tessera').optional(),
  REDIS_URL: url(/^rediss?$/, 'redis://host:6379').optional(),
  PUBLIC_URL: url(/^https?$/, 'https://tessera.example.com').optional(),
  RATE_LIMIT: rateLimit.default({ secret: 100, public: 20, anonymous: 20 }),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  MASTER_KEY: z
    .string()
    .min(32, 'must have at least 32 characters, of good randomness')
    .default(secret),
})

export type Config = {
  production: boolean
  port: number
  host: string
  /** Folder of the embedded database and of the demo keys. */
  dataDir: string
  /** A PostgreSQL server; undefined means the embedded database. */
  databaseUrl: string | undefined
  redisUrl: string | undefined
  /** Where the world reaches this service, without a slash at the end. */
  publicUrl: string
  /** Requests a second by kind of caller; null means no limits. */
  rateLimits: { secret: number; public: number; anonymous: number } | null
  logLevel: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  masterKey: string
}

export class ConfigError extends Error {}

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
    )
  const e = result.data
  const production = e.NODE_ENV === 'production'
  if (production && e.MASTER_KEY === secret)
    throw new ConfigError('MASTER_KEY: must be set in production (see .env.example)')
  return {
    production,
    port: e.PORT,
    host: e.HOST,
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    redisUrl: e.REDIS_URL,
    publicUrl: (e.PUBLIC_URL ?? `http://localhost:${e.PORT}`).replace(/\/+$/, ''),
    rateLimits: e.RATE_LIMIT,
    logLevel: e.LOG_LEVEL,
    masterKey: e.MASTER_KEY,
  }
}
