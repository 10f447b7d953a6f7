/** A goal that awards and plays complete, beside everything else that moves points. */
import { randomUUID } from 'node:crypto'
import type { Tenant } from '../../src/kit/tenant.ts'
import { countGoals } from '../../src/programme/counting.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { createGoal, endGoal, startGoal } from '../../src/programme/goal.ts'
import { claimGrants } from '../../src/programme/grant.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import type { World } from '../world.ts'

/**
 * @param node one of the nodes, another each time
 * @param below a number from 0 on
 */
export const goalOperations = (
  node: () => World['runtime'],
  below: (bound: number) => number,
  { tenant, rewards }: { tenant: Tenant; rewards: string[] },
) => {
  const start = async (more: object) => {
    const slug = randomUUID()
    const measure = { facts: ['POINTS_AWARDED' as const, 'GAME_PLAYED' as const] }
    await createGoal(node(), {
      ...tenant,
      slug,
      name: 'Two of them',
      window: 'EVER',
      repeat: 'UNLIMITED',
      tasks: [{ target: 2, measure }],
      rewards: rewards.map((slug) => ({ slug })),
      ...more,
    })
    await startGoal(node(), { ...tenant, goal: { slug } })
    return slug
  }
  const replaced: string[] = []
  return {
    /** The goals that run all the time: one pays by itself, the rewards of the other are claimed. */
    startAll: async () => {
      await start({})
      await start({ claim: 'BY_USER', window: 'WEEK' })
    },
    /** Ends a goal and starts another, for which all users are counted from their timelines. */
    replace: async () => {
      const old = replaced.shift()
      if (old) await endGoal(node(), { ...tenant, goal: { slug: old } })
      replaced.push(await start({ countFrom: 'EVER', window: 'DAY', onReversal: 'KEEP' }))
      await countGoals(node())
    },
    decide: async () => {
      await countGoals(node())
      await decideGoals(node())
    },
    claim: async () => {
      const { db } = node()
      const where = { ...tenant, status: 'READY', sourceKind: 'GOAL', needsClaim: true } as const
      const grants = await db.rewardGrant.findMany({ where, take: 20, include: { user: true } })
      const grant = grants[below(grants.length)]
      if (!grant) return
      const { externalId } = grant.user
      await node().write(claimGrants, { ...tenant, externalId, grantId: grant.id } as never)
    },
    /** Counts, decides and pays all that is due, so that the audit judges all of it. */
    settle: async () => {
      const { db } = node()
      do await countGoals(node())
      while ((await db.goal.count({ where: { isCounting: true } })) > 0)
      await decideGoals(node())
      await settleDueGrants(node())
    },
    /** What goals have given, and what reversals took back. */
    results: async () => {
      const { db } = node()
      return {
        completions: await db.goalCompletion.count({ where: tenant }),
        again: await db.goalCompletion.count({ where: { ...tenant, round: { gt: 1 } } }),
        revoked: await db.goalCompletion.count({ where: { ...tenant, revokedAt: { not: null } } }),
        grants: await db.rewardGrant.count({ where: { ...tenant, sourceKind: 'GOAL' } }),
        marks: await db.goalMark.count({ where: { isBlocked: false } }),
      }
    },
  }
}
