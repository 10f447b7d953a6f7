import { listVersions } from '../accounts/settings-versions/settings-version.graphql.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { versioned, versionField } from '../kit/schema/expected-version.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { rows } from '../kit/schema/rows.ts'
import {
  DeleteRewardRule,
  deleteRewardRule,
  RestoreRewardRule,
  restoreRewardRule,
  SetRewardRule,
  setRewardRule,
} from './reward-rule.ts'

const RewardRuleRef = builder.prismaNode('RewardRule', {
  description: 'How many points an event type is worth.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret'),
  fields: (t) => ({
    eventType: t.exposeString('eventType', { description: 'The event type that is rewarded.' }),
    points: t.exposeInt('points'),
    version: t.exposeInt('version', versionField),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it was last changed.',
    }),
  }),
})

versioned(RewardRuleRef)
listVersions(RewardRuleRef, 'rule')

list('rewardRules', {
  description: 'The reward rules, by event type.',
  key: 'secret',
  of: RewardRuleRef,
  orders: {
    EVENT_TYPE: { by: ['eventType'], description: 'By event type, of which each has one rule.' },
  },
  order: ['EVENT_TYPE', 'ASC'],
  from: ({ caller, order, ctx }) => rows(ofTenant(ctx.db, caller).rewardRule, { order }),
})

mutation('setRewardRule', {
  description: 'Creates or changes the rule of an event type.',
  key: 'secret',
  right: 'GAMES_WRITE',
  input: SetRewardRule,
  payload: { rewardRule: RewardRuleRef },
  isVersioned: true,
  errors: [],
  resolve: async (input, ctx) => ({ rewardRule: await setRewardRule(ctx, input) }),
})

mutation('restoreRewardRule', {
  description: 'Sets the points of an earlier version of a rule again, as a new version.',
  key: 'secret',
  right: 'GAMES_WRITE',
  input: RestoreRewardRule,
  payload: { rewardRule: RewardRuleRef },
  isVersioned: true,
  errors: ['REWARD_RULE_NOT_FOUND'],
  resolve: async (input, ctx) => ({ rewardRule: await restoreRewardRule(ctx, input) }),
})

mutation('deleteRewardRule', {
  description: 'Deletes the rule of an event type. Earlier awards are kept.',
  key: 'secret',
  right: 'GAMES_WRITE',
  input: DeleteRewardRule,
  payload: {
    deletedId: { type: 'ID', description: 'The global id of the deleted rule.' },
    rewardRule: { type: RewardRuleRef, description: 'The deleted rule, as it was last.' },
  },
  errors: ['REWARD_RULE_NOT_FOUND'],
  resolve: async (input, ctx) => {
    const rewardRule = await deleteRewardRule(ctx, input)
    return { deletedId: encodeNodeId('RewardRule', rewardRule.id), rewardRule }
  },
})
