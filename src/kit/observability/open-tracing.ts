/** Sends traces to a collector by OTLP. Loaded only when tracing is on. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import {
  ExportResultCode,
  parseKeyPairsIntoRecord,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TraceSettings } from '../config/environment-variables.ts'
import { version } from '../version.ts'
import type { Degraded } from './degraded.ts'
import { errorTypeOf, runningSpan, type SpanParts, type Tracing } from './tracing.ts'

/** The longest time that a stop waits for the collector. */
const longestFlushMs = 2_000

/** As many as a batch has callers. */
const maxLinks = 256

const samplerOf = ({ sampler, ratio, isParentBased }: TraceSettings): Sampler => {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[sampler]()
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

const openExporter = async ({ url, protocol, headers }: TraceSettings): Promise<SpanExporter> => {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter({ url, headers: parseKeyPairsIntoRecord(headers) })
}

/** The same exporter. A collector that takes no spans is reported, and the service continues without it. */
const watched = (exporter: SpanExporter, degraded: Degraded): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      const isTaken = result.code === ExportResultCode.SUCCESS
      const reason = isTaken ? null : 'Traces do not reach their collector, and some are lost'
      degraded.set('traces', reason, result.error?.message)
      done(result)
    }),
  shutdown: () => exporter.shutdown(),
})

/** The resource of all spans. Settings of the operator override our own description. */
const resourceOf = ({ serviceName }: TraceSettings) =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'tessera',
        'service.version': version,
        'service.instance.id': randomUUID(),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(serviceName ? { 'service.name': serviceName } : {}))

const openProvider = async (settings: TraceSettings, degraded: Degraded) => {
  const exporter = watched(await openExporter(settings), degraded)
  return new TracerProvider({
    sampler: samplerOf(settings),
    resource: resourceOf(settings),
    spanLimits: { linkCountLimit: maxLinks },
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: settings.delayMs })],
  })
}

const propagator = new W3CTraceContextPropagator()

const parentIn: Tracing['parentIn'] = (headers) =>
  trace.getSpan(propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter))

const headersOf: Tracing['headersOf'] = (span) => {
  const headers: Record<string, string> = {}
  propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, defaultTextMapSetter)
  return headers
}

const fail: Tracing['fail'] = (span, type) =>
  void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })

/** Starts to make traces. No library is patched, and nothing is registered for the process. */
export const openTracing = async (
  settings: TraceSettings,
  degraded: Degraded,
): Promise<Tracing> => {
  const provider = await openProvider(settings, degraded)
  const tracer = provider.getTracer('tessera', version)

  const begin = (
    { name, kind = 'INTERNAL', attributes = {}, parent = runningSpan.getStore() }: SpanParts,
    more: { links?: { context: ReturnType<Span['spanContext']> }[]; startTime?: number } = {},
  ) => {
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT
    return tracer.startSpan(name, { kind: SpanKind[kind], attributes, ...more }, context)
  }
  const workIn = async <T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> => {
    try {
      return await runningSpan.run(span, work, span)
    } catch (error) {
      fail(span, errorTypeOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  return {
    start: (parts) => begin(parts),
    within: (span, run) => runningSpan.run(span, run),
    span: (parts, work) => workIn(begin(parts), work),
    batch: (parts, callers, work) => {
      const [first, ...others] = new Set(callers.filter((span) => span?.isRecording())) as Set<Span>
      if (!first) return runningSpan.run(undefined, work)
      const links = others.map((span) => ({ context: span.spanContext() }))
      const span = begin({ ...parts, parent: first }, { links })
      for (const other of others) other.addLink({ context: span.spanContext() })
      return workIn(span, work)
    },
    add: (parts, ms, isFailed) => {
      if (!runningSpan.getStore()?.isRecording()) return
      const now = performance.now()
      const span = begin(parts, { startTime: now - ms })
      if (isFailed) fail(span, 'Error')
      span.end(now)
    },
    current: () => runningSpan.getStore(),
    parentIn,
    headersOf,
    fail,
    close: async () => {
      const ended = provider.shutdown().catch(() => {})
      await Promise.race([ended, sleep(longestFlushMs, undefined, { ref: false })])
    },
  }
}
