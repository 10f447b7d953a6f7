/** Background jobs. Each runs on one live node at a time. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import { delayAfter, doubling } from '../backoff.ts'
import { cachedFor } from '../clock.ts'
import type { Database } from '../database/db.ts'
import { jobsSchema, makeJobsSchema } from '../database/jobs-schema.ts'
import { codeOf } from '../database/outage.ts'
import { createFailureLog } from '../observability/log.ts'
import { exportGauge } from '../observability/metrics.ts'
import type { Runtime } from '../runtime.ts'
import type { Job } from './job.ts'

const watchEveryMs = 60_000
/** How old a cached answer may be. */
const keptMs = 500
/** The shortest interval between two records of one job. */
const noteEveryMs = 15_000
/** A job is late when it has missed two runs and this margin. */
const patienceMs = 60_000

/** Returns the function that records a success of this node. */
const createSuccessRecorder = ({ db, clock }: Runtime): ((name: string) => Promise<void>) => {
  const noted = new Map<string, number>()
  return async (name) => {
    const succeededAt = clock()
    if (succeededAt.getTime() - (noted.get(name) ?? 0) < noteEveryMs) return
    noted.set(name, succeededAt.getTime())
    const note = { name, succeededAt }
    await db.jobRun.upsert({ where: { name }, create: note, update: note })
  }
}

/** Names of jobs that no node has run for too long. Time before this node started does not count. */
export const lateJobs = (
  jobs: Pick<Job, 'name' | 'everySeconds'>[],
  successes: ReadonlyMap<string, Date>,
  { now, since }: { now: Date; since: Date },
): string[] =>
  jobs
    .filter(({ name, everySeconds }) => {
      const last = Math.max(successes.get(name)?.getTime() ?? 0, since.getTime())
      return now.getTime() - last > 2_000 * everySeconds + patienceMs
    })
    .map(({ name }) => name)

/**
 * Exports the last success of each job as a metric and reports late jobs, on request and periodically.
 * Returns the function that stops it.
 */
export const watchJobs = (
  { db, clock, log, config, degraded, metrics }: Runtime,
  jobs: Job[],
): (() => Promise<void>) => {
  const since = clock()
  const look = cachedFor(keptMs, async () => {
    const runs = await db.jobRun.findMany()
    const successes = new Map(runs.map(({ name, succeededAt }) => [name, succeededAt]))
    const late = lateJobs(jobs, successes, { now: clock(), since })
    const nobody = config.jobs ? '' : ' Does every node have JOBS=off?'
    degraded.set('late-jobs', late.length > 0 ? `No node runs ${late.join(', ')}.${nobody}` : null)
    return { successes, late }
  })
  degraded.check(look)
  exportGauge(
    metrics.registry,
    {
      name: 'tessera_job_last_success_timestamp_seconds',
      help: 'When a job last ran to its end, on any node',
      labelNames: ['name'],
    },
    async () => {
      const { successes } = await look()
      return Array.from(successes, ([name, at]) => [{ name }, at.getTime() / 1_000])
    },
  )
  exportGauge(
    metrics.registry,
    {
      name: 'tessera_job_late',
      help: '1 if no node has run the job to its end for more than two of its intervals and a minute',
      labelNames: ['name'],
    },
    async () => {
      const { late } = await look()
      return jobs.map(({ name }) => [{ name }, late.includes(name) ? 1 : 0])
    },
  )
  const ending = new AbortController()
  const { signal } = ending
  const watch = async () => {
    for (;;) {
      await sleep(watchEveryMs, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      await look().catch((err) => log.warn({ err }, 'cannot see how the jobs are'))
    }
  }
  const watching = watch()
  return async () => {
    ending.abort()
    await watching
  }
}

/** A dead node is noticed after this long. */
const heartbeatSeconds = 15
/** A run that takes longer counts as hung. */
const longestRunSeconds = 3600

/** Delays between attempts to start. */
const startDelays = doubling(1_000, 60_000)

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
  const start = async (failures: number): Promise<PgBoss | undefined> => {
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
    await sleep(delayAfter(startDelays, failures + 1), undefined, { signal }).catch(() => {})
    if (!signal.aborted) return start(failures + 1)
  }
  const starting = start(0)
  return async () => {
    ending.abort()
    await (await starting)?.stop({ graceful: true, timeout: 5_000 })
  }
}
