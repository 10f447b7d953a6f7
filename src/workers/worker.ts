/** One of several processes of a node. The primary process starts and stops it. */
import type { Config } from '../core/config.ts'
import { preventExitHang } from '../core/exit.ts'
import type { Logger } from '../core/log.ts'
import { type Server, startServer } from '../server.ts'
import { type Orders, openCalls, type PrimaryCalls, type WorkerCalls } from './worker-calls.ts'

/**
 * Serves until the primary process calls `stop`.
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
  const starting = Promise.withResolvers<Server>()
  const primary = openCalls<PrimaryCalls>(process, {
    start: async (orders: Orders) => {
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
      preventExitHang()
      const server = await starting.promise
      await server.stop()
      process.exit(0)
    },
  } satisfies WorkerCalls)
}
