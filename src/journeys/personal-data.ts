/** Exports and erases the data of a user. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { revokeUserTokens } from '../accounts/user-token-revocation.ts'
import { forgetGuesses, guessingUser } from '../campaigns/guessing.ts'
import { addToChanges } from '../core/audit/audit-entry.sql.ts'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import { renameIn } from '../core/events.ts'
import type { Runtime, Transaction, Work } from '../core/runtime.ts'
import { tenantOf } from '../core/tenant.ts'
import type { UserId } from '../core/user-id.ts'
import { eraseClientSeeds } from '../games/play-seed.ts'
import { type EndUser, Prisma } from '../generated/prisma/client.ts'
import { erasedAddress, forgetHolder, lockTickets } from '../lotteries/forget-holder.ts'
import { lockUserToErase, UserBy, type UserKey } from '../users/end-user.ts'
import {
  deleteActivities,
  eraseOffers,
  eraseReasons,
  findEventsOfUser,
  insertHours,
  insertJoinedCampaigns,
  updateEvents,
  updateTotals,
} from './personal-data.sql.ts'
import { findProfiles } from './profile.ts'

/** The maximum number of rows of each kind in an export, newest first. The lists of the API have the rest. */
const maxRows = 10_000

export type UserExport = Awaited<ReturnType<typeof exportUser>>

/** The stored data of a user: timeline, ledger, plays, campaigns, offers and stages. */
export const exportUser = async ({ db, clock }: Pick<Runtime, 'db' | 'clock'>, user: EndUser) => {
  const where = { userId: user.id }
  // One more than is returned shows whether there are more.
  const take = maxRows + 1
  const orderBy = { id: 'desc' } as const
  const [activities, ledgerEntries, plays, participants, offers, stageChanges] = await Promise.all([
    db.userActivity.findMany({ where, take, orderBy: [{ occurredAt: 'desc' }, orderBy] }),
    db.ledgerEntry.findMany({ where, take, orderBy: { entryNo: 'desc' } }),
    db.play.findMany({ where, take, orderBy: { playNo: 'desc' } }),
    db.campaignParticipant.findMany({ where, take, orderBy, include: { campaign: true } }),
    db.offer.findMany({ where, take, orderBy }),
    db.stageChange.findMany({ where, take, orderBy }),
  ])
  let isComplete = user.archivedEntries === 0
  const own = <R extends object>(rows: R[]) => {
    if (rows.length > maxRows) isComplete = false
    return rows.slice(0, maxRows).map((row) => ({ ...row, user }))
  }
  const lists = {
    activities: own(activities),
    ledgerEntries: own(ledgerEntries),
    plays: own(plays),
    participants: own(participants),
    offers: own(offers),
    stageChanges: own(stageChanges),
  }
  return { exportedAt: clock(), isComplete, user, ...lists }
}

export const EraseUser = z
  .object({ user: UserBy.describe('The user.') })
  .describe('A user to erase.')

type Erasure = {
  /** The user, whose `externalId` is now a pseudonym. */
  user: EndUser
  erasedCount: number
}

/**
 * Erases a user. Deletes name, addresses, tags and metadata. The timeline keeps only entries that belong to a ledger
 * entry, a play, a campaign or a claim, without metadata. The ledger keeps its numbers. A pseudonym replaces the
 * partner's id everywhere, also in plays, tickets and events. Later calls with that id create a new user.
 * @throws TesseraError USER_NOT_FOUND
 */
export const eraseUser = (work: Work, asked: UserKey): Promise<Erasure> =>
  inTransaction(work, async (here) => {
    const { tx } = here
    const key = { ...tenantOf(asked), externalId: asked.externalId }
    const known = await tx.endUser.findUnique({ where: { partnerId_environment_externalId: key } })
    const holder = { ...key, email: known?.email ?? null }
    // Draws before users: the order in which entries lock them.
    const tickets = await lockTickets(here, holder)
    await lockUserToErase(here, key)
    const [profile] = await findProfiles(here, [key])
    if (!profile) throw new TesseraError('USER_NOT_FOUND')
    const { userId } = profile
    const pseudonym = `erased-${randomUUID()}`
    await tx.endUser.update({
      where: { id: userId },
      data: { externalId: pseudonym, displayName: null, email: null, metadata: Prisma.DbNull },
    })
    await tx.userProfile.update({
      where: { userId },
      data: { phone: null, country: null, device: null, source: null, tags: Prisma.DbNull },
    })
    await tx.campaignParticipant.updateMany({
      where: { userId },
      data: { externalId: pseudonym },
    })
    await eraseOffers(tx, userId)
    await eraseReasons(tx, userId)
    const names = new Map<string, string>([[key.externalId, pseudonym]])
    for (const { email } of tickets) names.set(email, erasedAddress(pseudonym))
    const ticketIds = tickets.map(({ id }) => id)
    const events = await findEventsOfUser(tx, userId, ticketIds)
    const eventIds = events.map(({ id }) => id)
    await renameInEvents(here, eventIds, names)
    await forgetHolder(here, holder, { tickets, pseudonym })
    await forgetGuesses(here, guessingUser(key))
    await revokeUserTokens(here, key)
    await eraseClientSeeds(here, userId)
    const erasedCount = await deleteActivities(tx, userId)
    await tx.userActivity.updateMany({ where: { userId }, data: { metadata: Prisma.DbNull } })
    await rollUpAnew(here, userId)
    const user = await tx.endUser.findUniqueOrThrow({ where: { id: userId } })
    // The log must not keep the id that was erased.
    const hidden = { table: 'end_user', id: userId, field: 'external_id', from: '***' }
    await addToChanges(tx, [{ ...hidden, to: pseudonym }])
    return { user, erasedCount }
  })

/** Events per update. */
const chunk = 1_000

/** Replaces names of a person in events. */
const renameInEvents = async (
  { tx }: Transaction,
  ids: string[],
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  for (let from = 0; from < ids.length; from += chunk) {
    const events = await tx.event.findMany({
      where: { id: { in: ids.slice(from, from + chunk) } },
      select: { id: true, type: true, data: true },
    })
    await updateEvents(
      tx,
      events.map((event) => ({ id: event.id, data: renameIn(event, names) })),
    )
  }
}

/** Rebuilds the totals and hours of a user from the rest of the timeline. */
const rollUpAnew = async ({ tx }: Transaction, userId: UserId): Promise<void> => {
  await tx.userHour.deleteMany({ where: { userId } })
  await tx.joinedCampaign.deleteMany({ where: { userId } })
  await insertHours(tx, userId)
  await insertJoinedCampaigns(tx, userId)
  await updateTotals(tx, userId)
}
