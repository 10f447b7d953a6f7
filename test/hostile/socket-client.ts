/** WebSockets to a server that is attacked. */
import { WebSocket } from 'ws'
import type { HostileServer } from './hostile-server.ts'

/** Opens a connection without credentials. */
export const openSocket = async ({ base }: Pick<HostileServer, 'base'>): Promise<WebSocket> => {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send('{"type":"connection_init"}')
  await new Promise((resolve) => socket.once('message', resolve))
  return socket
}

/**
 * Starts an operation and returns the first answer.
 * @param payload an object, or its JSON
 */
export const subscribe = (socket: WebSocket, payload: object | string, id: string) =>
  new Promise<{ type: string; payload: unknown }>((resolve, reject) => {
    const read = (data: unknown) => {
      const message = JSON.parse(String(data))
      if (message.id !== id) return
      socket.off('message', read)
      socket.off('close', reject)
      resolve(message)
    }
    socket.on('message', read)
    socket.once('close', reject)
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
    socket.send(`{"id":${JSON.stringify(id)},"type":"subscribe","payload":${text}}`)
  })
