import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
import { enumType } from '../core/input.ts'
import { mutation } from '../core/mutation.ts'
import { tenantOf } from '../core/tenant.ts'
import type { WeightedReward } from './game.rules.ts'
import { getMechanics, listMechanics, SetGameMechanic, setGameMechanic } from './mechanic.ts'

export const GameTypeRef = enumType('GameType', 'A game of chance.', {
  NEON_WHEEL: 'A wheel of segments.',
  COSMIC_SLOTS: 'Three reels of symbols.',
  ENIGMA_BOXES: 'A row of closed boxes.',
})

const MechanicStatusRef = enumType('MechanicStatus', 'Whether a game can be played.', {
  ACTIVE: 'Listed and playable.',
  INACTIVE: 'Neither listed nor playable.',
})

export const RewardTierRef = enumType('RewardTier', 'How rare a reward is.', {
  epic: 'The rarest.',
  rare: 'In between.',
  common: 'The most frequent.',
})

export const RewardTypeRef = enumType('RewardType', 'What a reward is.', {
  cashback: 'Money back, paid by the partner.',
  xp: 'Experience, granted by the partner.',
  points: "Points, credited to the user's wallet by the play itself.",
  item: 'Something the partner hands out.',
  special: 'Something else the partner does.',
})

const WeightedRewardRef = builder.objectRef<WeightedReward>('WeightedReward').implement({
  description: 'One line of a reward table.',
  fields: (t) => ({
    tier: t.expose('tier', { type: RewardTierRef, description: 'How rare it is.' }),
    type: t.expose('type', { type: RewardTypeRef, description: 'What it is.' }),
    value: t.exposeInt('value', { description: 'How much of it.' }),
    label: t.exposeString('label', { description: 'The reward in words.' }),
    weight: t.exposeInt('weight', { description: 'Relative to the other weights.' }),
  }),
})

type Config = { segments: number; rewards: WeightedReward[] }

const GameConfigRef = builder.objectRef<Config>('GameConfig').implement({
  description: 'What a game shows and what can be drawn in it.',
  fields: (t) => ({
    segments: t.exposeInt('segments', { description: 'Wheel segments, slots symbols or boxes.' }),
    rewards: t.expose('rewards', { type: [WeightedRewardRef], description: 'The reward table.' }),
  }),
})

const GameMechanicRef = builder.prismaNode('GameMechanic', {
  description: 'A game of chance as a partner has configured it.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'public')) }),
  fields: (t) => ({
    gameType: t.expose('gameType', { type: GameTypeRef, description: 'Which of the games.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    description: t.exposeString('description', { description: 'Short description.' }),
    pointsToUnlock: t.exposeInt('pointsToUnlock'),
    status: t.expose('status', { type: MechanicStatusRef, description: 'Whether it is playable.' }),
    imageUrl: t.exposeString('imageUrl', { nullable: true, description: 'Cover image.' }),
    config: t.field({
      type: GameConfigRef,
      description: 'Segments and reward table.',
      resolve: ({ segments, rewards }) => ({ segments, rewards: rewards as WeightedReward[] }),
    }),
  }),
})

builder.queryFields((t) => ({
  games: t.field({
    type: [GameMechanicRef],
    description: 'The active games; three at most.',
    authScopes: { key: 'public' },
    resolve: (_, __, ctx) => listMechanics(ctx, requireCaller(ctx, 'public')),
  }),
  game: t.field({
    type: GameMechanicRef,
    description: 'An active game. Error GAME_MECHANIC_NOT_FOUND.',
    authScopes: { key: 'public' },
    args: { gameType: t.arg({ type: GameTypeRef, required: true, description: 'Which game.' }) },
    resolve: (_, { gameType }, ctx) =>
      ctx.read(getMechanics, { ...tenantOf(requireCaller(ctx, 'public')), gameType }) as never,
  }),
}))

mutation('setGameMechanic', {
  description: 'Makes the mechanic of a game type, or changes it.',
  key: 'secret',
  input: SetGameMechanic,
  payload: GameMechanicRef as never,
  errors: [],
  resolve: (input, ctx, caller) => setGameMechanic(ctx, { ...tenantOf(caller), ...input }),
})
