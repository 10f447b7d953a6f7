import type { Job } from '../core/job.ts'
import type { Runtime } from '../core/runtime.ts'

/** Events, and deliveries with their attempts, are kept for 30 days (decisions §11). */
export const keptMs = 30 * 24 * 3600 * 1000

/** Rows deleted at a time, so that nobody waits for long. */
const chunk = 5_000

/**
 * A deleted endpoint stays this long: a statement that was writing deliveries when it was deleted must
 * still find it.
 */
const graceMs = 3600 * 1000

/** Deletes chunk after chunk until nothing is left to delete. */
const purge = async (deleteChunk: () => Promise<number>) => {
  while ((await deleteChunk()) === chunk);
}

const forgetEvents = async ({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<void> => {
  const now = clock().getTime()
  const before = new Date(now - keptMs)
  await purge(
    () => db.$executeRaw`/* forget_deliveries */
      DELETE FROM webhook_delivery WHERE id IN (
        SELECT d.id FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
        WHERE d.created_at < ${before}::timestamptz OR e.deleted_at IS NOT NULL LIMIT ${chunk}::int)`,
  )
  await purge(
    () => db.$executeRaw`/* forget_events */
      DELETE FROM event WHERE id IN (
        SELECT id FROM event WHERE occurred_at < ${before}::timestamptz LIMIT ${chunk}::int)`,
  )
  await db.$executeRaw`/* forget_endpoints */
    DELETE FROM webhook_endpoint e WHERE deleted_at < ${new Date(now - graceMs)}::timestamptz
      AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id)`
}

export const webhookJobs: Job[] = [{ name: 'forget-events', everySeconds: 3600, run: forgetEvents }]
