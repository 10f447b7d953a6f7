import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { EndUser } from '../generated/prisma/client.ts'
import type { Caller } from '../kit/access/context.ts'
import type { Queries, Tx } from '../kit/database/db.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId, oneKey } from '../kit/node-id.ts'
import type { Runtime, Transaction, Work } from '../kit/runtime.ts'
import { load } from '../kit/schema/edge.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { type ExternalId, externalId, type UserId } from '../kit/user-id.ts'
import { isStorable } from '../kit/validation.ts'
import {
  abortToRetry,
  insertMissingUsers,
  lockOrInsertUsers,
  selectFreeUsersForUpdate,
  selectUserAlone,
  selectUsers,
  selectUsersByIdForUpdate,
  selectUsersForUpdate,
  trySelectUsersByIdForUpdate,
} from './end-user.sql.ts'
import { onlyUserOf, refuseOtherUser } from './named-user.ts'

/** Names a user by the id of the partner. */
export type UserKey = Tenant & { externalId: ExternalId }

export const UserBy = oneKey({
  id: nodeId('User').brand<'UserId'>().describe('The global id or the UUID.'),
  externalId: externalId().describe("The partner's id of the user."),
})
  .meta({ graphql: 'UserBy' })
  .describe('Exactly one key of a user.')

export type UserBy = z.output<typeof UserBy>

/** A key as one text. */
export const nameOf = ({ partnerId, environment, externalId }: UserKey): string =>
  JSON.stringify([partnerId, environment, externalId])

/** The keys as parameters of a statement. PostgreSQL cannot store every text, nor compare with it. */
export const storableKeys = <K extends UserKey>(keys: K[]) =>
  keys.map((key) => (isStorable(key.externalId) ? key : { ...key, externalId: null }))

/** For each transaction, the users that it wanted to lock, and whether it has. */
const locks = new WeakMap<Queries, Map<string, boolean>>()

const noteLocks = (tx: Tx, users: UserKey[], isLocked: boolean): void => {
  const known = locks.get(tx) ?? new Map<string, boolean>()
  for (const user of users) known.set(nameOf(user), isLocked)
  locks.set(tx, known)
}

/** The users of rows with the index of their key in the list. Null for those whom the transaction does not find. */
const byPlace = (
  tx: Queries,
  keys: UserKey[],
  rows: readonly (EndUser & { n: number })[],
): (EndUser | null)[] => {
  const users: (EndUser | null)[] = keys.map(() => null)
  const known = locks.get(tx)
  for (const { n, ...user } of rows) if (known?.get(nameOf(user)) !== false) users[n] = user
  return users
}

const notNull = (users: (EndUser | null)[]) => users.filter((user) => user !== null)

/**
 * Locks users until the transaction ends, and returns them; null for those who do not exist. The transaction does not
 * find those even if they are created after this: they would not be locked.
 */
export const lockUsers = async (
  { tx }: Transaction,
  keys: UserKey[],
): Promise<(EndUser | null)[]> => {
  if (keys.length === 0) return []
  const users = byPlace(tx, keys, await selectUsersForUpdate(tx, storableKeys(keys)))
  noteLocks(tx, keys, false)
  noteLocks(tx, notNull(users), true)
  return users
}

/** Locks a user against everybody, also those who only refer to the user. False if there is none. */
export const lockUserAlone = async ({ tx }: Transaction, key: UserKey): Promise<boolean> => {
  const found = await Promise.all(storableKeys([key]).map((item) => selectUserAlone(tx, item)))
  return found.flat().length > 0
}

/** Creates users who do not exist, in one statement, in the lock order. */
export const makeUsers = async ({ tx, clock }: Work, keys: UserKey[]): Promise<void> => {
  await insertMissingUsers(tx, storableKeys(keys), clock())
}

/** Locks users until the transaction ends. Returns them by id. Their external ids cannot change until then. */
export const lockUsersById = async (
  { tx }: Transaction,
  ids: UserId[],
): Promise<ReadonlyMap<UserId, EndUser>> => {
  if (ids.length === 0) return new Map()
  const isAlone = new Set(ids).size === 1
  const users = await selectUsersByIdForUpdate(tx, ids, isAlone)
  const locked = new Set(users.map(({ id }) => id))
  const others = [...new Set(ids)].filter((id) => !locked.has(id))
  if (!isAlone && others.length > 0) users.push(...(await lockErased({ tx }, others)))
  noteLocks(tx, users, true)
  return new Map(users.map((user) => [user.id, user]))
}

const tries = 50
const pauseMs = 5

/**
 * Locks users who have a pseudonym, while others are locked. An erasure moves a user in the order of locks, and a statement
 * that began before it still goes by the old one. So nobody waits here: after 50 tries the transaction is aborted, and begins
 * again.
 */
const lockErased = async ({ tx }: Pick<Transaction, 'tx'>, ids: UserId[]): Promise<EndUser[]> => {
  for (let n = 0; n < tries; n++) {
    const users = await trySelectUsersByIdForUpdate(tx, ids)
    if (users.length === ids.length) return users
    await sleep(pauseMs)
  }
  await abortToRetry(tx)
  return []
}

