/**
 * Limits how many users strangers can create in ten minutes, because everybody knows a public key. Secret keys and
 * members are not limited. A user who exists costs nothing: users are only counted when they are missing.
 */
import type { Caller, Context } from '../kit/access/context.ts'
import { TesseraError } from '../kit/errors.ts'
import { orLocked } from '../kit/group-commit/batch.ts'
import { countTries } from '../kit/http/throttle.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { isTrusted } from '../kit/schema/personal.ts'
import { networkOf } from '../kit/security/network.ts'
import { singleton } from '../kit/singleton.ts'
import { findUsers, type UserKey } from './end-user.ts'

const windowMs = 10 * 60 * 1000

/** Whose new users are counted together, and how many there may be; null if there is no limit. */
export type NewUserLimit = { counter: string; max: number } | null

const limitOf = (
  { config: { newUserLimit: max } }: Pick<Runtime, 'config'>,
  source: string,
  ip: string,
): NewUserLimit => (max === null ? null : { counter: `${source} ${networkOf(ip)}`, max })

/** The limit of a caller: for a public key, by key and network. */
export const newUserLimitOf = (ctx: Context, caller: Caller): NewUserLimit =>
  caller.kind !== 'public' || isTrusted(ctx) ? null : limitOf(ctx, `key ${caller.keyId}`, ctx.ip)

/** The limit of visitors of a partner's pages, by network. */
export const newVisitorLimitOf = (
  runtime: Pick<Runtime, 'config'>,
  { partnerId }: { partnerId: string },
  ip: string,
): NewUserLimit => limitOf(runtime, `pages ${partnerId}`, ip)

type NewUser = UserKey & NonNullable<NewUserLimit>

const nameOf = ({ counter, environment, externalId }: NewUser) =>
  `${counter} ${environment} ${externalId}`

/** Counts users who do not exist, each of them once. The result of a user above the limit is RATE_LIMITED. */
export const countNewUsers = async (work: Work, users: NewUser[]): Promise<(true | Error)[]> => {
  const found = await findUsers(work, users)
  const missing = users.filter((_, n) => !found[n])
  const results = new Map<string, true | Error>()
  const byCounter = Map.groupBy(missing, ({ counter }) => counter)
  // In one order, so that nodes do not wait for each other in a circle.
  for (const [counter, those] of [...byCounter].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const names = [...new Set(those.map(nameOf))]
    const max = those[0]?.max ?? 0
    const limit = { key: `new users ${counter}`, max, windowMs }
    // A counter that is locked delays only those whom it counts. The others are not counted again.
    const counted = await orLocked(names, async () => {
      const { granted, refusal } = await countTries(work, limit, names.length)
      const refused = refusal && tooManyUsers(max, refusal)
      return names.map((_, i) => (i < granted || !refused ? true : refused))
    })
    names.forEach((name, i) => void results.set(name, counted[i] as true | Error))
  }
  return users.map((user) => results.get(nameOf(user)) ?? true)
}

const tooManyUsers = (max: number, { retryAfter = 1 }: TesseraError) =>
  new TesseraError('RATE_LIMITED', {
    message: `At most ${max} new users may come from a network in ten minutes`,
    limit: max,
    current: max,
    retryAfter,
  })

/** The users whom this node is about to create. */
const countedUsersOf = singleton('counted new users', () => new Map<string, Promise<true>>())

/** Creates a user who is counted before. Calls for the same user at the same time count once. */
const createCounted = async <T>(
  runtime: Pick<Runtime, 'write' | 'singletons'>,
  { partnerId, environment, externalId, counter, max }: NewUser,
  create: () => Promise<T>,
): Promise<T> => {
  const user = { partnerId, environment, externalId, counter, max }
  const name = nameOf(user)
  const users = countedUsersOf(runtime)
  const known = users.get(name)
  if (known) {
    await known
    return create()
  }
  const counted = runtime.write(countNewUsers, user)
  users.set(name, counted)
  try {
    await counted
    return await create()
  } finally {
    users.delete(name)
  }
}

/**
 * Writes for a user whom the caller may have to create.
 * @param write is called without permission to create the user first, and then throws USER_NOT_FOUND if there is none
 * @throws TesseraError RATE_LIMITED when too many users are new; and what `write` throws
 */
export const withNewUser = async <T>(
  runtime: Pick<Runtime, 'write' | 'singletons'>,
  limit: NewUserLimit,
  user: UserKey,
  write: (mayCreate: boolean) => Promise<T>,
): Promise<T> => {
  if (!limit) return write(true)
  try {
    return await write(false)
  } catch (error) {
    if (!(error instanceof TesseraError) || error.code !== 'USER_NOT_FOUND') throw error
  }
  return createCounted(runtime, { ...user, ...limit }, () => write(true))
}

/**
 * The same for a write that always creates a missing user.
 * @throws TesseraError RATE_LIMITED when too many users are new; and what `write` throws
 */
export const orNewUser = async <T>(
  runtime: Pick<Runtime, 'read' | 'write' | 'singletons'>,
  limit: NewUserLimit,
  user: UserKey,
  write: () => Promise<T>,
): Promise<T> => {
  if (!limit || (await runtime.read(findUsers, user))) return write()
  return createCounted(runtime, { ...user, ...limit }, write)
}
