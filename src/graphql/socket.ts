/** Queries, mutations and subscriptions over WebSocket with the protocol `graphql-transport-ws`. */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import {
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  getOperationAST,
} from 'graphql'
import { CloseCode } from 'graphql-ws'
import { useServer } from 'graphql-ws/use/ws'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { type Callers, type Context, isGoodCaller } from '../kit/access/context.ts'
import { readCallers, watchCallers } from '../kit/access/credentials.ts'
import { TesseraError } from '../kit/errors.ts'
import { sessionOfSocket } from '../kit/http/console-cookie.ts'
import { toTesseraError } from '../kit/http/error-mapping.ts'
import type { Parts } from '../kit/http/http-parts.ts'
import { pointsOfRequest } from '../kit/http/price.ts'
import { pointsOfOperation } from '../kit/http/rate-limit.ts'
import { exportGauge, type Metrics } from '../kit/observability/metrics.ts'
import { payerOf } from './budget.ts'
import type { GraphqlEngine } from './engine.ts'
import { coded, requestError, withoutHttp } from './faults.ts'
import type { Params } from './named-documents.ts'
import type { Recipient } from './shared-streams.ts'
import { endFloods, refuseUpgrade, silenceErrors } from './socket-guards.ts'
import { countRefused, logRun, measureRun, traceRun } from './telemetry.ts'

type Connection = { subscriptions: object; extra: { socket: WebSocket } }

/**
 * Exports the numbers of open WebSockets and of operations on them. Returns the function to call with each new
 * connection.
 */
const measureSockets = (
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
      return [[{}, numbers.reduce((sum, item) => sum + item, 0)]]
    },
  )
  return (connection) => void connections.set(connection.extra.socket, connection)
}

/** The most concurrent operations of one connection. */
export const maxOperations = 50
const maxMessageBytes = 100 * 1024
/** The time limit for `connection_init`. */
export const initTimeoutMs = 5_000
/** A client that does not answer a close in this time is disconnected, so that it cannot delay a stop. */
const closeTimeoutMs = 2_000

/** Close code of RFC 6455: the client may reconnect. */
const tryAgainLater = 1013

/** The state of a connection. */
type Known = {
  callers: Callers
  ip: string
  requestId: string
}

