/** Subscriptions over server-sent events, which resume after a broken connection. */
import { byEvents } from './by-events.ts'
import { type AnyDocument, type TypedDocument, textOf } from './document.ts'
import { type ResumeOptions, resumed } from './resume.ts'
import type { Transport } from './transport.ts'

export type SubscribeOptions<Data, Variables> = ResumeOptions<Data, Variables>

export type Subscribe = {
  <Data, Variables>(
    document: TypedDocument<Data, Variables>,
    variables: Variables,
    options?: SubscribeOptions<Data, Variables>,
  ): AsyncGenerator<Data, void, undefined>
  <Data = unknown>(
    document: string,
    variables?: Record<string, unknown>,
    options?: SubscribeOptions<Data, Record<string, unknown>>,
  ): AsyncGenerator<Data, void, undefined>
}

export type AnySubscribe = (
  document: AnyDocument,
  variables?: object,
  options?: SubscribeOptions<never, object>,
) => AsyncGenerator<unknown, void, undefined>

export const createSubscribe = ({ baseUrl, retries, open }: Transport): AnySubscribe =>
  async function* subscribe(document, variables = {}, options = {}) {
    const connect = byEvents(baseUrl, await textOf(document), open)
    yield* resumed(connect, variables, { ...options, retries })
  }
