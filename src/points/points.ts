import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { addToCounter } from '../core/counters.ts'
import { TesseraError } from '../core/errors.ts'
import { emit } from '../core/events.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { email, jsonObject, reference, text } from '../core/validation.ts'
import { type EndUser, type LedgerEntry, Prisma } from '../generated/prisma/client.ts'
import { trackActivity } from '../users/activity.ts'
import { UserBy, userColumns, userLockOrder } from '../users/end-user.ts'

/** What a partner's backend sends to award points (interface: Points). */
export const AwardPoints = z
  .object({
    user: UserBy.describe('Who is awarded. An `externalId` that nobody has makes a user.'),
    eventType: reference().describe('Which reward rule; it says how many points.'),
    displayName: text(255).nullish().describe('Set on the user.'),
    email: email().nullish().describe('Set on the user.'),
    metadata: jsonObject().nullish().describe('Kept with the ledger entry; up to 16 KB.'),
    reference: reference()
      .nullish()
      .describe('Idempotency reference: awards once for its event type, however often it is sent.'),
  })
  .describe('Points for something a user did.')

export type Award = Tenant &
  Omit<z.output<typeof AwardPoints>, 'user'> & {
    externalId: string
    /** Whether all of the user is shown; otherwise only the keys are filled in. To show them costs time. */
    showsUser?: boolean
  }

/** What an award wrote: the entry, and the user as all awards of the batch leave them. */
export type PointsAward = { ledgerEntry: LedgerEntry & { user: EndUser }; user: EndUser }

/** The user is null where the award was refused, and where they are not shown. */
type AwardRow = {
  n: number
  points: number | null
  duplicateOf: string | null
  entryNo: number
  balanceAfter: bigint
  userId: string
} & (EndUser | { id: null })

/**
 * Awards points: as many as the reward rule of the event type says. Makes users who do not exist.
 * One statement for the whole list, in the order of the list.
 *
 * In the place of a refused award stands REWARD_RULE_NOT_FOUND or DUPLICATE_REFERENCE; it uses up no
 * reference and makes no user. Two transactions that award the same reference at the same moment meet
 * at the unique index; the later one fails as a whole and must be run again (`retrying`).
 */
