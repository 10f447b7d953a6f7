/** A collector of traces, and the spans that it was sent by OTLP as JSON. */
import { vi } from 'vitest'
import { readConfig } from '../../src/kit/config/config.ts'
import { createReceiver } from '../webhooks/receiver.ts'

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean }
type Attribute = { key: string; value: Value }

/** A span of OTLP. */
type Sent = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code: number }
  attributes: Attribute[]
  links: { traceId: string; spanId: string }[]
}

export type SentSpan = Omit<Sent, 'attributes'> & { attributes: Record<string, unknown> }

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

export const serverKind = 2
export const failed = 2

export const createCollector = async (status: () => number = () => 200) => {
  const receiver = await createReceiver(() => ({ status: status(), body: '{}' }))
  const url = receiver.url.replace('/hook', '')
  const spans = (): SentSpan[] =>
    receiver.received
      .flatMap(({ body }) => body.resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans as Sent[])
      .map((span) => ({ ...span, attributes: valuesOf(span.attributes) }))
  return {
    ...receiver,
    url,
    /** The settings with which a server sends its traces here immediately. */
    traces: (env: Record<string, string> = {}) =>
      readConfig({
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '10',
        ...env,
      }).traces,
    spans,
    /** The attributes of the sender. */
    resource: () => valuesOf(receiver.received[0]?.body.resourceSpans[0].resource.attributes ?? []),
    /** Waits for a span that fits. */
    spanOf: (fits: (span: SentSpan) => boolean) =>
      vi.waitFor(
        () => {
          const found = spans().find(fits)
          if (!found)
            throw new Error(
              `no such span among ${spans()
                .map(({ name }) => name)
                .join(', ')}`,
            )
          return found
        },
        { timeout: 20_000, interval: 20 },
      ),
  }
}

export type Collector = Awaited<ReturnType<typeof createCollector>>
