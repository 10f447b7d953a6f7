/** Exports the data of a user. */

import type { EndUser } from '../generated/prisma/client.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Runtime } from '../kit/runtime.ts'

/** The maximum number of rows of each kind in an export, newest first. The lists of the API have the rest. */
const maxRows = 10_000

export type UserData = Awaited<ReturnType<typeof readUserData>>

/** The stored data of a user: timeline, ledger, plays, campaigns, offers, stages, time zones, grants, completed goals, blocks and notes. */
export const readUserData = async ({ db, clock }: Pick<Runtime, 'db' | 'clock'>, user: EndUser) => {
  const where = { userId: user.id }
  const own = ofTenant(db, user)
  // One more than is returned shows whether there are more.
  const take = maxRows + 1
  const orderBy = { id: 'desc' } as const
  const [
    activities,
    ledgerEntries,
    plays,
    participants,
    offers,
    stageChanges,
    timeZones,
    grants,
    goals,
    blocks,
    notes,
  ] = await Promise.all([
    own.userActivity.findMany({ where, take, orderBy: [{ occurredAt: 'desc' }, orderBy] }),
    own.ledgerEntry.findMany({ where, take, orderBy: { entryNo: 'desc' } }),
    own.play.findMany({ where, take, orderBy: { playNo: 'desc' } }),
    own.campaignParticipant.findMany({ where, take, orderBy, include: { campaign: true } }),
    own.offer.findMany({ where, take, orderBy }),
    own.stageChange.findMany({ where, take, orderBy }),
    own.userTimeZone.findMany({ where, take, orderBy: { since: 'desc' } }),
    own.rewardGrant.findMany({ where, take, orderBy }),
    own.goalCompletion.findMany({ where, take, orderBy }),
    own.userBlock.findMany({ where, take, orderBy }),
    own.userNote.findMany({ where, take, orderBy }),
  ])
  let isComplete = true
  const newest = <R extends object>(rows: R[]) => {
    if (rows.length > maxRows) isComplete = false
    return rows.slice(0, maxRows).map((row) => ({ ...row, user }))
  }
  const lists = {
    activities: newest(activities),
    ledgerEntries: newest(ledgerEntries),
    plays: newest(plays),
    participants: newest(participants),
    offers: newest(offers),
    stageChanges: newest(stageChanges),
    timeZones: newest(timeZones),
    grants: newest(grants),
    goalCompletions: newest(goals),
    blocks: newest(blocks),
    notes: newest(notes),
  }
  return { exportedAt: clock(), isComplete, user, ...lists }
}
