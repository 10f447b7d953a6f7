/** Answers the requests that Node.js would refuse with an empty body. */
import type { FastifyInstance } from 'fastify'
import { TesseraError } from '../errors.ts'

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
