/** Games as their developers and administrators see them. */

import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { TesseraError } from '../core/errors.ts'
import { builder } from '../core/graphql/builder.ts'
import { equal, Period, within } from '../core/graphql/filters.ts'
import { list } from '../core/graphql/list.ts'
import { rows } from '../core/graphql/rows.ts'
import type { Work } from '../core/runtime.ts'
import { isUuid, oneOf } from '../core/validation.ts'
import type { ArenaBuild } from '../generated/prisma/client.ts'
import { ArenaCategory, ArenaGameStatus } from '../generated/prisma/enums.ts'
import { shownBuildUrl } from './arena.rules.ts'
import {
  ArenaCategoryRef,
  ArenaEngineRef,
  ArenaGameStatusRef,
  ArenaPlayerModeRef,
  ArenaResultPolicyRef,
  ArenaVerdictRef,
} from './arena-words.graphql.ts'

const ArenaBuildRef = builder.objectRef<ArenaBuild>('ArenaBuild').implement({
  description: 'A build of a game as it was submitted, with what became of it in review.',
  fields: (t) => ({
    buildNo: t.exposeInt('buildNo', { description: '1, 2, 3, … of the game.' }),
    buildUrl: t.string({
      description: 'Where the build is served.',
      resolve: ({ buildUrl }, _, { config }) => shownBuildUrl(buildUrl, config.publicUrl),
    }),
    version: t.exposeString('version', { nullable: true, description: 'Version of the build.' }),
    submittedAt: t.expose('submittedAt', { type: 'DateTime', description: 'When it came.' }),
    verdict: t.expose('verdict', {
      type: ArenaVerdictRef,
      nullable: true,
      description: 'Null: not reviewed, or replaced by the next build before it was.',
    }),
    reviewNotes: t.exposeString('reviewNotes', {
      nullable: true,
      description: 'What the review said.',
    }),
    reviewedAt: t.expose('reviewedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was reviewed.',
    }),
  }),
})

export const DeveloperGameRef = builder.prismaNode('ArenaGame', {
  variant: 'DeveloperGame',
  description: 'A game as its developer and administrators see it, with its newest build.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => {
    const { role, partnerId } = requireCaller(ctx, 'member')
    return { id, ...(role !== 'ADMIN' && { partnerId }) }
  },
  fields: (t) => ({
    gameId: t.exposeString('id', { description: 'UUID of the game.' }),
    partnerId: t.exposeString('partnerId', { description: 'UUID of the developer.' }),
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
    resultPolicy: t.expose('resultPolicy', { type: ArenaResultPolicyRef, nullable: true }),
    status: t.expose('status', { type: ArenaGameStatusRef, description: 'Where it stands.' }),
    buildNo: t.exposeInt('buildNo'),
    buildUrl: t.string({
      description: 'Where the newest build is served.',
      resolve: ({ buildUrl }, _, { config }) => shownBuildUrl(buildUrl, config.publicUrl),
    }),
    version: t.exposeString('version', {
      nullable: true,
      description: 'Version of the newest build.',
    }),
    servingBuildUrl: t.string({
      nullable: true,
      description: 'The last approved build, which the public gets; null: the game is not public.',
      resolve: ({ servingBuildUrl }, _, { config }) =>
        servingBuildUrl && shownBuildUrl(servingBuildUrl, config.publicUrl),
    }),
    servingVersion: t.exposeString('servingVersion', {
      nullable: true,
      description: 'Version of the last approved build.',
    }),
    reviewNotes: t.exposeString('reviewNotes', { nullable: true }),
    reviewedAt: t.expose('reviewedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the newest build was reviewed.',
    }),
    isFeatured: t.boolean({
      description: 'Whether administrators have featured it.',
      resolve: ({ featuredAt }) => featuredAt !== null,
    }),
    totalSessions: t.exposeInt('totalSessions'),
    totalPlayers: t.exposeInt('totalPlayers'),
    totalEarnings: t.expose('totalEarnings', { type: 'SafeInt' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was submitted.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it was last changed.',
    }),
  }),
})

/** So many builds of the history are shown. */
const shownBuilds = 50

builder.prismaObjectField(DeveloperGameRef, 'builds', (t) =>
  t.field({
    type: [ArenaBuildRef],
    description: `The review history: builds, newest first; ${shownBuilds} at most.`,
    complexity: () => ({ field: 5, multiplier: 5 }),
    resolve: ({ id }, _, ctx) => ctx.read(findBuilds, id),
  }),
)

/** Reads the newest builds of games in one statement. */
const findBuilds = async ({ tx }: Work, gameIds: string[]): Promise<ArenaBuild[][]> => {
  const games = await tx.arenaGame.findMany({
    where: { id: { in: gameIds } },
    select: { id: true, builds: { orderBy: { buildNo: 'desc' }, take: shownBuilds } },
  })
  const byGame = new Map(games.map(({ id, builds }) => [id, builds]))
  return gameIds.map((id) => byGame.get(id) ?? [])
}

const ofAllArgs = builder.args((t) => ({
  ofAll: t.boolean({ description: 'Of all partners; needs the role ADMIN.' }),
}))

const DeveloperGameFilter = z
  .object({
    status: oneOf('ArenaGameStatus', ArenaGameStatus)
      .nullish()
      .describe('Only games in this state.'),
    category: oneOf('ArenaCategory', ArenaCategory)
      .nullish()
      .describe('Only games of this category.'),
    createdAt: Period.nullish().describe('Only games that were submitted in this time.'),
  })
  .describe('Which games.')

list('developerGames', {
  description: "The games of the member's partner, newest first, in all states.",
  key: 'member',
  of: DeveloperGameRef,
  filter: DeveloperGameFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By when they were submitted.' } },
  order: ['CREATED_AT', 'DESC'],
  args: ofAllArgs,
  from: ({
    caller: { partnerId },
    filter: { createdAt, ...words },
    order,
    args: { ofAll },
    ctx,
  }) => {
    if (ofAll) requireCaller(ctx, 'admin')
    return rows(ctx.db.arenaGame, {
      where: { ...(!ofAll && { partnerId }), ...equal(words), ...within({ createdAt }) },
      order,
    })
  },
})

builder.queryFields((t) => ({
  developerGame: t.field({
    type: DeveloperGameRef,
    description: "A game of the member's partner. Error ARENA_GAME_NOT_FOUND.",
    authScopes: { key: 'member' },
    args: {
      gameId: t.arg.string({ required: true, description: 'UUID of the game.' }),
      ofAll: t.arg.boolean({ description: 'Of any partner; needs the role ADMIN.' }),
    },
    resolve: async (_, { gameId, ofAll }, ctx) => {
      const { partnerId } = requireCaller(ctx, ofAll ? 'admin' : 'member')
      const game = isUuid(gameId)
        ? await ctx.db.arenaGame.findUnique({ where: { id: gameId, ...(!ofAll && { partnerId }) } })
        : null
      if (!game) throw new TesseraError('ARENA_GAME_NOT_FOUND')
      return game
    },
  }),
}))
