import { z } from 'zod'
import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
import { enumType } from '../core/input.ts'
import { mutation } from '../core/mutation.ts'
import { connectionType, listArgs, listComplexity, listConnection } from '../core/pagination.ts'
import { tenantOf } from '../core/tenant.ts'
import { getCampaigns } from './campaign.ts'
import {
  batchStatusOf,
  type CodeStats,
  type FullBatch,
  GenerateCodes,
  type GeneratedCodes,
  generateCodes,
  RevokeCodeBatch,
  readCodeStats,
  revokeCodeBatch,
} from './code-batch.ts'
import { gameUrlOf, getPartnerSlugs } from './public-campaign.ts'

const StatusRef = enumType('CodeBatchStatus', 'Whether codes of a batch can be redeemed.', {
  ACTIVE: 'Those that were not redeemed can be.',
  EXPIRED: 'None can be redeemed any more: their time is over.',
  REVOKED: 'None can be redeemed any more: they were revoked.',
})

const BatchRef = builder.prismaNode('CodeBatch', {
  id: { field: 'id' },
  nullable: true,
  include: { campaign: true },
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    batchId: t.exposeString('id', { description: 'UUID of the batch.' }),
    campaignId: t.exposeString('campaignId', { description: 'UUID of its campaign.' }),
    campaignSlug: t.string({
      description: 'Slug of its campaign.',
      resolve: ({ campaign }) => campaign.slug,
    }),
    batchSize: t.exposeInt('batchSize', { description: 'How many codes.' }),
    pointsValue: t.exposeInt('pointsValue'),
    label: t.exposeString('label', { nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    status: t.field({
      type: StatusRef,
      description: 'Whether its codes can be redeemed.',
      resolve: (batch, _, { clock }) => batchStatusOf(batch, clock()),
    }),
    redeemed: t.exposeInt('redeemed'),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
})

const BatchConnection = connectionType('CodeBatch', BatchRef as never)

const StatsRef = builder.objectRef<CodeStats>('CodeStats').implement({
  description: 'Codes by state.',
  fields: (t) => ({
    total: t.expose('total', { type: 'SafeInt', description: 'All that were made.' }),
    active: t.expose('active', { type: 'SafeInt', description: 'That can be redeemed.' }),
    redeemed: t.expose('redeemed', { type: 'SafeInt', description: 'That were redeemed.' }),
    expired: t.expose('expired', { type: 'SafeInt', description: 'Whose time is over.' }),
    revoked: t.expose('revoked', { type: 'SafeInt', description: 'That were revoked.' }),
  }),
})

const ofCampaign = 'Only those of this campaign; all when left out.'

builder.queryFields((t) => ({
  codeBatches: t.field({
    type: BatchConnection,
    description: 'Batches of codes, newest first. Error CAMPAIGN_NOT_FOUND.',
    authScopes: { key: 'secret' },
    args: { ...listArgs, slug: t.arg.string({ description: ofCampaign }) },
    complexity: listComplexity,
    resolve: async (_, { slug, ...args }, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'secret'))
      const campaign = slug == null ? null : await ctx.read(getCampaigns, { ...tenant, slug })
      const where = { ...tenant, ...(campaign && { campaignId: campaign.id }) }
      return listConnection(ctx, args, {
        list: 'codeBatches',
        isCursor: (value): value is string => z.uuid().safeParse(value).success,
        cursorOf: ({ id }: FullBatch) => id,
        total: () => ctx.db.codeBatch.count({ where }),
        fetch: ({ take, skip, after }) =>
          ctx.db.codeBatch.findMany({
            where: { ...where, ...(after && { id: { lt: after } }) },
            orderBy: { id: 'desc' },
            include: { campaign: true },
            take,
            skip,
          }),
      }) as never
    },
  }),
  codeStats: t.field({
    type: StatsRef,
    description: 'Codes by state. Error CAMPAIGN_NOT_FOUND.',
    authScopes: { key: 'secret' },
    args: { slug: t.arg.string({ description: ofCampaign }) },
    resolve: async (_, { slug }, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'secret'))
      const campaign = slug == null ? null : await ctx.read(getCampaigns, { ...tenant, slug })
      return readCodeStats(ctx, tenant, campaign?.id ?? null)
    },
  }),
}))

const GeneratePayload = builder.objectRef<GeneratedCodes>('GenerateCodesPayload').implement({
  description: 'Codes that were made. Their texts are shown only here.',
  fields: (t) => ({
    batch: t.field({ type: BatchRef, description: 'The batch.', resolve: ({ batch }) => batch }),
    codes: t.exposeStringList('codes', { description: 'The codes.' }),
    count: t.int({ description: 'How many.', resolve: ({ codes }) => codes.length }),
    gameUrl: t.string({
      description: 'The page on which users redeem them.',
      resolve: async ({ batch: { campaign } }, _, ctx) =>
        gameUrlOf(
          ctx.config.publicUrl,
          await ctx.read(getPartnerSlugs, campaign.partnerId),
          campaign,
        ),
    }),
  }),
})

mutation('generateCodes', {
  description:
    'Makes a batch of codes. Their texts are shown once: only their HMACs are kept, so nobody can read them from the database.',
  key: 'secret',
  input: GenerateCodes,
  payload: GeneratePayload,
  errors: ['CAMPAIGN_NOT_FOUND'],
  resolve: (input, ctx, caller) =>
    generateCodes(ctx, ctx.pepper, { ...tenantOf(caller), ...input }),
})

mutation('revokeCodeBatch', {
  description: 'Makes the codes of a batch worthless. Those that were redeemed stay so.',
  key: 'secret',
  input: RevokeCodeBatch,
  payload: BatchRef as never,
  errors: ['CODE_BATCH_NOT_FOUND'],
  resolve: (input, ctx, caller) => revokeCodeBatch(ctx, { ...tenantOf(caller), ...input }),
})
