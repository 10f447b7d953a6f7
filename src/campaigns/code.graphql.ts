import { z } from 'zod'
import type { Prisma } from '../generated/prisma/client.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { exactly } from '../kit/schema/connection.ts'
import { load } from '../kit/schema/edge.ts'
import { containing, isEmpty, isSet, Period, within } from '../kit/schema/filters.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { lookup } from '../kit/schema/lookup.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { query } from '../kit/schema/query.ts'
import { mapped, rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { flag, text, title } from '../kit/validation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { rowsOfUser, UserBy, userOf } from '../users/end-user.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { campaignOf, slugOf } from './campaign.ts'
import {
  batchStatusOf,
  type CodeStats,
  CreateCodeBatch,
  drawCodeBatch,
  type GeneratedCodes,
  RevokeCodeBatch,
  readCodeStats,
  revokeCodeBatch,
  writeCodeBatch,
} from './code-batch.ts'
import {
  CampaignCodeKey,
  type CodeRedemption,
  codeStatusOf,
  findCode,
  findRedemptions,
  RedeemCode,
  RevokeCode,
  redeemCodes,
  redemptionOf,
  revokeCode,
} from './code-redemption.ts'
import { redeemFor } from './guessing.ts'
import { changedParticipant } from './participant.graphql.ts'

const StatusRef = enumType('CodeBatchStatus', 'Whether codes of a batch can be redeemed.', {
  ACTIVE: 'Its codes can be redeemed.',
  EXPIRED: 'Its codes have expired.',
  REVOKED: 'It was revoked.',
})

const CodeBatchRef = builder.prismaNode('CodeBatch', {
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret'),
  fields: (t) => ({
    campaign: t.field({
      type: CampaignRef,
      description: 'The campaign in which they are redeemed.',
      resolve: (batch, _, ctx) =>
        (batch as Partial<GeneratedCodes['codeBatch']>).campaign ?? campaignOf(ctx, batch),
    }),
    codeCount: t.exposeInt('batchSize', { description: 'Number of codes.' }),
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
    revokedCount: t.exposeInt('revoked', { description: 'Codes that were revoked one by one.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
})

const StatsRef = builder.objectRef<CodeStats>('CodeStats').implement({
  description: 'Counts of codes by state.',
  fields: (t) => ({
    codeCount: t.expose('total', { type: 'SafeInt', description: 'All codes.' }),
    activeCount: t.expose('active', {
      type: 'SafeInt',
      description: 'Codes that can be redeemed.',
    }),
    redeemedCount: t.expose('redeemed', { type: 'SafeInt', description: 'Redeemed codes.' }),
    expiredCount: t.expose('expired', { type: 'SafeInt', description: 'Expired codes.' }),
    revokedCount: t.expose('revoked', { type: 'SafeInt', description: 'Revoked codes.' }),
    batchCount: t.exposeInt('batches', { description: 'Number of batches.' }),
  }),
})

const CodeBatchFilter = z
  .object({
    isRevoked: flag().nullish().describe('true: only revoked batches; false: only the others.'),
    search: title(255)
      .nullish()
      .describe(
        'Only batches whose label, or the name of whose campaign, contains this; case-insensitive.',
      ),
  })
  .describe('Filters batches of codes.')

/** Batches that the filter lets through. */
const matching = ({
  isRevoked,
  search,
}: z.output<typeof CodeBatchFilter>): Prisma.CodeBatchWhereInput => ({
  ...isSet({ revokedAt: isRevoked }),
  ...(search && {
    OR: [containing(search, ['label']), { campaign: containing(search, ['name']) }],
  }),
})

const byMaking = { CREATED_AT: { by: ['id'], description: 'By time of creation.' } }

list('codeBatches', {
  description: 'Batches of codes of all campaigns, newest first.',
  key: 'secret',
  of: CodeBatchRef,
  filter: CodeBatchFilter,
  orders: byMaking,
  order: ['CREATED_AT', 'DESC'],
  from: ({ caller, filter, order, ctx }) =>
    rows(ofTenant(ctx.db, caller).codeBatch, { where: matching(filter), order }),
})

const findBatchParts = (work: Work, requested: PartOf[]) =>
  findRowParts(work, { model: 'CodeBatch', parent: 'campaign_id', by: { id: 'uuid' } }, requested)

list([CampaignRef, 'codeBatches'], {
  description: 'Batches of codes of this campaign, newest first.',
  of: CodeBatchRef,
  filter: CodeBatchFilter,
  orders: byMaking,
  order: ['CREATED_AT', 'DESC'],
  needsRead: true,
  from: ({ parent: campaign, filter, order, ctx }) => {
    const chosen = matching(filter)
    const source = rows(ofTenant(ctx.db, campaign).codeBatch, {
      where: { campaignId: campaign.id, ...chosen },
      order,
    })
    if (!isEmpty(chosen)) return source
    return batched(source, { parentId: campaign.id, order }, (part) =>
      load(ctx, findBatchParts, part),
    )
  },
})

query('codeStats', {
  description: 'Counts of the codes of all campaigns by state.',
  key: 'secret',
  type: StatsRef,
  resolve: async (_, ctx, caller) =>
    ctx.read(readCodeStats, { ...tenantOf(caller), campaignId: null }),
})

query([CampaignRef, 'codeStats'], {
  description: "Counts of this campaign's codes by state.",
  type: StatsRef,
  needsRead: true,
  resolve: (_args, ctx, _, campaign) =>
    load(ctx, readCodeStats, { ...tenantOf(campaign), campaignId: campaign.id }),
})

mutation('createCodeBatch', {
  description:
    'Creates a batch of codes. The codes are shown only once, because only their HMACs are stored.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: CreateCodeBatch,
  payload: {
    codeBatch: CodeBatchRef,
    codes: { type: ['String'], description: 'The codes, shown only here.' },
  },
  errors: ['CAMPAIGN_NOT_FOUND'],
  price: { points: 5, per: 'code', count: ({ codeCount }) => codeCount },
  prepare: async ({ campaign, ...input }, ctx, caller) =>
    drawCodeBatch(ctx, { ...input, slug: await slugOf(ctx, caller, campaign) }),
  resolve: (drawn, ctx) => writeCodeBatch(ctx, drawn),
})

mutation('revokeCodeBatch', {
  description: 'Revokes the codes of a batch. Redeemed codes stay redeemed.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: RevokeCodeBatch,
  payload: { codeBatch: CodeBatchRef },
  errors: ['CODE_BATCH_NOT_FOUND'],
  resolve: async (input, ctx) => ({ codeBatch: await revokeCodeBatch(ctx, input) }),
})

export const RedemptionRef = builder.objectRef<CodeRedemption>('CodeRedemption').implement({
  description: 'A code that was redeemed.',
  fields: (t) => ({
    uuid: t.expose('id', {
      type: 'UUID',
      description:
        'The id as used in events (`redemptionId`). Its activity on the timeline has the same id.',
    }),
    codeBatch: t.expose('batch', { type: CodeBatchRef, description: 'The batch of the code.' }),
    user: t.field({
      type: UserRef,
      description: 'The user who redeemed it.',
      resolve: ({ userId, batch }, _, ctx) => userOf(ctx, { ...tenantOf(batch), userId }),
    }),
    redeemedAt: t.expose('redeemedAt', { type: 'DateTime', description: 'When it was redeemed.' }),
  }),
})

const CodeRedemptionFilter = z
  .object({
    user: UserBy.nullish().describe(
      'Only codes that this user redeemed. None if there is no such user.',
    ),
    redeemedAt: Period.nullish().describe('Only codes that were redeemed in this period.'),
  })
  .describe('Filters redeemed codes of a batch.')

list([CodeBatchRef, 'redemptions'], {
  description: 'Redeemed codes of this batch, newest first.',
  of: RedemptionRef,
  filter: CodeRedemptionFilter,
  orders: { REDEEMED_AT: { by: ['id'], description: 'By time of redemption.' } },
  order: ['REDEEMED_AT', 'DESC'],
  from: async ({ parent: batch, filter: { user, redeemedAt }, order, ctx }) => {
    const isUp = order[0]?.[1] === 'asc'
    const chosen = { ...(await rowsOfUser(ctx, batch, user)), ...within({ redeemedAt }) }
    // A batch is small enough to read all of its redeemed codes.
    if (!isEmpty(chosen)) {
      const { campaignCode } = ofTenant(ctx.db, batch)
      const where = { batchId: batch.id, redemptionId: { not: null }, ...chosen }
      const by = [['redemptionId', isUp ? 'asc' : 'desc']] as const
      const codes = rows(campaignCode, { where, order: by })
      return {
        order: codes.order,
        placeOf: ({ id }) => [id],
        count: codes.count,
        fetch: async (part) =>
          (await codes.fetch(part)).flatMap((code) => redemptionOf({ ...code, batch }) ?? []),
      }
    }
    return {
      order: isUp ? 'id asc' : 'id desc',
      placeOf: ({ id }) => [id],
      count: () => exactly(batch.redeemed),
      fetch: async (part) => {
        const found = await load(ctx, findRedemptions, { ...part, parent: [batch.id], isUp })
        return found.map((redemption) => ({ ...redemption, batch }))
      },
    }
  },
})

mutation('redeemCode', {
  description:
    'Redeems a code of a batch, once. Emits `campaign.code_redeemed`. After ten wrong codes of a user in ten minutes, further codes are refused for a while.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: RedeemCode,
  payload: {
    codeBatch: CodeBatchRef,
    ...changedParticipant,
  },
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_NOT_ACTIVE',
    'INVALID_CODE',
    'CODE_REDEEMED',
    'CODE_EXPIRED',
    'CODE_REVOKED',
    'RATE_LIMITED',
    'USER_NOT_FOUND',
    'USER_BLOCKED',
  ],
  resolve: ({ code, ...input }, ctx, caller) =>
    redeemFor(ctx, caller, input, (redeemer) => ctx.write(redeemCodes, { ...redeemer, code })),
})

const CodeStatusRef = enumType('CampaignCodeStatus', 'Whether a code can be redeemed.', {
  REDEEMABLE: 'It can be redeemed.',
  CAMPAIGN_NOT_ACTIVE: 'Its campaign is not active.',
  REDEEMED: 'It was redeemed.',
  EXPIRED: 'It has expired.',
  REVOKED: 'It was revoked, or its batch was.',
})

const CodeRef = builder.prismaNode('CampaignCode', {
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret'),
  include: { batch: true },
  fields: (t) => ({
    ending: t.exposeString('ending', { nullable: true }),
    codeBatch: t.field({
      type: CodeBatchRef,
      description: 'The batch of the code.',
      resolve: ({ batch }) => batch,
    }),
    status: t.field({
      type: CodeStatusRef,
      description: 'Whether it can be redeemed now.',
      resolve: async (code, _, ctx) =>
        codeStatusOf(code, await campaignOf(ctx, code.batch), ctx.clock()),
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked by itself; null if it was not.',
    }),
    redemption: t.field({
      type: RedemptionRef,
      nullable: true,
      description: 'Its redemption; null while it is not redeemed.',
      resolve: redemptionOf,
    }),
  }),
})

const CampaignCodeFilter = z
  .object({
    ending: text(4)
      .nullish()
      .describe('Only codes whose last four characters contain this; case-insensitive.'),
    isRedeemed: flag().nullish().describe('true: only redeemed codes; false: only the others.'),
    isRevoked: flag()
      .nullish()
      .describe('true: only codes that were revoked by themselves; false: only the others.'),
  })
  .describe('Filters codes of a batch.')

const findCodeParts = (work: Work, requested: PartOf[]) =>
  findRowParts(work, { model: 'CampaignCode', parent: 'batch_id', by: { id: 'uuid' } }, requested)

list([CodeBatchRef, 'codes'], {
  description: 'Codes of this batch, by their last characters, in the order of their creation.',
  of: CodeRef,
  filter: CampaignCodeFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By creation: in the order in which they were shown.' },
    REDEEMED_AT: {
      by: ['redeemedAt', 'id'],
      nulls: 'LOWEST',
      description: 'By time of redemption. Codes that are not redeemed are lowest.',
    },
  },
  order: ['CREATED_AT', 'ASC'],
  from: ({ parent: batch, filter: { ending, isRedeemed, isRevoked }, order, ctx }) => {
    const chosen = {
      ...(ending && containing(ending, ['ending'])),
      ...isSet({ redeemedAt: isRedeemed, revokedAt: isRevoked }),
    }
    // A batch is small enough to sort all of its codes.
    const source = rows(ofTenant(ctx.db, batch).campaignCode, {
      where: { batchId: batch.id, ...chosen },
      order,
      ...(isEmpty(chosen) && { counting: () => batch.batchSize }),
    })
    const isBatched = isEmpty(chosen) && order[0]?.[0] === 'id'
    const codes = isBatched
      ? batched(source, { parentId: batch.id, order }, (part) => load(ctx, findCodeParts, part))
      : source
    return mapped(codes, (items) => items.map((code) => ({ ...code, batch })))
  },
})

mutation('revokeCode', {
  description:
    'Revokes one code of a batch, such as one that was published by mistake. A redeemed code stays redeemed. One that was revoked before is returned unchanged.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: RevokeCode,
  payload: { campaignCode: { type: CodeRef, description: 'The code.' } },
  errors: ['INVALID_CODE', 'CODE_REDEEMED'],
  resolve: async (input, ctx) => ({ campaignCode: await revokeCode(ctx, input) }),
})

query('campaignCode', {
  description: 'A code of a batch. Does not redeem it.',
  key: 'secret',
  args: CampaignCodeKey,
  type: CodeRef,
  nullable: true,
  resolve: ({ code }, ctx, caller) => findCode(ctx, { ...tenantOf(caller), code }),
})

lookup('codeBatch', CodeBatchRef, { description: 'A batch of codes.', key: 'secret' })
