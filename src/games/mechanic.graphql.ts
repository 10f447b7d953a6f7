import { z } from 'zod'
import { actorField, actorIdField } from '../accounts/viewer.graphql.ts'
import { GameType } from '../generated/prisma/enums.ts'
import { requireCaller } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { versioned, versionField } from '../kit/schema/expected-version.ts'
import { enumType, inUpperCase } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { batched } from '../kit/schema/parts.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { flag, oneOf } from '../kit/validation.ts'
import { MeasureRef } from '../programme/goal-words.graphql.ts'
import {
  expectedPayoutOf,
  expectedWorthOf,
  probabilitiesOf,
  type RewardChance,
  type WeightedReward,
  worthOf,
} from './game.rules.ts'
import {
  findMechanics,
  findVersionParts,
  listMechanics,
  RestoreGame,
  restoreGame,
  SetGame,
  setGameMechanic,
  setMechanicStatus,
} from './mechanic.ts'

export const GameTypeRef = enumType('GameType', 'A game of chance.', {
  NEON_WHEEL: 'A wheel of segments.',
  COSMIC_SLOTS: 'Three reels of symbols.',
  ENIGMA_BOXES: 'A row of closed boxes.',
})

builder.objectField(MeasureRef, 'gameType', (t) =>
  t.expose('gameType', {
    type: GameTypeRef,
    nullable: true,
    description: 'Only plays of this game; null for all.',
  }),
)

const GameStatusRef = enumType('GameStatus', 'Whether a game can be played.', {
  ACTIVE: 'Users find it in the list and can play it.',
  INACTIVE: 'Neither listed nor playable.',
})

const upperCase = { nameOf: inUpperCase }

export const RewardTierRef = enumType(
  'RewardTier',
  'How rare a reward is.',
  {
    epic: 'The rarest of the three tiers.',
    rare: 'Between COMMON and EPIC.',
    common: 'The most frequent of the three tiers.',
  },
  upperCase,
)

export const RewardTypeRef = enumType(
  'RewardType',
  'The type of a reward.',
  {
    cashback: 'Money back, paid by the partner.',
    xp: 'Experience points, granted by the partner.',
    points: "Points, credited to the user's wallet with the play.",
    item: 'An item, delivered by the partner.',
    special: 'Any other reward, fulfilled by the partner.',
  },
  upperCase,
)

const WeightedRewardRef = builder.objectRef<RewardChance>('WeightedReward').implement({
  description: 'A row of a reward table.',
  fields: (t) => ({
    tier: t.expose('tier', { type: RewardTierRef, description: 'How rare it is.' }),
    type: t.expose('type', { type: RewardTypeRef, description: 'The kind of reward.' }),
    value: t.exposeInt('value', { description: 'Amount in units of its type.' }),
    label: t.exposeString('label', { description: 'Display name of the reward.' }),
    weight: t.exposeInt('weight', { description: 'Relative to the other weights.' }),
    worthPoints: t.int({
      nullable: true,
      authScopes: { key: ['secret', 'READ'] },
      description:
        'What it is worth to the partner, in points: the value of a reward of type POINTS, 0 for no reward, and for others what the partner has said; null if nothing.',
      resolve: worthOf,
    }),
    probability: t.exposeFloat('probability', {
      description: 'The probability that a play draws it, 0 to 1.',
    }),
  }),
})

type Config = { segments: number; rewards: WeightedReward[] }

const GameConfigRef = builder.objectRef<Config>('GameConfig').implement({
  description: 'What a game shows and which rewards it can draw.',
  fields: (t) => ({
    segments: t.exposeInt('segments', { description: 'Wheel segments, slots symbols or boxes.' }),
    rewards: t.field({
      type: [WeightedRewardRef],
      description: 'What a play can win, with the probability of each.',
      resolve: ({ rewards }) => probabilitiesOf(rewards),
    }),
    expectedPayout: t.float({
      description: 'The points that a play wins on average. Compare it with `price`.',
      resolve: ({ rewards }) => expectedPayoutOf(rewards),
    }),
    expectedWorth: t.float({
      authScopes: { key: ['secret', 'READ'] },
      description:
        'What the rewards of a play are worth on average, in points. Those with `worthPoints: null` count as 0. Divided by `price`, it is the share of the price that goes back to users.',
      resolve: ({ rewards }) => expectedWorthOf(rewards),
    }),
  }),
})

