/** Answers on the port until the server is ready: alive, but not ready. */
import Fastify from 'fastify'
import { isForGraphql, sendGraphqlError } from './graphql/faults.ts'
import type { Config } from './kit/config/config.ts'
import { TesseraError } from './kit/errors.ts'
import { version } from './kit/version.ts'
import { answerClientError, sendError } from './rest/answer.ts'

export type StartupServer = {
  /** The status of `/readyz`. */
  say(status: 'starting' | 'migrating'): void
  /** Releases the port for the server. */
  close(): Promise<void>
}

export const openStartupServer = async ({ port, host }: Config): Promise<StartupServer> => {
  let status = 'starting'
  const app = Fastify({
    forceCloseConnections: true,
    clientErrorHandler: answerClientError,
    http: { requireHostHeader: false },
  })
  app.get('/livez', () => ({ status: 'ok', version }))
  app.get('/readyz', (_, reply) => reply.code(503).send({ status }))
  app.setNotFoundHandler((request, reply) => {
    const send = isForGraphql(request) ? sendGraphqlError : sendError
    const message = 'The server is starting; nothing was done'
    return send(request, reply, new TesseraError('UNAVAILABLE', { message }))
  })
  // Nobody can know a port chosen by the system before the server listens.
  if (port !== 0) await app.listen({ port, host })
  return {
    say: (next) => {
      status = next
    },
    close: () => app.close(),
  }
}
