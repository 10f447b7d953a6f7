/** Serves HEAD without separate routes, which would double the time that a start takes for routes. */
import type { RequestListener } from 'node:http'

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
