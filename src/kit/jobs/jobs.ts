/** Background jobs. Each runs on one live node at a time. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Database } from '../database/db.ts'
import { jobsSchema, makeJobsSchema } from '../database/jobs-schema.ts'
import { codeOf } from '../database/outage.ts'
import { createFailureLog } from '../observability/repeated-failure.ts'
import type { Runtime } from '../runtime.ts'
import type { Job } from './job.ts'
import { createSuccessRecorder } from './job-watch.ts'

/** A dead node is noticed after this long. */
const heartbeatSeconds = 15
/** A run that takes longer counts as hung. */
const longestRunSeconds = 3600

/** The first delay between attempts to start. Each further delay is twice as long. */
const firstRetryMs = 1_000
const longestRetryMs = 60_000

/** Reports that jobs do not run here. What is public names no user of the database; the log does. */
const complain = ({ degraded }: Runtime, error: unknown) =>
  degraded.set(
    'jobs',
    codeOf(error) === '42501'
      ? 'Jobs do not run at this node: the user of the database may not make or use the schema "jobs"'
      : 'Jobs do not run at this node; it goes on trying',
    (error as Error).message,
  )

/** @throws when the database cannot be reached, or does not allow it */
const openQueue = async (
  { log }: Runtime,
  { pool, direct, embedded }: Database,
): Promise<PgBoss> => {
  await makeJobsSchema(direct)
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    backend: embedded ? 'pglite' : 'postgres',
    schema: jobsSchema,
    schedule: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', createFailureLog(log, 'the job queue failed'))
  try {
    return await boss.start()
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }
}

const takePart = async (boss: PgBoss, runtime: Runtime, jobs: Job[], signal: AbortSignal) => {
  const { log, metrics, tracing } = runtime
  const note = createSuccessRecorder(runtime)
  const traced = ({ name, run }: Job): Promise<void> =>
    tracing
      ? tracing.span({ name: `job ${name}`, parent: null }, () => run(runtime, signal))
      : run(runtime, signal)
  for (const job of jobs) {
    const { name, everySeconds } = job
    // At most one run waits and one is active, so a starting node adds none.
    const queue = {
      policy: 'stately' as const,
      heartbeatSeconds,
      expireInSeconds: longestRunSeconds,
      retryLimit: 1_000,
      deleteAfterSeconds: 3600,
    }
    await boss.createQueue(name, queue)
    // Sent before, so the first look finds it.
    await boss.send(name, null)
    const pollingIntervalSeconds = Math.min(Math.max(everySeconds / 2, 0.5), 5)
    await boss.work(name, { pollingIntervalSeconds }, async () => {
      const end = metrics.jobSeconds.startTimer({ name })
      try {
        await traced(job)
        await note(name)
        end({ outcome: 'success' })
      } catch (err) {
        end({ outcome: 'failure' })
        log.error({ err, job: name }, 'a job failed')
      } finally {
        await boss.send(name, null, { startAfter: everySeconds })
      }
    })
  }
}

/**
 * Joins the jobs as soon as the database allows it, and retries until then. Returns the function that waits for
 * active runs and leaves.
 */
export const startJobs = (
  runtime: Runtime,
  database: Database,
  jobs: Job[],
): (() => Promise<void>) => {
  const { degraded } = runtime
  const ending = new AbortController()
  const { signal } = ending
  const start = async (retryMs: number): Promise<PgBoss | undefined> => {
    let boss: PgBoss | undefined
    try {
      boss = await openQueue(runtime, database)
      await takePart(boss, runtime, jobs, signal)
      degraded.set('jobs', null)
      return boss
    } catch (error) {
      await boss?.stop({ graceful: false }).catch(() => {})
      if (signal.aborted) return
      complain(runtime, error)
    }
    await sleep(retryMs, undefined, { signal }).catch(() => {})
    if (!signal.aborted) return start(Math.min(2 * retryMs, longestRetryMs))
  }
  const starting = start(firstRetryMs)
  return async () => {
    ending.abort()
    await (await starting)?.stop({ graceful: true, timeout: 5_000 })
  }
}
