/** The common part of the handlers of all frameworks. */
import type { WebhookEvent } from './event.ts'
import { WebhookError } from './fault.ts'
import { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify.ts'

export type WebhookOptions = VerifyOptions & {
  /**
   * Called with each event. Tessera waits 15 seconds for it. If it throws, the answer is 500, and the
   * event is sent again later.
   */
  onEvent: (event: WebhookEvent) => unknown
  /** Called with errors of `onEvent` and with each refused request. Writes to the console by default. */
  onError?: ((error: unknown) => unknown) | undefined
}

/** The largest body that is read. Events are much smaller. */
export const maxBodyBytes = 1024 * 1024

export type WebhookAnswer = { status: number; body: string }

export const tooLarge: WebhookAnswer = { status: 413, body: 'The body is too large' }

/** Verifies a request, handles its event and returns the response. Never throws. */
export const receiveWebhook = async (
  body: string | Uint8Array,
  headers: WebhookHeaders,
  { onEvent, onError = console.error, ...options }: WebhookOptions,
): Promise<WebhookAnswer> => {
  try {
    await onEvent(await verifyWebhook(body, headers, options))
    return { status: 200, body: 'ok' }
  } catch (error) {
    await Promise.resolve(onError(error)).catch(console.error)
    return error instanceof WebhookError
      ? { status: 401, body: error.message }
      : { status: 500, body: 'The event could not be handled' }
  }
}

/** Joins the parts of a body; undefined as soon as it is too large. */
export const readParts = async (
  parts: AsyncIterable<Uint8Array>,
): Promise<Uint8Array | undefined> => {
  const read: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    size += part.length
    if (size > maxBodyBytes) return undefined
    read.push(part)
  }
  const body = new Uint8Array(size)
  let at = 0
  for (const part of read) {
    body.set(part, at)
    at += part.length
  }
  return body
}
