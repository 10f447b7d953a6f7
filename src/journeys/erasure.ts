/**
 * Erases users. What identifies a user goes at once; then the rows, in short transactions, so that a long timeline locks
 * nobody out. A job finishes what a node has left undone.
 */

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { revokeUserTokens } from '../accounts/user-token.ts'
import { forgetGuesses, guessingUser } from '../campaigns/guessing.ts'
import { eraseClientSeeds } from '../games/play-seed.ts'
import { type EndUser, Prisma, type UserErasure } from '../generated/prisma/client.ts'
import { addToChanges } from '../kit/access/audit-entry.sql.ts'
import { inTransaction } from '../kit/database/db.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Runtime, Transaction, Work } from '../kit/runtime.ts'
import { renameIn } from '../kit/streams/events.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId, UserId } from '../kit/user-id.ts'
import { erasedAddress, forgetHolder, lockTickets } from '../lotteries/ticket.ts'
import { eraseCounters } from '../programme/counting.ts'
import { eraseGrants } from '../programme/grant.ts'
import { eraseBlocks } from '../users/block.ts'
import { lockUserAlone, UserBy, type UserKey } from '../users/end-user.ts'
import {
  deleteEmptyHours,
  deleteJoinedCampaigns,
  eraseActivities,
  eraseOffers,
  findEventsOf,
  findOtherEvents,
  lockErasure,
  lockProfile,
  updateEvents,
  updateTotals,
} from './erasure.sql.ts'

export const EraseUser = z
  .object({ user: UserBy.describe('The user, by id or external id.') })
  .describe('A user to erase.')

/** Rows of a step. */
const stepRows = 500

/** A profile that has the time zone of its partner. */
const noTimeZone = {
  timeZone: null,
  timeZoneSince: null,
  timeZoneNotBefore: null,
  timeZoneBySecret: false,
}

/** The names under which a user held tickets and stands in events. */
type Holder = { externalId: ExternalId; email: string | null }

/** Deletes what has been set for a user, and what was written about them. */
const forgetSettings = async (work: Transaction, key: UserKey, userId: UserId): Promise<void> => {
  await ofTenant(work.tx, key).userTimeZone.deleteMany({ where: { userId } })
  await forgetGuesses(work, guessingUser(key))
  await revokeUserTokens(work, key)
  await eraseClientSeeds(work, userId)
  await eraseBlocks(work, key, userId)
}

/**
 * Erases what identifies a user: a pseudonym replaces the partner's id, and name, addresses, time zones, tags and metadata
 * are deleted. Later calls with that id create a new user. Who is erased again keeps the pseudonym. `finishErasure` does
 * the rest after the transaction.
 * @throws TesseraError USER_NOT_FOUND
 */
