import type { Job } from '../../kit/jobs/job.ts'
import { cancelMatchesOfClosed } from './match.ts'
import { makeMatches } from './matchmaker.ts'

export const matchJobs: Job[] = [
  {
    name: 'matchmaker',
    everySeconds: 2,
    run: async (runtime) => {
      if (runtime.config.arena.matchmaker) await makeMatches(runtime)
    },
  },
  { name: 'cancel-matches-of-closed', everySeconds: 2, run: cancelMatchesOfClosed },
]
