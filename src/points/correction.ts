/** Points that a caller moves without a rule: adjustments of wallets, and reversals of ledger entries. */

import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Actor } from '../accounts/actor.ts'
import type { EndUser, LedgerCorrection, LedgerEntry } from '../generated/prisma/client.ts'
import { addToChanges, type NotedChange } from '../kit/access/audit-entry.sql.ts'
import { inTransaction, type Tx } from '../kit/database/db.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { integer, maxPoints, reference, title } from '../kit/validation.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { lockUsersById, UserBy, type UserKey } from '../users/end-user.ts'
import {
  type CorrectionRow,
  insertAdjustments,
  insertReversals,
  selectByReference,
  selectEntries,
} from './correction.sql.ts'
import { findRepaying } from './point-policy.ts'
import { addShortfalls } from './shortfall.sql.ts'
import { type Movement, openWallets, reversals, userAfter } from './wallet.ts'

const reason = () =>
  title(500).describe('Why. Kept with the ledger entry until the user is erased.')

export const AdjustPoints = z
  .object({
    user: UserBy.describe('The user, who must exist.'),
    points: integer(-maxPoints, maxPoints)
      .refine((points) => points !== 0, 'must not be 0')
      .describe('Points to add, or to take if negative.'),
    reason: reason(),
    reference: reference()
      .nullish()
      .describe('Idempotency reference. Adjusts once, however often it is sent.'),
  })
  .describe('Points that are added or taken by hand.')

export const ReverseLedgerEntry = z
  .object({
    ledgerEntryId: nodeId('LedgerEntry').describe('The entry to take back.'),
    reason: reason(),
  })
  .describe('A ledger entry to take back.')

type Adjustment = UserKey & Actor & Omit<z.output<typeof AdjustPoints>, 'user'>
type Reversal = Tenant & Actor & z.output<typeof ReverseLedgerEntry>

/** The entry that was written, and the user after the whole list. */
export type Corrected = {
  ledgerEntry: LedgerEntry & { user: EndUser }
  user: EndUser
}

type Pay = Awaited<ReturnType<typeof openWallets>>

type Kind<T> = {
  /** Whether the wallet of a user moves. Always by default. */
  mayPay?(user: EndUser): boolean
  /** Whether a user who lacks the points may owe the rest. Never by default. */
  mayOwe?(item: T): boolean
  movementOf(
    item: T,
  ): (Movement & { reversesId?: string; reversedActivityId?: string | null }) | TesseraError
  /** The key under which a correction is made only once; null if it may be repeated. */
  onceOf(item: T): string | null
  /** The existing entries with that key. */
  done: Map<string, string>
  refusal(ledgerEntryId: string): TesseraError
  /** Writes entries, with who made them, and why. */
  write: typeof insertAdjustments
}

/** The change in the audit log: the wallet before and after. */
const changeOfBalance = ({ user, ledgerEntry }: Corrected): NotedChange => ({
  table: 'end_user',
  id: user.id,
  field: 'balance',
  from: Number(ledgerEntry.balanceAfter) - ledgerEntry.points,
  to: Number(ledgerEntry.balanceAfter),
})

/** Notes what users owe now. */
const owe = async (tx: Tx, accepted: { user: EndUser; row: CorrectionRow }[]): Promise<void> => {
  const owed = accepted.flatMap(({ user, row: { shortfall } }) =>
    shortfall ? [{ userId: user.id, points: shortfall }] : [],
  )
  if (owed.length > 0) await addShortfalls(tx, owed)
}

