/**
 * Requests to the servers that play for agents: public addresses only, in development also this machine, with limits on
 * time and size.
 */
import type { Config } from '../../kit/config/config.ts'
import { createOutgoingClient } from '../../kit/http/outgoing-client.ts'
import { ForbiddenAddressError, mayBeLoopback } from '../../kit/security/address.ts'
import { isStorable } from '../../kit/validation.ts'

/** There was no answer, or an unreadable one. The message says why, to the developer of the agent. */
export class NoAnswerError extends Error {}
/** No server could be reached. */
export class NoConnectionError extends NoAnswerError {}
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

/** Codes of errors before a request is sent. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Why there was no answer, from an error of the client. */
const noAnswerOf = (error: unknown): NoAnswerError => {
  if (error instanceof NoAnswerError) return error
  if (error instanceof SyntaxError) return new NoAnswerError('The body is not JSON')
  const { code = '', message } = error as { code?: string; message: string }
  if (error instanceof ForbiddenAddressError) return new NoConnectionError(message)
  if (unreachable.has(code)) return new NoConnectionError(code)
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return new NoAnswerError(`The answer is larger than ${maxAnswerBytes / 1024} KB`)
  return new NoAnswerError(`The answer is not complete: ${message} ${code}`.trim())
}

export const createOutgoing = ({
  production,
  webhookAllowPrivate,
}: Pick<Config, 'production' | 'webhookAllowPrivate'>): Outgoing => {
  const open = (mayBePrivate: boolean) =>
    createOutgoingClient(
      { webhookAllowPrivate: mayBePrivate },
      { connectMs: 10_000, keepAliveTimeout: 30_000, maxResponseSize: maxAnswerBytes },
    )
  const client = open(webhookAllowPrivate)
  const ownMachine = open(true)
  const clientOf = (url: string) => (mayBeLoopback(url, { production }) ? ownMachine : client)
  return {
    post: async (url, { headers, body, timeoutMs }) => {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const answer = await clientOf(url).request(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
          signal,
        })
        if (answer.statusCode < 200 || answer.statusCode > 299) {
          await answer.body.dump()
          throw new NoAnswerError(`The status is ${answer.statusCode}`)
        }
        return await answer.body.json()
      } catch (error) {
        throw signal.aborted ? new TooLateError() : noAnswerOf(error)
      }
    },
    close: async () => {
      await Promise.all([client.close(), ownMachine.close()])
    },
  }
}

/**
 * The move of `{"move": "…"}`. Ignores unknown fields.
 * @throws NoAnswerError
 */
export const readMove = (answer: unknown): string => {
  const { move } = (answer ?? {}) as { move?: unknown }
  if (typeof move === 'number' && Number.isSafeInteger(move)) return String(move)
  if (typeof move !== 'string' || !isStorable(move))
    throw new NoAnswerError('The body has no field `move` with text or a whole number')
  return move.slice(0, longestAnswer).trim().toUpperCase()
}
