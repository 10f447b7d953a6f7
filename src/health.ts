/** What those who watch the server ask it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from './core/db/db.ts'
import { pendingMigrations } from './core/db/migration-state.ts'
import { keptFor } from './core/kept.ts'
import type { Runtime } from './core/runtime.ts'

/** Counts each request for its address. */
export type Limited = { onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> }

/** A balancer asks often; the database is asked only so often, whoever asks. */
const readyMs = 250
const metricsMs = 1_000

export type ServerState = {
  /** Whether the database takes writes now. */
  isWritable(): boolean
  /** Whether the server is about to stop. */
  isDraining(): boolean
}

/** Nobody waits longer for the database to say whether it is migrated. */
const longestMs = 800

export const mountHealth = (
  app: FastifyInstance,
  { pool }: Database,
  { config, degraded, metrics: { registry } }: Runtime,
  limited: Limited,
  { isWritable, isDraining }: ServerState,
): void => {
  // A server is made when its database is migrated; what was away may come back as another.
  let migrated = true
  const look = keptFor(readyMs, async () => {
    const pending = migrated ? [] : await pendingMigrations(pool).catch(() => null)
    migrated = pending?.length === 0
  })
  app.get('/livez', () => ({ status: 'ok' }))
  // Never refused: a balancer that got 429 would take a healthy node out.
  app.get('/readyz', async ({ query }, reply) => {
    if (isWritable()) await Promise.race([look(), sleep(longestMs, undefined, { ref: false })])
    else migrated = false
    const ready = migrated && isWritable() && !isDraining()
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
