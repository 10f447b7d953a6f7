/** The interface of tracing. It loads nothing of the SDK. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span, SpanKind } from '@opentelemetry/api'
import { TesseraError } from '../errors.ts'

export type { Span }

export type SpanParts = {
  /** Low cardinality: patterns, fields and names of the code. */
  name: string
  kind?: keyof typeof SpanKind
  /** No personal data and no parameters. */
  attributes?: Attributes
  /** The running span if undefined. Null begins a trace. */
  parent?: Span | null | undefined
}

/** Creates spans. A runtime has none unless tracing is on, so that it costs nothing otherwise. */
export type Tracing = {
  start(parts: SpanParts): Span
  /** Calls a function. Spans that begin in it, and in what it awaits, are children of this one. */
  within<T>(span: Span | undefined, run: () => T): T
  /** Runs work in a new span, which ends with the work and records whether it failed. */
  span<T>(parts: SpanParts, work: (span: Span) => Promise<T>): Promise<T>
  /**
   * Runs work for several callers at once. The span is a child of the first caller's span, and linked with those of the
   * others in both directions.
   */
  batch<T>(
    parts: SpanParts,
    callers: readonly (Span | undefined)[],
    work: () => Promise<T>,
  ): Promise<T>
  /** Adds a span that has just ended to the running one. Does nothing if that has ended, as in an open stream. */
  add(parts: SpanParts, ms: number, isFailed: boolean): void
  /** The running span. */
  current(): Span | undefined
  /** The caller's span, by the headers of a request (W3C Trace Context). */
  parentIn(headers: Readonly<Record<string, unknown>>): Span | undefined
  /** The headers that make a span the parent of what a request causes. */
  headersOf(span: Span): Record<string, string>
  /** Marks a span as failed. */
  fail(span: Span, type: string): void
  /** Sends the remaining spans, within a short time limit. */
  close(): Promise<void>
}

/** The running span. There is none unless tracing is on. */
export const runningSpan = new AsyncLocalStorage<Span | undefined>()

/** A span as the header `traceparent` (W3C Trace Context). */
export const traceparentOf = (span: Span): string => {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}

/** The code or the name of an error, for a span. Messages are left out, because they may quote what a caller sent. */
export const errorTypeOf = (error: unknown): string =>
  error instanceof TesseraError ? error.code : error instanceof Error ? error.name : 'Error'
