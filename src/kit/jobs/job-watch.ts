/** Watches jobs: each success is recorded in the database, where every node checks it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { cachedFor } from '../cached.ts'
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
export const createSuccessRecorder = ({
  db,
  clock,
}: Runtime): ((name: string) => Promise<void>) => {
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
