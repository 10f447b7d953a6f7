/** Everything that is kept of one user: to hand it over, and to erase it. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import type { EndUser } from '../generated/prisma/client.ts'
import { lockUsers, UserBy } from '../users/end-user.ts'
import { findProfiles } from './profile.ts'

/** Rows of each kind in one export, the newest; more can be read page by page. */
const maxRows = 10_000

export type UserExport = Awaited<ReturnType<typeof exportUser>>

/** All that is kept of a user: timeline, ledger, plays, campaigns, offers, stages. */
export const exportUser = async ({ db, clock }: Pick<Runtime, 'db' | 'clock'>, user: EndUser) => {
  const where = { userId: user.id }
  const take = maxRows
  const orderBy = { id: 'desc' } as const
  const [activities, ledgerEntries, plays, participants, offers, stageChanges] = await Promise.all([
    db.userActivity.findMany({ where, take, orderBy: [{ occurredAt: 'desc' }, orderBy] }),
    db.ledgerEntry.findMany({ where, take, orderBy: { entryNo: 'desc' } }),
    db.play.findMany({ where, take, orderBy: { playNo: 'desc' } }),
    db.campaignParticipant.findMany({ where, take, orderBy, include: { campaign: true } }),
    db.offer.findMany({ where, take, orderBy }),
    db.stageChange.findMany({ where, take, orderBy }),
  ])
  const own = <R extends object>(rows: R[]) => rows.map((row) => ({ ...row, user }))
  const lists = {
    activities: own(activities),
    ledgerEntries: own(ledgerEntries),
    plays: own(plays),
    participants: own(participants),
    offers: own(offers),
    stageChanges: own(stageChanges),
  }
  /** Whether every row is in it. */
  const isComplete = Object.values(lists).every(({ length }) => length < maxRows)
  return { exportedAt: clock(), isComplete, user, ...lists }
}

export const EraseUser = z.object({ user: UserBy.describe('Who.') }).describe('A user to forget.')

type Erasure = {
  /** The user under the pseudonym that stands in the place of the partner's id from now on. */
  user: EndUser
  erasedCount: number
}

/**
 * Forgets a user. Name, addresses, tags and metadata are gone; of the timeline stays only what a ledger
 * entry, a play, a campaign or a claim stands behind, without metadata; the ledger keeps its numbers under a pseudonym, and so
 * do plays and events that were announced. The partner's id is free: whoever comes with it is new.
 * @throws TesseraError USER_NOT_FOUND
 */
export const eraseUser = (work: Work, tenant: Tenant, externalId: string): Promise<Erasure> =>
  inTransaction(work.tx, async (tx) => {
    const here = { ...work, tx }
    const key = { ...tenantOf(tenant), externalId }
    await lockUsers(here, [key])
    const [profile] = await findProfiles(here, [key])
    if (!profile) throw new TesseraError('USER_NOT_FOUND')
    const { userId } = profile
    const pseudonym = `erased-${randomUUID()}`
    await tx.$executeRaw`UPDATE end_user SET external_id = ${pseudonym}::text, display_name = NULL,
      email = NULL, metadata = NULL WHERE id = ${userId}::uuid`
    await tx.$executeRaw`UPDATE user_profile SET phone = NULL, country = NULL, device = NULL,
      source = NULL, tags = NULL WHERE user_id = ${userId}::uuid`
    await tx.$executeRaw`UPDATE campaign_participant SET external_id = ${pseudonym}::text
      WHERE user_id = ${userId}::uuid`
    await tx.$executeRaw`UPDATE offer SET metadata = NULL, description = NULL,
      status = CASE WHEN status = 'active' THEN 'expired' ELSE status END WHERE user_id = ${userId}::uuid`
    // What was announced about the user names the pseudonym from now on.
    await tx.$executeRaw`UPDATE event e
      SET data = jsonb_set(e.data::jsonb, '{userId}', to_jsonb(${pseudonym}::text))::json
      FROM (SELECT id FROM user_activity WHERE user_id = ${userId}::uuid
        UNION SELECT id FROM stage_change WHERE user_id = ${userId}::uuid) own
      WHERE e.id = own.id AND e.data ->> 'userId' IS NOT NULL`
    const eventsErased = await tx.$executeRaw`DELETE FROM user_activity a
      WHERE user_id = ${userId}::uuid
        AND NOT EXISTS (SELECT FROM ledger_entry l WHERE l.id = a.id)
        AND NOT EXISTS (SELECT FROM play p WHERE p.id = a.id)
        AND NOT (category = 'CAMPAIGN' AND EXISTS (SELECT FROM campaign_participant c
          WHERE c.user_id = a.user_id AND c.campaign_id::text = a.source_id))
        AND NOT (event_type = 'offer_claimed'
          AND EXISTS (SELECT FROM offer o WHERE o.user_id = a.user_id AND o.id::text = a.source_id))`
    await tx.$executeRaw`UPDATE user_activity SET metadata = NULL WHERE user_id = ${userId}::uuid`
    await rollUpAnew(here, userId)
    const user = await tx.endUser.findUniqueOrThrow({ where: { id: userId } })
    return { user, erasedCount: eventsErased }
  })