export const awardPoints = async (
  { tx, clock }: Work,
  awards: Award[],
): Promise<(PointsAward | Error)[]> => {
  const createdAt = clock()
  const ids = awards.map(() => uuid())
  const input = awards.map((award, n) => ({
    n,
    id: ids[n],
    partner_id: award.partnerId,
    environment: award.environment,
    external_id: award.externalId,
    event_type: award.eventType,
    display_name: award.displayName,
    email: award.email,
    metadata: award.metadata,
    reference: award.reference,
    shows_user: award.showsUser ?? true,
  }))
  const rows = await tx.$queryRaw<AwardRow[]>`/* award_points */
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(input)}::json) AS i (n int, id uuid,
        partner_id uuid, environment "Environment", external_id text, event_type text,
        display_name text, email text, metadata json, reference text,
        shows_user boolean)
    ), judged AS MATERIALIZED (
      -- The entry that has the reference already: in the ledger, or earlier in this list.
      SELECT i.*, r.points, CASE WHEN i.reference IS NOT NULL THEN coalesce(
          (SELECT l.id FROM ledger_entry l
            WHERE (l.partner_id, l.environment, l.event_type, l.reference)
              = (i.partner_id, i.environment, i.event_type, i.reference)),
          nullif(first_value(i.id) OVER (PARTITION BY i.partner_id, i.environment, i.event_type,
            i.reference ORDER BY i.n), i.id)) END AS duplicate_of
      FROM input i LEFT JOIN reward_rule r USING (partner_id, environment, event_type)
    ), award AS MATERIALIZED (
      SELECT *, row_number() OVER so_far AS nth, sum(points) OVER so_far AS earned,
        count(*) OVER in_all AS awards, sum(points) OVER in_all AS total
      FROM judged WHERE points IS NOT NULL AND duplicate_of IS NULL
      WINDOW in_all AS (PARTITION BY partner_id, environment, external_id),
        so_far AS (in_all ORDER BY n)
    ), wallet AS (
      INSERT INTO end_user AS u (id, partner_id, environment, external_id, display_name, email,
        display_name_by_secret, email_by_secret, balance, lifetime_points, entries, score,
        score_reached_at, created_at)
      SELECT gen_random_uuid(), partner_id, environment, external_id,
        (array_agg(display_name ORDER BY n DESC) FILTER (WHERE display_name IS NOT NULL))[1],
        (array_agg(email ORDER BY n DESC) FILTER (WHERE email IS NOT NULL))[1],
        bool_or(display_name IS NOT NULL), bool_or(email IS NOT NULL),
        sum(points), sum(points), count(*), sum(points), ${createdAt}::timestamptz,
        ${createdAt}::timestamptz
      FROM award GROUP BY ${userLockOrder} ORDER BY ${userLockOrder}
      ON CONFLICT (partner_id, environment, external_id) DO UPDATE SET
        display_name = coalesce(excluded.display_name, u.display_name),
        email = coalesce(excluded.email, u.email),
        display_name_by_secret = u.display_name_by_secret OR excluded.display_name_by_secret,
        email_by_secret = u.email_by_secret OR excluded.email_by_secret,
        balance = u.balance + excluded.balance,
        lifetime_points = u.lifetime_points + excluded.lifetime_points,
        entries = u.entries + excluded.entries,
        score = u.score + excluded.score,
        score_reached_at = excluded.score_reached_at
      RETURNING u.*, xmax = 0 AS made
    ), posted AS MATERIALIZED (
      SELECT a.*, w.id AS user_id, w.entries - a.awards + a.nth AS entry_no,
        w.balance - a.total + a.earned AS balance_after, ${createdAt}::timestamptz AS occurred_at
      FROM award a JOIN wallet w USING (partner_id, environment, external_id)
    ), ledger AS (
      INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
        balance_after, account, reference, metadata, created_at)
      SELECT id, partner_id, environment, user_id, entry_no, event_type, points, balance_after,
        'issuance', reference, metadata, occurred_at
      FROM posted ORDER BY partner_id, environment, event_type, reference
    ), activity AS (${trackActivity(
      'POINTS',
      Prisma.sql`SELECT *, id::text AS source_id FROM posted`,
    )}
    ), event AS (${emit(
      'points.awarded',
      Prisma.sql`SELECT *, json_strip_nulls(json_build_object('ledgerId', id,
        'userId', external_id, 'eventType', event_type, 'pointsAwarded', points,
        'userBalance', balance_after, 'reference', reference,
        'createdAt', ${createdAt.toISOString()}::text)) AS data FROM posted`,
    )}
    ), users AS (${addToCounter(
      'users',
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount FROM wallet WHERE made
        GROUP BY partner_id, environment`,
    )}
    )
    SELECT j.n, j.points, j.duplicate_of AS "duplicateOf", p.entry_no::int AS "entryNo",
      p.balance_after::bigint AS "balanceAfter", p.user_id AS "userId", ${userColumns}
    FROM judged j LEFT JOIN posted p USING (n)
    LEFT JOIN wallet u ON u.id = p.user_id AND j.shows_user`
  const results: (PointsAward | Error)[] = []
  for (const row of rows) {
    const { n, points, duplicateOf } = row
    if (points === null) results[n] = new TesseraError('REWARD_RULE_NOT_FOUND')
    else if (duplicateOf)
      results[n] = new TesseraError('DUPLICATE_REFERENCE', { ledgerEntryId: duplicateOf })
    else results[n] = awarded(awards[n] as Award, ids[n] as string, row as Awarded, createdAt)
  }
  return results
}

/** The row of an award that was not refused: it is the user's, too. */
type Awarded = AwardRow & EndUser & { points: number }

const awarded = (award: Award, id: string, row: Awarded, createdAt: Date): PointsAward => {
  const { partnerId, environment, externalId } = award
  const user =
    award.showsUser === false
      ? ({ id: row.userId, partnerId, environment, externalId } as EndUser)
      : row
  return {
    user,
    ledgerEntry: {
      id,
      partnerId,
      environment,
      userId: row.userId,
      entryNo: row.entryNo,
      eventType: award.eventType,
      points: row.points,
      balanceAfter: row.balanceAfter,
      account: 'issuance',
      reference: award.reference ?? null,
      sourceId: null,
      metadata: (award.metadata ?? null) as Prisma.JsonValue,
      createdAt,
      user,
    },
  }
}
