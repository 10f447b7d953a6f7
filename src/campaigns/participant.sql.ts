/** Statements that credit and list participants. */
import { addToCounters } from '../core/counters.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsModel,
  statement,
} from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { trackActivity } from '../users/activity.ts'

/** The name of the counter of a campaign's participants. */
export const participantCounter = (campaignId: string): Prisma.Sql =>
  Prisma.raw(`'campaign ' || ${campaignId} || ' participants'`)

/** Counts the rows of `source` that are new participants. */
const countMade = (source: string): Prisma.Sql =>
  addToCounters(
    Prisma.sql`SELECT partner_id, environment, count(*) AS amount,
        ${participantCounter('campaign_id')} AS name
      FROM ${Prisma.raw(source)} WHERE made GROUP BY partner_id, environment, campaign_id`,
  )

const creditRows = inputRows({
  id: 'uuid',
  participantId: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  campaignId: 'uuid',
  userId: 'uuid',
  externalId: 'text',
  points: 'int',
  plays: 'int',
  wins: 'int',
  referrals: 'int',
  eventType: 'text',
  metadata: 'json?',
})

/**
 * Adds credits to participants, creates them if necessary, and writes the timeline. Returns each participant after
 * all credits.
 */
export const addCampaignCredits = statement(
  'credit_participants',
  returnsModel('CampaignParticipant'),
  (credits: ItemsOf<typeof creditRows>, now: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${creditRows(credits)}
    ), participant AS (
      INSERT INTO campaign_participant AS p (id, partner_id, environment, campaign_id, user_id,
        external_id, total_points, plays, wins, referral_count, referral_rewards,
        points_reached_at, joined_at)
      SELECT (array_agg(participant_id))[1], partner_id, environment, campaign_id, user_id,
        external_id, sum(points), sum(plays), sum(wins), sum(referrals),
        coalesce(sum(points) FILTER (WHERE referrals > 0), 0), ${now}::timestamptz,
        ${now}::timestamptz
      FROM input GROUP BY partner_id, environment, campaign_id, user_id, external_id
      ORDER BY campaign_id, user_id
      ON CONFLICT (campaign_id, user_id) DO UPDATE SET
        total_points = p.total_points + excluded.total_points,
        plays = p.plays + excluded.plays,
        wins = p.wins + excluded.wins,
        referral_count = p.referral_count + excluded.referral_count,
        referral_rewards = p.referral_rewards + excluded.referral_rewards,
        points_reached_at = CASE WHEN excluded.total_points > 0 THEN excluded.points_reached_at
          ELSE p.points_reached_at END
      RETURNING p.*, xmax = 0 AS made
    ), activity AS (${trackActivity(
      'CAMPAIGN',
      Prisma.sql`SELECT *, campaign_id::text AS source_id, ${now}::timestamptz AS occurred_at
        FROM input`,
    )}
    ), counted AS (${countMade('participant')}
    )
    SELECT ${columnsOf('CampaignParticipant', 'p')} FROM participant p`,
)

const codeRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  campaignId: 'uuid',
  userId: 'uuid',
  externalId: 'text',
  code: 'text',
})

/** Assigns referral codes to participants, and creates participants if necessary. Existing codes are kept. */
export const giveCodes = statement(
  'give_referral_codes',
  returnsModel('CampaignParticipant'),
  (codes: ItemsOf<typeof codeRows>, now: Date) => Prisma.sql`
    WITH given AS (
      INSERT INTO campaign_participant AS p (id, partner_id, environment, campaign_id, user_id,
        external_id, referral_code, points_reached_at, joined_at)
      SELECT DISTINCT ON (campaign_id, user_id) id, partner_id, environment, campaign_id, user_id,
        external_id, code, ${now}::timestamptz, ${now}::timestamptz
      FROM ${codeRows(codes)}
      ORDER BY campaign_id, user_id
      ON CONFLICT (campaign_id, user_id) DO UPDATE SET
        referral_code = coalesce(p.referral_code, excluded.referral_code)
      RETURNING p.*, xmax = 0 AS made
    ), counted AS (${countMade('given')}
    )
    SELECT ${columnsOf('CampaignParticipant', 'p')} FROM given p`,
)

const partRows = inputRows({
  campaignId: 'uuid',
  take: 'int',
  skip: 'int',
  points: 'bigint?',
  reachedAt: 'timestamptz?',
  externalId: 'text?',
})

const listStatement = (name: string, condition: Prisma.Sql, order: Prisma.Sql) =>
  statement(
    name,
    both(returns({ n: 'int' }), returnsModel('CampaignParticipant')),
    (parts: ItemsOf<typeof partRows>) => Prisma.sql`
      SELECT k.n, ${columnsOf('CampaignParticipant', 'p')}
      FROM ${partRows(parts, 'k')}
      CROSS JOIN LATERAL (SELECT * FROM campaign_participant p WHERE p.campaign_id = k.campaign_id
        AND ${condition} ORDER BY ${order} LIMIT k.take OFFSET k.skip) p
      ORDER BY k.n, ${order}`,
  )

/** Participants after the position of each part. Without a position, the bound on the points includes all. */
export const listBehind = listStatement(
  'list_participants_forward',
  Prisma.sql`p.total_points <= coalesce(k.points, 9223372036854775807)
    AND (p.total_points < coalesce(k.points, 9223372036854775807) OR p.points_reached_at > k.reached_at
      OR (p.points_reached_at = k.reached_at AND p.external_id > k.external_id))`,
  Prisma.sql`p.total_points DESC, p.points_reached_at, p.external_id`,
)

/** Participants before the position of each part, the closest first. */
export const listAhead = listStatement(
  'list_participants_backward',
  Prisma.sql`p.total_points >= coalesce(k.points, -1)
    AND (p.total_points > coalesce(k.points, -1) OR p.points_reached_at < k.reached_at
      OR (p.points_reached_at = k.reached_at AND p.external_id < k.external_id))`,
  Prisma.sql`p.total_points, p.points_reached_at DESC, p.external_id DESC`,
)
