/** Work that runs by itself: each job on one node at a time, whichever node is alive. */
import type { Database } from './db.ts'
import type { Runtime } from './runtime.ts'

/**
 * Something to do again and again. What is due stands in the tables, not in the job: a run that was
 * broken off (a crash, kill -9) is made up for by the next one, on any node, so a run must be harmless
 * when there is nothing to do or when another has just done it.
 */
export type Job = {
  /** Kebab-case, unique. */
  name: string
  /** Seconds from the end of a run to the next. */
  everySeconds: number
  run(runtime: Runtime): Promise<void>
}

/** A node that is gone is noticed after this long. */
const heartbeatSeconds = 15
/** A run that takes longer is taken for hung. */
const longestRunSeconds = 3600

/** Starts taking part in the jobs; gives the function that waits for the runs under way and leaves. */
export const startJobs = async (
  runtime: Runtime,
  { pool, embedded }: Database,
  jobs: Job[],
): Promise<() => Promise<void>> => {
  const { log } = runtime
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values as never) as never },
    backend: embedded ? 'pglite' : 'postgres',
    schema: 'jobs',
    schedule: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', (err) => log.warn({ err }, 'the job queue failed'))
  await boss.start()
  for (const { name, everySeconds, run } of jobs) {
    // At most one waits and one runs: a node that starts adds nothing to what is there.
    const queue = {
      policy: 'stately' as const,
      heartbeatSeconds,
      expireInSeconds: longestRunSeconds,
      retryLimit: 1_000,
      deleteAfterSeconds: 3600,
    }
    await boss.createQueue(name, queue)
    const pollingIntervalSeconds = Math.min(Math.max(everySeconds / 2, 0.5), 5)
    await boss.work(name, { pollingIntervalSeconds }, async () => {
      try {
        await run(runtime)
      } catch (err) {
        log.error({ err, job: name }, 'a job failed')
      } finally {
        await boss.send(name, null, { startAfter: everySeconds })
      }
    })
    await boss.send(name, null)
  }
  return () => boss.stop({ graceful: true, timeout: 5_000 })
}