export const eraseUser = (work: Work, requested: UserKey): Promise<EndUser> =>
  inTransaction(work, async (txWork) => {
    const { tx } = txWork
    const key = { ...tenantOf(requested), externalId: requested.externalId }
    const own = ofTenant(tx, key)
    const where = { externalId: key.externalId }
    const found = await own.endUser.findFirst({ where, select: { id: true } })
    // Before the user: steps lock it, then draws, which come before users.
    if (found) await lockErasure(tx, found.id as UserId)
    if (!(await lockUserAlone(txWork, key))) throw new TesseraError('USER_NOT_FOUND')
    const known = await own.endUser.findFirst({ where, include: { profile: true } })
    if (!known?.profile) throw new TesseraError('USER_NOT_FOUND')
    const userId = known.id as UserId
    const earlier = await own.userErasure.findUnique({ where: { userId } })
    const isPseudonym = earlier?.pseudonym === known.externalId
    const pseudonym = isPseudonym ? known.externalId : `erased-${randomUUID()}`
    await own.endUser.update({
      where: { id: userId },
      data: { externalId: pseudonym, displayName: null, email: null, metadata: Prisma.DbNull },
    })
    const nothing = { phone: null, country: null, device: null, source: null }
    await own.userProfile.update({
      where: { userId },
      // Due at a time that nothing else uses: a classification from before is not written.
      data: { ...nothing, ...noTimeZone, tags: Prisma.DbNull, dueAt: new Date(-1_000) },
    })
    await own.campaignParticipant.updateMany({
      where: { userId },
      data: { externalId: pseudonym },
    })
    await forgetSettings(txWork, key, userId)
    const holder: Holder = { externalId: key.externalId, email: known.email }
    await own.userErasure.upsert({
      where: { userId },
      create: {
        userId,
        pseudonym,
        holders: [holder],
        requestedAt: txWork.clock(),
      },
      update: {
        pseudonym,
        holders: [...((earlier?.holders ?? []) as Holder[]), holder],
        requestedAt: txWork.clock(),
        finishedAt: null,
        erasedCount: 0,
        // Nothing was added to the timeline since the last erasure, so there is nothing to look for.
        isWalked: earlier?.isWalked === true && earlier.eventsLeft === known.profile.events,
        reachedAt: null,
        reachedId: null,
      },
    })
    // The log must not keep the id that was erased.
    const hidden = { table: 'end_user', id: userId, field: 'external_id', from: '***' }
    if (!isPseudonym) await addToChanges(tx, [{ ...hidden, to: pseudonym }])
    return own.endUser.findUniqueOrThrow({ where: { id: userId } })
  })

/** A step of an erasure. Returns whether it was the last of its kind. */
type Step = (work: Transaction, erasure: UserErasure) => Promise<boolean>

/** The names to replace in events. */
const namesOf = ({ holders, pseudonym }: UserErasure) =>
  new Map<string, string>((holders as Holder[]).map(({ externalId }) => [externalId, pseudonym]))

/** Replaces names of a person in events. */
const renameInEvents = async (
  { tx }: Transaction,
  tenant: Tenant,
  ids: string[],
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  if (ids.length === 0) return
  const events = await ofTenant(tx, tenant).event.findMany({
    where: { id: { in: ids } },
    select: { id: true, type: true, data: true },
  })
  await updateEvents(
    tx,
    events.map((event) => ({ id: event.id, data: renameIn(event, names) })),
  )
}

const eraseTickets: Step = async (work, erasure) => {
  const { pseudonym, requestedAt } = erasure
  for (const holder of erasure.holders as Holder[]) {
    const held = { ...tenantOf(erasure), ...holder }
    const tickets = await lockTickets(work, held, { pseudonym, until: requestedAt })
    if (tickets.length === 0) continue
    const names = namesOf(erasure)
    for (const { email } of tickets) names.set(email, erasedAddress(pseudonym))
    const events = await findEventsOf(
      work.tx,
      [],
      tickets.map(({ id }) => id),
    )
    await renameInEvents(
      work,
      erasure,
      events.map(({ id }) => id),
      names,
    )
    await forgetHolder(work, held, { tickets, pseudonym })
    return false
  }
  return true
}

const eraseTextsOfOffers: Step = async ({ tx }, { userId }) =>
  (await eraseOffers(tx, userId as UserId, stepRows)) < stepRows

const eraseGrantsOfUser: Step = (work, { userId }) => eraseGrants(work, userId as UserId, stepRows)

const eraseCountersOfUser: Step = (work, { userId }) => eraseCounters(work, userId as UserId)

const eraseTimeline: Step = async (work, erasure) => {
  if (erasure.isWalked) return true
  const userId = erasure.userId as UserId
  const [step] = await eraseActivities(work.tx, userId, erasure, stepRows)
  const { ids = [], erased = 0, hours = [], reachedAt, reachedId } = step ?? {}
  await deleteEmptyHours(work.tx, userId, hours)
  const events = await findEventsOf(work.tx, ids, [])
  await renameInEvents(
    work,
    erasure,
    events.map(({ id }) => id),
    namesOf(erasure),
  )
  const isWalked = ids.length < stepRows
  await ofTenant(work.tx, erasure).userErasure.update({
    where: { userId },
    data: {
      erasedCount: { increment: erased },
      isWalked,
      ...(reachedAt && reachedId && { reachedAt, reachedId }),
    },
  })
  return isWalked
}

