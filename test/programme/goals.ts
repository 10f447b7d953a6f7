/** Goals, planted in the database as `startGoal` leaves them, and what became of them. */
import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../src/generated/prisma/client.ts'
import type { Fact } from '../../src/generated/prisma/enums.ts'
import { countGoals } from '../../src/programme/counting.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { createReward } from '../../src/programme/reward.ts'
import type { World } from '../world.ts'

export type PlantedTask = Partial<Prisma.GoalTaskUncheckedCreateInput> & { facts: Fact[] }

/** Counts the users of all goals. On a server with other databases, their transactions delay it. */
export const countAll = async (runtime: World['runtime']): Promise<void> => {
  do await countGoals(runtime)
  while ((await runtime.db.goal.count({ where: { isCounting: true } })) > 0)
}

export const goalsOf = (world: World) => {
  const query = async (text: string, values: unknown[] = []) =>
    (await world.server.database.pool.query({ text, values })).rows
  const { db } = world.runtime

  /** A started goal, whose users are still to be counted, as after `startGoal`. */
  const plant = async (
    tasks: PlantedTask[],
    more: Partial<Prisma.GoalUncheckedCreateInput> = {},
    startedAt = world.runtime.clock(),
  ) => {
    const id = randomUUID()
    const tenant = world.tenant
    const times = { createdAt: startedAt, updatedAt: startedAt }
    await db.$transaction(async (tx) => {
      await tx.goal.create({
        data: {
          id,
          ...tenant,
          slug: id,
          name: 'A goal',
          status: 'ACTIVE',
          startedAt,
          window: 'EVER',
          repeat: 'ONCE',
          maxCompletions: 1,
          joinMode: 'AUTO',
          isCounting: true,
          ...times,
          ...more,
        },
      })
      for (const [n, task] of tasks.entries()) {
        const taskId = randomUUID()
        await tx.goalTask.create({
          data: {
            id: taskId,
            ...tenant,
            goalId: id,
            position: n + 1,
            target: 1,
            of: 'COUNT',
            ...task,
          },
        })
        const facts = new Set(
          task.facts.flatMap((fact) =>
            fact === 'GAME_PLAYED' ? [fact, 'GAME_WON' as const] : fact,
          ),
        )
        const types = (task.eventTypes as string[] | undefined) ?? []
        for (const fact of facts)
          for (const eventType of types.length > 0 ? types : [''])
            await tx.measureKey.create({
              data: { ...tenant, fact, isOpen: true, eventType, taskId },
            })
      }
    })
    return id
  }

  return {
    query,
    plant,
    /** The id of a reward of points, or of a badge without them. */
    reward: async (points?: number) => {
      const kind = points === undefined ? ('BADGE' as const) : ('POINTS' as const)
      const input = { ...world.tenant, name: `reward ${randomUUID()}`, kind, points }
      return (await createReward(world.runtime, input)).id
    },
    count: () => countAll(world.runtime),
    /** Counts and decides everything that is due. */
    settle: async () => {
      await countAll(world.runtime)
      await decideGoals(world.runtime)
    },
    /** The counters of a goal: the task, the user, the window and the value. */
    counters: (goalId: string) =>
      query(
        `SELECT t.position, u.external_id AS "userId", c.window_start::text AS "windowStart", c.value::float8, c.decided
         FROM fact_counter c JOIN goal_task t ON t.id = c.task_id JOIN end_user u ON u.id = c.user_id
         WHERE t.goal_id = $1 ORDER BY 1, 2, 3`,
        [goalId],
      ),
    completions: (goalId: string) =>
      query(
        `SELECT u.external_id AS "userId", c.window_start::text AS "windowStart", c.k, c.round,
           c.revoked_at IS NULL AS "isLive"
         FROM goal_completion c JOIN end_user u ON u.id = c.user_id WHERE c.goal_id = $1 ORDER BY 1, 2, 3`,
        [goalId],
      ),
    grants: (goalId: string) =>
      query(
        `SELECT u.external_id AS "userId", g.status, g.reward_no AS "rewardNo", g.round, c.k
         FROM goal_completion c JOIN end_user u ON u.id = c.user_id
         JOIN reward_grant g ON g.source_kind = 'GOAL' AND g.source_id = c.id::text
         WHERE c.goal_id = $1 ORDER BY 1, c.k, 3, 4`,
        [goalId],
      ),
    marks: (goalId: string) =>
      query(`SELECT user_id, is_blocked FROM goal_mark WHERE goal_id = $1`, [goalId]),
  }
}
