import { z } from 'zod'
import type { Reward } from '../generated/prisma/client.ts'
import { RewardKind } from '../generated/prisma/enums.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { builder } from '../kit/schema/builder.ts'
import { versioned, versionField } from '../kit/schema/expected-version.ts'
import { among, containing, isSet, someOf } from '../kit/schema/filters.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { readsPersonalData } from '../kit/schema/personal.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { title } from '../kit/validation.ts'
import {
  ArchiveReward,
  archiveReward,
  CreateReward,
  createReward,
  findReward,
  RewardBy,
  UpdateReward,
  updateReward,
} from './reward.ts'

export const RewardKindRef = enumType<RewardKind>('RewardKind', 'What a reward gives.', {
  POINTS: 'Points in the wallet.',
  BADGE: 'A mark of honor, which is worth no points.',
})

export const RewardRef = builder.prismaNode('Reward', {
  description: 'Something that a partner gives to users. A grant says who gets it.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('public'),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What its partner calls it. Unique.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What users read about it.',
    }),
    imageUrl: t.exposeString('imageUrl', { nullable: true }),
    kind: t.expose('kind', { type: RewardKindRef, description: 'What it gives.' }),
    points: t.exposeInt('points', {
      nullable: true,
      description: 'Points that a grant pays; null for a badge.',
    }),
    stock: t.int({
      nullable: true,
      description: 'The largest number of grants. Null for no limit, and to public keys.',
      resolve: ({ stock }: Reward, _, ctx) => (readsPersonalData(ctx) ? stock : null),
    }),
    grantCount: t.int({
      nullable: true,
      description: 'Number of grants, except those that failed. Null to public keys.',
      resolve: ({ grantCount }: Reward, _, ctx) => (readsPersonalData(ctx) ? grantCount : null),
    }),
    archivedAt: t.expose('archivedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it is not given any more; null if it is.',
    }),
    version: t.exposeInt('version', versionField),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

versioned(RewardRef)

const RewardFilter = z
  .object({
    search: title(255)
      .nullish()
      .describe('Only rewards whose name or description contains this; case-insensitive.'),
    kinds: someOf('RewardKind', RewardKind).nullish().describe('Only rewards of these kinds.'),
    isArchived: z
      .boolean('must be a boolean')
      .nullish()
      .describe('Only archived rewards, or only others.'),
  })
  .describe('Filters rewards.')

list('rewards', {
  description: 'The rewards, also archived ones, newest first.',
  key: 'secret',
  of: RewardRef,
  filter: RewardFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
    NAME: { by: ['name'], description: 'By name.' },
  },
  orderName: 'CreatedAtOrName',
  order: ['CREATED_AT', 'DESC'],
  from: ({ caller, filter: { search, kinds, isArchived }, order, ctx }) =>
    rows(ofTenant(ctx.db, caller).reward, {
      where: {
        ...containing(search, ['name', 'description']),
        ...among({ kind: kinds }),
        ...isSet({ archivedAt: isArchived }),
      },
      order,
    }),
})

query('reward', {
  description: 'A reward; null if not found.',
  key: 'secret',
  args: z.object({ by: RewardBy }),
  type: RewardRef,
  nullable: true,
  resolve: ({ by }, ctx, caller) => findReward(ctx, caller, by),
})

mutation('createReward', {
  description: 'Creates a reward, to be given to users.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: CreateReward,
  payload: { reward: RewardRef },
  errors: ['REWARD_NAME_TAKEN'],
  resolve: async (input, ctx) => ({ reward: await createReward(ctx, input) }),
})

mutation('updateReward', {
  description: 'Changes a reward. Its grants keep the points that they had.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: UpdateReward,
  isVersioned: true,
  payload: { reward: RewardRef },
  errors: ['REWARD_NOT_FOUND', 'REWARD_NAME_TAKEN'],
  resolve: async (input, ctx) => ({ reward: await updateReward(ctx, input) }),
})

mutation('archiveReward', {
  description:
    'Archives a reward: it is not given any more. Its grants stay, and those that are not issued yet will be.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: ArchiveReward,
  isVersioned: true,
  payload: { reward: RewardRef },
  errors: ['REWARD_NOT_FOUND'],
  resolve: async (input, ctx) => ({ reward: await archiveReward(ctx, input) }),
})
