/** Health checks and metrics. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cachedFor } from '../clock.ts'
import type { Database } from '../database/db.ts'
import { pendingMigrations } from '../database/migration-state.ts'
import type { Runtime } from '../runtime.ts'
import { version } from '../version.ts'

/** Counts each request by its address. */
export type Limited = { onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> }

/** How long an answer is cached. Load balancers ask often. */
const readyMs = 250
const metricsMs = 1_000

export type ServerState = {
  /** Whether the database accepts writes now. */
  isWritable(): boolean
  /** Whether the server is stopping. */
  isDraining(): boolean
}

/** The longest wait for the database to answer whether it is migrated. */
const longestMs = 800

export const mountHealth = (
  app: FastifyInstance,
  { pool }: Database,
  { config, degraded, metrics: { registry, text } }: Runtime,
  limited: Limited,
  { isWritable, isDraining }: ServerState,
): void => {
  // The server starts on a migrated database, but a database that was unreachable may be a different one afterwards.
  let migrated = true
  const look = cachedFor(readyMs, async () => {
    const pending = migrated ? [] : await pendingMigrations(pool).catch(() => null)
    migrated = pending?.length === 0
  })
  app.get('/livez', () => ({ status: 'ok', version }))
  // Never rate limited: a balancer that got 429 would take a healthy node out of service.
  app.get('/readyz', async ({ query }, reply) => {
    if (isWritable()) await Promise.race([look(), sleep(longestMs, undefined, { ref: false })])
    else migrated = false
    const ready = migrated && isWritable() && !isDraining()
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ok' : 'unavailable',
      ...('verbose' in (query as object) && { degraded: await degraded.list() }),
    })
  })
  const metrics = cachedFor(metricsMs, text)
  if (config.metricsPort === undefined)
    app.get('/metrics', limited, async (_, reply) =>
      reply.type(registry.contentType).send(await metrics()),
    )
}

export type MetricsServer = { port: number; stop(): Promise<void> }

/** Serves `/metrics` on METRICS_PORT, so that access can be restricted by port. */
export const startMetrics = async ({
  config,
  metrics: { registry, text },
}: Runtime): Promise<MetricsServer | null> => {
  if (config.metricsPort === undefined) return null
  const metrics = cachedFor(metricsMs, text)
  const server = createServer(async ({ method, url }, response) => {
    const isKnown = method === 'GET' && url?.split('?')[0] === '/metrics'
    if (!isKnown) return response.writeHead(404).end()
    const body = await metrics()
    return response.writeHead(200, { 'content-type': registry.contentType }).end(body)
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
