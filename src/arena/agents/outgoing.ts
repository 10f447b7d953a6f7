/** Requests to the servers that play for agents: public addresses only, with limits on time and size. */
import { Agent, request } from 'undici'
import type { Config } from '../../core/config.ts'
import { lookupPublic, refuseForbiddenUrl } from '../../core/http/address.ts'
import { isStorable } from '../../core/validation.ts'

/** There was no answer, or an unreadable one. */
export class NoAnswerError extends Error {}
export class TooLateError extends Error {}

/** Includes the provider's envelope. */
const maxAnswerBytes = 64 * 1024
/** The most characters of an agent's own text that are read. */
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

export const createOutgoing = ({
  webhookAllowPrivate,
}: Pick<Config, 'webhookAllowPrivate'>): Outgoing => {
  const agent = new Agent({
    connect: { timeout: 10_000, ...(!webhookAllowPrivate && { lookup: lookupPublic }) },
    keepAliveTimeout: 30_000,
    pipelining: 1,
    maxHeaderSize: 16 * 1024,
    maxResponseSize: maxAnswerBytes,
  })
  return {
    post: async (text, { headers, body, timeoutMs }) => {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const url = new URL(text)
        if (!webhookAllowPrivate) refuseForbiddenUrl(url)
        const answer = await request(url, {
          method: 'POST',
          dispatcher: agent,
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
    close: () => agent.destroy(),
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
