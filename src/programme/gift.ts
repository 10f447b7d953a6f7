/** Rewards that a partner gives by a call, each once by its reference. */
import { z } from 'zod'
import type { Actor } from '../accounts/actor.ts'
import type { EndUser, Reward } from '../generated/prisma/client.ts'
import { addToChanges } from '../kit/access/audit-entry.sql.ts'
import { inTransaction } from '../kit/database/db.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { newId } from '../kit/random.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { flag, moment, reference, text } from '../kit/validation.ts'
import { isBlockedForFraud, userBlocked } from '../users/block.rules.ts'
import { findUsers, lockOrMakeUsers, nameOf, UserBy, type UserKey } from '../users/end-user.ts'
import { type NewGrant, selectGrantsBySource } from './grant.sql.ts'
import { changeOf, makeGrants, type UserGrant, withGrants } from './grant.ts'
import { settleGrants } from './payer.ts'
import { findRewardsBy, RewardBy } from './reward.ts'

export const GiveReward = z
  .object({
    user: UserBy.describe('The user. An unknown `externalId` creates a user.'),
    reward: RewardBy.describe('The reward, by id or slug.'),
    reference: reference()
      .nullish()
      .describe(
        'Idempotency reference. Gives once, however often it is sent: again, it returns the first grant.',
      ),
    note: text(500).nullish().describe('Why, for your team. Kept until the user is erased.'),
    needsClaim: flag()
      .nullish()
      .describe(
        'Whether the user must claim it. Defaults to false: it is issued when it is ready.',
      ),
    heldUntil: moment().nullish().describe('When it becomes ready. Defaults to now.'),
    claimExpiresAt: moment()
      .nullish()
      .describe('Until when it can be claimed. Only with `needsClaim`; no limit by default.'),
  })
  .superRefine(({ needsClaim, heldUntil, claimExpiresAt }, ctx) => {
    if (claimExpiresAt == null) return
    const refuse = (message: string) =>
      ctx.addIssue({ code: 'custom', path: ['claimExpiresAt'], message })
    if (!needsClaim) refuse('must not be given without needsClaim')
    else if (heldUntil && claimExpiresAt <= heldUntil) refuse('must be after heldUntil')
  })
  .describe('A reward for a user.')

/** Who gives what to whom. */
type Gift = UserKey & Actor & Omit<z.output<typeof GiveReward>, 'user'>

/** Why a gift that nobody has given before is refused; null if it is not. */
const refusalOf = (gift: Gift, reward: Reward, now: Date): TesseraError | null => {
  if (reward.archivedAt)
    return new TesseraError('REWARD_ARCHIVED', { status: 'ARCHIVED', since: reward.archivedAt })
  if (gift.heldUntil && gift.heldUntil <= now) return refused('heldUntil', 'must be in the future')
  if (gift.claimExpiresAt && gift.claimExpiresAt <= now)
    return refused('claimExpiresAt', 'must be in the future')
  return null
}

const referenceName = ({ partnerId, environment, reference }: Gift): string =>
  reference == null ? '' : JSON.stringify([partnerId, environment, reference])

const duplicate = (grantId: string): TesseraError =>
  new TesseraError('DUPLICATE_REFERENCE', {
    message: 'Duplicate reference; it was used to give another reward, or to another user',
    grantId,
  })

type Given = { id: string; userId: UserId; rewardId: string }

/** The grants that have been given with the references of gifts, by `referenceName`. */
const findGiven = async ({ tx }: Work, gifts: Gift[]): Promise<ReadonlyMap<string, Given>> => {
  const referred = gifts.filter(({ reference }) => reference != null)
  const keys = referred.map((gift) => ({
    ...tenantOf(gift),
    sourceKind: 'GIVEN' as const,
    sourceId: `reference:${gift.reference}`,
  }))
  const found = keys.length > 0 ? await selectGrantsBySource(tx, keys) : []
  return new Map(found.map(({ n, ...grant }) => [referenceName(referred[n] as Gift), grant]))
}

const newGrantOf = (gift: Gift, rewardId: string) => {
  const id = newId()
  return {
    id,
    ...tenantOf(gift),
    rewardId,
    sourceKind: 'GIVEN' as const,
    sourceId: gift.reference == null ? `grant:${id}` : `reference:${gift.reference}`,
    rewardNo: 1,
    round: 1,
    needsClaim: gift.needsClaim ?? false,
    heldUntil: gift.heldUntil,
    claimExpiresAt: gift.claimExpiresAt,
    reference: gift.reference,
    note: gift.note,
    memberId: gift.memberId,
    apiKeyId: gift.apiKeyId,
  }
}

