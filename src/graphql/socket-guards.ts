/** Protects WebSockets before their first operation. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { TesseraError } from '../kit/errors.ts'
import { endWithJson } from '../kit/http/http-parts.ts'
import { errorAnswerOf } from './faults.ts'

/** The most messages of one connection per second, of any kind. */
export const maxMessages = 100

/** Ends a connection that floods: messages that start no operation have no other limit. */
export const endFloods = (socket: WebSocket) => {
  let second = 0
  let count = 0
  socket.on('message', () => {
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) {
      second = now
      count = 0
    }
    if (++count > maxMessages) socket.terminate()
  })
}

/**
 * Keeps `graphql-ws` from printing a stack for each invalid frame, which anybody can send. `ws` has already closed the
 * connection with the code of the fault.
 */
export const silenceErrors = (socket: WebSocket) => {
  socket.removeAllListeners('error')
  socket.on('error', () => {})
}

/**
 * Whether a request is taken off HTTP, to become a WebSocket. Any other protocol that a client offers is ignored, and
 * its request is answered (RFC 9110, 7.8): clients such as that of Java offer `h2c` with every request.
 */
export const isUpgrade = ({ method, url, headers: { upgrade } }: IncomingMessage): boolean =>
  method === 'GET' &&
  upgrade?.toLowerCase() === 'websocket' &&
  (url === '/graphql' || url?.startsWith('/graphql?') === true)

/** Answers a refused upgrade, in the shape of GraphQL. */
const refuse = (socket: Duplex, error: TesseraError, more: Record<string, string> = {}): void => {
  const { status, body, headers } = errorAnswerOf(error)
  endWithJson(socket, status, body, { ...headers, ...more })
}

export const refuseUpgrade = {
  /** The client may choose one of these versions. */
  invalid: (socket: Duplex, message: string) =>
    refuse(socket, new TesseraError('BAD_REQUEST', { message }), {
      'Sec-WebSocket-Version': '13, 8',
    }),
  stopping: (socket: Duplex) =>
    refuse(
      socket,
      new TesseraError('UNAVAILABLE', {
        message: 'The server is stopping; nothing was done',
        retryAfter: 1,
      }),
    ),
  limited: (socket: Duplex) =>
    refuse(socket, new TesseraError('RATE_LIMITED', { limit: null, current: null, retryAfter: 1 })),
}
