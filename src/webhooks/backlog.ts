/** Exports how many deliveries are pending, and how long the oldest has been due. */

import { cachedFor } from '../kit/clock.ts'
import { exportGauge } from '../kit/observability/metrics.ts'
import type { Runtime } from '../kit/runtime.ts'
import { mostCounted, selectBacklog } from './backlog.sql.ts'

/** Both metrics are read by one statement. */
const keptMs = 500

export const measureBacklog = ({ db, clock, metrics: { registry } }: Runtime): void => {
  const look = cachedFor(keptMs, async () => {
    const [row] = await selectBacklog(db, clock())
    return row ?? { pending: Number.NaN, dueSeconds: Number.NaN }
  })
  exportGauge(
    registry,
    {
      name: 'tessera_webhook_pending',
      help: `Deliveries of all nodes that wait for an attempt, first or repeated; ${mostCounted} for more`,
    },
    async () => [[{}, (await look()).pending]],
  )
  exportGauge(
    registry,
    {
      name: 'tessera_webhook_oldest_due_seconds',
      help: 'How long the first due delivery to an endpoint that does not fail has been waiting for a node; 0 if none is due',
    },
    async () => [[{}, (await look()).dueSeconds]],
  )
}
