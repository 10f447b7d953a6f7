/** The metrics of all workers as one text. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

export type WorkerMetrics = MetricObjectWithValues<MetricValue<string>>[]

/** The timeout per worker. A slower worker counts with its last known metrics. */
const longestMs = 1_500

/** The types of metrics that never decrease. */
const growing = ['counter', 'histogram']

export const createMetricsSum = () => {
  const latest = new Map<number, WorkerMetrics>()
  let ofEnded: WorkerMetrics = []
  return {
    /** @param asks how to ask each worker, by its id */
    text: async (asks: Map<number, () => Promise<WorkerMetrics>>): Promise<string> => {
      const look = async (id: number, ask: () => Promise<WorkerMetrics>) => {
        latest.set(id, await ask())
      }
      const all = Promise.allSettled(Array.from(asks, ([id, ask]) => look(id, ask)))
      await Promise.race([all, sleep(longestMs, undefined, { ref: false })])
      return AggregatorRegistry.aggregate([...latest.values(), ofEnded]).metrics()
    },
    /** Keeps the counts of a worker that has ended, so that no sum decreases. */
    keepEnded: async (id: number): Promise<void> => {
      const counted = (latest.get(id) ?? []).filter(({ type }) => growing.includes(String(type)))
      latest.delete(id)
      ofEnded = await AggregatorRegistry.aggregate([ofEnded, counted]).getMetricsAsJSON()
    },
  }
}
