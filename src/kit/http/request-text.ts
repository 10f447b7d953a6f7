/** Requests as text: bodies and URLs that are UTF-8, and the requests that Node.js would refuse or duplicate. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, RequestListener } from 'node:http'
import type {
  FastifyBodyParser,
  FastifyContentTypeParser,
  FastifyInstance,
  FastifyRequest,
} from 'fastify'
import { type FieldError, TesseraError } from '../errors.ts'

const charset = /;\s*charset\s*=\s*"?([^";\s]*)/gi
const isOurs = ([, name = '']: string[]) => /^utf-?8$/i.test(name)

/** @throws TesseraError UNSUPPORTED_MEDIA_TYPE for a body that is declared to be compressed, or no UTF-8 */
const checkHeaders = ({ headers }: FastifyRequest): void => {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
  if (encoding.toLowerCase() !== 'identity')
    throw new TesseraError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'The body must not be compressed: leave out Content-Encoding',
    })
  if (type !== 'application/json' && ![...type.matchAll(charset)].every(isOurs))
    throw new TesseraError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'The charset of the body must be UTF-8',
    })
}

/**
 * The text of a body. In another encoding its bytes would become U+FFFD, and different texts the same.
 * @throws TesseraError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON
 */
export const bodyText = (request: FastifyRequest, body: Buffer): string => {
  checkHeaders(request)
  if (!isUtf8(body))
    throw new TesseraError('MALFORMED_JSON', { message: 'The request body is not UTF-8' })
  return body.toString('utf8')
}

/** Accepts an empty body of any type, or of none: only its end shows that a chunked body is empty. */
const parseNothing: FastifyContentTypeParser = (request, payload, done) => {
  if (request.is404) return done(null)
  payload
    .once('data', () => done(new TesseraError('UNSUPPORTED_MEDIA_TYPE')))
    .once('end', () => done(null))
    .once('error', done)
}

/** Bodies are JSON, or empty. */
export const parseBodies = (app: FastifyInstance): void => {
  const parseJson = app.getDefaultJsonParser('remove', 'remove') as FastifyBodyParser<string>
  const parse: FastifyBodyParser<Buffer> = (request, body, done) =>
    body.length === 0 ? done(null) : parseJson(request, bodyText(request, body), done)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
  app.addContentTypeParser('*', parseNothing)
}

/** Where the escapes of a URL are not UTF-8: the numbers of segments of its path, and keys of its query. */
type Faults = { segments: number[]; keys: string[] }

const faultsBy = new WeakMap<IncomingMessage, Faults>()

/** Whether the escapes of a text are UTF-8. */
export const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const parts = /^([^?#]*)(?:[?#](.*))?$/s
/** What a target in absolute form begins with. */
const origin = /^https?:\/\/[^/?#]*/i

/**
 * Routes a request with a faulty URL as if the faulty parts were others. `refuseFaultyUrls` answers it, with the names
 * that the route has for them.
 */
export const routeFaultyUrls =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    const { url = '' } = request
    if (url.includes('%') && !isDecodable(url)) {
      const [, path = '', query = ''] = parts.exec(url.replace(origin, '')) ?? []
      const segments = path.split('/')
      const faults = {
        segments: segments.flatMap((segment, index) => (isDecodable(segment) ? [] : [index])),
        keys: query
          .split('&')
          .flatMap((pair) => (isDecodable(pair) ? [] : [pair.split('=')[0] ?? ''])),
      }
      if (faults.segments.length + faults.keys.length > 0) {
        faultsBy.set(request, faults)
        request.url = segments.map((segment) => (isDecodable(segment) ? segment : '-')).join('/')
      }
    }
    return handler(request, response)
  }

const fault = (field: string): FieldError => ({
  field,
  code: 'invalid',
  message: `${field} must be UTF-8, with percent-encoding`,
})

/** Answers requests with faulty URLs to any route, after their callers were identified. */
export const refuseFaultyUrls = (app: FastifyInstance): void => {
  app.addHook('preValidation', ({ raw, routeOptions }, _, done) => {
    const faults = faultsBy.get(raw)
    if (!faults) return done()
    const pattern = routeOptions.url?.split('/') ?? []
    const names = [
      ...faults.segments.map((index) => /^:(\w+)$/.exec(pattern[index] ?? '')?.[1] ?? 'path'),
      ...faults.keys.map((key) => (isDecodable(key) && key ? decodeURIComponent(key) : 'query')),
    ]
    done(new TesseraError('INVALID_PARAMETERS', { errors: [...new Set(names)].map(fault) }))
  })
}

/** For a server with `requireHostHeader: false`. */
export const answerNodeRefusals = (app: FastifyInstance): void => {
  const { server } = app
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  app.addHook('onRequest', ({ raw: { headers, httpVersion } }, _, done) => {
    const { host, expect } = headers
    if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      return done(new TesseraError('EXPECTATION_FAILED'))
    if (host === undefined && httpVersion === '1.1')
      return done(new TesseraError('BAD_REQUEST', { message: 'HTTP/1.1 requires a Host header' }))
    done()
  })
}

/**
 * Routes a HEAD request as a GET. Node.js sends no body for it, whatever is written.
 * @param isExcluded for URLs that answer a GET with a stream, which would never end
 */
export const headAsGet =
  (handler: RequestListener, isExcluded: (url: string) => boolean): RequestListener =>
  (request, response) => {
    if (request.method === 'HEAD' && !isExcluded(request.url ?? '')) request.method = 'GET'
    return handler(request, response)
  }
