import type { Job } from '../kit/jobs/job.ts'
import { expireExports, runExports } from './export-run.ts'

export const exportJobs: Job[] = [
  { name: 'run-exports', everySeconds: 2, run: runExports },
  { name: 'expire-exports', everySeconds: 600, run: expireExports },
]
