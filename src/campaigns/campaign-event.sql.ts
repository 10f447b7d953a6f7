/** Statements that record events and the prizes they win. */

import { Prisma } from '../generated/prisma/client.ts'
import { addToCounters } from '../kit/database/counters.ts'
import {
  columnsOf,
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import { instantWinWon } from './campaign.events.ts'
import { type CreditRow, creditedRows, creditParts, returnsCredited } from './participant.sql.ts'

const askedRows = inputRows({ campaignId: 'uuid', userId: 'uuid', eventType: 'text' })

/** The points of the rule of each event, and how often its user has played. */
export const readRulesAndPlays = statement(
  'read_rules_and_plays',
  returns({ n: 'int', points: 'int?', plays: 'int?' }),
  (events: ItemsOf<typeof askedRows>) => Prisma.sql`
    SELECT k.n, r.points, p.plays
    FROM ${askedRows(events, 'k')}
    LEFT JOIN campaign_event_rule r
      ON r.campaign_id = k.campaign_id AND r.event_type = k.event_type
    LEFT JOIN LATERAL (SELECT plays FROM campaign_participant
      WHERE campaign_id = k.campaign_id AND user_id = k.user_id LIMIT 1) p ON true`,
)

/** The tiers of campaigns that have prizes left. They are locked. */
export const lockPrizeTiers = lockStatement(
  'lock_prize_tiers',
  returnsModel('PrizeTier'),
  (campaignIds: string[]) => Prisma.sql`
    SELECT ${columnsOf('PrizeTier', 't')}
    FROM prize_tier t
    WHERE campaign_id IN (SELECT json_array_elements_text(${JSON.stringify(campaignIds)}::json)::uuid)
      AND wins < max_wins
    ORDER BY campaign_id, position, id FOR NO KEY UPDATE`,
)

const eventRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  campaignId: 'uuid',
  userId: 'uuid',
  eventType: 'text',
  points: 'int',
  playNo: 'int',
  playLimit: 'int?',
  drawn: 'boolean',
  tierId: 'uuid?',
  prize: 'int?',
  codeHash: 'bytea?',
  expiresAt: 'timestamptz?',
  data: 'json?',
})

/** An event to write. Fields after `drawn` are set for a win. */
export type CampaignEventRow = ItemsOf<typeof eventRows>[number]

/** Writes events, writes and announces wins, updates the stock, and writes the credits of the events. */
export const insertEvents = statement(
  'write_campaign_events',
  returnsCredited,
  (events: CampaignEventRow[], credits: readonly CreditRow[], now: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT *, ${now}::timestamptz AS occurred_at FROM ${eventRows(events)}
    ), won AS MATERIALIZED (SELECT * FROM input WHERE tier_id IS NOT NULL
    ), tier AS (
      UPDATE prize_tier t SET wins = t.wins + w.wins
      FROM (SELECT tier_id, count(*) AS wins FROM won GROUP BY tier_id) w
      WHERE t.id = w.tier_id AND t.wins + w.wins <= t.max_wins
      RETURNING t.id
    ), win AS (
      INSERT INTO instant_win (id, partner_id, environment, campaign_id, user_id, tier_id, points,
        code_hash, won_at, expires_at)
      SELECT w.id, partner_id, environment, campaign_id, user_id, tier.id, prize, code_hash,
        occurred_at, expires_at
      -- A tier that is out of stock has no row, so its id is null and the statement fails.
      FROM won w LEFT JOIN tier ON tier.id = w.tier_id
    ), announced AS (${emit(instantWinWon, Prisma.sql`SELECT * FROM won`)}
    ), drawn AS (${addToCounters(
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount,
          'campaign ' || campaign_id || ' draws' AS name
        FROM input WHERE drawn GROUP BY partner_id, environment, campaign_id`,
    )}
    ), recorded AS (
      INSERT INTO campaign_event (id, partner_id, environment, campaign_id, user_id, play_no,
        play_limit, event_type, points, drawn, occurred_at)
      SELECT id, partner_id, environment, campaign_id, user_id, play_no, play_limit, event_type,
        points, drawn, occurred_at FROM input
    ), ${creditParts(credits, now)} ${creditedRows}`,
)
