/** What the customers of the past of the demo reach by a visit, decided at the time of the visit. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Runtime, Transaction } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { ExternalId, UserId } from '../kit/user-id.ts'
import { countGoals } from '../programme/counting.ts'
import { decideDue } from '../programme/decider.ts'
import { claimGrants } from '../programme/grant.ts'
import { settleDue } from '../programme/payer.ts'

const askAgainMs = 50

/** Waits until the goals have counted their users. Until then, they decide nothing. */
export const untilCounted = async (
  runtime: Runtime,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<void> => {
  const goals = ofTenant(runtime.db, tenant).goal
  while (!signal.aborted) {
    await countGoals(runtime, signal)
    if ((await goals.count({ where: { isCounting: true } })) === 0) return
    await sleep(askAgainMs, undefined, { signal }).catch(() => {})
  }
}

/** Decides for users until there is nothing more: a goal may require another one. Returns whether there was anything. */
const decide = async (work: Transaction, tenant: Tenant, userIds: UserId[]): Promise<boolean> => {
  const where = { userId: { in: userIds }, isBlocked: false }
  for (let rounds = 0; ; rounds++) {
    const marks = await ofTenant(work.tx, tenant).goalMark.findMany({ where })
    if (marks.length === 0) return rounds > 0
    const due = marks.map(({ goalId, userId, windowStart }) => ({
      goalId,
      userId: userId as UserId,
      windowStart: windowStart.toISOString().slice(0, 10),
    }))
    await decideDue(work, due)
  }
}

/** The share of the grants that customers claim, in percent. */
const claimedShare = 80

/**
 * Decides what users have reached in this transaction, and has some of them claim what they get. Leaves nothing to the
 * decider and the payer, whose clock is that of today: what nobody claims in time expires here.
 * @param until the present
 */
export const reachGoals = async (
  work: Transaction,
  tenant: Tenant,
  userIds: UserId[],
  until: Date,
): Promise<void> => {
  if (!(await decide(work, tenant, userIds))) return
  const grants = ofTenant(work.tx, tenant).rewardGrant
  const ready = { userId: { in: userIds }, status: 'READY' } as const
  const open = await grants.findMany({
    where: { ...ready, needsClaim: true },
    select: { id: true, user: { select: { externalId: true } } },
  })
  const claims = open
    .filter(() => work.random.int(100) < claimedShare)
    .map(({ id, user }) => {
      return { ...tenant, externalId: user.externalId as ExternalId, grantId: id }
    })
  if (claims.length > 0) await claimGrants(work, claims)
  const due = await grants.findMany({ where: { ...ready, dueAt: { lte: until } } })
  for (const [time, those] of Map.groupBy(due, ({ dueAt }) => dueAt?.getTime() as number)) {
    const ids = those.map(({ id, userId }) => ({ id, userId: userId as UserId }))
    await settleDue({ ...work, clock: () => new Date(time) }, ids)
  }
}
