/** One of several processes of a node. The primary process starts and stops it. */
import type { Config } from '../core/config.ts'
import type { Logger } from '../core/log.ts'
import type { Demo } from '../demo/demo.ts'
import { type Siblings, startServer } from '../server.ts'
import type { WorkerMetrics } from './metrics-sum.ts'
import type { PrimaryCalls } from './primary.ts'
import { openCalls } from './worker-calls.ts'

/** What the primary process asks of a worker. */
export type WorkerCalls = {
  /** Resolves when requests are answered. */
  start(
    orders: Pick<Siblings, 'isFirst' | 'keepsDemo'>,
  ): Promise<{ port: number; demo: Demo | null }>
  metrics(): Promise<WorkerMetrics>
  /** Answers the requests that have arrived, then ends the process. */
  stop(): Promise<void>
}

/**
 * Serves until the primary process says stop.
 * @param fail what to do if the server cannot start
 */
export const serveAsWorker = (
  config: Config,
  log: Logger,
  fail: (error: unknown) => never,
): void => {
  // A terminal sends its signals to all processes. Only the primary process acts on them.
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.removeAllListeners(signal).on(signal, () => {})
  const stopping = new AbortController()
  const { signal } = stopping
  const starting = Promise.withResolvers<Awaited<ReturnType<typeof startServer>>>()
  const primary = openCalls<PrimaryCalls>(process, {
    start: async (orders: Pick<Siblings, 'isFirst' | 'keepsDemo'>) => {
      const siblings = {
        ...orders,
        metrics: () => primary('metrics'),
        together: (topic: string, numbers: number[]) => primary('together', topic, numbers),
      }
      startServer(config, { log, signal, siblings }).then(starting.resolve, starting.reject)
      const { port, demo } = await starting.promise.catch((error) =>
        signal.aborted ? process.exit(0) : fail(error),
      )
      return { port, demo }
    },
    metrics: async () => (await starting.promise).runtime.metrics.registry.getMetricsAsJSON(),
    stop: async () => {
      stopping.abort()
      const server = await starting.promise
      await server.stop()
      process.exit(0)
    },
  } satisfies WorkerCalls)
}