/** Headers of the upgrade, overridden by the connection parameters. */
const fieldsOf = (headers: IncomingHttpHeaders, params: Record<string, unknown> | undefined) => ({
  ...headers,
  ...Object.fromEntries(
    Object.entries(params ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  ),
})

const refusedOf = (callers: Callers) =>
  Object.values(callers).find((caller) => caller instanceof TesseraError)

const refuse = (...reason: Parameters<typeof requestError>) => [requestError(...reason)]

/** Execution arguments with the functions that execute them, including limits and masked errors. */
type Enveloped = Record<'execute' | 'subscribe', (args: ExecutionArgs) => Promise<never>> & {
  recipient: Recipient
}

type SocketParts = Pick<
  Parts,
  'runtime' | 'authenticate' | 'take' | 'admitConnection' | 'countRequest' | 'logAccess'
> & {
  addressOf(request: IncomingMessage): string
}

/** The document that is sent or named, or the reasons to refuse it. */
const readDocument = (
  { documents, named, validate }: GraphqlEngine,
  params: Params,
  callers: Callers,
) => {
  try {
    const { query, operationName } = named.resolve(params)
    const read = documents.read(String(query), (document) =>
      validate(document, operationName, callers),
    )
    if ('document' in read) named.keep(params, read.document)
    return read
  } catch (error) {
    return { errors: [error as GraphQLError] }
  }
}

type Answer = ExecutionResult | AsyncIterable<ExecutionResult>
type Run = (args: ExecutionArgs) => Promise<Answer>
type Executing = { execute: Run; subscribe: Run }

type Options = Parameters<typeof useServer<Record<string, unknown>, { known?: Known }>>[0]

/** Releases a connection from the limit of its address. */
type Releases = WeakMap<IncomingMessage, () => void>

/** Accepts a connection whose credentials are valid, and watches them while it lasts. */
const connectWith =
  (
    { runtime: { config }, authenticate, admitConnection, addressOf }: SocketParts,
    releases: Releases,
  ): NonNullable<Options['onConnect']> =>
  async ({ connectionParams, extra }) => {
    const { socket, request } = extra
    const fields = fieldsOf(request.headers, connectionParams)
    const ip = addressOf(request)
    const sent = { fields, address: ip, session: sessionOfSocket(request.headers, fields, config) }
    const callers = await readCallers(sent, authenticate).catch((error) =>
      socket.close(tryAgainLater, toTesseraError(error).message),
    )
    if (!callers) return false
    const refused = refusedOf(callers)
    if (refused) {
      socket.close(CloseCode.Forbidden, refused.message)
      return false
    }
    // The client may be gone already.
    if (socket.readyState !== socket.OPEN) return false
    const own = callers.secret ?? callers.member
    if (isGoodCaller(own)) {
      const leave = admitConnection(own, ip)
      if (!leave) {
        socket.close(tryAgainLater, 'Too many connections')
        return false
      }
      request.socket.once('close', leave)
      releases.get(request)?.()
    }
    extra.known = { callers, ip, requestId: randomUUID() }
    const stopWatching = watchCallers(callers, sent, authenticate, ({ message }) =>
      socket.close(CloseCode.Forbidden, message),
    )
    socket.once('close', stopWatching)
    return true
  }

/** Reads an operation and charges points for it. Returns its execution arguments, or the reasons to refuse it. */
const subscribeWith =
  (engine: GraphqlEngine, { take }: SocketParts): NonNullable<Options['onSubscribe']> =>
  async ({ subscriptions, extra: { known, socket } }, id, payload) => {
    const { variables } = payload
    // Some clients send an empty name.
    const operationName = payload.operationName || undefined
    if (!known) return refuse('INVALID_CREDENTIALS')
    // `subscriptions` includes this one.
    if (Object.keys(subscriptions).length > maxOperations)
      return refuse('RATE_LIMITED', { message: 'Too many operations on this connection' })
    const allowance = await take(payerOf(known.callers), known.ip, pointsOfOperation)
    if (allowance?.isExceeded) return refuse('RATE_LIMITED', { retryAfter: allowance.resetSeconds })
    const { schema, execute, subscribe } = engine.yoga.getEnveloped(known)
    const read = readDocument(engine, payload, known.callers)
    if ('errors' in read) return read.errors
    const { document } = read
    if (!getOperationAST(document, operationName)) return refuse('OPERATION_RESOLUTION_FAILURE')
    return {
      schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: { ...engine.contextOf(known), allowance },
      execute,
      subscribe,
      recipient: { socket, id },
    } as ExecutionArgs
  }

/** Wraps the functions. Each operation is counted when refused, and counted and logged when answered or opened. */
const counted = (
  { onSubscribe, execute, subscribe }: Required<Pick<Options, 'onSubscribe'>> & Executing,
  { countRequest, logAccess, runtime: { metrics, tracing } }: SocketParts,
): Pick<Options, 'onSubscribe'> & Executing => {
  const counting = (run: Run): Run => {
    const measured = logRun(logAccess, measureRun(metrics, run))
    return traceRun(tracing, async (args) => {
      const answer = await measured(args)
      const { callers } = args.contextValue as Context
      countRequest(payerOf(callers), 'errors' in answer && answer.errors !== undefined)
      return answer
    })
  }
  return {
    onSubscribe: async (connection, id, payload) => {
      const read = await onSubscribe(connection, id, payload)
      const { known } = connection.extra
      if (known && Array.isArray(read)) {
        countRequest(payerOf(known.callers), true)
        countRefused(metrics, read)
      }
      return read
    },
    execute: counting(execute),
    subscribe: counting(subscribe),
  }
}

/** Accepts upgrades at `/graphql` until the server closes. */
const acceptUpgrades = (
  app: FastifyInstance,
  sockets: WebSocketServer,
  { take, admitConnection, addressOf }: SocketParts,
  releases: Releases,
): void => {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  sockets.on('wsClientError', ({ message }, socket) => refuseUpgrade.invalid(socket, message))
  app.server.on('upgrade', async (request, socket, head) => {
    // A client may be gone at any moment, and nothing else handles errors of this socket yet.
    socket.on('error', () => socket.destroy())
    const ip = addressOf(request)
    const allowance = await take(null, ip, pointsOfRequest)
    if (isClosing) return refuseUpgrade.stopping(socket)
    const leave = allowance?.isExceeded ? null : admitConnection(null, ip)
    if (!leave) return refuseUpgrade.limited(socket)
    releases.set(request, leave)
    socket.once('close', leave)
    if (socket.destroyed) leave()
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      endFloods(webSocket)
      sockets.emit('connection', webSocket, request)
      silenceErrors(webSocket)
    })
  })
}

/** Accepts WebSockets at `/graphql`. Closes them with 1001 when the server stops. */
export const mountGraphqlSocket = (
  app: FastifyInstance,
  engine: GraphqlEngine,
  parts: SocketParts,
): void => {
  const { admit, mask, openShared } = engine
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    closeTimeout: closeTimeoutMs,
  } as ServerOptions) // whose type does not know `closeTimeout` yet
  const releases: Releases = new WeakMap()
  const operations = {
    onSubscribe: subscribeWith(engine, parts),
    // Invalid variables fail this operation, not its connection.
    execute: async (args: ExecutionArgs) => {
      try {
        return await (args as ExecutionArgs & Enveloped).execute(args)
      } catch (error) {
        return { errors: mask([error]) }
      }
    },
    subscribe: async (args: ExecutionArgs) => {
      const { subscribe, recipient } = args as ExecutionArgs & Enveloped
      try {
        const errors = await admit(args)
        if (errors.length > 0) return { errors }
        return (await openShared(args, recipient)) ?? (await subscribe(args))
      } catch (error) {
        return { errors: mask([error]) }
      }
    },
  }
  const watch = measureSockets(parts.runtime.metrics, sockets)
  const connect = connectWith(parts, releases)
  const options: Options = {
    connectionInitWaitTimeout: initTimeoutMs,
    onConnect: (connection) => {
      watch(connection)
      return connect(connection)
    },
    ...counted(operations, parts),
    onNext: (_, __, ___, ____, result) =>
      result.errors
        ? { ...result, errors: withoutHttp(coded(result.errors, 'INVALID_PARAMETERS')) }
        : result,
    onError: (_, __, ___, errors) => withoutHttp(errors as readonly GraphQLError[]),
  }
  const server = useServer<Record<string, unknown>, { known?: Known }>(options, sockets)
  acceptUpgrades(app, sockets, parts, releases)
  app.addHook('preClose', () => server.dispose() as Promise<void>)
}
