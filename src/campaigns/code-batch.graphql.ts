import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { equal, isSet } from '../core/graphql/filters.ts'
import { enumType } from '../core/graphql/input.ts'
import { list } from '../core/graphql/list.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { rows } from '../core/graphql/rows.ts'
import { tenantOf } from '../core/tenant.ts'
import { flag } from '../core/validation.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { campaignOf, getCampaigns, slugOf } from './campaign.ts'
import {
  batchStatusOf,
  type CodeStats,
  CreateCodeBatch,
  type GeneratedCodes,
  generateCodes,
  RevokeCodeBatch,
  readCodeStats,
  revokeCodeBatch,
} from './code-batch.ts'

const StatusRef = enumType('CodeBatchStatus', 'Whether codes of a batch can be redeemed.', {
  ACTIVE: 'Those that were not redeemed can be.',
  EXPIRED: 'None can be redeemed any more: their time is over.',
  REVOKED: 'None can be redeemed any more: they were revoked.',
})

export const CodeBatchRef = builder.prismaNode('CodeBatch', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    campaign: t.field({
      type: CampaignRef,
      description: 'The campaign in which they are redeemed.',
      resolve: (batch, _, ctx) =>
        (batch as Partial<GeneratedCodes['codeBatch']>).campaign ?? campaignOf(ctx, batch),
    }),
    codeCount: t.exposeInt('batchSize', { description: 'How many codes.' }),
    points: t.exposeInt('pointsValue'),
    label: t.exposeString('label', { nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    status: t.field({
      type: StatusRef,
      description: 'Whether its codes can be redeemed.',
      resolve: (batch, _, { clock }) => batchStatusOf(batch, clock()),
    }),
    redeemedCount: t.exposeInt('redeemed'),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
})

const StatsRef = builder.objectRef<CodeStats>('CodeStats').implement({
  description: 'Codes by state.',
  fields: (t) => ({
    total: t.expose('total', { type: 'SafeInt', description: 'All that were made.' }),
    active: t.expose('active', { type: 'SafeInt', description: 'That can be redeemed.' }),
    redeemed: t.expose('redeemed', { type: 'SafeInt', description: 'That were redeemed.' }),
    expired: t.expose('expired', { type: 'SafeInt', description: 'Whose time is over.' }),
    revoked: t.expose('revoked', { type: 'SafeInt', description: 'That were revoked.' }),
    batches: t.exposeInt('batches', { description: 'Batches they were made in.' }),
  }),
})

const CodeBatchFilter = z
  .object({
    campaignSlug: z.string().nullish().describe('Only batches of this campaign.'),
    isRevoked: flag().nullish().describe('Only batches that were revoked, or only the others.'),
  })
  .describe('Which batches of codes.')

list('codeBatches', {
  description: 'Batches of codes, newest first. Error CAMPAIGN_NOT_FOUND.',
  key: 'secret',
  of: CodeBatchRef,
  filter: CodeBatchFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By when they were made.' } },
  order: ['CREATED_AT', 'DESC'],
  from: async ({ caller, filter: { campaignSlug: slug, isRevoked }, order, ctx }) => {
    const tenant = tenantOf(caller)
    const campaign = slug == null ? null : await ctx.read(getCampaigns, { ...tenant, slug })
    return rows(ctx.db.codeBatch, {
      where: {
        ...tenant,
        ...equal({ campaignId: campaign?.id }),
        ...isSet({ revokedAt: isRevoked }),
      },
      order,
    })
  },
})

builder.queryFields((t) => ({
  codeStats: t.field({
    type: StatsRef,
    description: 'Codes by state. Error CAMPAIGN_NOT_FOUND.',
    authScopes: { key: 'secret' },
    args: {
      slug: t.arg.string({ description: 'Only those of this campaign; all when left out.' }),
    },
    resolve: async (_, { slug }, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'secret'))
      const campaign = slug == null ? null : await ctx.read(getCampaigns, { ...tenant, slug })
      return readCodeStats(ctx, tenant, campaign?.id ?? null)
    },
  }),
}))

mutation('createCodeBatch', {
  description:
    'Makes a batch of codes. Their texts are shown once: only their HMACs are kept, so nobody can read them from the database.',
  key: 'secret',
  input: CreateCodeBatch,
  payload: {
    codeBatch: CodeBatchRef,
    codes: { type: ['String'], description: 'The codes. They are shown only here.' },
  },
  errors: ['CAMPAIGN_NOT_FOUND'],
  resolve: async ({ campaign, ...input }, ctx, caller) =>
    generateCodes(ctx, ctx.pepper, {
      ...tenantOf(caller),
      ...input,
      slug: await slugOf(ctx, caller, campaign),
    }),
})

mutation('revokeCodeBatch', {
  description: 'Makes the codes of a batch worthless. Those that were redeemed stay so.',
  key: 'secret',
  input: RevokeCodeBatch,
  payload: { codeBatch: CodeBatchRef },
  errors: ['CODE_BATCH_NOT_FOUND'],
  resolve: async (input, ctx, caller) => ({
    codeBatch: await revokeCodeBatch(ctx, { ...tenantOf(caller), ...input }),
  }),
})
