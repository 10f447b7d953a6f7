/**
 * Refuses URLs whose escapes are not UTF-8, and names the parts. The parser of Node.js refuses bytes that are not
 * escaped.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type FieldError, TesseraError } from '../errors.ts'

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
