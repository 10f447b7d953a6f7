/** The standard variables of OpenTelemetry that decide whether and where traces are sent. The SDK reads the others. */
import { z } from 'zod'
import { url, whole } from './setting-text.ts'

const samplers = ['always_on', 'always_off', 'traceidratio'] as const

const protocol = z.enum(['http/protobuf', 'http/json'])
const endpoint = url(/^https?$/, 'http://collector:4318')

export const traceVariables = {
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
