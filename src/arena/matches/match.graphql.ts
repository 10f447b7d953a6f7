import { z } from 'zod'
import type { ArenaMatchGame, Prisma } from '../../generated/prisma/client.ts'
import { ArenaMatchStatus } from '../../generated/prisma/enums.ts'
import { type Context, isGoodCaller } from '../../kit/access/context.ts'
import { decodeNodeId } from '../../kit/node-id.ts'
import { builder } from '../../kit/schema/builder.ts'
import { equal } from '../../kit/schema/filters.ts'
import { enumType } from '../../kit/schema/input.ts'
import { list } from '../../kit/schema/list.ts'
import { isOwn } from '../../kit/schema/owner.ts'
import { query } from '../../kit/schema/query.ts'
import { rows } from '../../kit/schema/rows.ts'
import type { Tenant } from '../../kit/tenant.ts'
import { isUuid, oneOf } from '../../kit/validation.ts'
import { games } from '../agent-games/all-games.rules.ts'
import { ArenaAgentRef, ArenaContenderRef, ArenaRatingChangeRef } from '../agents/agent.graphql.ts'
import { type Contender, isVisible, readAgents } from '../agents/agent-read.ts'
import { faultKinds, type MoveFault } from '../agents/move.ts'
import { ArenaRef } from '../arena.graphql.ts'
import { id } from '../arena-input.ts'
import type { GameOutcome } from './match.rules.ts'
import {
  countSpectators,
  findMatch,
  findMatches,
  isShown,
  ownMatches,
  readGames,
  readRecentMatches,
} from './read.ts'

export const ArenaMoveFaultRef = enumType(
  'ArenaMoveFault',
  'Why a move did not count. It loses the game; three games in a row lose the match.',
  faultKinds,
)

const ArenaMatchGameOutcomeRef = enumType<GameOutcome>(
  'ArenaMatchGameOutcome',
  'How a game of a match ended.',
  {
    AGENT1_WIN: 'The first agent won.',
    AGENT2_WIN: 'The second agent won.',
    DRAW: 'Nobody won.',
  },
)

export const ArenaMatchGameRef = builder.objectRef<ArenaMatchGame>('ArenaMatchGame').implement({
  description: 'A completed game of a match.',
  fields: (t) => ({
    gameNumber: t.exposeInt('gameNumber', { description: 'Numbered from 1 within the match.' }),
    agent1Action: t.exposeString('agent1Action', {
      description: 'Moves of the first agent in order, separated by spaces.',
    }),
    agent2Action: t.exposeString('agent2Action', {
      description: 'Moves of the second agent in order, separated by spaces.',
    }),
    outcome: t.field({
      type: ArenaMatchGameOutcomeRef,
      description: 'How it ended.',
      resolve: ({ outcome }) => outcome as GameOutcome,
    }),
    winnerSlot: t.exposeInt('winnerSlot', {
      nullable: true,
      description: '1, 2, or null for a draw.',
    }),
    agent1Fault: t.field({
      type: ArenaMoveFaultRef,
      nullable: true,
      description: 'Why the first agent lost by a fault; null if it did not.',
      resolve: ({ agent1Fault }) => agent1Fault as MoveFault | null,
    }),
    agent2Fault: t.field({
      type: ArenaMoveFaultRef,
      nullable: true,
      description: 'Why the second agent lost by a fault; null if it did not.',
      resolve: ({ agent2Fault }) => agent2Fault as MoveFault | null,
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it began.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', description: 'When it ended.' }),
  }),
})

const ArenaMatchTypeRef = enumType('ArenaMatchType', 'The kind of a match.', {
  RANKED: 'It changes the ratings of both.',
  FRIENDLY: 'It changes no rating.',
  VALIDATION: 'An agent plays against itself to show that it follows the rules.',
})

export const ArenaMatchStatusRef = enumType('ArenaMatchStatus', 'The status of a match.', {
  SCHEDULED: 'Not started yet.',
  IN_PROGRESS: 'It is being played.',
  COMPLETED: 'It was played to the end.',
  CANCELLED: 'It was cancelled before it ended.',
})

const ArenaMatchGameTypeRef = enumType(
  'ArenaMatchGameType',
  'A game that agents play against each other.',
  Object.fromEntries(games.map(({ type, rules }) => [type, rules])),
  { listed: games.filter(({ isListed }) => isListed).map(({ type }) => type) },
)

const ArenaMatchSideRef = builder.objectRef<Contender>('ArenaMatchSide').implement({
  description: 'What everyone who may see a match sees of an agent.',
  interfaces: [ArenaContenderRef],
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'UUID of the agent.' }),
    profile: t.field({
      type: ArenaAgentRef,
      nullable: true,
      description: 'The agent. Null if it is not public, or its partner is closed.',
      resolve: (agent, _, ctx) =>
        isVisible(agent) || isOwn(ctx, agent, 'ARENA_READ') ? agent : null,
    }),
  }),
})

