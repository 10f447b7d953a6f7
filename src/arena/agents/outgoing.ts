/** Requests to the servers that play for agents: public addresses only, with limits on time and size. */
import type { Config } from '../../kit/config/config.ts'
import { createOutgoingClient } from '../../kit/http/outgoing-client.ts'
import { isStorable } from '../../kit/validation.ts'

/** There was no answer, or an unreadable one. */
export class NoAnswerError extends Error {}
export class TooLateError extends Error {}

/** Includes the provider's envelope. */
const maxAnswerBytes = 64 * 1024
/** The maximum number of characters read of an agent's own text. */
export const longestAnswer = 2048

export type Outgoing = {
  /**
   * Posts JSON and returns the JSON answer. Does not follow redirects.
   * @throws NoAnswerError, TooLateError
   */
  post(
    url: string,
    options: { headers: Record<string, string>; body: string; timeoutMs: number },
  ): Promise<unknown>
  close(): Promise<void>
}

export const createOutgoing = (config: Pick<Config, 'webhookAllowPrivate'>): Outgoing => {
  const client = createOutgoingClient(config, {
    connectMs: 10_000,
    keepAliveTimeout: 30_000,
    maxResponseSize: maxAnswerBytes,
  })
  return {
    post: async (url, { headers, body, timeoutMs }) => {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const answer = await client.request(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
          signal,
        })
        if (answer.statusCode < 200 || answer.statusCode > 299) {
          await answer.body.dump()
          throw new NoAnswerError()
        }
        return await answer.body.json()
      } catch {
        throw signal.aborted ? new TooLateError() : new NoAnswerError()
      }
    },
    close: client.close,
  }
}

/**
 * The move of `{"move": "…"}`. Ignores unknown fields.
 * @throws NoAnswerError
 */
export const readMove = (answer: unknown): string => {
  const { move } = (answer ?? {}) as { move?: unknown }
  if (typeof move === 'number' && Number.isSafeInteger(move)) return String(move)
  if (typeof move !== 'string' || !isStorable(move)) throw new NoAnswerError()
  return move.slice(0, longestAnswer).trim().toUpperCase()
}
