/** The statuses and phases of campaigns. The console's browser runs this, too. */
import type { CampaignStatus } from '../generated/prisma/enums.ts'

/** The status and the dates of a campaign. */
export type Schedule = { status: CampaignStatus; startsAt: Date | null; endsAt: Date | null }

/** The phase of a campaign: its status, where its dates refine ACTIVE. */
export type Phase = CampaignStatus | 'UPCOMING'

export const phaseOf = ({ status, startsAt, endsAt }: Schedule, at: Date): Phase => {
  if (status === 'DRAFT' || status === 'ENDED') return status
  if (endsAt && endsAt <= at) return 'ENDED'
  if (status === 'ACTIVE' && startsAt && startsAt > at) return 'UPCOMING'
  return status
}

/** Only a running campaign accepts events, referrals and codes. */
export const isRunning = (schedule: Schedule, at: Date): boolean =>
  phaseOf(schedule, at) === 'ACTIVE'

/** The statuses from which each status can be reached; ENDED is final. */
export const comesFrom: Record<Exclude<CampaignStatus, 'DRAFT'>, CampaignStatus[]> = {
  ACTIVE: ['DRAFT', 'PAUSED'],
  PAUSED: ['ACTIVE'],
  ENDED: ['DRAFT', 'ACTIVE', 'PAUSED'],
}
