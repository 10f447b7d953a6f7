import { z } from 'zod'
import { actorOf } from '../accounts/actor.ts'
import { actorField, actorIdField } from '../accounts/viewer.graphql.ts'
import type { RewardGrant } from '../generated/prisma/client.ts'
import {
  type GrantFailure,
  GrantSource,
  GrantStatus,
  RewardKind,
} from '../generated/prisma/enums.ts'
import { type Caller, type Context, requireCaller } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { errorType } from '../kit/schema/error-types.ts'
import { among, isEmpty, Period, someOf, within } from '../kit/schema/filters.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { personal, readsPersonalData } from '../kit/schema/personal.ts'
import { mapped, rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { LedgerEntryRef } from '../points/ledger.graphql.ts'
import { findEntriesById } from '../points/ledger-search.ts'
import { knownUserOf, UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf, rowsOfUser, UserBy } from '../users/end-user.ts'
import { onlyUserByToken, requireUserToken } from '../users/named-user.ts'
import { GiveReward, giveRewards } from './gift.ts'
import {
  ClaimGrant,
  claimGrants,
  findGrants,
  RetryGrant,
  RevokeGrant,
  retryGrant,
  revokeGrant,
} from './grant.ts'
import { RewardRef } from './reward.graphql.ts'
import { findRewards } from './reward.ts'

const GrantStatusRef = enumType<GrantStatus>('GrantStatus', 'How far a grant is.', {
  HELD: 'It is kept back until `heldUntil`.',
  READY: 'It is issued at once, or waits until its user claims it.',
  ISSUED: 'The user has it. An item is to be handed out.',
  REVOKED: 'It was revoked. What was issued is taken back.',
  EXPIRED: 'Nobody claimed it in time.',
  FAILED: 'It could not be issued or handed out; `failure` says why. It can be retried.',
  FULFILLED: 'The item was handed out, or the code was shown.',
  CANCELLED: 'It was cancelled. The user has the price back.',
})

export const GrantSourceRef = enumType<GrantSource>('GrantSource', 'Why a user gets a reward.', {
  GIVEN: 'It was given by a call.',
  GOAL: 'The user completed a goal.',
  STREAK: 'The user reached a milestone of a streak.',
  BOUGHT: 'The user bought it with points.',
  OFFER: 'The user claimed an offer.',
  INSTANT_WIN: 'The user won it in a campaign.',
})

export const GrantFailureRef = enumType<GrantFailure>('GrantFailure', 'Why a grant has failed.', {
  OUT_OF_STOCK: 'The stock of the reward was used up.',
  NOT_FULFILLED: 'It could not be handed out.',
})

/** A moment that may not have come. */
export const moment = (description: string) =>
  ({ type: 'DateTime', nullable: true, description }) as const

/** A ledger entry of a grant, for callers who may read the ledger. */
export const entryField = (description: string, idOf: (grant: RewardGrant) => string | null) => ({
  type: LedgerEntryRef,
  nullable: true as const,
  description: `${description} Null if there is none, and to public keys.`,
  resolve: (grant: RewardGrant, _: unknown, ctx: Context) => {
    const id = idOf(grant)
    return id !== null && readsPersonalData(ctx) ? load(ctx, findEntriesById, id) : null
  },
})

/** Whether the caller may see who gave a grant, and somebody did. */
const hasActor = ({ memberId, apiKeyId }: RewardGrant, ctx: Context) =>
  (memberId !== null || apiKeyId !== null) && readsPersonalData(ctx)

export const GrantRef = builder.prismaNode('RewardGrant', {
  name: 'Grant',
  description:
    'A reward of a user. A public key sees it only with a token of that user, whatever its application says.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => {
    const tenant = tenantOf(requireCaller(ctx, 'public'))
    const externalId = onlyUserByToken(ctx)
    return { id, ...tenant, ...(externalId !== undefined && { user: { externalId } }) }
  },
  fields: (t) => ({
    user: t.field({
      type: UserRef,
      description: 'The user who gets it.',
      resolve: (grant, _, ctx, info) => knownUserOf(ctx, grant, info),
    }),
    reward: t.field({
      type: RewardRef,
      description: 'The reward.',
      resolve: async ({ rewardId }, _, ctx) => (await load(ctx, findRewards, rewardId)) as never,
    }),
    points: t.exposeInt('points', {
      nullable: true,
      description: 'The points of the reward when the grant was made; null unless it gives points.',
    }),
    status: t.expose('status', { type: GrantStatusRef, description: 'How far it is.' }),
    source: t.expose('sourceKind', {
      type: GrantSourceRef,
      description: 'Why the user gets it.',
    }),
    needsClaim: t.exposeBoolean('needsClaim', {
      description: 'Whether the user must claim it. Others are issued as soon as they are ready.',
    }),
    heldUntil: t.expose('heldUntil', moment('When it becomes ready; null if it was at once.')),
    readyAt: t.expose('readyAt', moment('When it became ready; null if it did not.')),
    claimedAt: t.expose('claimedAt', moment('When it was claimed; null if it was not.')),
    claimExpiresAt: t.expose(
      'claimExpiresAt',
      moment('Until when it can be claimed; null for no limit.'),
    ),
    issuedAt: t.expose('issuedAt', moment('When the user got it; null if they did not.')),
    expiredAt: t.expose('expiredAt', moment('When it expired; null if it did not.')),
    revokedAt: t.expose('revokedAt', moment('When it was revoked; null if it was not.')),
    failure: t.expose('failure', {
      type: GrantFailureRef,
      nullable: true,
      description: 'Why it has failed; null if it has not.',
    }),
    shortfall: t.exposeInt('shortfall', {
      nullable: true,
      description:
        'Points that could not be taken back, because the user had spent them. Null unless it was revoked after it was issued.',
    }),
    ledgerEntry: t.field(entryField('The entry that paid it.', ({ entryId }) => entryId)),
    refundEntry: t.field(
      entryField(
        'The entry that took points back, or gave the price back.',
        ({ refundEntryId }) => refundEntryId,
      ),
    ),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
})

builder.prismaObjectFields(GrantRef, (t) => ({
  reference: t.string(
    personal({
      description: "The caller's reference; null if there is none.",
      value: ({ reference }: RewardGrant) => reference,
      unset: null,
      isShown: () => false,
    }),
  ),
  note: t.string(
    personal({
      description: 'The note of who gave it; null if there is none, and once the user is erased.',
      value: ({ note }: RewardGrant) => note,
      unset: null,
      isShown: () => false,
    }),
  ),
  actor: t.field({
    ...actorField,
    description: `${actorField.description} Null to public keys, and if nobody gave it.`,
    resolve: (grant, _, ctx) => (hasActor(grant, ctx) ? actorField.resolve(grant, _, ctx) : null),
  }),
  actorId: t.id({
    nullable: true,
    description: `${actorIdField.description} Null to public keys, and if nobody gave it.`,
    resolve: (grant, _, ctx) => (hasActor(grant, ctx) ? actorIdField.resolve(grant) : null),
  }),
}))

builder.objectField(errorType('DuplicateReference'), 'firstGrant', (t) =>
  t.field({
    type: GrantRef,
    nullable: true,
    description: 'The grant with this reference; null if it is the reference of a ledger entry.',
    resolve: ({ data }, _, ctx) => ('grantId' in data ? load(ctx, findGrants, data.grantId) : null),
  }),
)

const rewardIds = z
  .array(nodeId('Reward'))
  .max(100, 'must be at most 100 rewards')
  .nullish()
  .describe('Only grants of these rewards, at most 100.')

const UserGrantFilter = z
  .object({
    statuses: someOf('GrantStatus', GrantStatus)
      .nullish()
      .describe('Only grants of these statuses.'),
    sources: someOf('GrantSource', GrantSource)
      .nullish()
      .describe('Only grants from these sources.'),
    rewardIds,
    goalIds: z
      .array(nodeId('Goal'))
      .max(100, 'must be at most 100 goals')
      .nullish()
      .describe('Only grants for completions of these goals, at most 100.'),
    rewardKinds: someOf('RewardKind', RewardKind)
      .nullish()
      .describe('Only grants of rewards of these kinds.'),
    createdAt: Period.nullish().describe('Only grants made in this period.'),
  })
  .describe('Filters the grants of a user.')

const GrantFilter = UserGrantFilter.extend({
  user: UserBy.nullish().describe('Only grants of this user. None if there is no such user.'),
}).describe('Filters the grants of all users.')

const orders = { CREATED_AT: { by: ['id'], description: 'By time of creation.' } } as const

const conditionsOf = ({
  statuses,
  sources,
  rewardIds,
  goalIds,
  rewardKinds,
  createdAt,
}: z.output<typeof UserGrantFilter>) => ({
  ...among({ status: statuses, sourceKind: sources, rewardId: rewardIds, goalId: goalIds }),
  ...(rewardKinds && { reward: among({ kind: rewardKinds }) }),
  ...within({ createdAt }),
})

list('grants', {
  description: 'The grants of all users, newest first.',
  key: 'secret',
  of: GrantRef,
  filter: GrantFilter,
  orders,
  order: ['CREATED_AT', 'DESC'],
  from: async ({ caller, filter: { user, ...filter }, order, ctx }) => {
    const ofUser = await rowsOfUser(ctx, caller, user)
    return rows(ofTenant(ctx.db, caller).rewardGrant, {
      where: { ...ofUser, ...conditionsOf(filter) },
      order,
      counting: 'AT_LEAST',
    })
  },
})

const findGrantParts = (work: Work, requested: PartOf[]) =>
  findRowParts(work, { model: 'RewardGrant', parent: 'user_id', by: { id: 'uuid' } }, requested)

list([UserRef, 'grants'], {
  description:
    'Rewards of this user, newest first. A public key needs a token of the user, whatever its application says.',
  key: 'public',
  of: GrantRef,
  name: 'UserGrant',
  filter: UserGrantFilter,
  orders,
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: user, filter, order, ctx }) => {
    requireUserToken(ctx, user.externalId)
    const where = conditionsOf(filter)
    const source = rows(ofTenant(ctx.db, user).rewardGrant, {
      where: { userId: user.id, ...where },
      order,
    })
    const read = (part: PartOf) => load(ctx, findGrantParts, part)
    const all = isEmpty(where) ? batched(source, { parentId: user.id, order }, read) : source
    return mapped(all, (grants) => grants.map((grant) => ({ ...grant, user })))
  },
})

