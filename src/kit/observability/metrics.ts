import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { version } from '../version.ts'

export type Metrics = ReturnType<typeof createMetrics>

let processRegistry: Registry | undefined

/** Memory, CPU, event loop and garbage collection. They are observed once per process, because observing never ends. */
const processMetrics = (): Registry => {
  if (!processRegistry) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry })
  }
  return processRegistry
}

/** Values that cannot be read within this time are left out, such as while the database does not answer. */
const longestMs = 1_000

type Sample = [labels: Record<string, string>, value: number]

type Read = () => Sample[] | Promise<Sample[]>

/**
 * Exports values that are read at each scrape. If they cannot be read in time, a gauge with labels has no values, and
 * one without is NaN.
 */
export const exportGauge = (
  registry: Registry,
  about: { name: string; help: string; labelNames?: string[] },
  read: Read,
): void => {
  const unread: Sample[] = about.labelNames ? [] : [[{}, Number.NaN]]
  new Gauge({
    ...about,
    registers: [registry],
    async collect() {
      const samples = await Promise.race([
        (async () => read())().catch(() => unread),
        sleep(longestMs, unread, { ref: false }),
      ])
      this.reset()
      for (const [labels, value] of samples) this.set(labels, value)
    },
  })
}

/** Few, because each bucket is a series for each statement or field. */
const fewBuckets = [0.01, 0.1, 1]

/** Metrics of requests and their answers. */
const requestMetrics = (registers: Registry[]) => ({
  requestSeconds: new Histogram({
    name: 'tessera_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  }),
  httpErrors: new Counter({
    name: 'tessera_http_errors_total',
    help: 'Answers with an error, by its code; OTHER where the answer has none or several',
    labelNames: ['code'],
    registers,
  }),
  operationSeconds: new Histogram({
    name: 'tessera_graphql_operation_seconds',
    help: 'Time to execute an operation of GraphQL or to open its stream, by the field it asks for',
    labelNames: ['kind', 'field'],
    buckets: fewBuckets,
    registers,
  }),
  operationErrors: new Counter({
    name: 'tessera_graphql_errors_total',
    help: 'Errors in answers of GraphQL, by code and by the field that the operation asks for',
    labelNames: ['field', 'code'],
    registers,
  }),
  limitHits: new Counter({
    name: 'tessera_limit_hits_total',
    help: 'Refusals by a limit of this node: requests, connections, or the calls that may wait to be written together',
    labelNames: ['limit'],
    registers,
  }),
})

/** Metrics of webhooks, batches, statements and jobs. */
const workMetrics = (registers: Registry[]) => ({
  webhookAttempts: new Counter({
    name: 'tessera_webhook_attempts_total',
    help: 'Attempts to deliver webhooks, by the status of the answer; 0 when there was none',
    labelNames: ['status'],
    registers,
  }),
  batchSize: new Histogram({
    name: 'tessera_batch_size',
    help: 'Calls that were done together in one batch, by operation',
    labelNames: ['operation'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  }),
  statementSeconds: new Histogram({
    name: 'tessera_statement_seconds',
    help: 'Time that the database takes for a statement, by its name; by its first word where it has no name',
    labelNames: ['statement'],
    buckets: fewBuckets,
    registers,
  }),
  jobSeconds: new Histogram({
    name: 'tessera_job_seconds',
    help: 'Time that runs of a job took at this node, by outcome: success or failure',
    labelNames: ['name', 'outcome'],
    buckets: [0.1, 1, 10, 60, 600],
    registers,
  }),
})

/** The metrics of `/metrics`. Each server has its own registry, so that two in one process do not collide. */
export const createMetrics = () => {
  const registry = Registry.merge([processMetrics()])
  exportGauge(
    registry,
    {
      name: 'tessera_build_info',
      help: 'Always 1, with the versions of this node',
      labelNames: ['version', 'node'],
    },
    () => [[{ version, node: process.version }, 1]],
  )
  const redis = new Map<string, { status: string }>()
  exportGauge(
    registry,
    {
      name: 'tessera_redis_connected',
      help: '1 while this connection to Redis is open, 0 while it is not; no value without REDIS_URL',
      labelNames: ['connection'],
    },
    () =>
      Array.from(redis, ([connection, { status }]) => [{ connection }, status === 'ready' ? 1 : 0]),
  )
  return {
    registry,
    /** The body of `/metrics`. */
    text: () => registry.metrics(),
    ...requestMetrics([registry]),
    ...workMetrics([registry]),
    /** Exports whether this connection is open. */
    watchRedis: (connection: string, client: { status: string }) =>
      void redis.set(connection, client),
  }
}
