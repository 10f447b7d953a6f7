/** Codes that a partner gives away, such as vouchers: sealed, and each shown to one user. */
import { z } from 'zod'
import type { Reward, RewardCode, RewardGrant } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { newId } from '../kit/random.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { bindTo, macOf, type SealedColumn, seal, unseal } from '../kit/security/seal.ts'
import type { Tenant } from '../kit/tenant.ts'
import { text } from '../kit/validation.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { lockUsers, UserBy, type UserKey } from '../users/end-user.ts'
import { showCodes } from './fulfillment.sql.ts'
import { findGrants, grantId, inactiveGrant, lockOwnGrants, type UserGrant } from './grant.ts'
import { lockRewards } from './reward.sql.ts'
import { findReward, findRewards, RewardBy } from './reward.ts'
import { insertRewardCodes } from './reward-code.sql.ts'

const purpose = 'reward code'

export const sealedRewardCodeColumns: SealedColumn[] = [
  { table: 'reward_code', column: 'sealed_code', key: { id: 'uuid' }, purpose },
]

const maxCodes = 1_000

export const AddRewardCodes = z
  .object({
    reward: RewardBy.describe('The reward, whose kind is CODE.'),
    codes: z
      .array(text(255))
      .min(1, 'must not be empty')
      .max(maxCodes, `must be at most ${maxCodes} codes`)
      .describe(
        '1 to 1,000 codes, in a request of at most 100 KB. Those that the reward has already are left out.',
      ),
  })
  .describe('Codes to give away.')

export type AddedCodes = {
  reward: Reward
  addedCount: number
  /** The places in the list, from 0, of the codes that were left out. */
  duplicateIndexes: number[]
}

/**
 * Adds codes to a reward, whose stock they are. A code that it has already, or that is listed twice, is left out.
 * @throws TesseraError REWARD_NOT_FOUND, REWARD_WITHOUT_CODES for one of another kind
 */
export const addRewardCodes = (
  work: Work,
  { reward: by, codes, ...tenant }: Tenant & z.output<typeof AddRewardCodes>,
): Promise<AddedCodes> =>
  inTransaction(work, async (txWork) => {
    const { tx, keys, clock } = txWork
    const found = await findReward(txWork, tenant, by)
    if (!found) throw new TesseraError('REWARD_NOT_FOUND')
    if (found.kind !== 'CODE') throw new TesseraError('REWARD_WITHOUT_CODES')
    await lockRewards(tx, [found.id])
    const { partnerId, environment } = found
    const rows = codes.map((code) => {
      const id = newId()
      const sealed = seal(keys.master, bindTo({ partnerId, environment, id }, purpose), code)
      const hash = macOf(keys.pepper, purpose, `${found.id} ${code}`).toString('hex')
      return { id, hash, sealedCode: Buffer.from(sealed).toString('hex') }
    })
    const added = await insertRewardCodes(tx, found, rows, clock())
    const isAdded = new Set(added.map(({ id }) => id))
    const duplicateIndexes = rows.flatMap(({ id }, n) => (isAdded.has(id) ? [] : n))
    const reward = await findReward(txWork, tenant, { id: found.id })
    return { reward: reward as Reward, addedCount: added.length, duplicateIndexes }
  })

/** Reads the codes of grants, in one statement; null for those that have none. */
export const findCodes = async ({ tx }: Work, grantIds: string[]): Promise<(RewardCode | null)[]> =>
  inOrder(
    grantIds,
    await acrossTenants(tx, 'IDS').rewardCode.findMany({ where: { grantId: { in: grantIds } } }),
    ({ grantId }) => grantId as string,
  )

export const RevealCode = z
  .object({
    grantId: grantId(),
    user: UserBy.nullish().describe(
      'The user whose grant it is. Another one is `GRANT_NOT_FOUND`. Defaults to that user.',
    ),
  })
  .describe('A grant whose code the user sees.')

type Reveal = UserKey & { grantId: string }

/**
 * Reveals the codes of grants to their users, which hands them out: they cannot be cancelled any more. Again, it returns the
 * grant. The result of a refused call is GRANT_NOT_FOUND (also for the grant of another user, and one without a code),
 * USER_BLOCKED (unless it was revealed before), or GRANT_NOT_ACTIVE: not issued yet, or taken back.
 */
export const revealCodes = (work: Work, reveals: Reveal[]): Promise<(UserGrant | Error)[]> =>
  inTransaction(work, async (txWork) => {
    const users = await lockUsers(txWork, reveals)
    const own = await lockOwnGrants(txWork, reveals, users)
    const now = txWork.clock()
    const blocked = new Set(users.flatMap((user) => (user && isBlocked(user, now) ? user.id : [])))
    const ids = own.map(({ id }) => id)
    const shown = own.flatMap(({ id, userId }) => (blocked.has(userId) ? [] : id))
    if (shown.length > 0) await showCodes(txWork.tx, shown, now)
    const grants = new Map((await findGrants(txWork, ids)).map((grant) => [grant?.id, grant]))
    const rewardIds = [...new Set([...grants.values()].flatMap((grant) => grant?.rewardId ?? []))]
    const rewards = new Map((await findRewards(txWork, rewardIds)).map((item) => [item?.id, item]))
    return reveals.map((reveal, n) => {
      const grant = grants.get(reveal.grantId)
      const isOwn = grant?.userId === users[n]?.id
      if (!grant || !isOwn || rewards.get(grant.rewardId)?.kind !== 'CODE')
        return new TesseraError('GRANT_NOT_FOUND')
      if (showsCode(grant)) return grant
      return blocked.has(grant.userId) ? userBlocked() : inactiveGrant(grant)
    })
  })

/** Whether a grant shows its code: it was revealed, and the grant was not taken back. */
export const showsCode = ({ codeShownAt, status }: Pick<RewardGrant, 'codeShownAt' | 'status'>) =>
  codeShownAt !== null && status === 'FULFILLED'

/** The code of a grant in plain text; null if it has none, or its user was erased. */
export const codeOf = ({ keys }: Pick<Runtime, 'keys'>, code: RewardCode | null): string | null =>
  code?.sealedCode ? unseal(keys.master, bindTo(code, purpose), code.sealedCode) : null