/** What becomes of a gift: a refusal, a new grant, or that of an earlier gift if both are the same. */
type Judged = Error | { made: Omit<NewGrant, 'userId'> } | { before: Given } | { again: number }

const judge = (
  gifts: Gift[],
  rewards: (Reward | null)[],
  given: ReadonlyMap<string, Given>,
  now: Date,
): Judged[] => {
  const first = new Map<string, number>()
  return gifts.map((gift, n): Judged => {
    const reward = rewards[n]
    if (!reward) return new TesseraError('REWARD_NOT_FOUND')
    const name = referenceName(gift)
    const before = given.get(name)
    if (before) return { before }
    const again = first.get(name)
    if (again !== undefined) return { again }
    const refusal = refusalOf(gift, reward, now)
    if (refusal) return refusal
    if (name !== '') first.set(name, n)
    return { made: newGrantOf(gift, reward.id) }
  })
}

/**
 * Creates or locks the users of new grants, makes the grants, and issues those that are ready and need no claim. In `judged`
 * it refuses those of users who are blocked for fraud.
 */
const give = async (work: Transaction, gifts: Gift[], judged: Judged[]): Promise<void> => {
  const wanted = gifts.flatMap((gift, n) => {
    const item = judged[n]
    return item && 'made' in item ? [{ n, gift, grant: item.made }] : []
  })
  if (wanted.length === 0) return
  const users = await lockOrMakeUsers(
    work,
    wanted.map(({ gift }) => gift),
  )
  const now = work.clock()
  const fresh = wanted.flatMap(({ n, grant }, i) => {
    const user = users[i] as EndUser
    if (!isBlockedForFraud(user, now)) return { ...grant, userId: user.id as UserId }
    judged[n] = userBlocked()
    return []
  })
  const grants = await makeGrants(work, fresh)
  await addToChanges(
    work.tx,
    grants.map(({ id, status }) => changeOf(id, null, status)),
  )
  await settleGrants(work, grants)
}

/**
 * Gives rewards, in the order of the list. Creates users who do not exist. What is ready and needs no claim is issued in
 * the same transaction. A gift with a reference that was used for the same reward and user returns that grant. One
 * that finds no stock is a grant that has failed.
 *
 * The result of a refused gift is REWARD_NOT_FOUND, REWARD_ARCHIVED, VALIDATION_FAILED for a time in the past,
 * DUPLICATE_REFERENCE, or USER_BLOCKED for a user who is blocked for fraud. It does not use up the reference, and creates no user. If two transactions use the same reference
 * at the same time, the later one violates the unique index and must be retried (`retrying`).
 */
export const giveRewards = (work: Work, gifts: Gift[]): Promise<(UserGrant | Error)[]> =>
  inTransaction(work, async (txWork) => {
    const rewards = await findRewardsBy(txWork, gifts)
    const given = await findGiven(txWork, gifts)
    const judged = judge(gifts, rewards, given, txWork.clock())
    await give(txWork, gifts, judged)
    const users = given.size > 0 ? await findUsers(txWork, gifts) : []
    const results: (string | Error)[] = []
    for (const [n, item] of judged.entries()) {
      const [gift, rewardId] = [gifts[n] as Gift, rewards[n]?.id]
      if (item instanceof Error) results[n] = item
      else if ('made' in item) results[n] = item.made.id
      else if ('before' in item) {
        const { id, ...before } = item.before
        const isSame = before.userId === users[n]?.id && before.rewardId === rewardId
        results[n] = isSame ? id : duplicate(id)
      } else {
        const [first, id] = [gifts[item.again] as Gift, results[item.again] as string | Error]
        if (id instanceof Error) {
          // The reference was not used. The gift of another user can be sent again.
          results[n] = nameOf(first) === nameOf(gift) ? id : new TesseraError('OVERLOADED')
          continue
        }
        const isSame = nameOf(first) === nameOf(gift) && rewards[item.again]?.id === rewardId
        results[n] = isSame ? id : duplicate(id)
      }
    }
    return withGrants(txWork, results)
  })
