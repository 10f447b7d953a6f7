/** Who did something by hand: a member or an API key. */

import type { ApiKey, Member } from '../generated/prisma/client.ts'
import { type Caller, type Context, isGoodCaller, type KeyCaller } from '../kit/access/context.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Work } from '../kit/runtime.ts'

/** One of the two ids is set. */
export type Actor = { memberId: string | null; apiKeyId: string | null }

export const actorOf = (caller: Caller): Actor =>
  caller.kind === 'member'
    ? { memberId: caller.memberId, apiKeyId: null }
    : { memberId: null, apiKeyId: caller.keyId }

/** The keys that a request was sent with. */
export const keysOf = ({ callers }: Pick<Context, 'callers'>): KeyCaller[] =>
  [callers.secret, callers.public].flatMap((key) =>
    key === undefined || key instanceof Error ? [] : key,
  )

/** Whether the caller may see members of the partner. */
export const seesMembers = ({ callers: { member } }: Pick<Context, 'callers'>): boolean =>
  isGoodCaller(member) && member.rights.includes('MEMBERS_READ')

/** Reads members by their ids. Null for those who were deleted. */
export const findMembers = async ({ tx }: Work, ids: string[]): Promise<(Member | null)[]> =>
  inOrder(ids, await tx.member.findMany({ where: { id: { in: ids } } }))

/** Reads API keys by their ids. */
export const findKeys = async ({ tx }: Work, ids: string[]): Promise<(ApiKey | null)[]> =>
  inOrder(ids, await acrossTenants(tx, 'IDS').apiKey.findMany({ where: { id: { in: ids } } }))

/** Reads members and keys, in one statement each. Null for a member who was deleted. */
export const findActors = async (
  work: Work,
  actors: Actor[],
): Promise<(Member | ApiKey | null)[]> => {
  const idsOf = (column: keyof Actor) => actors.flatMap((actor) => actor[column] ?? [])
  const [members, keys] = await Promise.all([
    findMembers(work, idsOf('memberId')),
    findKeys(work, idsOf('apiKeyId')),
  ])
  return inOrder(
    actors,
    [...members, ...keys].filter((item) => item !== null),
    ({ id }) => id,
    ({ memberId, apiKeyId }) => memberId ?? apiKeyId,
  )
}