/** Moves points in the order of the list. */
const correct = async <T extends Actor & { reason: string }>(
  { tx, clock }: Transaction,
  pay: Pay,
  requested: readonly T[],
  { movementOf, mayPay = () => true, mayOwe = () => false, onceOf, done, refusal, write }: Kind<T>,
): Promise<(Corrected | TesseraError)[]> => {
  const accepted: { n: number; user: EndUser; row: CorrectionRow }[] = []
  const refused = requested.map((item, n) => {
    const movement = movementOf(item)
    if (movement instanceof Error) return movement
    const once = onceOf(item)
    const first = once === null ? undefined : done.get(once)
    if (first !== undefined) return refusal(first)
    const owner = pay({ ...movement, points: 0 })
    if (owner instanceof Error) return owner
    if (!mayPay(owner)) return userBlocked()
    const shortfall = mayOwe(item) ? pay.missing(movement) : 0
    const paid = { ...movement, points: movement.points + shortfall }
    const user = pay(paid)
    if (user instanceof Error) return user
    const { reason, memberId, apiKeyId } = item
    const row = { ...paid, id: uuid(), reason, shortfall, memberId, apiKeyId }
    if (once !== null) done.set(once, row.id)
    accepted.push({ n, user, row })
    return null
  })
  const results = refused as (Corrected | TesseraError)[]
  if (accepted.length === 0) return results
  const createdAt = clock()
  const rows = accepted.map(({ row }) => row)
  const corrected = (await write(tx, rows, createdAt)).map((posted): Corrected => {
    const { n, user: before, row } = accepted[posted.n] as (typeof accepted)[number]
    const { entryNo, balanceAfter, userId, ...wallet } = posted
    const user = userAfter(before, wallet)
    const { id, eventType, points, account, reference = null, sourceId = null } = row
    const entry = { id, ...tenantOf(row), userId, entryNo, eventType, points, balanceAfter }
    const ledgerEntry = { ...entry, account, reference, sourceId, metadata: null, createdAt, user }
    results[n] = { user, ledgerEntry }
    return { user, ledgerEntry }
  })
  await owe(tx, accepted)
  await addToChanges(tx, corrected.map(changeOfBalance))
  return results
}

/** A movement of points that a caller makes once by its reference. */
type ByReference = UserKey &
  Actor & { points: number; reason: string; reference?: string | null | undefined }

const referenceName = ({ partnerId, environment, reference }: ByReference): string | null =>
  reference == null ? null : JSON.stringify([partnerId, environment, reference])

/**
 * Moves points of users who exist, each once by its reference. If two transactions use the same reference at the same
 * time, the later one violates the unique index and must be retried (`retrying`).
 *
 * The result of a refused movement is DUPLICATE_REFERENCE, USER_NOT_FOUND, USER_BLOCKED or INSUFFICIENT_POINTS. It does not
 * use up the reference and creates no user.
 */
export const moveByReference = (
  work: Work,
  requested: ByReference[],
  {
    eventType,
    account,
    duplicate,
    write,
    refusesBlocked = false,
  }: Pick<Movement, 'eventType' | 'account'> & {
    /** The message about a reference that was used before. */
    duplicate: string
    write: typeof insertAdjustments
    /** Whether it is USER_BLOCKED for blocked users. */
    refusesBlocked?: boolean
  },
): Promise<(Corrected | Error)[]> =>
  inTransaction(work, async (txWork) => {
    const pay = await openWallets(txWork, requested)
    const referred = requested.flatMap(({ reference, ...item }) =>
      reference == null ? [] : { ...item, reference, eventType },
    )
    const known = referred.length > 0 ? await selectByReference(txWork.tx, referred) : []
    const done = new Map(
      known.map(({ n, id }) => [referenceName(referred[n] as ByReference) as string, id]),
    )
    return correct(txWork, pay, requested, {
      mayPay: (user) => !refusesBlocked || !isBlocked(user, txWork.clock()),
      movementOf: ({ points, reference, ...item }) => ({
        ...tenantOf(item),
        externalId: item.externalId,
        points,
        reference,
        eventType,
        account,
      }),
      onceOf: referenceName,
      done,
      refusal: (ledgerEntryId) =>
        new TesseraError('DUPLICATE_REFERENCE', { message: duplicate, ledgerEntryId }),
      write,
    })
  })

/** Adds points to wallets, or takes them, by `moveByReference`. Added points count as earned. */
export const adjustPoints = (
  work: Work,
  adjustments: Adjustment[],
): Promise<(Corrected | Error)[]> =>
  moveByReference(work, adjustments, {
    eventType: 'adjustment',
    account: 'adjustments',
    duplicate: 'Duplicate reference; points already adjusted for this reference',
    write: insertAdjustments,
  })

/**
 * Points of prize pools and agents have other holders, too, so their entries are final. So is a reversal. What a grant paid
 * is taken back by revoking the grant.
 */
