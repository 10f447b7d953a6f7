/** What the customers of the past of the demo reach by a visit, decided at the time of the visit. */
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Transaction } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { ExternalId, UserId } from '../kit/user-id.ts'
import { decideDue } from '../programme/decider.ts'
import { claimGrants } from '../programme/grant.ts'
import { settleDue } from '../programme/payer.ts'

/** A goal may require another one, which may require a third. */
const maxRounds = 5

/**
 * Decides what is due for users, and then what that makes due. Marks of goals that are paused or still counting stay for the
 * decider, so it gives up after some rounds. Returns whether anything was due.
 */
const decide = async (work: Transaction, tenant: Tenant, userIds: UserId[]): Promise<boolean> => {
  const where = { userId: { in: userIds }, isBlocked: false }
  for (let round = 0; round < maxRounds; round++) {
    const marks = await ofTenant(work.tx, tenant).goalMark.findMany({ where })
    if (marks.length === 0) return round > 0
    const due = marks.map(({ goalId, userId, windowStart }) => ({
      goalId,
      userId: userId as UserId,
      windowStart: windowStart.toISOString().slice(0, 10),
    }))
    await decideDue(work, due)
  }
  return true
}

/**
 * Decides what users have reached in this transaction, and has some of them claim what they get. Leaves nothing to the
 * decider and the payer, whose clock is that of today: what nobody claims in time expires here.
 * @param users the ids of each in both forms
 * @param options `doesClaim` says whether a user claims one now; `until` is the present
 */
export const reachGoals = async (
  work: Transaction,
  tenant: Tenant,
  users: ReadonlyMap<UserId, ExternalId>,
  { doesClaim, until }: { doesClaim: (user: ExternalId) => boolean; until: Date },
): Promise<void> => {
  const userIds = [...users.keys()]
  if (!(await decide(work, tenant, userIds))) return
  const ready = await ofTenant(work.tx, tenant).rewardGrant.findMany({
    where: { userId: { in: userIds }, status: 'READY' },
    select: { id: true, userId: true, dueAt: true, needsClaim: true },
  })
  const claimed = ready.filter(
    ({ needsClaim, userId }) => needsClaim && doesClaim(users.get(userId as UserId) as ExternalId),
  )
  if (claimed.length > 0)
    await claimGrants(
      work,
      claimed.map(({ id, userId }) => {
        const externalId = users.get(userId as UserId) as ExternalId
        return { ...tenant, externalId, grantId: id }
      }),
    )
  const due = ready.flatMap((grant) =>
    grant.dueAt && grant.dueAt <= until && !claimed.includes(grant)
      ? [{ id: grant.id, userId: grant.userId as UserId, at: grant.dueAt }]
      : [],
  )
  for (const [time, those] of Map.groupBy(due, ({ at }) => at.getTime()))
    await settleDue({ ...work, clock: () => new Date(time) }, those)
}
