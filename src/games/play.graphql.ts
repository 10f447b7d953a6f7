import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
import { mutation } from '../core/mutation.ts'
import {
  connectionType,
  findNumbered,
  isNumberCursor,
  listArgs,
  listComplexity,
  listConnection,
  type NumberedPart,
} from '../core/pagination.ts'
import type { Work } from '../core/runtime.ts'
import { tenantOf } from '../core/tenant.ts'
import { EnvironmentRef } from '../core/vocabulary.ts'
import type { EndUser, Play } from '../generated/prisma/client.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import type { GamePlayed } from './drawn-play.ts'
import type { Reward } from './game.rules.ts'
import { GameTypeRef, RewardTierRef, RewardTypeRef } from './mechanic.graphql.ts'
import { PlayGame, playGames } from './play.ts'

const RewardRef = builder.objectRef<Reward>('Reward').implement({
  description: 'What a play won.',
  fields: (t) => ({
    tier: t.expose('tier', { type: RewardTierRef, description: 'How rare it is.' }),
    type: t.expose('type', { type: RewardTypeRef, description: 'What it is.' }),
    value: t.exposeInt('value', { description: 'How much of it; 0 is no reward.' }),
    label: t.exposeString('label', { description: 'The reward in words.' }),
  }),
})

const PlayGamePayload = builder.objectRef<GamePlayed>('PlayGamePayload').implement({
  description: 'A play, with what was drawn.',
  fields: (t) => ({
    playId: t.exposeString('playId', { description: 'UUID of the play.' }),
    gameType: t.expose('gameType', { type: GameTypeRef, description: 'Which game.' }),
    userId: t.exposeString('userId', { description: "The partner's id of the user." }),
    pointsSpent: t.exposeInt('pointsSpent', { description: 'What the play cost.' }),
    userBalance: t.expose('userBalance', {
      type: 'SafeInt',
      description: 'Balance after the deduction, and before a reward of type `points` is added.',
    }),
    outcome: t.expose('outcome', {
      type: 'JSON',
      description:
        'NEON_WHEEL: `{winningSegment, spinAngle}` (degrees); COSMIC_SLOTS: `{reels: [int, int, int]}`; ENIGMA_BOXES: `{boxIndex}`. All count from 0.',
    }),
    reward: t.expose('reward', { type: RewardRef, description: 'What was won.' }),
    environment: t.expose('environment', { type: EnvironmentRef, description: 'Of the key.' }),
    playedAt: t.expose('playedAt', { type: 'DateTime', description: 'When it was played.' }),
  }),
})

mutation('playGame', {
  description:
    'Plays a game of chance: deducts the points, and draws the reward on the server. Announced as `game.played`.',
  key: 'public',
  input: PlayGame,
  payload: PlayGamePayload,
  errors: ['GAME_MECHANIC_NOT_FOUND', 'USER_NOT_FOUND', 'INSUFFICIENT_POINTS'],
  resolve: (input, ctx, caller) => ctx.write(playGames, { ...tenantOf(caller), ...input }),
})

const PlayRef = builder.prismaNode('Play', {
  description: 'One play of a game of chance.',
  id: { field: 'id' },
  nullable: true,
  include: { user: true },
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'public')) }),
  fields: (t) => ({
    playId: t.exposeString('id', { description: 'UUID, the same in REST and in events.' }),
    gameType: t.expose('gameType', { type: GameTypeRef, description: 'Which game.' }),
    userId: t.string({
      description: "The partner's id of the user.",
      resolve: ({ user }) => user.externalId,
    }),
    user: t.field({ type: UserRef, description: 'Who played.', resolve: ({ user }) => user }),
    pointsSpent: t.exposeInt('pointsSpent', { description: 'What the play cost.' }),
    outcome: t.expose('outcome', { type: 'JSON' }),
    rewardTier: t.expose('rewardTier', { type: RewardTierRef, description: 'How rare it is.' }),
    rewardType: t.expose('rewardType', { type: RewardTypeRef, description: 'What was won.' }),
    rewardValue: t.exposeInt('rewardValue', { description: 'How much of it; 0 is no reward.' }),
    rewardLabel: t.exposeString('rewardLabel', { description: 'The reward in words.' }),
    environment: t.expose('environment', { type: EnvironmentRef, description: 'Of the key.' }),
    playedAt: t.expose('playedAt', { type: 'DateTime', description: 'When it was played.' }),
  }),
})

const PlayConnection = connectionType('Play', PlayRef)

const findPlays = ({ tx }: Work, parts: NumberedPart[]) => findNumbered(tx.play, 'playNo', parts)

builder.prismaObjectField('EndUser', 'plays', (t) =>
  t.field({
    type: PlayConnection,
    description: 'The plays of this user, newest first.',
    args: listArgs,
    complexity: listComplexity,
    resolve: (user, args, ctx) =>
      listConnection(ctx, args, {
        list: 'plays',
        isCursor: isNumberCursor,
        cursorOf: ({ playNo }: Play & { user: EndUser }) => playNo,
        total: () => user.gamesPlayed,
        fetch: async ({ take, skip, after }) => {
          const below = after ?? user.gamesPlayed + 1 - skip
          const plays = await ctx.read(findPlays, { userId: user.id, below, take })
          return plays.map((play) => ({ ...play, user }))
        },
      }),
  }),
)
