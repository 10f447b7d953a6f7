import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
import { mutation } from '../core/mutation.ts'
import {
  connectionType,
  isTextCursor,
  listArgs,
  listComplexity,
  listConnection,
} from '../core/pagination.ts'
import { tenantOf } from '../core/tenant.ts'
import type { RewardRule } from '../generated/prisma/client.ts'
import { DeleteRewardRule, deleteRewardRule, SetRewardRule, setRewardRule } from './reward-rule.ts'

const RewardRuleRef = builder.prismaNode('RewardRule', {
  description: 'How many points an event type is worth.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    eventType: t.exposeString('eventType', { description: 'What is rewarded.' }),
    points: t.exposeInt('points'),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it was last changed.',
    }),
  }),
})

const RewardRuleConnection = connectionType('RewardRule', RewardRuleRef)

builder.queryField('rewardRules', (t) =>
  t.field({
    type: RewardRuleConnection,
    description: 'The reward rules, by event type.',
    authScopes: { key: 'secret' },
    args: listArgs,
    complexity: listComplexity,
    resolve: (_, args, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'secret'))
      return listConnection(ctx, args, {
        list: 'rewardRules',
        isCursor: isTextCursor,
        cursorOf: ({ eventType }: RewardRule) => eventType,
        total: () => ctx.db.rewardRule.count({ where: tenant }),
        fetch: ({ take, skip, after }) =>
          ctx.db.rewardRule.findMany({
            where: { ...tenant, ...(after !== undefined && { eventType: { gt: after } }) },
            orderBy: { eventType: 'asc' },
            take,
            skip,
          }),
      })
    },
  }),
)

mutation('setRewardRule', {
  description: 'Makes the rule of an event type, or changes it.',
  key: 'secret',
  input: SetRewardRule,
  payload: RewardRuleRef as never,
  errors: [],
  resolve: (input, ctx, caller) => setRewardRule(ctx, { ...tenantOf(caller), ...input }),
})

mutation('deleteRewardRule', {
  description: 'Deletes the rule of an event type and gives what it was. Awards of before stay.',
  key: 'secret',
  input: DeleteRewardRule,
  payload: RewardRuleRef as never,
  errors: ['REWARD_RULE_NOT_FOUND'],
  resolve: (input, ctx, caller) => deleteRewardRule(ctx, { ...tenantOf(caller), ...input }),
})
