/** One HTTP server for REST, GraphQL, pages and health. */
import { randomUUID } from 'node:crypto'
import proxyAddr from '@fastify/proxy-addr'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { widgetDocuments } from '../packages/widgets/src/all-documents.ts'
import { authenticateSession, createSessionToken } from './accounts/console-session.ts'
import { authenticate } from './accounts/key-authentication.ts'
import { authenticateMember, SignIn } from './accounts/sign-in.ts'
import { mountExports } from './exports/export-link.ts'
import { isForGraphql, sendGraphqlError } from './graphql/faults.ts'
import { mountGraphql } from './graphql/graphql-server.ts'
import { mountGraphqlSocket } from './graphql/socket.ts'
import { isUpgrade } from './graphql/socket-guards.ts'
import type { Config } from './kit/config/config.ts'
import type { Database } from './kit/database/db.ts'
import { TesseraError } from './kit/errors.ts'
import { accessOf, createAccessLog, type LogAccess } from './kit/http/access-log.ts'
import { createConnectionLimit, DrainingServer, mountDraining } from './kit/http/draining-server.ts'
import { faultLevel, toTesseraError } from './kit/http/error-mapping.ts'
import { type Limited, mountHealth, type ServerState } from './kit/http/health.ts'
import type { Parts } from './kit/http/http-parts.ts'
import { createLimits } from './kit/http/rate-limit.ts'
import {
  answerNodeRefusals,
  headAsGet,
  parseBodies,
  refuseFaultyUrls,
  routeFaultyUrls,
} from './kit/http/request-text.ts'
import { traceRequests } from './kit/http/request-trace.ts'
import type { Runtime } from './kit/runtime.ts'
import { mountDrawFiles } from './lotteries/draw-files.ts'
import { mountArena } from './pages/arena.ts'
import { mountCampaignPage } from './pages/campaign-page.ts'
import { consoleDocuments } from './pages/console-documents.ts'
import { mountConsolePage } from './pages/console-page.ts'
import { mountConsoleSession } from './pages/console-sign-in.ts'
import { mountDraws } from './pages/draw-page.ts'
import { mountGuides } from './pages/guides.ts'
import { mountHome } from './pages/home.ts'
import { isOfPerson, sendNotFoundPage } from './pages/not-found-page.ts'
import { mountPlayCheck } from './pages/play-check-page.ts'
import { mountReference } from './pages/rest-reference.ts'
import { mountSecurityTxt } from './pages/security-txt.ts'
import { ownDocuments } from './pages/spectators/wire.ts'
import { mountSpectators } from './pages/spectators.ts'
import { mountWidgets } from './pages/widgets.ts'
import { answerClientError, refuseTunnel, sendError } from './rest/answer.ts'
import { mountRoutes } from './rest/mount.ts'
import { schema } from './schema.ts'
import { countRequest } from './statistics/request-count.ts'

const requestIdFormat = /^[\w.:-]{1,64}$/

/** Whether to take the caller's address from the headers of a proxy, by the address and distance of the proxy. */
const trusted = ({ trustProxy = [] }: Config) =>
  typeof trustProxy === 'number'
    ? (_: string, distance: number) => distance < trustProxy
    : proxyAddr.compile(trustProxy)

type IsTrusted = ReturnType<typeof trusted>

/** A server with its limits, without any route. */
const createFastify = ({ config, log }: Runtime, isTrusted: IsTrusted): FastifyInstance =>
  Fastify({
    loggerInstance: log as FastifyBaseLogger,
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 256 * 1024,
    ...(config.trustProxy && { trustProxy: isTrusted }),
    genReqId: ({ headers }) => {
      const sent = headers['x-request-id']
      return typeof sent === 'string' && requestIdFormat.test(sent) ? sent : randomUUID()
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: false,
    serverFactory: (handler) =>
      new DrainingServer(
        {
          requestTimeout: 30_000,
          headersTimeout: 10_000,
          connectionsCheckingInterval: 5_000,
          keepAliveTimeout: 72_000,
          shouldUpgradeCallback: isUpgrade,
          requireHostHeader: false,
        },
        routeFaultyUrls(headAsGet(handler, (url) => url.startsWith('/graphql'))),
      ),
    routerOptions: { maxParamLength: 4096 },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      const send = isForGraphql(request) ? sendGraphqlError : sendError
      return send(request, reply, toTesseraError(error))
    },
  })

