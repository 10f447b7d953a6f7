/** Watches jobs: each success is recorded in the database, where every node checks it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import { cachedFor } from './cached.ts'
import type { Job } from './job.ts'
import type { Runtime } from './runtime.ts'

const watchEveryMs = 60_000
/** How old a cached answer may be. */
const keptMs = 500
/** Metrics are served without it when the database does not answer in this time. */
const longestMs = 1_000
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
    for (const [job, at] of successes) lastSuccess.set({ job }, at.getTime() / 1000)
    const late = lateJobs(jobs, successes, { now: clock(), since })
    const nobody = config.jobs ? '' : ' Does every node have JOBS=off?'
    degraded.set('late-jobs', late.length > 0 ? `No node runs ${late.join(', ')}.${nobody}` : null)
  })
  degraded.check(look)
  const lastSuccess = new Gauge({
    name: 'tessera_job_last_success_timestamp_seconds',
    help: 'When a job last ran to its end, on any node',
    labelNames: ['job'],
    registers: [metrics.registry],
    collect: () =>
      Promise.race([look().catch(() => {}), sleep(longestMs, undefined, { ref: false })]),
  })
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
