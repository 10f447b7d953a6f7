/** Blocks of users. While blocked, a user cannot play, join, redeem, claim, buy or enter lotteries. */
import { z } from 'zod'
import type { EndUser, UserBlock } from '../generated/prisma/client.ts'
import { BlockReason } from '../generated/prisma/enums.ts'
import { addToChanges, type NotedChange } from '../kit/access/audit-entry.sql.ts'
import { inTransaction } from '../kit/database/db.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { newId } from '../kit/random.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { moment, oneOf, text } from '../kit/validation.ts'
import { forGood, isBlocked } from './block.rules.ts'
import { endBlock, insertBlock, selectBlockedUsers, selectLastBlocks } from './block.sql.ts'
import { findUsers, lockUserAlone, storableKeys, UserBy, type UserKey } from './end-user.ts'

export const BlockUser = z
  .object({
    user: UserBy.describe('The user, who must exist.'),
    reason: oneOf('BlockReason', BlockReason).describe('Why the user is blocked.'),
    note: text(500).nullish().describe('More, for your team. Kept until the user is erased.'),
    until: moment().nullish().describe('When the block ends by itself. Defaults to never.'),
  })
  .describe('A user to block.')

export const UnblockUser = z
  .object({ user: UserBy.describe('The user, by id or external id.') })
  .describe('A user to unblock.')

/**
 * Locks a user so that nothing that looks for blocks is under way, and returns the user.
 * @throws TesseraError USER_NOT_FOUND
 */
const lockToBlock = async (work: Transaction, key: UserKey): Promise<EndUser> => {
  if (!(await lockUserAlone(work, key))) throw new TesseraError('USER_NOT_FOUND')
  const [user] = await findUsers(work, [key])
  return user as EndUser
}

/** What the audit log says of a block. It leaves the note out. */
const noteBlock = async ({ tx }: Transaction, before: EndUser, after: EndUser): Promise<void> => {
  const changes = [
    { field: 'block_reason', from: before.blockReason, to: after.blockReason },
    {
      field: 'blocked_until',
      from: before.blockedUntil?.toISOString() ?? null,
      to: after.blockedUntil?.toISOString() ?? null,
    },
  ]
    .filter(({ from, to }) => from !== to)
    .map((change): NotedChange => ({ table: 'end_user', id: before.id, ...change }))
  if (changes.length > 0) await addToChanges(tx, changes)
}

/**
 * Blocks a user from now on. It replaces a block that the user has. Once it returns and is committed, nothing that it refuses
 * passes.
 * @throws TesseraError USER_NOT_FOUND, VALIDATION_FAILED for an end that is past
 */
export const blockUser = (
  work: Work,
  { reason, note, until, ...key }: UserKey & Omit<z.output<typeof BlockUser>, 'user'>,
): Promise<EndUser> =>
  inTransaction(work, async (txWork) => {
    const now = txWork.clock()
    if (until && until <= now) throw refused('until', 'must be in the future')
    const before = await lockToBlock(txWork, key)
    const blockedUntil = until ?? forGood
    const block = { id: newId(), userId: before.id as UserId, reason, note, until, blockedUntil }
    await insertBlock(txWork.tx, block, now)
    const after = { ...before, blockReason: reason, blockedUntil }
    await noteBlock(txWork, before, after)
    return after
  })

/**
 * Ends the block of a user. A user who is not blocked is returned unchanged.
 * @throws TesseraError USER_NOT_FOUND
 */
export const unblockUser = (work: Work, key: UserKey): Promise<EndUser> =>
  inTransaction(work, async (txWork) => {
    const before = await lockToBlock(txWork, key)
    const now = txWork.clock()
    if (!isBlocked(before, now)) return before
    await endBlock(txWork.tx, before.id, now)
    const after = { ...before, blockReason: null, blockedUntil: null }
    await noteBlock(txWork, before, after)
    return after
  })

/** Reads the newest block of each user, in one statement; null for those who were never blocked. */
export const findLastBlocks = async (
  { tx }: Work,
  userIds: UserId[],
): Promise<(UserBlock | null)[]> =>
  inOrder(
    userIds,
    await selectLastBlocks(
      tx,
      [...new Set(userIds)].map((userId) => ({ userId })),
    ),
    ({ userId }) => userId,
  )

/** For each key, whether its user is blocked. Nobody is blocked until the transaction ends. */
export const findBlocked = async (
  { tx, clock }: Transaction,
  keys: UserKey[],
): Promise<boolean[]> => {
  const blocked = keys.map(() => false)
  if (keys.length === 0) return blocked
  for (const { n } of await selectBlockedUsers(tx, storableKeys(keys), clock())) blocked[n] = true
  return blocked
}

/** Ends the block of a user who is erased, without announcing it, and deletes why users were blocked and all notes. */
export const eraseBlocks = async (
  { tx }: Transaction,
  tenant: Tenant,
  userId: UserId,
): Promise<void> => {
  const own = ofTenant(tx, tenant)
  const data = { blockReason: null, blockedUntil: null }
  await own.endUser.update({ where: { id: userId }, data })
  await own.userBlock.updateMany({ where: { userId }, data: { reason: null, note: null } })
  await own.userNote.deleteMany({ where: { userId } })
}
