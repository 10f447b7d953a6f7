/** Games, as everyone sees them and as their developers do. */

import { z } from 'zod'
import { PartnerRef } from '../../accounts/partner.graphql.ts'
import { findPartners } from '../../accounts/partner.ts'
import type { ArenaGame, Prisma } from '../../generated/prisma/client.ts'
import { ArenaCategory, ArenaEngine, ArenaPlayerMode } from '../../generated/prisma/enums.ts'
import type { Context } from '../../kit/access/context.ts'
import { builder } from '../../kit/schema/builder.ts'
import { load } from '../../kit/schema/edge.ts'
import { versioned, versionField } from '../../kit/schema/expected-version.ts'
import { among, containing, equal, someOf } from '../../kit/schema/filters.ts'
import { enumType } from '../../kit/schema/input.ts'
import { list } from '../../kit/schema/list.ts'
import { isOwn, orOwn } from '../../kit/schema/owner.ts'
import { publicPart, refuseNonOwners } from '../../kit/schema/public-part.ts'
import { query } from '../../kit/schema/query.ts'
import { rows } from '../../kit/schema/rows.ts'
import { flag, isStorable } from '../../kit/validation.ts'
import { ArenaRef } from '../arena.graphql.ts'
import { isShareable, shareablePolicies } from './flow.rules.ts'
import { shownBuildUrl, termsOf, termsVersionOf } from './game.rules.ts'
import { findGame, findGames, isPublic, publicGames } from './game.ts'
import { ArenaGameBy } from './game-input.ts'

const ArenaCategoryRef = enumType('ArenaCategory', 'Where a game is listed.', {
  ACTION: 'Games of speed and reflexes.',
  PUZZLE: 'Puzzles.',
  STRATEGY: 'Games of strategy and planning.',
  RACING: 'Races of all kinds.',
  SPORTS: 'Sports of all kinds.',
  CARD: 'Card games.',
  BOARD: 'Board games.',
  TRIVIA: 'Questions and answers.',
  ARCADE: 'Short games with simple rules.',
  OTHER: 'Games that fit no other category.',
})

const ArenaEngineRef = enumType('ArenaEngine', 'The technology of a game.', {
  UNITY: 'Unity, built for the web.',
  GODOT: 'Godot, built for the web.',
  HTML5: 'A web page.',
})

const ArenaPlayerModeRef = enumType('ArenaPlayerMode', 'Who plays against whom.', {
  PVP: 'Player against player.',
  PVE: 'Player against the game.',
  PV_AI: 'Player against agent.',
  AI_VS_AI: 'Agent against agent.',
  FFA: 'Free for all: each player against all others.',
})

const ArenaGameStatusRef = enumType('ArenaGameStatus', 'The status of a game.', {
  PENDING_REVIEW: 'Its newest build is waiting for review.',
  APPROVED: 'Its newest build is public.',
  REJECTED: 'Its newest build was rejected; see the review notes.',
  ARCHIVED: 'Archived by its developer. Its data is kept.',
})

export const ArenaVerdictRef = enumType('ArenaVerdict', 'The decision of a review.', {
  APPROVED: 'The build is published.',
  REJECTED: 'The build is not published; the notes say why.',
})

export const ArenaResultPolicyRef = enumType(
  'ArenaResultPolicy',
  "Who may report a session's result.",
  {
    OPEN: 'Anyone. Only for games without an entry fee.',
    TOKEN: 'Anyone with the session token of a player.',
    QUORUM:
      "More than half of the players, each with their own session token. If a prize pool holds points of several partners, more than half of each partner's players.",
    SERVER: "The developer's server, with its secret key.",
  },
)

/** The developer's share of a prize pool. */
export const revenueRate = {
  description: 'Share of a prize pool that goes to the developer, 0 to 0.5.',
  resolve: ({ developerRevenueShare }: Pick<ArenaGame, 'developerRevenueShare'>) =>
    developerRevenueShare / 100,
}

const isDeveloper = (ctx: Context, game: ArenaGame): boolean => isOwn(ctx, game, 'ARENA_READ')

