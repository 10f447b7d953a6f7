import type { Job } from '../kit/jobs/job.ts'
import { sendMail } from './send-mail.ts'

export const accountJobs: Job[] = [{ name: 'send-mail', everySeconds: 2, run: sendMail }]
