import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** The metrics of `/metrics`. Each server has its own registry, so that two in one process do not collide. */
export const createMetrics = () => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'tessera_http_request_seconds',
      help: 'Time to answer, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    webhookAttempts: new Counter({
      name: 'tessera_webhook_attempts_total',
      help: 'Attempts to deliver webhooks, by the status of the answer; 0 when there was none',
      labelNames: ['status'],
      registers: [registry],
    }),
    batchSize: new Histogram({
      name: 'tessera_batch_size',
      help: 'Calls that were done together in one batch, by operation',
      labelNames: ['operation'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    }),
  }
}
