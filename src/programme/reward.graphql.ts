import { z } from 'zod'
import type { Prisma, Reward } from '../generated/prisma/client.ts'
import { type GameType, RewardKind } from '../generated/prisma/enums.ts'
import type { Context } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { builder } from '../kit/schema/builder.ts'
import { versioned, versionField } from '../kit/schema/expected-version.ts'
import { among, containing, equal, isSet, someOf } from '../kit/schema/filters.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { isTrusted, readsPersonalData } from '../kit/schema/personal.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { title } from '../kit/validation.ts'
import {
  ArchiveReward,
  archiveReward,
  CreateReward,
  createReward,
  RewardBy,
  UpdateReward,
  updateReward,
} from './reward.ts'

export const RewardKindRef = enumType<RewardKind>('RewardKind', 'What a reward gives.', {
  POINTS: 'Points in the wallet.',
  BADGE: 'A mark of honor, which is worth no points.',
  ITEM: 'Something that you hand out.',
  CODE: 'A code of yours, such as a voucher, which one user sees.',
  FREE_PLAYS: 'Plays of a game that cost nothing.',
})

type FreePlays = { gameType: GameType; count: number; validDays: number | null }

/** Games add the game. */
export const RewardFreePlaysRef = builder.objectRef<FreePlays>('RewardFreePlays').implement({
  description: 'Plays of a game that cost nothing.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'The number of plays that a grant gives.' }),
    validDays: t.exposeInt('validDays', {
      nullable: true,
      description: 'For how many days from when it is issued; null for no end.',
    }),
  }),
})

/** For secret keys and members. */
const forBackends = <T>(description: string, read: (reward: Reward) => T) => ({
  nullable: true as const,
  description: `${description} Null to public keys.`,
  resolve: (reward: Reward, _: unknown, ctx: Context) =>
    readsPersonalData(ctx) ? read(reward) : null,
})

export const RewardRef = builder.prismaNode('Reward', {
  description: 'Something that a partner gives to users. A grant says who gets it.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('public'),
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'What its partner calls it. Unique.' }),
    name: t.exposeString('name', { description: 'The name that users read.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What users read about it.',
    }),
    imageUrl: t.exposeString('imageUrl', { nullable: true }),
    kind: t.expose('kind', { type: RewardKindRef, description: 'What a grant of it gives.' }),
    points: t.exposeInt('points', {
      nullable: true,
      description: 'Points that a grant pays; null unless it gives points.',
    }),
    freePlays: t.field({
      type: RewardFreePlaysRef,
      nullable: true,
      description: 'What a grant gives; null unless it gives free plays.',
      resolve: ({ gameType, freePlays: count, validDays }: Reward) =>
        gameType && count !== null ? { gameType, count, validDays } : null,
    }),
    stock: t.int(
      forBackends(
        'The largest number of grants, null for no limit. Of codes, how many were added.',
        ({ stock }) => stock,
      ),
    ),
    grantCount: t.int(
      forBackends(
        'Number of grants, except those that found no stock or were cancelled.',
        ({ grantCount }) => grantCount,
      ),
    ),
    isRunningOut: t.boolean(
      forBackends(
        'Whether at most a tenth of its stock is left; false without a limit.',
        ({ isRunningOut }) => isRunningOut,
      ),
    ),
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
    isForSale: z
      .boolean('must be a boolean')
      .nullish()
      .describe('Only rewards that have a price, or only others.'),
    isRunningOut: z
      .boolean('must be a boolean')
      .nullish()
      .describe(
        'Only rewards with at most a tenth of their stock left, or only others. Public keys get all.',
      ),
  })
  .describe('Conditions on rewards; all that are given must hold.')

/** What a caller may list. A public key sees the shop: what has a price and is for sale now. */
const shownTo = (ctx: Context): Prisma.RewardWhereInput => {
  if (isTrusted(ctx)) return {}
  const now = ctx.clock()
  return {
    price: { not: null },
    archivedAt: null,
    AND: [
      { OR: [{ startsAt: null }, { startsAt: { lte: now } }] },
      { OR: [{ endsAt: null }, { endsAt: { gt: now } }] },
    ],
  }
}

list('rewards', {
  description:
    'The rewards, also archived ones, newest first. A public key gets those that are for sale now.',
  key: 'public',
  of: RewardRef,
  filter: RewardFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
    NAME: { by: ['name', 'id'], description: 'By name, and among equals by time of creation.' },
    POSITION: { by: ['position', 'id'], description: 'By place in the shop.' },
  },
  order: ['CREATED_AT', 'DESC'],
  from: ({ caller, filter, order, ctx }) =>
    rows(ofTenant(ctx.db, caller).reward, {
      where: {
        ...containing(filter.search, ['name', 'description']),
        ...among({ kind: filter.kinds }),
        ...isSet({ archivedAt: filter.isArchived, price: filter.isForSale }),
        // What is left is for backends only, as the field is.
        ...(readsPersonalData(ctx) && equal({ isRunningOut: filter.isRunningOut })),
        ...shownTo(ctx),
      },
      order,
    }),
})

query('reward', {
  description: 'A reward; null if not found. A public key finds those that are for sale now.',
  key: 'public',
  args: z.object({ by: RewardBy }),
  type: RewardRef,
  nullable: true,
  resolve: ({ by }, ctx, caller) =>
    ofTenant(ctx.db, caller).reward.findFirst({ where: { ...by, ...shownTo(ctx) } }),
})

mutation('createReward', {
  description: 'Creates a reward, to be given to users.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: CreateReward,
  payload: { reward: RewardRef },
  errors: ['REWARD_SLUG_TAKEN', 'SEGMENT_NOT_FOUND'],
  resolve: async (input, ctx) => ({ reward: await createReward(ctx, input) }),
})

mutation('updateReward', {
  description: 'Changes a reward. Its grants keep what they had.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: UpdateReward,
  isVersioned: true,
  payload: { reward: RewardRef },
  errors: ['REWARD_NOT_FOUND', 'REWARD_SLUG_TAKEN', 'SEGMENT_NOT_FOUND'],
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
