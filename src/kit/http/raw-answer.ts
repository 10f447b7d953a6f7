/** Answers on a connection whose request never becomes a request of the server: invalid HTTP, or a refused upgrade. */
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Answers with JSON and closes the connection. */
export const endWithJson = (
  socket: Duplex,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void => {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () =>
    socket.destroy(),
  )
}