/** Writes the totals and hours of a user again, from what is left of the timeline. */
const rollUpAnew = async ({ tx }: Work, userId: string): Promise<void> => {
  await tx.$executeRaw`DELETE FROM user_hour WHERE user_id = ${userId}::uuid`
  await tx.$executeRaw`DELETE FROM joined_campaign WHERE user_id = ${userId}::uuid`
  await tx.$executeRaw`INSERT INTO user_hour (user_id, hour, partner_id, environment, plays,
      points_earned, own_plays, own_points)
    SELECT user_id, date_bin('1 hour', occurred_at, 'epoch'), partner_id, environment,
      count(*) FILTER (WHERE category = 'GAME_PLAY'), sum(coalesce(earned, greatest(points, 0))),
      count(*) FILTER (WHERE category = 'GAME_PLAY' AND earned IS NOT NULL), coalesce(sum(earned), 0)
    FROM user_activity WHERE user_id = ${userId}::uuid GROUP BY 1, 2, 3, 4`
  await tx.$executeRaw`INSERT INTO joined_campaign (user_id, campaign_id, partner_id, environment, is_own)
    SELECT user_id, source_id, partner_id, environment, bool_or(earned IS NOT NULL)
    FROM user_activity WHERE user_id = ${userId}::uuid AND category = 'CAMPAIGN'
      AND source_id IS NOT NULL GROUP BY 1, 2, 3, 4`
  await tx.$executeRaw`UPDATE user_profile p SET events = t.events, plays = t.plays, wins = t.wins,
      campaigns = (SELECT count(*) FROM joined_campaign WHERE user_id = ${userId}::uuid),
      own_campaigns = (SELECT count(*) FROM joined_campaign
        WHERE user_id = ${userId}::uuid AND is_own),
      first_event_at = t.first_at, last_event_at = t.last_at, session_gaps = t.gaps,
      session_gap_ms = t.gap_ms, due_at = 'epoch'
    FROM (SELECT count(*) AS events, count(*) FILTER (WHERE category = 'GAME_PLAY') AS plays,
        count(*) FILTER (WHERE category = 'GAME_PLAY' AND coalesce(won, points > 0)) AS wins,
        min(occurred_at) AS first_at, max(occurred_at) AS last_at,
        count(*) FILTER (WHERE pause >= interval '30 minutes') AS gaps,
        coalesce(sum(extract(epoch FROM pause) * 1000)
          FILTER (WHERE pause >= interval '30 minutes'), 0) AS gap_ms
      FROM (SELECT *, occurred_at - lag(occurred_at) OVER (ORDER BY occurred_at) AS pause
        FROM user_activity WHERE user_id = ${userId}::uuid) a) t
    WHERE p.user_id = ${userId}::uuid`
}
