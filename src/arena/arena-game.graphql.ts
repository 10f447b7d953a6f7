/** Games as everybody sees them. */

import { z } from 'zod'
import type { Context } from '../core/context.ts'
import { TesseraError } from '../core/errors.ts'
import { builder } from '../core/graphql/builder.ts'
import { equal } from '../core/graphql/filters.ts'
import { list } from '../core/graphql/list.ts'
import { rows } from '../core/graphql/rows.ts'
import { flag, isStorable, isUuid, oneOf } from '../core/validation.ts'
import type { ArenaGame, Prisma } from '../generated/prisma/client.ts'
import { ArenaCategory, ArenaEngine, ArenaPlayerMode } from '../generated/prisma/enums.ts'
import { shownBuildUrl } from './arena.rules.ts'
import { publicGames } from './arena-game.ts'
import { ArenaCategoryRef, ArenaEngineRef, ArenaPlayerModeRef } from './arena-words.graphql.ts'

export const ArenaGameRef = builder.prismaNode('ArenaGame', {
  description: 'A public game of the arena, with its last approved build.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id) => ({ id, ...publicGames }),
  fields: (t) => ({
    gameId: t.exposeString('id', { description: 'UUID of the game.' }),
    slug: t.exposeString('slug'),
    name: t.exposeString('name', { description: 'Display name.' }),
    category: t.expose('category', { type: ArenaCategoryRef, description: 'Where it is listed.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What it is about.',
    }),
    rules: t.exposeString('rules', { nullable: true }),
    thumbnailUrl: t.exposeString('thumbnailUrl', {
      nullable: true,
      description: 'Small picture.',
    }),
    coverImageUrl: t.exposeString('coverImageUrl', {
      nullable: true,
      description: 'Large picture.',
    }),
    engine: t.expose('engine', { type: ArenaEngineRef, description: 'What it was made with.' }),
    playerMode: t.expose('playerMode', {
      type: ArenaPlayerModeRef,
      description: 'Who plays against whom.',
    }),
    minPlayers: t.exposeInt('minPlayers', { description: 'Players that a session needs.' }),
    maxPlayers: t.exposeInt('maxPlayers', { description: 'Players that a session takes.' }),
    estimatedDuration: t.exposeInt('estimatedDuration', { nullable: true }),
    supportsAgents: t.exposeBoolean('supportsAgents', {
      description: 'Whether agents can play it.',
    }),
    entryFee: t.exposeInt('entryFee'),
    developerRevenueShare: t.exposeInt('developerRevenueShare'),
    buildUrl: t.string({
      description: 'Where the last approved build is served.',
      resolve: (game, _, { config }) =>
        shownBuildUrl(game.servingBuildUrl as string, config.publicUrl),
    }),
    version: t.exposeString('servingVersion', {
      nullable: true,
      description: 'Version of the last approved build.',
    }),
    isFeatured: t.boolean({
      description: 'Whether administrators have featured it.',
      resolve: ({ featuredAt }) => featuredAt !== null,
    }),
    totalSessions: t.exposeInt('totalSessions'),
    totalPlayers: t.exposeInt('totalPlayers'),
    totalEarnings: t.expose('totalEarnings', { type: 'SafeInt' }),
  }),
})

/** Text as it stands in a LIKE pattern. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Games with a text in their names; none for a text that no name can have. */
const withName = (text: string): Prisma.ArenaGameWhereInput =>
  isStorable(text) ? { name: { contains: literally(text), mode: 'insensitive' } } : { OR: [] }

const findPublicGame = async (
  { db }: Context,
  where: { slug: string } | { id: string },
): Promise<ArenaGame> => {
  const game = Object.values(where).every(isStorable)
    ? await db.arenaGame.findFirst({ where: { ...where, ...publicGames } })
    : null
  if (!game) throw new TesseraError('ARENA_GAME_NOT_FOUND')
  return game
}

const ArenaGameFilter = z
  .object({
    category: oneOf('ArenaCategory', ArenaCategory)
      .nullish()
      .describe('Only games of this category.'),
    engine: oneOf('ArenaEngine', ArenaEngine).nullish().describe('Only games made with this.'),
    playerMode: oneOf('ArenaPlayerMode', ArenaPlayerMode)
      .nullish()
      .describe('Only games of this mode.'),
    supportsAgents: flag()
      .nullish()
      .describe('Only games that agents can play, or only the others.'),
    search: z.string().nullish().describe('Only games with this in their names.'),
  })
  .describe('Which games.')

list('arenaGames', {
  description: 'The public games, newest first.',
  of: ArenaGameRef,
  filter: ArenaGameFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By when they were submitted.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ filter: { search, ...words }, order, ctx }) =>
    rows(ctx.db.arenaGame, {
      where: { ...publicGames, ...equal(words), ...(search && withName(search)) },
      order,
    }),
})

builder.queryFields((t) => ({
  featuredArenaGames: t.field({
    type: [ArenaGameRef],
    description:
      'The games that administrators have featured, the newest choice first; 100 at most.',
    complexity: () => ({ field: 1, multiplier: 10 }),
    resolve: (_, __, { db }) =>
      db.arenaGame.findMany({
        where: { ...publicGames, featuredAt: { not: null } },
        orderBy: [{ featuredAt: 'desc' }, { id: 'desc' }],
        take: 100,
      }),
  }),
  arenaGame: t.field({
    type: ArenaGameRef,
    description: 'A public game by its UUID. Error ARENA_GAME_NOT_FOUND.',
    args: { gameId: t.arg.string({ required: true, description: 'UUID of the game.' }) },
    resolve: (_, { gameId }, ctx) => {
      if (!isUuid(gameId)) throw new TesseraError('ARENA_GAME_NOT_FOUND')
      return findPublicGame(ctx, { id: gameId })
    },
  }),
  arenaGameBySlug: t.field({
    type: ArenaGameRef,
    description: 'A public game by its slug. Error ARENA_GAME_NOT_FOUND.',
    args: { slug: t.arg.string({ required: true, description: 'Slug of the game.' }) },
    resolve: (_, { slug }, ctx) => findPublicGame(ctx, { slug }),
  }),
}))
