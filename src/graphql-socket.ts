/** Subscriptions over WebSocket, by the protocol `graphql-transport-ws`. */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type ExecutionArgs, GraphQLError, getOperationAST } from 'graphql'
import { CloseCode } from 'graphql-ws'
import { useServer } from 'graphql-ws/use/ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Callers, isGoodCaller } from './core/context.ts'
import { TesseraError } from './core/errors.ts'
import type { TakeSeat } from './core/seats.ts'
import type { GraphqlServer } from './graphql-server.ts'
import { createSharing, type Recipient } from './graphql-shared.ts'
import { type Authenticate, readCallers, watchCallers } from './rest/credentials.ts'
import type { Count } from './rest/rate-limit.ts'

/** Subscriptions of one connection at the same time. */
const maxSubscriptions = 50
/** Messages of one connection in a second, of whatever kind. */
const maxMessages = 100
const maxMessageBytes = 100 * 1024
/** Connections that have not been introduced by `connection_init`. */
const initTimeoutMs = 5_000

/** Close code of RFC 6455: the client may come again. */
const tryAgainLater = 1013

/** What stays known of a connection. */
type Known = {
  callers: Callers
  ip: string
  requestId: string
}

/** Header fields of the upgrade, and the connection parameters, which win. */
const fieldsOf = (headers: IncomingHttpHeaders, params: Record<string, unknown> | undefined) => ({
  ...headers,
  ...Object.fromEntries(
    Object.entries(params ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  ),
})

const refusedOf = (callers: Callers) =>
  Object.values(callers).find((caller) => caller instanceof TesseraError)

/** Ends a connection that floods: messages that begin nothing are counted nowhere else. */
const endFloods = (socket: WebSocket) => {
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

/** Answers a request for a WebSocket that is not taken. */
const turnAway = (socket: Duplex, status: string, header = '') =>
  socket.end(`HTTP/1.1 ${status}\r\n${header}Connection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  )

const refuse = (message: string, code: string) => [
  new GraphQLError(message, { extensions: { code } }),
]

/** Arguments that carry the functions to be executed by, limits and masked errors included. */
type Enveloped = Record<'execute' | 'subscribe', (args: ExecutionArgs) => Promise<never>> & {
  recipient: Recipient
}

export type SocketParts = {
  authenticate: Authenticate
  count: Count
  takeSeat: TakeSeat
  addressOf(request: IncomingMessage): string
}

/** Takes WebSockets at `/graphql`. They are closed with 1001 when the server stops. */
export const mountGraphqlSocket = (
  app: FastifyInstance,
  { yoga, contextOf, faultsOf, mask }: GraphqlServer,
  { authenticate, count, takeSeat, addressOf }: SocketParts,
): void => {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  })
  /** Gives back the seat that a connection has at its address. */
  const leaveAddress = new WeakMap<IncomingMessage, () => void>()
  const openShared = createSharing({
    context: contextOf({ callers: {}, ip: '', requestId: 'shared' }),
    mask,
  })
  const server = useServer<Record<string, unknown>, { known?: Known }>(
    {
      connectionInitWaitTimeout: initTimeoutMs,
      onConnect: async ({ connectionParams, extra }) => {
        const { socket, request } = extra
        const fields = fieldsOf(request.headers, connectionParams)
        const ip = addressOf(request)
        const callers = await readCallers(fields, ip, authenticate)
        const refused = refusedOf(callers)
        if (refused) {
          socket.close(CloseCode.Forbidden, refused.message)
          return false
        }
        // The client may be gone already.
        if (socket.readyState !== socket.OPEN) return false
        const own = callers.secret ?? callers.member
        if (isGoodCaller(own)) {
          const leave = takeSeat(own, ip)
          if (!leave) {
            socket.close(tryAgainLater, 'Too many connections')
            return false
          }
          request.socket.once('close', leave)
          leaveAddress.get(request)?.()
        }
        extra.known = { callers, ip, requestId: randomUUID() }
        const stopWatching = watchCallers(callers, fields, ip, authenticate, ({ message }) =>
          socket.close(CloseCode.Forbidden, message),
        )
        socket.once('close', stopWatching)
        return true
      },
      onSubscribe: async ({ subscriptions, extra: { known, socket } }, id, payload) => {
        const { query, operationName, variables } = payload
        if (!known) return refuse('Forbidden', 'FORBIDDEN')
        // The one that is asked for is among them.
        if (Object.keys(subscriptions).length > maxSubscriptions)
          return refuse('Too many subscriptions on this connection', 'RATE_LIMITED')
        const { secret, member, public: key } = known.callers
        const counted = await count([secret, member, key].find(isGoodCaller) ?? null, known.ip)
        if (counted?.isExceeded) return refuse('Too many requests', 'RATE_LIMITED')
        const { schema, execute, subscribe, parse, validate } = yoga.getEnveloped(known as never)
        let document: ExecutionArgs['document']
        try {
          document = parse(query)
        } catch (error) {
          return [error as GraphQLError]
        }
        if (getOperationAST(document, operationName)?.operation !== 'subscription')
          return refuse('Send queries and mutations by HTTP', 'BAD_REQUEST')
        const errors = validate(schema, document)
        if (errors.length > 0) return errors
        return {
          schema,
          document,
          operationName,
          variableValues: variables,
          contextValue: contextOf(known),
          execute,
          subscribe,
          recipient: { socket, id },
        } as ExecutionArgs
      },
      execute: (args) => (args as unknown as Enveloped).execute(args),
      subscribe: async (args) => {
        const { subscribe, recipient } = args as unknown as Enveloped
        try {
          const errors = faultsOf(args)
          if (errors.length > 0) return { errors }
          return (await openShared(args, recipient)) ?? (await subscribe(args))
        } catch (error) {
          // Variables that cannot be read are the fault of this subscription, not of its connection.
          return { errors: mask([error]) }
        }
      },
    },
    sockets,
  )

  app.server.on('upgrade', async (request, socket, head) => {
    // A client may be gone at any moment; nobody else listens on this socket yet.
    socket.on('error', () => socket.destroy())
    const [path] = (request.url ?? '').split('?')
    if (path !== '/graphql') return turnAway(socket, '404 Not Found')
    const ip = addressOf(request)
    const counted = await count(null, ip)
    const leave = counted?.isExceeded ? null : takeSeat(null, ip)
    if (!leave) return turnAway(socket, '429 Too Many Requests', 'Retry-After: 1\r\n')
    leaveAddress.set(request, leave)
    socket.once('close', leave)
    if (socket.destroyed) leave()
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      endFloods(webSocket)
      sockets.emit('connection', webSocket, request)
    })
  })
  app.addHook('preClose', async () => {
    await server.dispose()
  })
}
