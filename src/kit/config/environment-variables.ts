/** The environment variables that are settings, with their forms and defaults. */
import { z } from 'zod'
import { cellName } from '../cell.ts'
import {
  contact,
  databaseUrl,
  keyText,
  limitOrOff,
  limitsOf,
  mailbox,
  masterKeys,
  origins,
  port,
  retrySchedule,
  trustProxy,
  url,
  whole,
} from './setting-text.ts'
import { defaultLimits } from './time-limits.ts'

const samplers = ['always_on', 'always_off', 'traceidratio'] as const

const protocol = z.enum(['http/protobuf', 'http/json'])
const endpoint = url(/^https?$/, 'http://collector:4318')

const traceVariables = {
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false'),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_TRACES_SAMPLER: z
    .enum([...samplers, ...samplers.map((name) => `parentbased_${name}` as const)])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'must be a share, 0 to 1' })
    .min(0, 'must be a share, 0 to 1')
    .max(1, 'must be a share, 0 to 1')
    .default(1),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default('http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_BSP_SCHEDULE_DELAY: whole(1, 600_000).default(5_000),
}

type Sent = z.infer<z.ZodObject<typeof traceVariables>>

export type TraceSettings = {
  /** Where spans are posted. */
  url: string
  protocol: z.infer<typeof protocol>
  /** Sent with them: `name=value,name=value`, percent-encoded. */
  headers: string | undefined
  /** Undefined means `service.name` of OTEL_RESOURCE_ATTRIBUTES, or else `tessera`. */
  serviceName: string | undefined
  sampler: (typeof samplers)[number]
  /** Whether the caller decides whether their request is sampled. */
  isParentBased: boolean
  /** Of `traceidratio`: the share of traces that are sampled. */
  ratio: number
  /** How long finished spans wait to be sent together. */
  delayMs: number
}

/** Undefined if no endpoint is set, or traces are disabled. */
export const traceSettingsOf = (e: Sent): TraceSettings | undefined => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = e
  const url = own ?? (base && `${base}${base.endsWith('/') ? '' : '/'}v1/traces`)
  if (!url || e.OTEL_SDK_DISABLED === 'true' || e.OTEL_TRACES_EXPORTER === 'none') return undefined
  return {
    url,
    protocol: e.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? e.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: e.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: e.OTEL_SERVICE_NAME,
    sampler: e.OTEL_TRACES_SAMPLER.replace('parentbased_', '') as TraceSettings['sampler'],
    isParentBased: e.OTEL_TRACES_SAMPLER.startsWith('parentbased_'),
    ratio: e.OTEL_TRACES_SAMPLER_ARG,
    delayMs: e.OTEL_BSP_SCHEDULE_DELAY,
  }
}

export const EnvironmentVariables = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: port.default(4000),
  METRICS_PORT: port.optional(),
  HOST: z.string().min(1).default('localhost'),
  CELL: cellName.optional(),
  DATA_DIR: z.string().min(1).default('./.data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  DATABASE_POOL: whole(4, 1_000).default(10),
  DATABASE_CONNECT_TIMEOUT_MS: whole(100, 60_000).default(defaultLimits.connectMs),
  DATABASE_STATEMENT_TIMEOUT_MS: whole(0, 3_600_000).default(defaultLimits.statementMs),
  DATABASE_LOCK_TIMEOUT_MS: whole(0, 3_600_000).default(defaultLimits.lockMs),
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: whole(0, 3_600_000).default(
    defaultLimits.idleTransactionMs,
  ),
  EMBEDDED: z.enum(['0', '1']).default('0'),
  REDIS_URL: url(/^rediss?$/, 'redis://host:6379').optional(),
  PUBLIC_URL: url(/^https?$/, 'https://tessera.example.com').optional(),
  SECURITY_CONTACT: contact.optional(),
  SMTP_URL: url(/^smtps?$/, 'smtp://user:password@mail.example.com:587').optional(),
  MAIL_FROM: mailbox.optional(),
  CORS_ORIGINS: origins.optional(),
  TRUST_PROXY: trustProxy.optional(),
  TRUSTED_DOCUMENTS: z.string().optional(),
  ONLY_TRUSTED_DOCUMENTS: z.enum(['0', '1']).default('0'),
  RATE_LIMIT: limitsOf({ secret: 100, public: 20, anonymous: 20 }),
  CONNECTION_LIMIT: limitsOf({ address: 200, key: 1000 }),
  SIGN_IN_LIMIT: whole(1, 1_000_000).default(10),
  NEW_USER_LIMIT: limitOrOff.default(300),
  DRAIN_DELAY_MS: whole(0, 60_000).default(500),
  JOBS: z.enum(['on', 'off']).default('on'),
  MIGRATE: z.enum(['on', 'off']).default('on'),
  AUDIT_LOG_DAYS: whole(1, 36_500).default(365),
  // The API promises 30 days of events. Retries of a delivery take a little over three days.
  RETENTION_EVENT_DAYS: whole(30, 36_500).default(30),
  RETENTION_DELIVERY_DAYS: whole(7, 36_500).default(30),
  RETENTION_MATCH_EVENT_DAYS: whole(0, 36_500).default(0),
  // A network is familiar for 90 days after a sign-in. Sign-ins expire after at least 30 days and are kept for 60 more.
  RETENTION_SIGN_IN_DAYS: whole(60, 36_500).default(365),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['0', '1']).default('0'),
  WEBHOOK_RETRY_SCHEDULE: retrySchedule.optional(),
  ARENA_MATCHMAKER: z.enum(['on', 'off']).optional(),
  DEMO_PAST: z.enum(['on', 'off']).default('on'),
  ARENA_LIVE_MATCHES: whole(1, 1000).default(2),
  ARENA_GAME_PAUSE_MS: whole(0, 3_600_000).optional(),
  ARENA_MOVE_PAUSE_MS: whole(0, 60_000).optional(),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  ACCESS_LOG: z.enum(['on', 'off']).optional(),
  SLOW_STATEMENT_MS: whole(0, 3_600_000).optional(),
  ...traceVariables,
  MASTER_KEY: keyText.optional(),
  MASTER_KEYS: masterKeys.optional(),
  ADMIN_EMAIL: z.email('must be an e-mail address').optional(),
  ADMIN_PASSWORD: z.string().min(12, 'must have at least 12 characters').optional(),
})

export type SentVariables = z.infer<typeof EnvironmentVariables>
