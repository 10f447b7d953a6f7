/** Subscriptions over WebSocket, by the protocol `graphql-transport-ws`. */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type ExecutionArgs, GraphQLError, getOperationAST } from 'graphql'
import { CloseCode } from 'graphql-ws'
import { useServer } from 'graphql-ws/use/ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Callers, isGoodCaller } from './core/context.ts'
import { TesseraError } from './core/errors.ts'
import type { GraphqlServer } from './graphql-server.ts'
import { createSharing, type Recipient } from './graphql-shared.ts'
import { type Authenticate, readCallers } from './rest/credentials.ts'

/** Subscriptions of one connection at the same time. */
const maxSubscriptions = 50
/** New subscriptions of one connection in a second. */
const maxPerSecond = 20
const maxMessageBytes = 100 * 1024
/** A revoked key closes its connections within five seconds, with the memory of keys counted in. */
const checkMs = 1_000
/** Connections that have not been introduced by `connection_init`. */
const initTimeoutMs = 5_000

/** What stays known of a connection. */
type Known = {
  callers: Callers
  ip: string
  requestId: string
  /** Starts of subscriptions in this second. */
  started: { second: number; count: number }
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

const countStart = ({ started }: Known) => {
  const second = Math.floor(Date.now() / 1000)
  if (started.second !== second) Object.assign(started, { second, count: 0 })
  started.count++
  return started.count <= maxPerSecond
}

const refuse = (message: string, code: string) => [
  new GraphQLError(message, { extensions: { code } }),
]

/** Arguments that carry the functions to be executed by, limits and masked errors included. */
type Enveloped = Record<'execute' | 'subscribe', (args: ExecutionArgs) => Promise<never>> & {
  recipient: Recipient
}

/** Takes WebSockets at `/graphql`. They are closed with 1001 when the server stops. */
export const mountGraphqlSocket = (
  app: FastifyInstance,
  { yoga, contextOf, faultsOf, mask }: GraphqlServer,
  {
    authenticate,
    addressOf,
  }: { authenticate: Authenticate; addressOf(request: IncomingMessage): string },
): void => {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  })
  const checks = new Map<WebSocket, NodeJS.Timeout>()
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
        const callers = await readCallers(fields, authenticate)
        const refused = refusedOf(callers)
        if (refused) {
          socket.close(CloseCode.Forbidden, refused.message)
          return false
        }
        extra.known = {
          callers,
          ip: addressOf(request),
          requestId: randomUUID(),
          started: { second: 0, count: 0 },
        }
        if (!Object.values(callers).some(isGoodCaller)) return true
        const check = setInterval(async () => {
          const now = await readCallers(fields, authenticate).catch(() => callers)
          const ended = refusedOf(now)
          if (ended) socket.close(CloseCode.Forbidden, ended.message)
        }, checkMs)
        checks.set(socket, check.unref())
        return true
      },
      onDisconnect: ({ extra: { socket } }) => {
        clearInterval(checks.get(socket))
        checks.delete(socket)
      },
      onSubscribe: ({ subscriptions, extra: { known, socket } }, id, payload) => {
        const { query, operationName, variables } = payload
        if (!known) return refuse('Forbidden', 'FORBIDDEN')
        // The one that is asked for is among them.
        if (Object.keys(subscriptions).length > maxSubscriptions || !countStart(known))
          return refuse('Too many subscriptions on this connection', 'RATE_LIMITED')
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

  app.server.on('upgrade', (request, socket, head) => {
    // A client may be gone at any moment; nobody else listens on this socket yet.
    socket.on('error', () => socket.destroy())
    const [path] = (request.url ?? '').split('?')
    if (path !== '/graphql') {
      const answer = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
      socket.end(answer, () => socket.destroy())
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      sockets.emit('connection', webSocket, request),
    )
  })
  app.addHook('preClose', async () => {
    await server.dispose()
  })
}
