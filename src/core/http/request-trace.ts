/** The span of each HTTP request. A request continues the trace that its `traceparent` names. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../context.ts'
import type { Span, Tracing } from '../trace/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if there are no traces. */
    span: Span | null
  }
}

/** Probes of machines, which come all the time. */
const untraced = new Set(['/livez', '/readyz', '/metrics'])

/** Whom a request is from, without a person. */
export const callerAttributesOf = (caller: Caller | null) => ({
  ...(caller && {
    'tessera.partner.id': caller.partnerId,
    'tessera.environment': caller.environment,
    ...('keyId' in caller && { 'tessera.key.id': caller.keyId }),
  }),
})

const endSpan = (tracing: Tracing, span: Span, request: FastifyRequest, reply: FastifyReply) => {
  const { statusCode } = reply
  span.setAttributes({
    'http.response.status_code': statusCode,
    ...callerAttributesOf(request.caller),
  })
  if (statusCode >= 500) tracing.fail(span, request.answeredError ?? String(statusCode))
  span.end()
}

/** Makes a span for each request, in which its hooks and its handler run. */
export const traceRequests = (app: FastifyInstance, tracing: Tracing): void => {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, id } = request
    const route = request.routeOptions.url
    if (route && untraced.has(route)) return done()
    const span = tracing.start({
      name: route ? `${method} ${route}` : method,
      kind: 'SERVER',
      parent: tracing.parentIn(request.headers) ?? null,
      attributes: {
        'http.request.method': method,
        ...(route && { 'http.route': route }),
        'tessera.request.id': id,
      },
    })
    request.span = span
    // Also of a request whose client has gone.
    reply.raw.once('close', () => endSpan(tracing, span, request, reply))
    tracing.within(span, done)
  })
  // Where a body was read, the socket has called what follows.
  app.addHook('preValidation', ({ span }, _, done) => (span ? tracing.within(span, done) : done()))
}
