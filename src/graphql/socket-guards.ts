/** Protects WebSockets before their first operation. */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** The most messages of one connection per second, of any kind. */
const maxMessages = 100

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

/** Answers a refused upgrade request. */
export const rejectUpgrade = (socket: Duplex, status: string, header = '') =>
  socket.end(`HTTP/1.1 ${status}\r\n${header}Connection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  )
