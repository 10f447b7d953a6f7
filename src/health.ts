/** What those who watch the server ask it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from './core/db.ts'
import { keptFor } from './core/kept.ts'
import { pendingMigrations } from './core/migration-state.ts'
import type { Runtime } from './core/runtime.ts'

/** Counts each request for its address. */
export type Limited = { onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> }

/** A balancer asks often; the database is asked only so often, whoever asks. */
const readyMs = 250
const metricsMs = 1_000

/** `draining` says whether the server is about to stop. */
export const mountHealth = (
  app: FastifyInstance,
  { pool }: Database,
  { config, degraded, metrics: { registry } }: Runtime,
  limited: Limited,
  draining: () => boolean,
): void => {
  let migrated = false
  const isReady = keptFor(readyMs, async () => {
    try {
      if (migrated) await pool.query({ text: 'SELECT 1' })
      else migrated = (await pendingMigrations(pool)).length === 0
    } catch {
      migrated = false
    }
    return migrated
  })
  app.get('/livez', () => ({ status: 'ok' }))
  // Never refused: a balancer that got 429 would take a healthy node out.
  app.get('/readyz', async ({ query }, reply) => {
    const ready = (await isReady()) && !draining()
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ok' : 'unavailable',
      ...('verbose' in (query as object) && { degraded: await degraded.list() }),
    })
  })
  const metrics = keptFor(metricsMs, () => registry.metrics())
  if (config.metricsPort === undefined)
    app.get('/metrics', limited, async (_, reply) =>
      reply.type(registry.contentType).send(await metrics()),
    )
}

export type MetricsServer = { port: number; stop(): Promise<void> }

/** Serves `/metrics` on METRICS_PORT, where only those who watch can be let in. */
export const startMetrics = async ({
  config,
  metrics: { registry },
}: Runtime): Promise<MetricsServer | null> => {
  if (config.metricsPort === undefined) return null
  const metrics = keptFor(metricsMs, () => registry.metrics())
  const server = createServer(async ({ method, url }, response) => {
    const isKnown = method === 'GET' && url?.split('?')[0] === '/metrics'
    if (!isKnown) return response.writeHead(404).end()
    const text = await metrics()
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
