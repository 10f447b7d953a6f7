/** Requests of Node.js, which Express and the Pages Router of Next.js pass on. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readParts, receiveWebhook, tooLarge, type WebhookOptions } from './receive.ts'

/** A request of Node.js, whose body may have been read before. */
export type NodeRequest = IncomingMessage & { body?: unknown; rawBody?: unknown }

const isRaw = (body: unknown): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array

/**
 * The bytes of the body; undefined if there are too many.
 * @throws TypeError when something has parsed the body and thrown the bytes away
 */
const readBody = async (request: NodeRequest): Promise<string | Uint8Array | undefined> => {
  const kept = [request.rawBody, request.body].find(isRaw)
  if (kept !== undefined) return kept
  if (request.readableEnded || request.readableDidRead)
    throw new TypeError(
      'The body was parsed before the handler of the webhook could read it. A signature is over the exact bytes: ' +
        'mount the handler before express.json(), or set bodyParser to false in Next.js.',
    )
  return readParts(request)
}

/** @throws TypeError when something has parsed the body before */
export const handleNodeRequest = async (
  request: NodeRequest,
  response: ServerResponse,
  options: WebhookOptions,
): Promise<void> => {
  const answer = ({ status, body }: { status: number; body: string }) =>
    void response.writeHead(status, { 'content-type': 'text/plain' }).end(body)
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST')
    return answer({ status: 405, body: 'Webhooks are sent by POST' })
  }
  const raw = await readBody(request)
  answer(raw === undefined ? tooLarge : await receiveWebhook(raw, request.headers, options))
}
