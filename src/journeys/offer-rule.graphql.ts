import { GameTypeRef } from '../games/mechanic.graphql.ts'
import { requireCaller } from '../kit/access/context.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { versionField } from '../kit/schema/expected-version.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { tenantOf } from '../kit/tenant.ts'
import { LifecycleStageRef, OfferTypeRef } from './journey-words.graphql.ts'
import { DeleteOfferRule, deleteOfferRule, SetOfferRule, setOfferRule } from './offer-rule.ts'

export const OfferRuleRef = builder.prismaNode('OfferRule', {
  description: 'Creates an offer for users who enter a stage.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
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
    pointsValue: t.exposeInt('pointsValue', { description: 'Points that it is worth.' }),
    creditsPoints: t.exposeBoolean('creditsPoints', {
      description:
        'Whether claiming an offer credits its points to the wallet. Points are credited only if the stage follows from what the server itself recorded.',
    }),
    validHours: t.exposeInt('validHours'),
    cooldownDays: t.exposeInt('cooldownDays'),
    version: t.exposeInt('version', versionField),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

builder.queryField('offerRules', (t) =>
  t.field({
    type: [OfferRuleRef],
    description:
      'The rules that create offers automatically, oldest first; at most one per stage and offer type.',
    authScopes: { key: ['secret', 'READ'] },
    complexity: () => ({ field: 1, multiplier: 5 }),
    resolve: (_, __, ctx) =>
      ctx.db.offerRule.findMany({
        where: tenantOf(requireCaller(ctx, 'secret')),
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
  errors: [],
  resolve: async (input, ctx, caller) => ({
    offerRule: await setOfferRule(ctx, { ...tenantOf(caller), ...input }),
  }),
})

mutation('deleteOfferRule', {
  description: 'Deletes an offer rule. Its offers are kept.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: DeleteOfferRule,
  payload: { deletedId: { type: 'ID', description: 'The global id of the deleted rule.' } },
  errors: ['OFFER_RULE_NOT_FOUND'],
  resolve: async ({ offerRuleId: id }, ctx, caller) => {
    await deleteOfferRule(ctx, { ...tenantOf(caller), id })
    return { deletedId: encodeNodeId('OfferRule', id) }
  },
})
