/** Games for their developers and for operators: in all states, with their review history. */

import { z } from 'zod'
import { ArenaGameStatus } from '../../generated/prisma/enums.ts'
import { builder } from '../../kit/schema/builder.ts'
import { load } from '../../kit/schema/edge.ts'
import { among, containing, Period, someOf, within } from '../../kit/schema/filters.ts'
import { list } from '../../kit/schema/list.ts'
import { whereOwn } from '../../kit/schema/owner.ts'
import { PlatformRef } from '../../kit/schema/platform.ts'
import { query } from '../../kit/schema/query.ts'
import { rows } from '../../kit/schema/rows.ts'
import { title } from '../../kit/validation.ts'
import {
  ArenaGameRef,
  ArenaVerdictRef,
  gameOrders,
  PublicArenaGameFilter,
  whereGame,
} from './game.graphql.ts'
import { shownBuildUrl } from './game.rules.ts'
import { findBuilds, findGame, findNewestBuilds, shownBuilds } from './game.ts'
import { ArenaGameBy } from './game-input.ts'

const ArenaBuildRef = builder.prismaNode('ArenaBuild', {
  description: 'A build of a game as it was submitted, with the outcome of its review.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...whereOwn(ctx, 'ARENA_READ') }),
  fields: (t) => ({
    number: t.exposeInt('buildNo', { description: 'Numbered from 1 within the game.' }),
    buildUrl: t.field({
      type: 'URL',
      description: 'Where it is served.',
      resolve: ({ buildUrl }, _, { config }) => shownBuildUrl(buildUrl, config.publicUrl),
    }),
    version: t.exposeString('version', {
      nullable: true,
      description: "The developer's version number.",
    }),
    submittedAt: t.expose('submittedAt', {
      type: 'DateTime',
      description: 'When it was submitted.',
    }),
    verdict: t.expose('verdict', { type: ArenaVerdictRef, nullable: true }),
    reviewNotes: t.exposeString('reviewNotes', { nullable: true }),
    reviewedAt: t.expose('reviewedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was reviewed; null until then.',
    }),
  }),
})

builder.prismaObjectFields(ArenaGameRef, (t) => ({
  newestBuild: t.field({
    type: ArenaBuildRef,
    description: 'The last submitted build, approved or not.',
    resolve: (game, _, ctx) => load(ctx, findNewestBuilds, game),
  }),
  builds: t.field({
    type: [ArenaBuildRef],
    description: `The review history, newest first; ${shownBuilds} at most.`,
    complexity: () => ({ field: 5, multiplier: 5 }),
    resolve: ({ id }, _, ctx) => load(ctx, findBuilds, id),
  }),
}))

const ArenaGameFilter = PublicArenaGameFilter.extend({
  statuses: someOf('ArenaGameStatus', ArenaGameStatus)
    .nullish()
    .describe('Only games in these states.'),
  createdAt: Period.nullish().describe('Only games submitted in this period.'),
  search: title(255).nullish().describe('Only games whose name contains this; case-insensitive.'),
}).describe('Conditions on games; all that are given must hold.')

const parts = {
  of: ArenaGameRef,
  filter: ArenaGameFilter,
  orders: gameOrders,
  order: ['CREATED_AT', 'DESC'],
} as const

type Filter = z.output<typeof ArenaGameFilter>

const whereOf = ({ statuses, createdAt, search, ...common }: Filter) => ({
  ...whereGame(common),
  ...among({ status: statuses }),
  ...within({ createdAt }),
  ...containing(search, ['name']),
})

list('arenaGames', {
  ...parts,
  // A partner has few games.
  orders: {
    ...gameOrders,
    NAME: { by: ['name', 'id'], description: 'By name, and among equals by time of creation.' },
    SESSION_COUNT: {
      by: ['totalSessions', 'id'],
      description: 'By the number of completed sessions.',
    },
    PLAYER_COUNT: { by: ['totalPlayers', 'id'], description: 'By players in completed sessions.' },
    EARNED_POINTS: {
      by: ['totalEarnings', 'id'],
      description: 'By the points that the developer has earned with it.',
    },
  },
  description: "The games of the member's partner in all states, newest first.",
  key: 'member',
  right: 'ARENA_READ',
  from: ({ caller: { partnerId }, filter, order, ctx }) =>
    rows(ctx.db.arenaGame, { where: { partnerId, ...whereOf(filter) }, order }),
})

list([PlatformRef, 'arenaGames'], {
  ...parts,
  description: 'The games of all developers in all states, newest first.',
  key: 'operator',
  from: ({ filter, order, ctx }) => rows(ctx.db.arenaGame, { where: whereOf(filter), order }),
})

const args = z.object({ by: ArenaGameBy })

query('arenaGame', {
  description: "A game of the member's partner.",
  key: 'member',
  right: 'ARENA_READ',
  args,
  type: ArenaGameRef,
  nullable: true,
  resolve: ({ by }, ctx, { partnerId }) => findGame(ctx, by, { partnerId }),
})

query([PlatformRef, 'arenaGame'], {
  description: 'A game of any developer.',
  key: 'operator',
  args,
  type: ArenaGameRef,
  nullable: true,
  resolve: ({ by }, ctx) => findGame(ctx, by, {}),
})
