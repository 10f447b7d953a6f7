import { Prisma } from '../generated/prisma/client.ts'
import { addToCounters } from '../kit/database/counters.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  orNulls,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'
import {
  hiddenStatement,
  isStale,
  listStatement,
  markStatement,
  rankStatement,
} from '../leaderboard/marks.sql.ts'
import { postEntries, returnsWallet, walletColumns } from '../points/wallet.sql.ts'
import { trackActivity } from '../users/activity.ts'

/** The name of the counter of a campaign's participants. */
const participantCounter = (campaignId: string): Prisma.Sql =>
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
  entryId: 'uuid?',
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
  ledgerType: 'text',
  slug: 'text',
  metadata: 'json?',
  fact: 'Fact?',
})

/** A credit to write. One with an `entryId` moves its points to the wallet of the user, who is locked. */
export type CreditRow = ItemsOf<typeof creditRows>[number]

/** The entries of the credits that wallets get. */
const creditEntries = Prisma.sql`
      SELECT n, entry_id AS id, partner_id, environment, external_id, ledger_type AS event_type, points,
        'campaign:' || campaign_id AS account, NULL::text AS reference, id::text AS source_id,
        json_build_object('campaign', slug, 'eventType', event_type) AS metadata
      FROM credit WHERE entry_id IS NOT NULL`

/**
 * The part of a statement that adds credits to participants, creates them if necessary, pays wallets, and writes the
 * timeline. It adds the queries `credit`, `participant`, `activity`, `counted` and those of `postEntries`.
 */
export const creditParts = (credits: readonly CreditRow[], now: Date): Prisma.Sql => Prisma.sql`
    credit AS MATERIALIZED (
      SELECT * FROM ${creditRows(credits)}
    ), participant AS (
      INSERT INTO campaign_participant AS p (id, partner_id, environment, campaign_id, user_id,
        external_id, total_points, plays, wins, referral_count, referral_rewards,
        points_reached_at, joined_at)
      SELECT (array_agg(participant_id))[1], partner_id, environment, campaign_id, user_id,
        external_id, sum(points), sum(plays), sum(wins), sum(referrals),
        coalesce(sum(points) FILTER (WHERE referrals > 0), 0), ${now}::timestamptz,
        ${now}::timestamptz
      FROM credit GROUP BY partner_id, environment, campaign_id, user_id, external_id
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
        FROM credit`,
      { fact: Prisma.sql`fact` },
    )}
    ), counted AS (${countMade('participant')}
    ), ${postEntries(creditEntries, { at: now })}`

/** The participant of each credit after all of them, and the wallet if it was paid. */
export const returnsCredited = both(returnsModel('CampaignParticipant'), orNulls(returnsWallet))

export const creditedRows = Prisma.sql`
    SELECT ${columnsOf('CampaignParticipant', 'p')}, ${walletColumns}
    FROM participant p LEFT JOIN wallet w ON w.id = p.user_id`

export const insertCredits = statement(
  'credit_participants',
  returnsCredited,
  (credits: readonly CreditRow[], now: Date) =>
    Prisma.sql`WITH ${creditParts(credits, now)} ${creditedRows}`,
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

const participants = {
  model: 'CampaignParticipant',
  score: 'total_points',
  reachedAt: 'points_reached_at',
  marks: 'campaign_mark',
  key: { campaignId: 'uuid' },
  hidden: (alias: string) => ({
    isIndexed: `${alias}.hidden_until IS NOT NULL`,
    until: `${alias}.hidden_until`,
  }),
} as const

export const selectParticipantRanks = rankStatement('rank_participants', participants)
export const countHiddenParticipants = hiddenStatement('count_hidden_participants', participants)
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