/** The defaults of every request: body parsing, response headers, metrics, the access log and errors. */
const addDefaults = (
  app: FastifyInstance,
  runtime: Runtime,
  { isDraining }: ServerState,
  logAccess: LogAccess | undefined,
): void => {
  const { config, log, metrics, tracing } = runtime
  const isHttps = config.publicUrl.startsWith('https:')
  answerNodeRefusals(app)
  app.server.on('connect', (_, socket) => refuseTunnel(socket))
  parseBodies(app)
  refuseFaultyUrls(app)
  app.decorateRequest('operations', null)
  app.decorateRequest('span', null)
  if (tracing) traceRequests(app, tracing)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (isHttps) reply.header('strict-transport-security', 'max-age=31536000')
    // A request without a body has no content type, whatever the client sends.
    if (request.headers['content-length'] === '0') delete request.headers['content-type']
    done()
  })
  mountDraining(app, isDraining)
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const labels = { method, route: request.routeOptions.url ?? '', status: reply.statusCode }
    metrics.requestSeconds.observe(labels, reply.elapsedTime / 1000)
    if (reply.statusCode >= 400) metrics.httpErrors.inc({ code: request.answeredError ?? 'OTHER' })
    countRequest(runtime, request.caller, reply.statusCode >= 400 || request.hasErrors)
    logAccess?.(accessOf(request, reply))
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    const known = toTesseraError(error)
    if (known.status >= 500)
      log[faultLevel(error, known)]({ err: error, requestId: request.id }, 'a request failed')
    return sendError(request, reply, known)
  })
  app.setNotFoundHandler((request, reply) =>
    isOfPerson(request)
      ? sendNotFoundPage(request, reply)
      : sendError(request, reply, new TesseraError('ROUTE_NOT_FOUND')),
  )
}

/**
 * Builds the server without listening.
 * @param demoKey a public key that GraphiQL fills in
 */
export const createApp = async (
  runtime: Runtime,
  database: Database,
  state: ServerState,
  demoKey?: string,
): Promise<FastifyInstance> => {
  const { config } = runtime
  const isTrusted = trusted(config)
  const app = createFastify(runtime, isTrusted)
  const logAccess = createAccessLog(runtime)
  addDefaults(app, runtime, state, logAccess)
  const { limit, take } = await createLimits(app, runtime)
  const admitConnection = createConnectionLimit(runtime)
  const parts: Parts = {
    runtime,
    schema,
    authenticate: {
      key: (...sent) => authenticate(runtime, ...sent),
      member: (token, environment) => authenticateMember(runtime, token, environment),
      session: (token, environment) => authenticateSession(runtime, token, environment),
    },
    limit,
    take,
    admitConnection,
    countRequest: (caller, isError) => countRequest(runtime, caller, isError),
    logAccess,
  }
  mountRoutes(app, parts)
  mountExports(app, parts)
  const pageDocuments = [...ownDocuments, ...consoleDocuments, ...widgetDocuments]
  mountGraphqlSocket(app, mountGraphql(app, parts, { ownDocuments: pageDocuments, demoKey }), {
    ...parts,
    addressOf: (request) => proxyAddr(request, isTrusted),
  })
  mountConsoleSession(app, parts, {
    input: SignIn,
    tokenOf: (caller) => createSessionToken(runtime, caller),
  })
  mountHome(app, parts)
  await mountConsolePage(app, parts)
  await mountCampaignPage(app, parts)
  await mountSpectators(app, parts)
  await mountArena(app, parts)
  mountWidgets(app)
  await mountDraws(app, parts, (scope) => mountDrawFiles(scope, parts))
  const limited: Limited = {
    onRequest: async (request, reply) => void (await limit(request, reply, null)),
  }
  mountPlayCheck(app)
  mountGuides(app, config, limited)
  await mountReference(app, config, limited)
  mountSecurityTxt(app, runtime)
  mountHealth(app, database, runtime, limited, state)
  return app
}