export const PublicArenaGameRef = publicPart<ArenaGame>('ArenaGame', {
  description: 'A game of the arena.',
  isOwn: isDeveloper,
  // Long: the fields of one type, one after another.
  fields: (t) => ({
    slug: t.exposeString('slug'),
    name: t.exposeString('name', { description: 'Name shown to players, set by its developer.' }),
    category: t.expose('category', { type: ArenaCategoryRef, description: 'Where it is listed.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What it is about.',
    }),
    rules: t.exposeString('rules', { nullable: true }),
    thumbnailUrl: t.expose('thumbnailUrl', {
      type: 'URL',
      nullable: true,
      description: 'Small picture.',
    }),
    coverImageUrl: t.expose('coverImageUrl', {
      type: 'URL',
      nullable: true,
      description: 'Large picture.',
    }),
    engine: t.expose('engine', {
      type: ArenaEngineRef,
      description: 'The technology of its build.',
    }),
    playerMode: t.expose('playerMode', {
      type: ArenaPlayerModeRef,
      description: 'Who plays against whom.',
    }),
    minPlayers: t.exposeInt('minPlayers', { description: 'Players that a session needs.' }),
    maxPlayers: t.exposeInt('maxPlayers', { description: 'Players that a session takes.' }),
    estimatedDurationSeconds: t.exposeInt('estimatedDuration', {
      nullable: true,
      description: 'How long a session lasts, in seconds; null if the developer did not say.',
    }),
    supportsAgents: t.exposeBoolean('supportsAgents', {
      description: 'Whether agents can play it.',
    }),
    entryFee: t.exposeInt('entryFee'),
    developerRevenueRate: t.float(revenueRate),
    resultPolicy: t.field({
      type: ArenaResultPolicyRef,
      description:
        'Who may report the results of new sessions. Unless the developer has chosen: TOKEN with an entry fee, OPEN without.',
      resolve: (game) => termsOf(game).resultPolicy,
    }),
    termsVersion: t.string({
      description:
        'Changes with `entryFee`, `developerRevenueRate` and `resultPolicy`. Compare it as a whole: it has no format. Use it as `expectedTermsVersion` of `acceptArenaGame`.',
      resolve: (game) => termsVersionOf(termsOf(game)),
    }),
    buildUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'Where the last approved build is served; null when the game is not public.',
      resolve: ({ servingBuildUrl }, _, { config }) =>
        servingBuildUrl && shownBuildUrl(servingBuildUrl, config.publicUrl),
    }),
    buildVersion: t.exposeString('servingVersion', {
      nullable: true,
      description: 'Version of the last approved build.',
    }),
    isShareable: t.boolean({
      description:
        'Whether its prize pools may hold points of several partners: it has an entry fee, and results are reported under QUORUM or SERVER.',
      resolve: (game) => isShareable(termsOf(game)),
    }),
    isFeatured: t.boolean({
      description: 'Whether operators feature it.',
      resolve: ({ featuredAt }) => featuredAt !== null,
    }),
    sessionCount: t.exposeInt('totalSessions'),
    playerCount: t.exposeInt('totalPlayers'),
    earnedPoints: t.expose('totalEarnings', { type: 'SafeInt' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was submitted.' }),
  }),
})