export const isReversible = ({ account }: Pick<LedgerEntry, 'account'>): boolean =>
  account !== reversals && account !== 'rewards' && !/^(session|agent):/.test(account)

/** The entry of the timeline of an award or a campaign credit, whose facts a reversal takes back. Null for other entries. */
const activityIdOf = ({
  id,
  account,
  sourceId,
}: Pick<LedgerEntry, 'id' | 'account' | 'sourceId'>) => {
  if (account === 'issuance') return id
  return account.startsWith('campaign:') ? sourceId : null
}

/**
 * Reverses ledger entries: writes an entry of the opposite sign that names the original. The cause of the entry stays,
 * such as the play or the campaign points. Points that were earned no longer count as earned.
 *
 * Where the partner has chosen REPAY, points that are spent are owed: the balance becomes 0, and the rest is taken once there
 * are points again.
 *
 * The result of a refused reversal is LEDGER_ENTRY_NOT_FOUND, LEDGER_ENTRY_NOT_REVERSIBLE, LEDGER_ENTRY_REVERSED or
 * INSUFFICIENT_POINTS.
 */
export const reverseEntries = (work: Work, requested: Reversal[]): Promise<(Corrected | Error)[]> =>
  inTransaction(work, async (txWork) => {
    const found: ((LedgerEntry & UserKey) | undefined)[] = requested.map(() => undefined)
    const rows = await selectEntries(
      txWork.tx,
      requested.map(({ ledgerEntryId: id }) => ({ id })),
    )
    const own = rows.filter(({ n, partnerId, environment }) => {
      const by = requested[n] as Reversal
      return partnerId === by.partnerId && environment === by.environment
    })
    const users = await lockUsersById(
      txWork,
      own.map(({ userId }) => userId),
    )
    for (const { n, ...entry } of own)
      found[n] = { ...entry, externalId: (users.get(entry.userId) as EndUser).externalId }
    const entries = found.filter((entry) => entry !== undefined)
    const pay = await openWallets(txWork, entries)
    const earlier = await acrossTenants(txWork.tx, 'IDS').ledgerCorrection.findMany({
      where: { reversesId: { in: entries.map(({ id }) => id) } },
    })
    const entryOf = new Map(requested.map((item, n) => [item, found[n]]))
    const repaying = await findRepaying(txWork, requested)
    return correct(txWork, pay, requested, {
      mayOwe: (item) => repaying(item),
      movementOf: (item) => {
        const entry = entryOf.get(item)
        if (!entry) return new TesseraError('LEDGER_ENTRY_NOT_FOUND')
        if (!isReversible(entry)) return new TesseraError('LEDGER_ENTRY_NOT_REVERSIBLE')
        return {
          ...tenantOf(entry),
          externalId: entry.externalId,
          points: -entry.points,
          eventType: 'reversal',
          account: reversals,
          sourceId: entry.id,
          reversesId: entry.id,
          reversedActivityId: activityIdOf(entry),
        }
      },
      onceOf: ({ ledgerEntryId }) => ledgerEntryId,
      done: new Map(earlier.map(({ reversesId, entryId }) => [reversesId as string, entryId])),
      refusal: (ledgerEntryId) => new TesseraError('LEDGER_ENTRY_REVERSED', { ledgerEntryId }),
      write: insertReversals,
    })
  })

/** Who made ledger entries by hand, and why. Null for other entries. */
export const findCorrections = async (
  { tx }: Work,
  entryIds: string[],
): Promise<(LedgerCorrection | null)[]> => {
  const found = await acrossTenants(tx, 'IDS').ledgerCorrection.findMany({
    where: { entryId: { in: entryIds } },
  })
  return inOrder(entryIds, found, ({ entryId }) => entryId)
}

/** The ids of the entries that reversed these. Null for entries that were not reversed. */
export const findReversals = async (
  { tx }: Work,
  entryIds: string[],
): Promise<(string | null)[]> => {
  const found = await acrossTenants(tx, 'IDS').ledgerCorrection.findMany({
    where: { reversesId: { in: entryIds } },
  })
  const reversals = inOrder(entryIds, found, ({ reversesId }) => reversesId)
  return reversals.map((reversal) => reversal?.entryId ?? null)
}
