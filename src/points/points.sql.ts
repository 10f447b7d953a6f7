/** Statements that award points. */

import { Prisma } from '../generated/prisma/client.ts'
import { addToCounter } from '../kit/database/counters.ts'
import {
  both,
  type ItemsOf,
  inputRows,
  orNulls,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import { trackActivity } from '../users/activity.ts'
import { isFraud } from '../users/block.sql.ts'
import { userByKey, userColumns } from '../users/end-user.sql.ts'
import { firstZones } from '../users/time-zone.sql.ts'
import { pointsAwarded } from './points.events.ts'
import { postEntries } from './wallet.sql.ts'

const awardColumns = {
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  eventType: 'text',
  displayName: 'text?',
  email: 'text?',
  metadata: 'json?',
  reference: 'text?',
  showsUser: 'boolean',
} as const

const awardRows = inputRows(awardColumns)
const zonedAwardRows = inputRows({ ...awardColumns, timeZone: 'text?' })

/** The last name and address that awards give a user. Only secret keys award. */
const profile = {
  columns: 'display_name, email, display_name_by_secret, email_by_secret',
  values: `
        (array_agg(display_name ORDER BY n DESC) FILTER (WHERE display_name IS NOT NULL))[1] AS display_name,
        (array_agg(email ORDER BY n DESC) FILTER (WHERE email IS NOT NULL))[1] AS email,
        bool_or(display_name IS NOT NULL) AS display_name_by_secret,
        bool_or(email IS NOT NULL) AS email_by_secret`,
  assign: (by: string) => `
        display_name = coalesce(${by}.display_name, u.display_name),
        email = coalesce(${by}.email, u.email),
        display_name_by_secret = u.display_name_by_secret OR ${by}.display_name_by_secret,
        email_by_secret = u.email_by_secret OR ${by}.email_by_secret`,
}

const awardResult = both(
  returns({
    n: 'int',
    points: 'int?',
    duplicateOf: 'uuid?',
    isBlocked: 'boolean',
    entryNo: 'int?',
    balanceAfter: 'bigint?',
    userId: 'uuid?',
  }),
  orNulls(returnsModel('EndUser')),
)

/** Writes the awards of `input`. `also` has further parts of the statement, each with a comma before it. */
// Long: one statement.
const writeAwards = (input: Prisma.Sql, createdAt: Date, also = Prisma.empty) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${input}
    ), ruled AS MATERIALIZED (
      SELECT k.*, r.points, ${userByKey(Prisma.sql`true`, Prisma.empty, isFraud(createdAt))} IS TRUE AS is_blocked
      FROM input k LEFT JOIN reward_rule r USING (partner_id, environment, event_type)
    ), judged AS MATERIALIZED (
      -- The entry that has the reference already: in the ledger, or earlier in this list.
      SELECT *, points IS NOT NULL AND duplicate_of IS NULL AND NOT is_blocked AS is_accepted FROM (
        SELECT i.*, CASE WHEN i.reference IS NOT NULL THEN coalesce(
            (SELECT l.id FROM ledger_entry l
              WHERE (l.partner_id, l.environment, l.event_type, l.reference)
                = (i.partner_id, i.environment, i.event_type, i.reference)),
            CASE WHEN NOT is_blocked THEN nullif(first_value(i.id) OVER (PARTITION BY i.partner_id,
              i.environment, i.event_type, i.reference, i.is_blocked ORDER BY i.n), i.id) END) END AS duplicate_of
        FROM ruled i) j
    ), ${postEntries(
      Prisma.sql`SELECT *, 'issuance' AS account, NULL::text AS source_id FROM judged
        WHERE is_accepted`,
      { at: createdAt, profile, where: Prisma.sql`(${isFraud(createdAt)}) IS NOT TRUE` },
    )}, activity AS (${trackActivity(
      'POINTS',
      Prisma.sql`SELECT id, partner_id, environment, user_id, event_type, id::text AS source_id, points,
        metadata, occurred_at FROM posted`,
      { fact: 'POINTS_AWARDED' },
    )}
    ), event AS (${emit(
      pointsAwarded,
      Prisma.sql`SELECT *, json_strip_nulls(json_build_object('ledgerId', id,
        'userId', external_id, 'eventType', event_type, 'pointsAwarded', points,
        'userBalance', balance_after, 'reference', reference,
        'createdAt', ${createdAt.toISOString()}::text)) AS data FROM posted`,
    )}
    ), users AS (${addToCounter(
      'users',
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount FROM wallet WHERE is_made
        GROUP BY partner_id, environment`,
    )}
    )${also}
    SELECT j.n, j.points, j.duplicate_of AS "duplicateOf", p.entry_no AS "entryNo",
      j.is_blocked AS "isBlocked", p.balance_after AS "balanceAfter", p.user_id AS "userId", ${userColumns}
    FROM judged j LEFT JOIN posted p USING (n)
    LEFT JOIN wallet u ON u.id = p.user_id AND j.shows_user`

/**
 * Writes awards: wallets, ledger, timelines, events. Returns a row for each award. `points` is null without a reward
 * rule. `duplicateOf` is the entry that already has the reference; then nothing else is set. `isBlocked`: the user is blocked
 * for fraud, and nothing was written. The columns of the user are null if `showsUser` is false.
 */
export const insertAwards = statement(
  'award_points',
  awardResult,
  (awards: ItemsOf<typeof awardRows>, createdAt: Date) => writeAwards(awardRows(awards), createdAt),
)

/** The same for awards some of which have a time zone, which the users whom they create have from the beginning. */
export const insertZonedAwards = statement(
  'award_points_in_zones',
  awardResult,
  (awards: ItemsOf<typeof zonedAwardRows>, createdAt: Date) =>
    writeAwards(
      zonedAwardRows(awards),
      createdAt,
      Prisma.sql`, ${firstZones(
        Prisma.sql`SELECT DISTINCT ON (w.id) w.id AS user_id, partner_id, environment, j.time_zone,
          true AS by_secret
        FROM wallet w JOIN judged j USING (partner_id, environment, external_id)
        WHERE w.is_made AND j.is_accepted AND j.time_zone IS NOT NULL ORDER BY w.id, j.n DESC`,
        createdAt,
      )}`,
    ),
)