/** The signed-in member, who also sees private matches of their own agents; null for any other caller. */
export const callerOf = ({ callers: { member } }: Context): Tenant | null =>
  isGoodCaller(member) && member.rights.includes('ARENA_READ') ? member : null

export const ArenaMatchRef = builder.prismaNode('ArenaMatch', {
  description: 'A match between two agents: games until one has won more than half of `bestOf`.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => {
    const caller = callerOf(ctx)
    return { id, OR: [{ isPublic: true }, ...(caller ? [ownMatches(caller)] : [])] }
  },
  // Long: the fields of one type, one after another.
  fields: (t) => ({
    matchType: t.expose('matchType', {
      type: ArenaMatchTypeRef,
      description: 'The kind of match.',
    }),
    gameType: t.field({
      type: ArenaMatchGameTypeRef,
      description: 'Which game is played.',
      resolve: ({ gameType }) => gameType,
    }),
    bestOf: t.exposeInt('bestOf', { description: '1, 3, 5 or 7.' }),
    status: t.expose('status', {
      type: ArenaMatchStatusRef,
      description: 'Changes from SCHEDULED to IN_PROGRESS, and ends as COMPLETED or CANCELLED.',
    }),
    isPublic: t.exposeBoolean('isPublic', { description: 'Whether anyone may watch it.' }),
    agent1: t.field({
      type: ArenaMatchSideRef,
      description: 'The first agent.',
      resolve: ({ agent1Id }, _, ctx) => ctx.read(readAgents, agent1Id),
    }),
    agent2: t.field({
      type: ArenaMatchSideRef,
      description: 'The second agent.',
      resolve: ({ agent2Id }, _, ctx) => ctx.read(readAgents, agent2Id),
    }),
    agent1Score: t.exposeInt('agent1Score', { description: 'Games won by the first agent.' }),
    agent2Score: t.exposeInt('agent2Score', { description: 'Games won by the second agent.' }),
    winnerSlot: t.exposeInt('winnerSlot', {
      nullable: true,
      description: '1 or 2. Null for a draw, and until the match ends.',
    }),
    endReason: t.exposeString('endReason', {
      nullable: true,
      description: 'How it ended, if not by games won.',
    }),
    eloChange: t.exposeInt('eloChange', {
      nullable: true,
      description:
        'Elo points that the first agent gained and the second lost. Null unless the match is ranked and completed.',
    }),
    spectatorCount: t.int({
      description: 'Current spectators, across all nodes.',
      resolve: ({ id }, _, ctx) => ctx.read(countSpectators, id),
    }),
    currentGameNumber: t.exposeInt('currentGameNumber', {
      description: 'The number of the current or last game; 0 before the first.',
    }),
    gameCount: t.exposeInt('totalGamesPlayed', { description: 'Completed games.' }),
    seq: t.exposeInt('seq', {
      description: 'The number of its newest event; use it as `sinceSeq`.',
    }),
    scheduledAt: t.expose('scheduledAt', {
      type: 'DateTime',
      description: 'When it is scheduled to start.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it began.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended or was cancelled.',
    }),
    nextGameAt: t.expose('nextGameAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the next game begins. Null while a game is in progress and after the match.',
    }),
    games: t.field({
      type: [ArenaMatchGameRef],
      description: 'The completed games; 21 at most.',
      resolve: ({ id }, _, ctx) => ctx.read(readGames, id),
    }),
  }),
})