export const GameRef = builder.prismaNode('GameMechanic', {
  name: 'Game',
  description: 'A game of chance as configured by a partner.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('public'),
  fields: (t) => ({
    gameType: t.expose('gameType', { type: GameTypeRef, description: 'The type of game.' }),
    name: t.exposeString('name', { description: 'Name shown to users, set by the partner.' }),
    description: t.exposeString('description', {
      description: 'Short description for users, set by the partner.',
    }),
    price: t.exposeInt('pointsToUnlock', { description: 'Points that a play costs.' }),
    status: t.expose('status', {
      type: GameStatusRef,
      description: 'Whether it can be played.',
    }),
    imageUrl: t.expose('imageUrl', { type: 'URL', nullable: true, description: 'Cover image.' }),
    version: t.exposeInt('version', versionField),
    config: t.field({
      type: GameConfigRef,
      description: 'Segments and reward table.',
      resolve: ({ segments, rewards }) => ({ segments, rewards: rewards as WeightedReward[] }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was set up.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

versioned(GameRef)

const GameFilter = z
  .object({
    isActive: flag()
      .nullish()
      .describe(
        'true: only active games; false: only inactive games. The latter requires a secret key.',
      ),
  })
  .meta({ graphql: 'GameFilter' })
  .describe('Filters games. Defaults to active games.')

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
  description: 'An active game.',
  key: 'public',
  args: z.object({ gameType: oneOf('GameType', GameType).describe('The type of game.') }),
  type: GameRef,
  nullable: true,
  resolve: ({ gameType }, ctx, caller) =>
    ctx.read(findMechanics, { ...tenantOf(caller), gameType }),
})

mutation('setGame', {
  description: 'Creates the game of a type, active, or changes it. Its status stays.',
  key: 'secret',
  right: 'GAMES_WRITE',
  input: SetGame,
  payload: { game: GameRef },
  isVersioned: true,
  errors: [],
  resolve: async (input, ctx) => ({ game: await setGameMechanic(ctx, input) }),
})

mutation('restoreGame', {
  description: 'Sets a game as it was in an earlier version, as a new version. Its status stays.',
  key: 'secret',
  right: 'GAMES_WRITE',
  input: RestoreGame,
  payload: { game: GameRef },
  isVersioned: true,
  errors: ['GAME_MECHANIC_NOT_FOUND'],
  resolve: async (input, ctx) => ({ game: await restoreGame(ctx, input) }),
})

const aGame = () =>
  z
    .object({ gameType: oneOf('GameType', GameType).describe('The type of game.') })
    .describe('The game that is to be active or inactive.')

mutation('activateGame', {
  description: 'Lists a game, and lets users play it.',
  key: 'secret',
  right: 'GAMES_WRITE',
  input: aGame(),
  payload: { game: GameRef },
  errors: ['GAME_MECHANIC_NOT_FOUND'],
  resolve: async (input, ctx) => ({
    game: await setMechanicStatus(ctx, { ...input, status: 'ACTIVE' }),
  }),
})

mutation('deactivateGame', {
  description: 'Hides a game: it is neither listed nor playable until it is activated.',
  key: 'secret',
  right: 'GAMES_WRITE',
  input: aGame(),
  payload: { game: GameRef },
  errors: ['GAME_MECHANIC_NOT_FOUND'],
  resolve: async (input, ctx) => ({
    game: await setMechanicStatus(ctx, { ...input, status: 'INACTIVE' }),
  }),
})

export const GameVersionRef = builder.prismaNode('GameMechanicVersion', {
  name: 'GameVersion',
  description: 'A game of chance as it was from one change to the next. Versions never change.',
  id: { field: 'id' },
  nullable: true,
  // Plays lead everyone who may see a play to the version that it was drawn from.
  findUnique: ownRow('public'),
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'The version of the game: 1, 2, 3, …' }),
    name: t.exposeString('name', { description: 'Name shown to users, set by the partner.' }),
    description: t.exposeString('description', {
      description: 'Short description for users, set by the partner.',
    }),
    price: t.exposeInt('pointsToUnlock', { description: 'Points that a play costs.' }),
    status: t.expose('status', {
      type: GameStatusRef,
      description: 'Whether it could be played.',
    }),
    imageUrl: t.expose('imageUrl', { type: 'URL', nullable: true, description: 'Cover image.' }),
    config: t.field({
      type: GameConfigRef,
      description: 'Segments and reward table.',
      resolve: ({ segments, rewards }) => ({ segments, rewards: rewards as WeightedReward[] }),
    }),
    // Plays lead users to the version that they were drawn from.
    actor: t.field({
      ...actorField,
      authScopes: { key: ['secret', 'READ'] },
      description:
        'Who made the change, as of other things made by hand; null if nobody was recorded.',
    }),
    actorId: t.id({
      nullable: true,
      authScopes: { key: ['secret', 'READ'] },
      description:
        'The global id of the member or API key that made the change; null if nobody was recorded.',
      resolve: (version) =>
        version.memberId || version.apiKeyId ? actorIdField.resolve(version) : null,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the change was made.',
    }),
  }),
})

list([GameRef, 'versions'], {
  description: 'The versions of the game since they are kept, newest first.',
  key: 'secret',
  of: GameVersionRef,
  orders: { VERSION: { by: ['version'], description: 'By the number of the version.' } },
  order: ['VERSION', 'DESC'],
  from: ({ parent: { id: mechanicId, ...tenant }, order, ctx }) =>
    batched(
      rows(ofTenant(ctx.db, tenant).gameMechanicVersion, { where: { mechanicId }, order }),
      { parentId: mechanicId, order },
      (part) => load(ctx, findVersionParts, part),
    ),
})
