/** How users moved between the stages of their journeys. */
import { z } from 'zod'
import { LifecycleStage } from '../generated/prisma/enums.ts'
import { LifecycleStageRef } from '../journeys/journey-words.graphql.ts'
import { countUsers } from '../journeys/user-list.ts'
import { refused } from '../kit/errors.ts'
import { builder } from '../kit/schema/builder.ts'
import { CountRef } from '../kit/schema/connection.ts'
import { query } from '../kit/schema/query.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { moment } from '../kit/validation.ts'
import { selectTotals } from './statistic.sql.ts'

/** Moves from one stage to another; `from` is null for a first stage. */
type Transition = { from: LifecycleStage | null; to: LifecycleStage; count: number }
type FunnelStage = Tenant & { stage: LifecycleStage; enteredCount: number; leftCount: number }
type JourneyFunnel = { stages: FunnelStage[]; transitions: Transition[] }

const TransitionRef = builder.objectRef<Transition>('StageTransition').implement({
  description: 'Moves of users from one stage to another.',
  fields: (t) => ({
    from: t.expose('from', {
      type: LifecycleStageRef,
      nullable: true,
      description: 'The stage before; null for the first stage of a user.',
    }),
    to: t.expose('to', {
      type: LifecycleStageRef,
      description: 'The stage that the users moved to.',
    }),
    count: t.exposeInt('count', { description: 'How many moves there were.' }),
  }),
})

const FunnelStageRef = builder.objectRef<FunnelStage>('FunnelStage').implement({
  description: 'A stage, and the moves into it and out of it.',
  fields: (t) => ({
    stage: t.expose('stage', {
      type: LifecycleStageRef,
      description: 'The stage that users enter and leave.',
    }),
    userCount: t.field({
      type: CountRef,
      description: 'Users in this stage now, whatever the period.',
      resolve: ({ stage, ...tenant }, _, ctx) =>
        countUsers({ tx: ctx.db }, tenantOf(tenant), { profiles: [{ stages: [stage] }] }),
    }),
    enteredCount: t.exposeInt('enteredCount', { description: 'Number of moves into it.' }),
    leftCount: t.exposeInt('leftCount', { description: 'Number of moves out of it.' }),
  }),
})

const JourneyFunnelRef = builder.objectRef<JourneyFunnel>('JourneyFunnel').implement({
  description: 'Moves of users between stages in a period.',
  fields: (t) => ({
    stages: t.field({
      type: [FunnelStageRef],
      description: 'All stages, from new to churned.',
      complexity: { field: 1, multiplier: Object.keys(LifecycleStage).length },
      resolve: ({ stages }) => stages,
    }),
    transitions: t.field({
      type: [TransitionRef],
      description: 'Each pair of stages with moves, the most frequent first.',
      complexity: { field: 1, multiplier: 10 },
      resolve: ({ transitions }) => transitions,
    }),
  }),
})

const stageOf = (name: string | undefined) =>
  name ? LifecycleStage[name.toLowerCase() as LifecycleStage] : null

query('journeyFunnel', {
  description: 'Moves of users between lifecycle stages, in whole hours.',
  key: 'secret',
  args: z.object({
    from: moment().describe('The first hour holds this moment.'),
    to: moment().describe('The last hour holds the moment before this one.'),
  }),
  type: JourneyFunnelRef,
  complexity: () => ({ field: 5, multiplier: 1 }),
  onStandby: true,
  resolve: async ({ from, to }, ctx, caller) => {
    if (to < from) throw refused('to', 'must not be before from', 'INVALID_PARAMETERS')
    const tenant = tenantOf(caller)
    const totals = await selectTotals(ctx.db, tenant, 'STAGE_CHANGES', from, to)
    const transitions = totals
      .map(({ key: [to, from], total }) => ({
        from: stageOf(from),
        to: stageOf(to) as LifecycleStage,
        count: Number(total),
      }))
      .sort((a, b) => b.count - a.count)
    const countOf = (end: 'from' | 'to', stage: LifecycleStage) =>
      transitions.reduce((sum, item) => sum + (item[end] === stage ? item.count : 0), 0)
    const stages = Object.values(LifecycleStage).map((stage) => ({
      ...tenant,
      stage,
      enteredCount: countOf('to', stage),
      leftCount: countOf('from', stage),
    }))
    return { stages, transitions }
  },
})
