/** Statements that lock campaigns and set their prizes. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  columnsOf,
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'

const campaignRows = inputRows({ partnerId: 'uuid', environment: 'Environment', slug: 'text' })

/** Reads and locks campaigns, so that nobody pauses or edits them until the transaction ends. */
export const holdCampaignRows = lockStatement(
  'hold_campaigns',
  returnsModel('Campaign'),
  (keys: ItemsOf<typeof campaignRows>) => Prisma.sql`
    SELECT ${columnsOf('Campaign', 'c')}
    FROM ${campaignRows(keys, 'k')}
    JOIN campaign c USING (partner_id, environment, slug)
    ORDER BY c.id FOR SHARE OF c`,
)

/** Waits for operations in progress in a campaign, and locks it until the transaction ends. */
export const lockCampaign = lockStatement(
  'take_campaign',
  returns({ id: 'uuid' }),
  ({ partnerId, environment, slug }: Tenant & { slug: string }) => Prisma.sql`
    SELECT id FROM campaign WHERE partner_id = ${partnerId}::uuid
      AND environment = ${environment}::"Environment" AND slug = ${slug}
    FOR NO KEY UPDATE`,
)

/** The same for a campaign to delete: new rows that refer to it wait, too. */
export const lockCampaignToDelete = lockStatement(
  'take_campaign_to_delete',
  returns({ id: 'uuid' }),
  ({ partnerId, environment, slug }: Tenant & { slug: string }) => Prisma.sql`
    SELECT id FROM campaign WHERE partner_id = ${partnerId}::uuid
      AND environment = ${environment}::"Environment" AND slug = ${slug}
    FOR UPDATE`,
)

const tierRows = inputRows({
  id: 'uuid',
  name: 'text',
  points: 'int',
  weight: 'int',
  maxWins: 'int',
  position: 'int',
  rewardId: 'uuid?',
})

/**
 * Writes prize tiers, which are identified by name. Skips tiers that were won more often than the new stock allows.
 */
export const upsertPrizeTiers = statement(
  'set_prize_tiers',
  returnsNothing,
  (
    { id, partnerId, environment }: Tenant & { id: string },
    tiers: ItemsOf<typeof tierRows>,
  ) => Prisma.sql`
    INSERT INTO prize_tier AS t (id, partner_id, environment, campaign_id, name, points, weight,
      max_wins, position, reward_id)
    SELECT r.id, ${partnerId}::uuid, ${environment}::"Environment", ${id}::uuid, name, points, weight,
      max_wins, position, reward_id
    FROM ${tierRows(tiers, 'r')}
    ON CONFLICT (campaign_id, name) DO UPDATE SET points = excluded.points,
      weight = excluded.weight, max_wins = excluded.max_wins, position = excluded.position,
      reward_id = excluded.reward_id
    WHERE t.wins <= excluded.max_wins`,
)

const ruleRows = inputRows({ id: 'uuid', eventType: 'text', points: 'int' })

/** Writes event rules, which are identified by event type. A rule that stays as it was keeps its row. */
export const upsertEventRules = statement(
  'set_event_rules',
  returnsNothing,
  (
    { id, partnerId, environment }: Tenant & { id: string },
    rules: ItemsOf<typeof ruleRows>,
  ) => Prisma.sql`
    INSERT INTO campaign_event_rule AS e (id, partner_id, environment, campaign_id, event_type, points)
    SELECT r.id, ${partnerId}::uuid, ${environment}::"Environment", ${id}::uuid, event_type, points
    FROM ${ruleRows(rules, 'r')}
    ON CONFLICT (campaign_id, event_type) DO UPDATE SET points = excluded.points
    WHERE e.points <> excluded.points`,
)

/** Keeps the version of a campaign with its parts. Only for one that was just created: a trigger does it for changes. */
export const keepCampaignVersion = statement(
  'keep_campaign_version',
  returns({ kept: 'text' }),
  (id: string) => Prisma.sql`SELECT keep_campaign_version(${id}::uuid)::text AS kept`,
)
