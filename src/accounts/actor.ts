/** Who did something by hand: a member or an API key. */
import type { Caller } from '../core/context.ts'
import { inOrder } from '../core/in-order.ts'
import type { Work } from '../core/runtime.ts'
import type { ApiKey, Member } from '../generated/prisma/client.ts'

/** One of the two ids is set. */
export type Actor = { memberId: string | null; apiKeyId: string | null }

export const actorOf = (caller: Caller): Actor =>
  caller.kind === 'member'
    ? { memberId: caller.memberId, apiKeyId: null }
    : { memberId: null, apiKeyId: caller.keyId }

/** Reads members and keys, in one statement each. Null for a member who was deleted. */
export const findActors = async (
  { tx }: Work,
  actors: Actor[],
): Promise<(Member | ApiKey | null)[]> => {
  const idsOf = (column: keyof Actor) => actors.map((actor) => actor[column] ?? '')
  const where = (column: keyof Actor) => ({
    id: { in: [...new Set(idsOf(column))].filter(Boolean) },
  })
  const [members, keys] = await Promise.all([
    tx.member.findMany({ where: where('memberId') }),
    tx.apiKey.findMany({ where: where('apiKeyId') }),
  ])
  const found = inOrder(idsOf('memberId'), members)
  return inOrder(idsOf('apiKeyId'), keys).map((key, n) => key ?? found[n] ?? null)
}