export const ArenaGameRef = builder.prismaNode('ArenaGame', {
  description: 'A game of the arena, for its developer and for operators.',
  id: { field: 'id' },
  nullable: true,
  interfaces: [PublicArenaGameRef],
  findUnique: (id, ctx) => ({ id, ...orOwn(ctx, publicGames, 'ARENA_READ') }),
  authScopes: refuseNonOwners(isDeveloper),
  fields: (t) => ({
    status: t.expose('status', {
      type: ArenaGameStatusRef,
      description: 'Status of its newest build.',
    }),
    chosenResultPolicy: t.expose('resultPolicy', {
      type: ArenaResultPolicyRef,
      nullable: true,
      description: 'Who may report a result. Null means TOKEN with an entry fee, and OPEN without.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    version: t.exposeInt('revision', versionField),
    partner: t.field({
      type: PartnerRef,
      description: 'The partner who developed and submitted it.',
      resolve: ({ partnerId }, _, ctx) => load(ctx, findPartners, partnerId),
    }),
  }),
})

versioned(ArenaGameRef)

/** A field with the game of a parent that has a `gameId`. */
export const shownGame = {
  type: PublicArenaGameRef,
  nullable: true as const,
  description: 'The game. Null when it is no longer public, except to its developer.',
  resolve: async ({ gameId }: { gameId: string }, _: unknown, ctx: Context) => {
    const game = await load(ctx, findGames, gameId)
    return game && (isPublic(game) || isDeveloper(ctx, game)) ? game : null
  },
}

/** Games whose names contain a text. None for a text that no name can contain. */
const withName = (text: string): Prisma.ArenaGameWhereInput =>
  isStorable(text) ? containing(text, ['name']) : { OR: [] }

/** Games whose prize pools may hold points of several partners, or the others. */
const whereShareable = (isWanted: boolean | null | undefined): Prisma.ArenaGameWhereInput => {
  if (isWanted == null) return {}
  const resultPolicy = { in: shareablePolicies }
  if (isWanted) return { entryFee: { gt: 0 }, resultPolicy }
  return { OR: [{ entryFee: 0 }, { resultPolicy: null }, { NOT: { resultPolicy } }] }
}

export const PublicArenaGameFilter = z
  .object({
    categories: someOf('ArenaCategory', ArenaCategory)
      .nullish()
      .describe('Only games of these categories.'),
    engines: someOf('ArenaEngine', ArenaEngine).nullish().describe('Only games of these engines.'),
    playerModes: someOf('ArenaPlayerMode', ArenaPlayerMode)
      .nullish()
      .describe('Only games of these modes.'),
    supportsAgents: flag()
      .nullish()
      .describe('true: only games that agents can play; false: only the others.'),
    isShareable: flag()
      .nullish()
      .describe(
        'true: only games whose prize pools may hold points of several partners; false: only the others.',
      ),
    search: z.string().nullish().describe('Only games whose name contains this; case-insensitive.'),
  })
  .describe('Conditions on games; all that are given must hold.')

type Filter = z.output<typeof PublicArenaGameFilter>

/** The conditions of a filter, without its text. */
export const whereGame = ({
  isShareable,
  supportsAgents,
  categories,
  engines,
  playerModes,
}: Filter): Prisma.ArenaGameWhereInput => ({
  ...among({ category: categories, engine: engines, playerMode: playerModes }),
  ...equal({ supportsAgents }),
  AND: whereShareable(isShareable),
})

export const gameOrders = {
  CREATED_AT: { by: ['id'], description: 'By time of creation.' },
}

list([ArenaRef, 'games'], {
  description: 'The public games, newest first.',
  of: PublicArenaGameRef,
  name: 'PublicArenaGame',
  filter: PublicArenaGameFilter,
  orders: gameOrders,
  order: ['CREATED_AT', 'DESC'],
  onStandby: true,
  from: ({ filter, order, ctx }) =>
    rows(ctx.db.arenaGame, {
      where: {
        ...publicGames,
        ...whereGame(filter),
        ...(filter.search && withName(filter.search)),
      },
      order,
    }),
})

builder.objectField(ArenaRef, 'featuredGames', (t) =>
  t.field({
    type: [PublicArenaGameRef],
    description:
      'The games that operators have featured, most recently featured first; 100 at most.',
    complexity: () => ({ field: 1, multiplier: 10 }),
    resolve: (_, __, { db }) =>
      db.arenaGame.findMany({
        where: { ...publicGames, featuredAt: { not: null } },
        orderBy: [{ featuredAt: 'desc' }, { id: 'desc' }],
        take: 100,
      }),
  }),
)

query([ArenaRef, 'game'], {
  description: 'A public game; null if not found.',
  args: z.object({ by: ArenaGameBy }),
  type: PublicArenaGameRef,
  nullable: true,
  resolve: ({ by }, ctx) => findGame(ctx, by, publicGames),
})
