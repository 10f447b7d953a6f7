import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { enumType } from '../core/graphql/input.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { query } from '../core/graphql/query.ts'
import { tenantOf } from '../core/tenant.ts'
import { flag, oneOf } from '../core/validation.ts'
import { GameType } from '../generated/prisma/enums.ts'
import type { WeightedReward } from './game.rules.ts'
import { findMechanics, listMechanics, SetGame, setGameMechanic } from './mechanic.ts'

export const GameTypeRef = enumType('GameType', 'A game of chance.', {
  NEON_WHEEL: 'A wheel of segments.',
  COSMIC_SLOTS: 'Three reels of symbols.',
  ENIGMA_BOXES: 'A row of closed boxes.',
})

const MechanicStatusRef = enumType('MechanicStatus', 'Whether a game can be played.', {
  ACTIVE: 'Listed and playable.',
  INACTIVE: 'Neither listed nor playable.',
})

const upperCase = { upperCase: true }

export const RewardTierRef = enumType(
  'RewardTier',
  'How rare a reward is.',
  {
    epic: 'The rarest.',
    rare: 'Rarer than common, more frequent than epic.',
    common: 'The most frequent.',
  },
  upperCase,
)

export const RewardTypeRef = enumType(
  'RewardType',
  'What a reward is.',
  {
    cashback: 'Money back, paid by the partner.',
    xp: 'Experience, granted by the partner.',
    points: "Points, credited to the user's wallet by the play.",
    item: 'Something the partner delivers.',
    special: 'Any other reward, fulfilled by the partner.',
  },
  upperCase,
)

const WeightedRewardRef = builder.objectRef<WeightedReward>('WeightedReward').implement({
  description: 'One line of a reward table.',
  fields: (t) => ({
    tier: t.expose('tier', { type: RewardTierRef, description: 'How rare it is.' }),
    type: t.expose('type', { type: RewardTypeRef, description: 'What it is.' }),
    value: t.exposeInt('value', { description: 'Amount, in units of its type.' }),
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

const GameRef = builder.prismaNode('GameMechanic', {
  name: 'Game',
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

const GameFilter = z
  .object({
    isActive: flag()
      .nullish()
      .describe('false: only games that are not active. Needs the secret key.'),
  })
  .meta({ graphql: 'GameFilter' })
  .describe('Which games; the active ones when left out.')

query('games', {
  description: 'The active games; three at most.',
  key: 'public',
  args: z.object({ filter: GameFilter.nullish() }),
  type: [GameRef],
  resolve: ({ filter }, ctx) => {
    const isActive = filter?.isActive ?? true
    return listMechanics(ctx, requireCaller(ctx, isActive ? 'public' : 'secret'), isActive)
  },
})

query('game', {
  description: 'An active game, or null.',
  key: 'public',
  args: z.object({ gameType: oneOf('GameType', GameType).describe('Which game.') }),
  type: GameRef,
  nullable: true,
  resolve: ({ gameType }, ctx, caller) =>
    ctx.read(findMechanics, { ...tenantOf(caller), gameType }),
})

mutation('setGame', {
  description: 'Creates or changes the game of a type.',
  key: 'secret',
  input: SetGame,
  payload: { game: GameRef },
  errors: [],
  resolve: async (input, ctx, caller) => ({
    game: await setGameMechanic(ctx, { ...tenantOf(caller), ...input }),
  }),
})
