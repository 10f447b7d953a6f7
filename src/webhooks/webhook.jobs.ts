import type { Job } from '../core/job.ts'
import type { Runtime } from '../core/runtime.ts'
import { deleteDeliveries, deleteEndpoints, deleteEvents } from './old-event.sql.ts'

/** Events, and deliveries with their attempts, are kept for 30 days. */
export const keptMs = 30 * 24 * 3600 * 1000

/** Rows of one statement, so that no lock is held for long. */
const chunk = 5_000

/** A deleted endpoint is kept this long, because a statement that was writing deliveries must still find it. */
const graceMs = 3600 * 1000

const purge = async (deleteChunk: () => Promise<number>) => {
  while ((await deleteChunk()) === chunk);
}

const forgetEvents = async ({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<void> => {
  const now = clock().getTime()
  const before = new Date(now - keptMs)
  await purge(() => deleteDeliveries(db, before, chunk))
  await purge(() => deleteEvents(db, before, chunk))
  await deleteEndpoints(db, new Date(now - graceMs))
}

export const webhookJobs: Job[] = [{ name: 'forget-events', everySeconds: 3600, run: forgetEvents }]
