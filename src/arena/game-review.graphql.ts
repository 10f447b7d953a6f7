/** Developers submit and change games, administrators review them. */
import { mutation } from '../core/graphql/mutation.ts'
import { archiveArenaGame, editArenaGame, submitArenaBuild, submitArenaGame } from './arena-game.ts'
import {
  ArchiveArenaGame,
  EditArenaGame,
  SubmitArenaBuild,
  SubmitArenaGame,
} from './arena-game-input.ts'
import {
  FeatureArenaGame,
  featureArenaGame,
  ReviewArenaGame,
  reviewArenaGame,
} from './arena-review.ts'
import { DeveloperGameRef } from './developer-game.graphql.ts'
import { liveTenant, requireLive } from './live-only.ts'

mutation('submitArenaGame', {
  description: 'Submits a game for review.',
  key: 'member',
  input: SubmitArenaGame,
  payload: DeveloperGameRef as never,
  errors: ['LIVE_ONLY'],
  resolve: async (input, ctx, caller) =>
    submitArenaGame(ctx, { ...input, partnerId: liveTenant(caller).partnerId }),
})

mutation('editArenaGame', {
  description: 'Changes what needs no review. Sessions that were made before stay as they are.',
  key: 'member',
  input: EditArenaGame,
  payload: DeveloperGameRef as never,
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND'],
  resolve: async (input, ctx, caller) =>
    editArenaGame(ctx, { ...input, partnerId: liveTenant(caller).partnerId }),
})

mutation('submitArenaBuild', {
  description:
    'Submits a new build for review. The last approved build goes on serving the public.',
  key: 'member',
  input: SubmitArenaBuild,
  payload: DeveloperGameRef as never,
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND'],
  resolve: async (input, ctx, caller) =>
    submitArenaBuild(ctx, { ...input, partnerId: liveTenant(caller).partnerId }),
})

mutation('archiveArenaGame', {
  description: 'Takes a game out of the arena; its data stays.',
  key: 'member',
  input: ArchiveArenaGame,
  payload: DeveloperGameRef as never,
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND'],
  resolve: async ({ gameId }, ctx, caller) =>
    archiveArenaGame(ctx, { gameId, partnerId: liveTenant(caller).partnerId }),
})

mutation('takeDownArenaGame', {
  description: "Takes any developer's game out of the arena; its data stays.",
  key: 'admin',
  input: ArchiveArenaGame,
  payload: DeveloperGameRef as never,
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND'],
  resolve: async ({ gameId }, ctx, caller) => {
    requireLive(caller)
    return archiveArenaGame(ctx, { gameId })
  },
})

mutation('reviewArenaGame', {
  description: 'Decides about the newest build of a game that is pending review.',
  key: 'admin',
  input: ReviewArenaGame,
  payload: DeveloperGameRef as never,
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND', 'GAME_NOT_PENDING', 'BUILD_REPLACED'],
  resolve: async (input, ctx, caller) => {
    requireLive(caller)
    return reviewArenaGame(ctx, { ...input, reviewerId: caller.memberId })
  },
})

mutation('featureArenaGame', {
  description: 'Puts a public game among the featured ones, or takes it out.',
  key: 'admin',
  input: FeatureArenaGame,
  payload: DeveloperGameRef as never,
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND', 'GAME_NOT_PUBLIC'],
  resolve: async (input, ctx, caller) => {
    requireLive(caller)
    return featureArenaGame(ctx, input)
  },
})
