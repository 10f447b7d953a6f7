import type { Runtime } from '../runtime.ts'

/**
 * A recurring task. What is due is in the tables, not in the job: the next run, on any node, makes up for an
 * interrupted one. A run must be harmless when there is nothing to do.
 */
export type Job = {
  /** Kebab-case, unique. */
  name: string
  /** Seconds from the end of a run to the next. */
  everySeconds: number
  /** Aborted when the node stops. A long run then ends early. */
  run(runtime: Runtime, signal?: AbortSignal): Promise<void>
}
