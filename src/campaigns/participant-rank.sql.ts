/** Statements of the leaderboards of campaigns. */

import { Prisma } from '../generated/prisma/client.ts'
import { returns, statement } from '../kit/database/statement.ts'
import { isStale, listStatement, markStatement, rankStatement } from '../leaderboard/marks.sql.ts'
import { participantCounter } from './participant.sql.ts'

const participants = {
  model: 'CampaignParticipant',
  score: 'total_points',
  reachedAt: 'points_reached_at',
  marks: 'campaign_mark',
  key: { campaignId: 'uuid' },
} as const

export const selectParticipantRanks = rankStatement('rank_participants', participants)
export const listBehind = listStatement('list_participants_forward', participants, false)
export const listAhead = listStatement('list_participants_backward', participants, true)
export const markCampaign = markStatement('mark_campaign', participants)

/** Campaigns to recount. Those that are not running are counted once after their last change. */
export const selectStaleCampaigns = statement(
  'find_stale_campaigns',
  returns({ campaignId: 'uuid' }),
  (now: Date, threshold: number) => Prisma.sql`
    SELECT campaign_id AS "campaignId" FROM (
      SELECT k.id AS campaign_id, sum(c.value) AS participants,
        CASE WHEN k.status <> 'ACTIVE' THEN k.updated_at
          WHEN k.ends_at <= ${now}::timestamptz THEN greatest(k.updated_at, k.ends_at)
          ELSE 'infinity' END AS changed_until
      FROM campaign k JOIN counter c ON (c.partner_id, c.environment, c.name)
        = (k.partner_id, k.environment, ${participantCounter('k.id')})
      GROUP BY k.id
    ) l FULL JOIN (
      SELECT campaign_id, min(counted_at) AS counted_at FROM campaign_mark GROUP BY campaign_id
    ) m USING (campaign_id)
    WHERE ${isStale('l.participants', 'm.counted_at', now, threshold)}
      AND coalesce(m.counted_at < l.changed_until + interval '1 minute', true)`,
  { isPrepared: false },
)