/** Locks those of some users whom nobody else has locked, until the transaction ends. Returns their ids. */
export const lockFreeUsersById = async (
  { tx }: Transaction,
  ids: readonly UserId[],
): Promise<UserId[]> => (await selectFreeUsersForUpdate(tx, [...ids])).map(({ id }) => id as UserId)

/** Reads users by `externalId`, in one statement. Null for those who do not exist. */
export const findUsers = async ({ tx }: Work, keys: UserKey[]): Promise<(EndUser | null)[]> => {
  return byPlace(tx, keys, await selectUsers(tx, storableKeys(keys)))
}

/**
 * Locks users until the transaction ends, and returns them. Creates those who do not exist and are to be made; the others
 * are null.
 */
export const lockOrMakeSome = async (
  work: Transaction,
  keys: (UserKey & { isMade: boolean })[],
): Promise<(EndUser | null)[]> => {
  const named = keys.map((key) => (isStorable(key.externalId) ? key : { ...key, externalId: null }))
  const users = byPlace(work.tx, keys, await lockOrInsertUsers(work.tx, named, work.clock()))
  noteLocks(work.tx, keys, false)
  noteLocks(work.tx, [...notNull(users), ...keys.filter(({ isMade }) => isMade)], true)
  // The statement has locked those who were created while it ran, but does not see them.
  const isUnseen = keys.some(({ isMade }, n) => isMade && !users[n])
  return isUnseen ? findUsers(work, keys) : users
}

/** Locks users until the transaction ends, and returns them. Creates those who do not exist. */
export const lockOrMakeUsers = async (work: Transaction, keys: UserKey[]): Promise<EndUser[]> =>
  (await lockOrMakeSome(
    work,
    keys.map((key) => ({ ...key, isMade: true })),
  )) as EndUser[]

/** Reads users by their UUIDs. Null for those who do not exist or belong to another tenant. */
const findUsersById = async (
  { tx }: Work,
  keys: (Tenant & { id: UserId })[],
): Promise<(EndUser | null)[]> => {
  const found = await acrossTenants(tx, 'IDS').endUser.findMany({
    where: { id: { in: keys.map(({ id }) => id) } },
  })
  const nameOf = ({ partnerId, environment, id }: Tenant & { id: string }) =>
    `${partnerId} ${environment} ${id}`
  return inOrder(keys, found, nameOf, nameOf)
}

/** The user of a row that refers to one, such as a play or a participant. The user must exist. */
export const userOf = async (
  runtime: Pick<Runtime, 'readAll'>,
  { userId, ...row }: Tenant & { userId: UserId },
): Promise<EndUser> =>
  (await load(runtime, findUsersById, { ...tenantOf(row), id: userId })) as EndUser

/** The user of a tenant with this key, or null. Code that takes the key from a caller uses `findUserBy`. */
export const findUserOf = async (
  { read }: Pick<Runtime, 'read'>,
  tenant: Tenant,
  { id, externalId }: UserBy,
): Promise<EndUser | null> => {
  if (id) return read(findUsersById, { ...tenantOf(tenant), id })
  return externalId === undefined ? null : read(findUsers, { ...tenantOf(tenant), externalId })
}

/**
 * The user that a caller names, or null.
 * @throws TesseraError MISSING_USER_TOKEN, USER_TOKEN_OF_ANOTHER
 */
export const findUserBy = async (
  runtime: Pick<Runtime, 'read'>,
  caller: Caller,
  by: UserBy,
): Promise<EndUser | null> => {
  // Before anything is read, so that a caller without a token learns nothing about users.
  if (by.externalId === undefined) onlyUserOf(caller)
  else refuseOtherUser(caller, by.externalId)
  const user = await findUserOf(runtime, caller, by)
  refuseOtherUser(caller, user?.externalId ?? by.externalId ?? null)
  return user
}

/**
 * The condition of a filter by a user, for rows that belong to the tenant and have the id of a user in `field`. It matches
 * nothing if there is no such user, and is empty if none is named.
 */
export const rowsOfUser = async (
  runtime: Pick<Runtime, 'read'>,
  tenant: Tenant,
  by: UserBy | null | undefined,
  field = 'userId',
): Promise<object> => {
  if (!by) return {}
  const user = await findUserOf(runtime, tenant, by)
  return { [field]: user ? user.id : { in: [] } }
}

/**
 * The external id of the user that a caller names. It reads nothing when the caller names the external id.
 * @throws TesseraError USER_NOT_FOUND when no user has the UUID; MISSING_USER_TOKEN, USER_TOKEN_OF_ANOTHER
 */
export const externalIdOf = async (
  runtime: Pick<Runtime, 'read'>,
  caller: Caller,
  by: UserBy,
): Promise<ExternalId> => {
  if (by.externalId !== undefined) {
    refuseOtherUser(caller, by.externalId)
    return by.externalId
  }
  const user = await findUserBy(runtime, caller, by)
  if (!user) throw new TesseraError('USER_NOT_FOUND')
  return user.externalId
}
