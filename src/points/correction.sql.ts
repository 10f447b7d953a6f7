/** Statements that move points by a call of the partner: corrections and spending. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'
import { type EventKind, emit } from '../kit/streams/events.ts'
import { trackActivity } from '../users/activity.ts'
import { pointsAdjusted, pointsReversed, pointsSpent } from './points.events.ts'
import { postEntries, postedRows, returnsPosted } from './wallet.sql.ts'

const referenceRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  eventType: 'text',
  reference: 'text',
})

/** The entries that have references. */
export const selectByReference = statement(
  'find_entries_by_reference',
  returns({ n: 'int', id: 'uuid' }),
  (requested: ItemsOf<typeof referenceRows>) => Prisma.sql`
    SELECT k.n, l.id FROM ${referenceRows(requested, 'k')}
    CROSS JOIN LATERAL (SELECT id FROM ledger_entry
      WHERE (partner_id, environment, event_type, reference)
        = (k.partner_id, k.environment, k.event_type, k.reference) LIMIT 1) l`,
)

const idRows = inputRows({ id: 'uuid' })

/** Entries by their ids. */
export const selectEntries = statement(
  'find_entries_to_reverse',
  both(returns({ n: 'int' }), returnsModel('LedgerEntry')),
  (requested: ItemsOf<typeof idRows>) => Prisma.sql`
    SELECT k.n, ${columnsOf('LedgerEntry', 'l')} FROM ${idRows(requested, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM ledger_entry WHERE id = k.id LIMIT 1) l`,
)

const correctionRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  eventType: 'text',
  points: 'int',
  account: 'text',
  reference: 'text?',
  sourceId: 'text?',
  reason: 'text',
  reversesId: 'uuid?',
  shortfall: 'int?',
  reversedActivityId: 'uuid?',
  memberId: 'uuid?',
  apiKeyId: 'uuid?',
})

/** A correction to write, with who made it, and why. */
export type CorrectionRow = ItemsOf<typeof correctionRows>[number]

/** The points of an entry in its event: added to the wallet. */
const moved = Prisma.sql`'points', points`

/**
 * Moves points of users, who are locked and can pay. Records who did it and why, and adds it to timelines and events.
 * @param isCorrection whether it is no activity of the user
 */
const correctionStatement = (
  name: string,
  kind: EventKind,
  { points = moved, isCorrection = true }: { points?: Prisma.Sql; isCorrection?: boolean } = {},
) =>
  statement(
    name,
    returnsPosted,
    (corrections: ItemsOf<typeof correctionRows>, now: Date) => Prisma.sql`
      WITH ${postEntries(
        Prisma.sql`SELECT *, NULL::json AS metadata FROM ${correctionRows(corrections)}`,
        { at: now },
      )}, correction AS (
        INSERT INTO ledger_correction (entry_id, partner_id, environment, reason, reverses_id,
          shortfall, member_id, api_key_id)
        SELECT id, partner_id, environment, reason, reverses_id, coalesce(shortfall, 0), member_id, api_key_id
        FROM posted
        ORDER BY reverses_id
      ), activity AS (${trackActivity(
        'POINTS',
        Prisma.sql`SELECT id, partner_id, environment, user_id, event_type, id::text AS source_id, points,
          metadata, reverses_id, reversed_activity_id, occurred_at FROM posted`,
        {
          earned: Prisma.sql`CASE WHEN reverses_id IS NULL THEN greatest(points, 0) ELSE 0 END`,
          isCorrection,
          fact: null,
          reversesId: Prisma.sql`reversed_activity_id`,
        },
      )}
      ), event AS (${emit(
        kind,
        Prisma.sql`SELECT *, json_strip_nulls(json_build_object('ledgerId', id,
          'reversedLedgerId', reverses_id, 'userId', external_id, ${points},
          'userBalance', balance_after, 'reference', reference,
          'createdAt', ${now.toISOString()}::text)) AS data FROM posted`,
      )}
      ) ${postedRows}`,
  )

export const insertAdjustments = correctionStatement('adjust_points', pointsAdjusted)
export const insertReversals = correctionStatement('reverse_entries', pointsReversed)
export const insertSpending = correctionStatement('spend_points', pointsSpent, {
  points: Prisma.sql`'pointsSpent', -points`,
  isCorrection: false,
})
