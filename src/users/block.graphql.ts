import type { EndUser, UserBlock } from '../generated/prisma/client.ts'
import type { BlockReason } from '../generated/prisma/enums.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { eventType } from '../kit/schema/event-data.ts'
import { enumType } from '../kit/schema/input.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { personal } from '../kit/schema/personal.ts'
import type { UserId } from '../kit/user-id.ts'
import { userBlocked, userUnblocked } from './block.events.ts'
import { isBlocked } from './block.rules.ts'
import { BlockUser, blockUser, findLastBlocks, UnblockUser, unblockUser } from './block.ts'
import { idOfEventUser, UserRef, userOfEvent } from './end-user.graphql.ts'
import { externalIdOf } from './end-user.ts'

const BlockReasonRef = enumType<BlockReason>('BlockReason', 'Why a user is blocked.', {
  FRAUD:
    'The user cheats. They also get no awards, campaign points or gifts, and are on no leaderboard.',
  ABUSE: 'The user breaks rules.',
  SELF_EXCLUSION: 'The user has asked for it.',
  OTHER: 'Any other reason; see the note.',
})

export const UserBlockRef = builder.objectRef<UserBlock>('UserBlock').implement({
  description:
    'A block of a user, who cannot play, join, redeem, claim, buy, spend or enter lotteries.',
  fields: (t) => ({
    reason: t.field({
      type: BlockReasonRef,
      ...personal<UserBlock, BlockReason | null>({
        description: 'Why; null once the user is erased.',
        value: ({ reason }) => reason,
        unset: null,
        isShown: () => false,
      }),
    }),
    note: t.string(
      personal<UserBlock, string | null>({
        description: 'More, for your team; null if there is none.',
        value: ({ note }) => note,
        unset: null,
        isShown: () => false,
      }),
    ),
    blockedAt: t.expose('blockedAt', { type: 'DateTime', description: 'When the block began.' }),
    until: t.expose('until', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends by itself; null for never.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended by hand, or replaced by another block; null if it was not.',
    }),
  }),
})

builder.prismaObjectField(UserRef, 'block', (t) =>
  t.field({
    type: UserBlockRef,
    nullable: true,
    description: 'The block that holds now; null for a user who is not blocked.',
    resolve: (user: EndUser, _, ctx) =>
      isBlocked(user, ctx.clock()) ? load(ctx, findLastBlocks, user.id as UserId) : null,
  }),
)

mutation('blockUser', {
  description:
    'Blocks a user: plays, joins, redemptions, claims, purchases, spending and tickets are refused with `USER_BLOCKED`. What the user does still counts, grants of goals and streaks are issued once the block ends, and streaks pause. It replaces a block that the user has. Emits `user.blocked`.',
  key: 'secret',
  right: 'POINTS_ADJUST',
  input: BlockUser,
  payload: { user: UserRef },
  errors: ['USER_NOT_FOUND'],
  resolve: async ({ user, ...block }, ctx, caller) => ({
    user: await blockUser(ctx, { ...block, externalId: await externalIdOf(ctx, caller, user) }),
  }),
})

mutation('unblockUser', {
  description:
    'Ends the block of a user. A user who is not blocked stays unchanged. Emits `user.unblocked`.',
  key: 'secret',
  right: 'POINTS_ADJUST',
  input: UnblockUser,
  payload: { user: UserRef },
  errors: ['USER_NOT_FOUND'],
  resolve: async ({ user, ...tenant }, ctx, caller) => ({
    user: await unblockUser(ctx, { ...tenant, externalId: await externalIdOf(ctx, caller, user) }),
  }),
})

eventType(userBlocked, 'UserBlockedEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user.', ({ userId }) => userId)),
  blockReason: t.expose('reason', { type: BlockReasonRef, nullable: true, description: 'Why.' }),
  until: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the block ends by itself; null for never.',
    resolve: ({ until }) => (until === undefined ? null : new Date(until)),
  }),
}))

eventType(userUnblocked, 'UserUnblockedEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user.', ({ userId }) => userId)),
  blockReason: t.expose('reason', {
    type: BlockReasonRef,
    nullable: true,
    description: 'Why the user was blocked.',
  }),
  until: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the block would have ended by itself; null for never.',
    resolve: ({ until }) => (until === undefined ? null : new Date(until)),
  }),
}))
