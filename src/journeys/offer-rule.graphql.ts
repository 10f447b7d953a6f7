import { listVersions } from '../accounts/settings-versions/settings-version.graphql.ts'
import { GameTypeRef } from '../games/mechanic.graphql.ts'
import { requireCaller } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { versioned, versionField } from '../kit/schema/expected-version.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { orError } from '../kit/schema/null-with-error.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { readsPersonalData } from '../kit/schema/personal.ts'
import { RewardRef } from '../programme/reward.graphql.ts'
import { findRewards } from '../programme/reward.ts'
import { LifecycleStageRef, OfferTypeRef, RecommendationTypeRef } from './journey-words.graphql.ts'
import { OfferRef } from './offer.graphql.ts'
import {
  DeleteOfferRule,
  deleteOfferRule,
  findOfferRules,
  PauseOfferRule,
  pauseOfferRule,
  RestoreOfferRule,
  ResumeOfferRule,
  restoreOfferRule,
  resumeOfferRule,
  SetOfferRule,
  setOfferRule,
} from './offer-rule.ts'

const OfferRuleRef = builder.prismaNode('OfferRule', {
  description: 'Creates an offer for users who enter a stage.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret'),
  fields: (t) => ({
    stage: t.expose('stage', {
      type: LifecycleStageRef,
      description: 'The stage that users enter.',
    }),
    offerType: t.expose('offerType', { type: OfferTypeRef, description: 'The kind of offer.' }),
    gameType: t.expose('gameType', {
      type: GameTypeRef,
      nullable: true,
      description: 'The game that it is for, if any.',
    }),
    title: t.exposeString('title', { description: 'Title that the user sees.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Longer description.',
    }),
    points: t.exposeInt('pointsValue', { description: 'Points that it is worth.' }),
    creditsPoints: t.exposeBoolean('creditsPoints', {
      description:
        'Whether claiming an offer credits its points to the wallet. Points are credited only if the stage follows from what the server itself recorded.',
    }),
    recommendationType: t.expose('recommendationType', {
      type: RecommendationTypeRef,
      nullable: true,
      description: 'The recommendation that leads to its offers; null for none.',
    }),
    validHours: t.exposeInt('validHours'),
    cooldownDays: t.exposeInt('cooldownDays'),
    reward: t.field({
      type: RewardRef,
      nullable: true,
      description:
        'The reward that its offers give; null for that of the type of offer, if there is one.',
      resolve: async ({ rewardId }, _, ctx) =>
        rewardId === null ? null : ((await load(ctx, findRewards, rewardId)) as never),
    }),
    pausedAt: t.expose('pausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it makes no offers; null if it does.',
    }),
    version: t.exposeInt('version', versionField),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

versioned(OfferRuleRef)
listVersions(OfferRuleRef, 'rule')

builder.queryField('offerRules', (t) =>
  t.field({
    type: [OfferRuleRef],
    ...orError(
      'The rules that create offers automatically, oldest first; at most one per stage and offer type.',
    ),
    authScopes: { key: ['secret', 'READ'] },
    complexity: () => ({ field: 1, multiplier: 5 }),
    resolve: (_, __, ctx) =>
      ofTenant(ctx.db, requireCaller(ctx, 'secret')).offerRule.findMany({
        orderBy: { id: 'asc' },
      }),
  }),
)

mutation('setOfferRule', {
  description: 'Creates or changes the rule of a stage and offer type.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: SetOfferRule,
  payload: { offerRule: OfferRuleRef },
  isVersioned: true,
  errors: ['REWARD_NOT_FOUND', 'REWARD_ARCHIVED'],
  resolve: async (input, ctx) => ({ offerRule: await setOfferRule(ctx, input) }),
})

mutation('restoreOfferRule', {
  description:
    'Sets an offer rule as it was in an earlier version, as a new version. A pause stays.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: RestoreOfferRule,
  payload: { offerRule: OfferRuleRef },
  isVersioned: true,
  errors: ['OFFER_RULE_NOT_FOUND', 'REWARD_NOT_FOUND', 'REWARD_ARCHIVED'],
  resolve: async (input, ctx) => ({ offerRule: await restoreOfferRule(ctx, input) }),
})

mutation('deleteOfferRule', {
  description: 'Deletes an offer rule. Its offers are kept.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: DeleteOfferRule,
  payload: {
    deletedId: { type: 'ID', description: 'The global id of the deleted rule.' },
    offerRule: { type: OfferRuleRef, description: 'The deleted rule, as it was last.' },
  },
  errors: ['OFFER_RULE_NOT_FOUND'],
  resolve: async ({ offerRuleId: id, ...tenant }, ctx) => {
    const offerRule = await deleteOfferRule(ctx, { ...tenant, id })
    return { deletedId: encodeNodeId('OfferRule', id), offerRule }
  },
})

mutation('pauseOfferRule', {
  description: 'Pauses an offer rule: it makes no offers. Those that it has made can be claimed.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: PauseOfferRule,
  payload: { offerRule: OfferRuleRef },
  isVersioned: true,
  errors: ['OFFER_RULE_NOT_FOUND'],
  resolve: async (input, ctx) => ({ offerRule: await pauseOfferRule(ctx, input) }),
})

mutation('resumeOfferRule', {
  description:
    'Ends the pause of an offer rule. Users who entered the stage meanwhile get no offer of it.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: ResumeOfferRule,
  payload: { offerRule: OfferRuleRef },
  isVersioned: true,
  errors: ['OFFER_RULE_NOT_FOUND'],
  resolve: async (input, ctx) => ({ offerRule: await resumeOfferRule(ctx, input) }),
})

builder.prismaObjectField(OfferRef, 'rule', (t) =>
  t.field({
    type: OfferRuleRef,
    nullable: true,
    description: 'The rule that created it. Null if none did, and to public keys.',
    resolve: ({ ruleId }, _, ctx) =>
      ruleId && readsPersonalData(ctx) ? load(ctx, findOfferRules, ruleId) : null,
  }),
)
