/** Traces: which spans there are, and how they belong together. Nothing of the SDK is loaded here. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span, SpanKind } from '@opentelemetry/api'
import { TesseraError } from '../errors.ts'

export type { Span }

export type SpanParts = {
  /** Has few values: patterns, fields and names of the code. */
  name: string
  kind?: keyof typeof SpanKind
  /** No personal data and no parameters. */
  attributes?: Attributes
  /** The running span if undefined. Null begins a trace. */
  parent?: Span | null | undefined
}

/** What makes spans. A runtime has none unless traces are asked for, so that they cost nothing. */
export type Tracing = {
  start(parts: SpanParts): Span
  /** Calls a function. Spans that begin in it, and in what it awaits, are children of this one. */
  within<T>(span: Span | undefined, run: () => T): T
  /** Works in a span of its own, which ends with the work and says whether it failed. */
  span<T>(parts: SpanParts, work: (span: Span) => Promise<T>): Promise<T>
  /**
   * Works for several callers at once. The span is a child of the first caller's; it is linked with those of the
   * others, and they with it.
   */
  batch<T>(
    parts: SpanParts,
    callers: readonly (Span | undefined)[],
    work: () => Promise<T>,
  ): Promise<T>
  /** Adds a span that ended just now to the running one. Nothing if that has ended, as in a stream that stays open. */
  add(parts: SpanParts, ms: number, isFailed: boolean): void
  /** The running span. */
  current(): Span | undefined
  /** The caller's span, by the headers of a request (W3C Trace Context). */
  parentIn(headers: Readonly<Record<string, unknown>>): Span | undefined
  /** The headers that make a span the parent of what a request causes. */
  headersOf(span: Span): Record<string, string>
  /** Marks a span as failed. */
  fail(span: Span, type: string): void
  /** Sends what is left, for a short time. */
  close(): Promise<void>
}

/** The running span. There is none unless traces are made. */
export const runningSpan = new AsyncLocalStorage<Span | undefined>()

/** A span as the header `traceparent` (W3C Trace Context). */
export const traceparentOf = (span: Span): string => {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}

/** What a span says of an error: its code or its name. Messages may quote what a caller sent. */
export const errorTypeOf = (error: unknown): string =>
  error instanceof TesseraError ? error.code : error instanceof Error ? error.name : 'Error'
