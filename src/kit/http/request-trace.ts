/** The span of each HTTP request. A request continues the trace that its `traceparent` names. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/context.ts'
import type { Span, Tracing } from '../observability/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if there are no traces. */
    span: Span | null
  }
}

/** Health probes and metric scrapes, which come all the time. */
const untraced = new Set(['/livez', '/readyz', '/metrics'])

/** The caller of a request as attributes, without personal data. */
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
    // Also ends the span of a request whose client has disconnected.
    reply.raw.once('close', () => endSpan(tracing, span, request, reply))
    tracing.within(span, done)
  })
  // After a body was read, later hooks run in the context of the socket, so the span is entered again.
  app.addHook('preValidation', ({ span }, _, done) => (span ? tracing.within(span, done) : done()))
}
