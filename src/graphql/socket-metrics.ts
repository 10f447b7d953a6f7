import type { WebSocket, WebSocketServer } from 'ws'
import { exportGauge, type Metrics } from '../kit/observability/metrics.ts'

type Connection = { subscriptions: object; extra: { socket: WebSocket } }

/**
 * Exports the numbers of open WebSockets and of operations on them. Returns the function to call with each new
 * connection.
 */
export const measureSockets = (
  { registry }: Metrics,
  { clients }: WebSocketServer,
): ((connection: Connection) => void) => {
  const connections = new WeakMap<WebSocket, Connection>()
  exportGauge(registry, { name: 'tessera_websockets', help: 'Open WebSockets of GraphQL' }, () => [
    [{}, clients.size],
  ])
  exportGauge(
    registry,
    {
      name: 'tessera_websocket_operations',
      help: 'Operations under way on WebSockets; most are subscriptions',
    },
    () => {
      const numbers = Array.from(
        clients,
        (socket) => Object.keys(connections.get(socket)?.subscriptions ?? {}).length,
      )
      return [[{}, numbers.reduce((sum, one) => sum + one, 0)]]
    },
  )
  return (connection) => void connections.set(connection.extra.socket, connection)
}