/** Does steps until one is the last, each in a transaction. Returns false if the erasure is finished or was stopped. */
const doSteps = async (work: Work, userId: UserId, step: Step, signal?: AbortSignal) => {
  while (!signal?.aborted) {
    const isLast = await inTransaction(work, async (txWork) => {
      await lockErasure(txWork.tx, userId)
      const erasure = await acrossTenants(txWork.tx, 'JOB').userErasure.findUnique({
        where: { userId },
      })
      return !erasure || erasure.finishedAt ? null : step(txWork, erasure)
    })
    if (isLast !== false) return isLast === true
  }
  return false
}

/** The attempts to sum up without a lock a timeline to which something is added all the time. */
const maxAttempts = 20

/** Sums up what is left, without a lock while it reads. */
const sumUp = async (work: Work, userId: UserId): Promise<void> => {
  await deleteJoinedCampaigns(work.tx, userId)
  for (let attempt = 0; attempt < maxAttempts; attempt++)
    if ((await updateTotals(work.tx, userId, { isLocked: false })) > 0) return
  await inTransaction(work, async ({ tx }) => {
    await lockProfile(tx, userId)
    await updateTotals(tx, userId, { isLocked: true })
  })
}

/** Forgets the names, unless the user is being erased again. */
const close: Step = async ({ tx, clock }, { userId, isWalked, ...tenant }) => {
  if (!isWalked) return true
  const own = ofTenant(tx, tenant)
  const profile = await own.userProfile.findUniqueOrThrow({ where: { userId } })
  const data = { finishedAt: clock(), eventsLeft: profile.events, holders: [] }
  await own.userErasure.update({ where: { userId }, data })
  return true
}

/** Does what is left of an erasure. */
const doAll = async (work: Work, userId: UserId, signal: AbortSignal | undefined) => {
  const others = (await findOtherEvents(work.tx, userId)).map(({ id }) => id)
  const eraseOtherEvents: Step = async (txWork, erasure) => {
    await renameInEvents(txWork, erasure, others.splice(0, stepRows), namesOf(erasure))
    return others.length === 0
  }
  const steps = [
    eraseTickets,
    eraseTextsOfOffers,
    eraseGrantsOfUser,
    // The events of joining are found by the joins.
    eraseOtherEvents,
    eraseCountersOfUser,
    eraseTimeline,
  ]
  for (const step of steps) if (!(await doSteps(work, userId, step, signal))) return
  await sumUp(work, userId)
  await doSteps(work, userId, close)
}

/**
 * Erases the rows of a user after `eraseUser`: tickets, texts of offers, grants that are not issued, events and the timeline. The timeline keeps
 * only entries that belong to a ledger entry, a play, a campaign or a claim, without metadata. The ledger keeps its
 * numbers. Returns how many entries of the timeline were erased. It can be stopped at any time and called again.
 */
export const finishErasure = async (
  work: Work,
  userId: UserId,
  signal?: AbortSignal,
): Promise<number> => {
  await doAll(work, userId, signal)
  const erasure = await acrossTenants(work.tx, 'JOB').userErasure.findUnique({ where: { userId } })
  return erasure?.erasedCount ?? 0
}

/** How long an erasure is left to the node that began it. */
const ownMs = 60_000
const erasuresAtOnce = 100

/** Finishes erasures that a node has left undone. */
export const finishErasures = async (runtime: Runtime, signal?: AbortSignal): Promise<void> => {
  const requestedAt = { lt: new Date(runtime.clock().getTime() - ownMs) }
  const open = await acrossTenants(runtime.db, 'JOB').userErasure.findMany({
    where: { finishedAt: null, requestedAt },
    orderBy: { requestedAt: 'asc' },
    take: erasuresAtOnce,
  })
  for (const { userId } of open)
    if (!signal?.aborted) await finishErasure(runtime, userId as UserId, signal)
}
