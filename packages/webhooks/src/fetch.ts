/** Handlers of the Fetch standard: Cloudflare Workers, Deno, Bun, Hono, SvelteKit, Remix and others. */
import { readParts, receiveWebhook, tooLarge, type WebhookOptions } from './receive.ts'

/** Not every runtime can iterate over a stream. */
async function* partsOf(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

/** A function from the request of a webhook to its answer. */
export const createFetchHandler =
  (options: WebhookOptions) =>
  async (request: Request): Promise<Response> => {
    if (request.method !== 'POST')
      return new Response('Webhooks are sent by POST', { status: 405, headers: { allow: 'POST' } })
    const raw = request.body ? await readParts(partsOf(request.body)) : new Uint8Array()
    const { status, body } = raw ? await receiveWebhook(raw, request.headers, options) : tooLarge
    return new Response(body, { status })
  }
