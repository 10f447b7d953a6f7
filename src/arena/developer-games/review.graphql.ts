/** Developers submit and change games. Operators review them. */

import type { Caller, Context } from '../../kit/access/context.ts'
import { eventType } from '../../kit/schema/event-data.ts'
import { mutation } from '../../kit/schema/mutation.ts'
import { liveTenant, requireLive } from '../live-only.ts'
import { ArenaGameRef, ArenaVerdictRef, shownGame } from './game.graphql.ts'
import { archiveArenaGame, submitArenaBuild, submitArenaGame, updateArenaGame } from './game.ts'
import {
  ArchiveArenaGame,
  type ArenaGameBy,
  SubmitArenaBuild,
  SubmitArenaGame,
  UpdateArenaGame,
} from './game-input.ts'
import { arenaGameIdOf } from './game-key.ts'
import { gameReviewed } from './review.events.ts'
import {
  FeatureArenaGame,
  featureArenaGame,
  ReviewArenaGame,
  reviewArenaGame,
  UnfeatureArenaGame,
  unfeatureArenaGame,
} from './review.ts'

/** The key of a game of the caller's partner. */
const ownKeyOf = async (ctx: Context, caller: Caller, by: ArenaGameBy) => {
  const { partnerId } = liveTenant(caller)
  return { gameId: await arenaGameIdOf(ctx, by), partnerId }
}

mutation('submitArenaGame', {
  description: 'Submits a game for review.',
  key: 'member',
  right: 'ARENA_WRITE',
  input: SubmitArenaGame,
  payload: { arenaGame: ArenaGameRef },
  errors: ['LIVE_ONLY'],
  resolve: async (input, ctx, caller) => ({
    arenaGame: await submitArenaGame(ctx, { ...input, partnerId: liveTenant(caller).partnerId }),
  }),
})

mutation('updateArenaGame', {
  description: 'Changes the fields of a game that need no review. Existing sessions are unchanged.',
  key: 'member',
  right: 'ARENA_WRITE',
  input: UpdateArenaGame,
  isVersioned: true,
  payload: { arenaGame: ArenaGameRef },
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND'],
  resolve: async ({ arenaGame, ...input }, ctx, caller) => ({
    arenaGame: await updateArenaGame(ctx, {
      ...input,
      ...(await ownKeyOf(ctx, caller, arenaGame)),
    }),
  }),
})

mutation('submitArenaBuild', {
  description: 'Submits a new build for review. The last approved build stays public.',
  key: 'member',
  right: 'ARENA_WRITE',
  input: SubmitArenaBuild,
  payload: { arenaGame: ArenaGameRef },
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND'],
  resolve: async ({ arenaGame, ...input }, ctx, caller) => ({
    arenaGame: await submitArenaBuild(ctx, {
      ...input,
      ...(await ownKeyOf(ctx, caller, arenaGame)),
    }),
  }),
})

mutation('archiveArenaGame', {
  description: 'Archives a game. Its data is kept.',
  key: 'member',
  right: 'ARENA_WRITE',
  input: ArchiveArenaGame,
  payload: { arenaGame: ArenaGameRef },
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND'],
  resolve: async ({ arenaGame }, ctx, caller) => ({
    arenaGame: await archiveArenaGame(ctx, await ownKeyOf(ctx, caller, arenaGame)),
  }),
})

mutation('archiveAnyArenaGame', {
  description: "Archives any developer's game. Its data is kept.",
  key: 'operator',
  input: ArchiveArenaGame.describe('A game of any developer to archive.'),
  payload: { arenaGame: ArenaGameRef },
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND'],
  resolve: async ({ arenaGame }, ctx, caller) => {
    requireLive(caller)
    return {
      arenaGame: await archiveArenaGame(ctx, { gameId: await arenaGameIdOf(ctx, arenaGame) }),
    }
  },
})

mutation('reviewArenaGame', {
  description: 'Approves or rejects the newest build of a game that is pending review.',
  key: 'operator',
  input: ReviewArenaGame,
  payload: { arenaGame: ArenaGameRef },
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND', 'GAME_NOT_PENDING', 'BUILD_REPLACED'],
  resolve: async ({ arenaGame, ...input }, ctx, caller) => {
    requireLive(caller)
    const gameId = await arenaGameIdOf(ctx, arenaGame)
    const review = { ...input, gameId, reviewerId: caller.memberId }
    return { arenaGame: await reviewArenaGame(ctx, review) }
  },
})

mutation('featureArenaGame', {
  description: 'Features a public game.',
  key: 'operator',
  input: FeatureArenaGame,
  payload: { arenaGame: ArenaGameRef },
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND', 'GAME_NOT_PUBLIC'],
  resolve: async ({ arenaGame }, ctx, caller) => {
    requireLive(caller)
    return {
      arenaGame: await featureArenaGame(ctx, { gameId: await arenaGameIdOf(ctx, arenaGame) }),
    }
  },
})

mutation('unfeatureArenaGame', {
  description: 'Stops featuring a game.',
  key: 'operator',
  input: UnfeatureArenaGame,
  payload: { arenaGame: ArenaGameRef },
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND'],
  resolve: async ({ arenaGame }, ctx, caller) => {
    requireLive(caller)
    return {
      arenaGame: await unfeatureArenaGame(ctx, { gameId: await arenaGameIdOf(ctx, arenaGame) }),
    }
  },
})

eventType(gameReviewed, 'ArenaGameReviewedEventData', (t) => ({
  game: t.field(shownGame),
  verdict: t.expose('status', {
    type: ArenaVerdictRef,
    description: 'The decision of the review.',
  }),
  reviewNotes: t.exposeString('reviewNotes', {
    nullable: true,
    description: 'Feedback of the reviewer; null if there is none.',
  }),
  buildUrl: t.expose('buildUrl', { type: 'URL', description: 'Where the build is served.' }),
  version: t.exposeString('version', { nullable: true, description: 'Version of the build.' }),
}))
