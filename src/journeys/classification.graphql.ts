import { requireCaller } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { orError } from '../kit/schema/null-with-error.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { rows } from '../kit/schema/rows.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { userOf } from '../users/end-user.ts'
import { whereOfNamed } from '../users/named-user.ts'
import {
  getClassificationRules,
  SetClassificationRules,
  setClassificationRules,
  type VersionedRules,
} from './classification.ts'
import { JourneyRef } from './journey.graphql.ts'
import { defaultRules, type Rules } from './journey.rules.ts'
import { LifecycleStageRef } from './journey-words.graphql.ts'

export const StageChangeRef = builder.prismaNode('StageChange', {
  description: "A change of a user's lifecycle stage.",
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => {
    const { user, ...tenant } = whereOfNamed(requireCaller(ctx, 'public'))
    return { id, ...tenant, ...(user && { profile: { user } }) }
  },
  fields: (t) => ({
    user: t.field({
      type: UserRef,
      description: 'The user whose stage it is.',
      resolve: (change, _, ctx) => userOf(ctx, change),
    }),
    previousStage: t.expose('fromStage', {
      type: LifecycleStageRef,
      nullable: true,
      description: 'The stage before; null for the first one.',
    }),
    stage: t.expose('toStage', { type: LifecycleStageRef, description: 'The stage from then on.' }),
    reason: t.exposeString('reason', { description: 'Why the stage changed, in English.' }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'When the change was detected.',
    }),
  }),
})

const findStageParts = (work: Work, requested: PartOf[]) =>
  findRowParts(work, { model: 'StageChange', parent: 'user_id', by: { id: 'uuid' } }, requested)

list([JourneyRef, 'stageChanges'], {
  description: "The user's stage changes, newest first.",
  of: StageChangeRef,
  orders: { CHANGED_AT: { by: ['id'], description: 'By time of change.' } },
  order: ['CHANGED_AT', 'DESC'],
  from: ({ parent: { userId, ...user }, order, ctx }) =>
    batched(
      rows(ofTenant(ctx.db, user).stageChange, { where: { userId }, order }),
      { parentId: userId, order },
      (part) => load(ctx, findStageParts, part),
    ),
})

const shape = SetClassificationRules.shape

const ClassificationRulesRef = builder.objectRef<VersionedRules>('ClassificationRules').implement({
  description: 'The thresholds and weights of stages, tiers and the engagement score.',
  fields: (t) => ({
    ...Object.fromEntries(
      (Object.keys(defaultRules) as (keyof Rules)[]).map((name) => [
        name,
        t.exposeInt(name, { description: shape[name].description ?? '' }),
      ]),
    ),
    version: t.exposeInt('version', {
      description: 'Counts how often they were set; 0 for the defaults.',
    }),
  }),
})

builder.queryField('classificationRules', (t) =>
  t.field({
    type: ClassificationRulesRef,
    ...orError('The current thresholds and weights of stages, tiers and the engagement score.'),
    authScopes: { key: ['secret', 'READ'] },
    resolve: (_, __, ctx) => getClassificationRules(ctx, requireCaller(ctx, 'secret')),
  }),
)

mutation('setClassificationRules', {
  description:
    'Sets the thresholds and weights. Omitted fields return to their defaults. All users are reclassified within about a minute.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: SetClassificationRules,
  payload: { classificationRules: ClassificationRulesRef },
  isVersioned: true,
  errors: [],
  resolve: async (input, ctx) => ({
    classificationRules: await setClassificationRules(ctx, input),
  }),
})