mutation('giveReward', {
  description:
    'Gives a user a reward. Creates the user if necessary. It is issued at once, unless it is held or must be claimed. A reward without stock gives a grant that has failed. Emits `grant.ready` if it can be claimed, and `grant.issued`.',
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: GiveReward,
  payload: { grant: GrantRef, user: UserRef },
  errors: [
    'USER_NOT_FOUND',
    'REWARD_NOT_FOUND',
    'USER_BLOCKED',
    'REWARD_ARCHIVED',
    'DUPLICATE_REFERENCE',
  ],
  resolve: async ({ user, ...gift }, ctx, caller) => {
    const externalId = await externalIdOf(ctx, caller, user)
    const grant = await ctx.write(giveRewards, { ...actorOf(caller), ...gift, externalId })
    return { grant, user: grant.user }
  },
})

/**
 * The user of a grant that a call names: whom the call names, too, or whose grant it is.
 * @throws TesseraError GRANT_NOT_FOUND, USER_NOT_FOUND, MISSING_USER_TOKEN, USER_TOKEN_OF_ANOTHER
 */
export const holderOf = async (
  ctx: Context,
  caller: Caller,
  { grantId, user }: Pick<z.output<typeof ClaimGrant>, 'grantId' | 'user'>,
) => {
  const only = onlyUserByToken(ctx)
  if (user) {
    const externalId = await externalIdOf(ctx, caller, user)
    requireUserToken(ctx, externalId)
    return externalId
  }
  if (only !== undefined) return only
  const grant = await ctx.read(findGrants, grantId)
  const { partnerId, environment } = caller
  if (grant?.partnerId !== partnerId || grant.environment !== environment)
    throw new TesseraError('GRANT_NOT_FOUND')
  return grant.user.externalId
}

