/** What those who watch the server ask it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Database } from './core/db.ts'
import { pendingMigrations } from './core/migrate.ts'
import type { Runtime } from './core/runtime.ts'

/** `draining` says whether the server is about to stop. */
export const mountHealth = (
  app: FastifyInstance,
  { pool }: Database,
  { config, metrics: { registry } }: Runtime,
  draining: () => boolean,
): void => {
  let ready = false
  app.get('/livez', () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    try {
      if (ready) await pool.query({ text: 'SELECT 1' })
      else ready = (await pendingMigrations(pool)).length === 0
    } catch {
      ready = false
    }
    const isReady = ready && !draining()
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable' })
  })
  if (config.metricsPort === undefined)
    app.get('/metrics', async (_, reply) =>
      reply.type(registry.contentType).send(await registry.metrics()),
    )
}

export type MetricsServer = { port: number; stop(): Promise<void> }

/** Serves `/metrics` on METRICS_PORT, where only those who watch can be let in. */
export const startMetrics = async ({
  config,
  metrics: { registry },
}: Runtime): Promise<MetricsServer | null> => {
  if (config.metricsPort === undefined) return null
  const server = createServer(async ({ method, url }, response) => {
    const isKnown = method === 'GET' && url?.split('?')[0] === '/metrics'
    if (!isKnown) return response.writeHead(404).end()
    const text = await registry.metrics()
    return response.writeHead(200, { 'content-type': registry.contentType }).end(text)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.metricsPort, config.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