builder.objectField(ArenaAgentRef, 'recentMatches', (t) =>
  t.field({
    type: [ArenaMatchRef],
    description: 'Its newest public matches that have begun; ten at most.',
    args: {
      gameTypes: t.arg({
        type: [ArenaMatchGameTypeRef],
        description: 'Only these games. Defaults to all.',
      }),
    },
    resolve: ({ id }, { gameTypes }, ctx) =>
      ctx.read(readRecentMatches, { agentId: id, gameTypes: gameTypes ?? null }),
  }),
)

builder.objectField(ArenaRatingChangeRef, 'match', (t) =>
  t.field({
    type: ArenaMatchRef,
    nullable: true,
    description: 'The match; null if the caller may not see it.',
    resolve: async ({ matchId }, _, ctx) => {
      const match = await ctx.read(findMatches, matchId)
      return match && isShown(match, callerOf(ctx)) ? match : null
    },
  }),
)

/** Matches of an agent. None for a text that is not an id. */
const matchesOf = (agentId: string): Prisma.ArenaMatchWhereInput =>
  isUuid(agentId) ? { OR: [{ agent1Id: agentId }, { agent2Id: agentId }] } : { OR: [] }

/** An agent by its global id or UUID. Any other text matches nothing. */
const agentId = () =>
  z
    .string()
    .meta({ graphql: 'ID' })
    .transform((text) => {
      const named = decodeNodeId(text)
      return named?.typename === 'ArenaAgent' ? named.id : text
    })

const gameTypes = Object.fromEntries(games.map(({ type }) => [type, type]))

const ArenaMatchFilter = z
  .object({
    status: oneOf('ArenaMatchStatus', ArenaMatchStatus)
      .nullish()
      .describe('Only matches of this status.'),
    gameTypes: z
      .array(oneOf('ArenaMatchGameType', gameTypes))
      .nullish()
      .describe('Only these games. Defaults to all.'),
    agentId: agentId().nullish().describe('Only matches of this agent.'),
  })
  .describe('Filters matches.')

const whereOf = ({ gameTypes, agentId, ...words }: z.output<typeof ArenaMatchFilter>) => [
  equal(words),
  gameTypes ? { gameType: { in: gameTypes } } : {},
  agentId ? matchesOf(agentId) : {},
]

const parts = {
  of: ArenaMatchRef,
  filter: ArenaMatchFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By scheduled time.' } },
  order: ['CREATED_AT', 'DESC'],
} as const

list([ArenaRef, 'matches'], {
  ...parts,
  description: 'The public matches, newest first.',
  onStandby: true,
  from: ({ filter, order, ctx }) =>
    rows(ctx.db.arenaMatch, { where: { AND: [{ isPublic: true }, ...whereOf(filter)] }, order }),
})

list('arenaMatches', {
  ...parts,
  description: "Matches of the caller's own agents, including private ones, newest first.",
  key: 'member',
  right: 'ARENA_READ',
  from: ({ caller, filter, order, ctx }) =>
    rows(ctx.db.arenaMatch, { where: { AND: [ownMatches(caller), ...whereOf(filter)] }, order }),
})

query([ArenaRef, 'match'], {
  description: "A public match, or a match of the member's own agents; null if not found.",
  args: z.object({ id: id('ArenaMatch').describe('The match.') }),
  type: ArenaMatchRef,
  nullable: true,
  resolve: ({ id }, ctx) => findMatch(ctx, id, callerOf(ctx)),
})