mutation('claimGrant', {
  description:
    'Claims a grant that is ready, once, and issues it. A public key needs a token of the user, whatever its application says. Emits `grant.issued`.',
  key: 'public',
  right: 'PLAY',
  isAudited: false,
  input: ClaimGrant,
  payload: { grant: GrantRef, user: UserRef },
  errors: ['USER_NOT_FOUND', 'GRANT_NOT_FOUND', 'USER_BLOCKED', 'GRANT_NOT_ACTIVE'],
  resolve: async ({ grantId, user }, ctx, caller) => {
    const externalId = await holderOf(ctx, caller, { grantId, user })
    const grant = await ctx.write(claimGrants, { ...tenantOf(caller), externalId, grantId })
    return { grant, user: grant.user }
  },
})

mutation('revokeGrant', {
  description:
    'Revokes a grant that was given. If it was issued, its points are taken back as far as the user still has them; `shortfall` is the rest. Emits `grant.revoked`.',
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: RevokeGrant,
  payload: { grant: GrantRef, user: UserRef },
  errors: ['GRANT_NOT_FOUND', 'GRANT_NOT_GIVEN', 'GRANT_NOT_ACTIVE'],
  resolve: async (input, ctx) => {
    const grant = await revokeGrant(ctx, input)
    return { grant, user: grant.user }
  },
})

mutation('retryGrant', {
  description:
    'Tries a grant again that has failed: one that could not be handed out, or that found no stock, once there is some. Emits what `giveReward` does.',
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: RetryGrant,
  payload: { grant: GrantRef, user: UserRef },
  errors: ['GRANT_NOT_FOUND', 'GRANT_NOT_ACTIVE', 'OUT_OF_STOCK'],
  resolve: async (input, ctx) => {
    const grant = await retryGrant(ctx, input)
    return { grant, user: grant.user }
  },
})

builder.prismaObjectField('LedgerEntry', 'grant', (t) =>
  t.field({
    type: GrantRef,
    nullable: true,
    description: 'The grant that it pays, or pays for; null for other entries.',
    resolve: ({ account, sourceId }, _, ctx) =>
      account === 'rewards' && sourceId ? load(ctx, findGrants, sourceId) : null,
  }),
)
