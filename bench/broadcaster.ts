/**
 * A rival of row 8: `ws` sending the same bytes to all connections. A control connection sends
 * `BROADCAST <length>` and the bytes; each byte that follows has them sent once.
 */
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { createServer as createNetServer } from 'node:net'
import { WebSocketServer } from 'ws'

const http = createServer((request, response) => {
  response.writeHead(request.url === '/readyz' ? 200 : 404).end()
})
const sockets = new WebSocketServer({ server: http, perMessageDeflate: false })

const control = (socket: Socket, first: Buffer) => {
  let buffer = first
  let bytes: string | undefined
  const take = () => {
    if (bytes === undefined) {
      const [line = ''] = buffer.toString('latin1').split('\n', 1)
      const length = Number(line.slice('BROADCAST '.length))
      if (!length || buffer.length < line.length + 1 + length) return
      bytes = buffer.toString('utf8', line.length + 1, line.length + 1 + length)
      buffer = buffer.subarray(line.length + 1 + length)
    }
    for (let i = 0; i < buffer.length; i++) for (const client of sockets.clients) client.send(bytes)
    buffer = Buffer.alloc(0)
  }
  socket.on('data', (data: Buffer) => {
    buffer = Buffer.concat([buffer, data])
    take()
  })
  socket.on('error', () => {})
  take()
}

// One port for both: a connection that does not speak HTTP is the control connection.
createNetServer((socket) => {
  socket.once('data', (data: Buffer) => {
    if (data.toString('latin1', 0, 10) === 'BROADCAST ') return control(socket, data)
    socket.pause()
    http.emit('connection', socket)
    socket.unshift(data)
    socket.resume()
  })
  socket.on('error', () => {})
}).listen(Number(process.env.PORT), '127.0.0.1')
