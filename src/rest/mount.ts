/** Mounts the routes on the HTTP server, with access, rate limits, body limits and idempotency. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../kit/access/context.ts'
import { authenticateRoute, fieldTextOf } from '../kit/access/credentials.ts'
import { type ErrorCode, TesseraError } from '../kit/errors.ts'
import { toTesseraError } from '../kit/http/error-mapping.ts'
import { revalidated, vary } from '../kit/http/etag.ts'
import { exposedHeaders, type Parts } from '../kit/http/http-parts.ts'
import { decorateForReplay, replayHooks } from '../kit/http/idempotent-replay.ts'
import { pointsOfRequest } from '../kit/http/price.ts'
import type { Method, Route } from './route.ts'
import { routes } from './routes.ts'
import { prepare, type Run } from './run.ts'

const allowedHeaders =
  'content-type, x-api-key, x-request-id, idempotency-key, x-session-token, x-user-token'

/** Pages of any origin may use public keys. REST takes no cookies, so CORS credentials are not allowed. */
const allowAnyOrigin = (reply: FastifyReply) => {
  reply.header('access-control-allow-origin', '*')
  reply.header('access-control-expose-headers', exposedHeaders)
}

/**
 * Which caches may store the answer: all, if it is public; the client alone, which then asks whether it is current; none, if
 * something was done.
 */
const cachingOf = ({ key, method }: Route): Record<string, string> => {
  if (method !== 'GET') return { 'cache-control': 'no-store' }
  return { vary, ...(key !== 'anyone' && { 'cache-control': revalidated }) }
}

const isForBrowsers = ({ key, path }: Route) =>
  key === 'public' || (key === 'anyone' && path.startsWith('/v1/'))

const mountPreflights = (app: FastifyInstance, publicRoutes: Route[]) => {
  for (const [url, routes] of Map.groupBy(publicRoutes, ({ path }) => fastifyPath(path))) {
    // HEAD is served where GET is.
    const methods: string[] = routes.flatMap(({ method }) =>
      method === 'GET' ? ['GET', 'HEAD'] : method,
    )
    app.options(url, async (request, reply) => {
      reply.code(204)
      // Another method of the same path may be for backends only.
      const wanted = request.headers['access-control-request-method']
      if (wanted !== undefined && !methods.includes(wanted)) return reply.send()
      allowAnyOrigin(reply)
      return reply
        .header('access-control-allow-methods', methods.join(', '))
        .header('access-control-allow-headers', allowedHeaders)
        .header('access-control-max-age', '86400')
        .send()
    })
  }
}

/** Every method of REST. HEAD is served where GET is. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Refuses the methods that a path does not have. */
const mountOtherMethods = (app: FastifyInstance, { limit }: Parts): void => {
  // Routes of one path may name its parameters differently.
  const paths = Map.groupBy(routes, ({ path }) => path.replace(/\{\w+\}/g, '{}'))
  for (const some of paths.values()) {
    const known = some.map(({ method }) => method)
    const allowed = known.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method))
    app.route({
      method: methods.filter((method) => !known.includes(method)),
      url: fastifyPath((some[0] as Route).path),
      onRequest: async (request, reply) => {
        await limit(request, reply, null)
        reply.header('allow', allowed.join(', '))
        throw new TesseraError('METHOD_NOT_ALLOWED', { message: `Use ${known.join(' or ')}` })
      },
      handler: () => {},
    })
  }
}

/**
 * Answers a server fault with the error that the route documents for it. A full queue and an unavailable
 * database are not faults: the caller can retry.
 */
const nameFailure = (error: unknown, failure: ErrorCode): unknown => {
  const { status } = toTesseraError(error)
  if (status !== 500) return error
  return new TesseraError(failure, { cause: error })
}

const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

export const mountRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { runtime, schema, authenticate, limit } = parts
  app.decorateRequest('caller', null)
  decorateForReplay(app)
  for (const route of routes) {
    let run: Run | undefined
    const { method, path, failure } = route
    const caching = cachingOf(route)
    const isOpen = isForBrowsers(route)
    app.route({
      method: method satisfies Method,
      url: fastifyPath(path),
      bodyLimit: route.bodyLimit,
      ...(failure && {
        errorHandler: (error: unknown) => {
          throw nameFailure(error, failure)
        },
      }),
      onRequest: async (request, reply) => {
        if (isOpen) allowAnyOrigin(reply)
        reply.headers(caching)
        request.caller = await authenticateRoute(request, route, authenticate).catch(
          async (error) => {
            // A caller whose credential could not be looked up is not necessarily anonymous.
            if (toTesseraError(error).status < 500) await limit(request, reply, null)
            throw error
          },
        )
        await limit(request, reply, request.caller)
      },
      ...(method === 'POST' && replayHooks(runtime)),
      // Prepared on first use: preparing all routes would take a tenth of the startup time.
      handler: (request, reply) => {
        run ??= prepare(schema, route)
        return run(request, reply, {
          ...runtime,
          callers: request.caller ? { [request.caller.kind]: request.caller } : {},
          requestId: request.id,
          ip: request.ip,
          header: (name) => fieldTextOf(request.headers, name),
          charge: async (points) => {
            const more = points - pointsOfRequest
            const further = { paid: pointsOfRequest, takesRest: true }
            if (more > 0) await limit(request, reply, request.caller, more, further)
          },
          ...(route.personal &&
            request.caller?.kind === 'public' && {
              publicProfiles: request.caller.publicProfiles,
            }),
        } satisfies Context)
      },
    })
  }
  mountOtherMethods(app, parts)
  mountPreflights(app, routes.filter(isForBrowsers))
}
