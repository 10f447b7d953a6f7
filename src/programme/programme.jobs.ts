import type { Job } from '../kit/jobs/job.ts'
import { settleDueGrants } from './payer.ts'

export const programmeJobs: Job[] = [
  // An index finds what is due, so an idle run costs little.
  { name: 'settle-grants', everySeconds: 2, run: settleDueGrants },
]
