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
