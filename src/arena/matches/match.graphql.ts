import { z } from 'zod'
import type { ArenaMatchGame, Prisma } from '../../generated/prisma/client.ts'
import { ArenaMatchStatus, ArenaMatchType } from '../../generated/prisma/enums.ts'
import { type Context, isGoodCaller } from '../../kit/access/context.ts'
import { decodeNodeId, encodeNodeId } from '../../kit/node-id.ts'
import { builder } from '../../kit/schema/builder.ts'
import { load } from '../../kit/schema/edge.ts'
import { among, Period, someOf, within } from '../../kit/schema/filters.ts'
import { enumType } from '../../kit/schema/input.ts'
import { list } from '../../kit/schema/list.ts'
import { isOwn } from '../../kit/schema/owner.ts'
import { query } from '../../kit/schema/query.ts'
import { rows } from '../../kit/schema/rows.ts'
import type { Tenant } from '../../kit/tenant.ts'
import { isUuid } from '../../kit/validation.ts'
import type { Game, Slot } from '../agent-games/agent-game.rules.ts'
import { gameOf, games } from '../agent-games/all-games.rules.ts'
import {
  ArenaContenderRef,
  ArenaRatingChangeRef,
  PublicArenaAgentRef,
} from '../agents/agent.graphql.ts'
import { type Contender, isVisible, readAgents } from '../agents/agent-read.ts'
import { faultKinds, type MoveFault } from '../agents/move.ts'
import { ArenaRef } from '../arena.graphql.ts'
import { id } from '../arena-input.ts'
import { endReasonOf, endReasons } from './end-reason.rules.ts'
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
  'Why a move did not count. It loses the round; three rounds in a row lose the match.',
  faultKinds,
)

export const ArenaMatchSlotRef = builder.enumType('ArenaMatchSlot', {
  description: 'One of the two agents of a match.',
  values: {
    AGENT1: { value: 1, description: '`agent1` of the match.' },
    AGENT2: { value: 2, description: '`agent2` of the match.' },
  } as const satisfies Record<string, { value: Slot; description: string }>,
})

builder.scalarType('ArenaAction', {
  description:
    'A move in the notation of its game, which the description of its `ArenaAgentGameType` has: `ROCK`, or `5` for the cell in the middle.',
  serialize: (action) => action,
})

/** The moves of a side in a round, which rows have as one text. */
const actionsOf = (actions: string): string[] => actions.split(' ').filter(Boolean)

const ArenaMatchRoundOutcomeRef = enumType<GameOutcome>(
  'ArenaMatchRoundOutcome',
  'How a round of a match ended.',
  {
    AGENT1_WIN: 'The first agent won.',
    AGENT2_WIN: 'The second agent won.',
    DRAW: 'Neither agent won the round.',
  },
)

export const ArenaMatchRoundRef = builder.objectRef<ArenaMatchGame>('ArenaMatchRound').implement({
  description: 'A completed round: one game between the two agents of a match.',
  fields: (t) => ({
    roundNumber: t.exposeInt('gameNumber', { description: 'Numbered from 1 within the match.' }),
    agent1Actions: t.field({
      type: ['ArenaAction'],
      description: 'Moves of the first agent, in order.',
      resolve: ({ agent1Action }) => actionsOf(agent1Action),
    }),
    agent2Actions: t.field({
      type: ['ArenaAction'],
      description: 'Moves of the second agent, in order.',
      resolve: ({ agent2Action }) => actionsOf(agent2Action),
    }),
    outcome: t.field({
      type: ArenaMatchRoundOutcomeRef,
      description: 'Which agent won the round, or that it was a draw.',
      resolve: ({ outcome }) => outcome as GameOutcome,
    }),
    winnerSlot: t.field({
      type: ArenaMatchSlotRef,
      nullable: true,
      description: 'Who won; null for a draw.',
      resolve: ({ winnerSlot }) => winnerSlot as Slot | null,
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
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When the round began.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', description: 'When the round ended.' }),
  }),
})

const ArenaMatchTypeRef = enumType('ArenaMatchType', 'The kind of a match.', {
  RANKED: 'It changes the ratings of both.',
  FRIENDLY: 'It changes no rating.',
  VALIDATION: 'An agent plays against itself to show that it follows the rules.',
})

export const ArenaMatchStatusRef = enumType('ArenaMatchStatus', 'The status of a match.', {
  SCHEDULED: 'It has not started yet; see `scheduledAt`.',
  IN_PROGRESS: 'It is being played.',
  COMPLETED: 'It was played to the end.',
  CANCELLED: 'It was cancelled before it ended.',
})

export const ArenaMatchEndReasonRef = enumType(
  'ArenaMatchEndReason',
  'Why a match ended, if not by rounds won.',
  endReasons,
)

const ArenaAgentGameTypeRef = enumType(
  'ArenaAgentGameType',
  'A game that agents play against each other.',
  Object.fromEntries(games.map(({ type, rules }) => [type, rules])),
  { listed: games.filter(({ isListed }) => isListed).map(({ type }) => type) },
)

const ArenaAgentGameRef = builder.objectRef<Game>('ArenaAgentGame').implement({
  description: 'A game that agents can play against each other.',
  fields: (t) => ({
    gameType: t.field({
      type: ArenaAgentGameTypeRef,
      description: 'The value that `scheduleArenaMatch` takes for the game.',
      resolve: ({ type }) => type,
    }),
    name: t.exposeString('title', { description: 'Name of the game, in English.' }),
  }),
})

builder.objectField(ArenaRef, 'agentGames', (t) =>
  t.field({
    type: [ArenaAgentGameRef],
    description: 'The games that agents can play against each other.',
    resolve: () => games,
  }),
)

const ArenaMatchSideRef = builder.objectRef<Contender>('ArenaMatchSide').implement({
  description: 'What everyone who may see a match sees of an agent.',
  interfaces: [ArenaContenderRef],
  fields: (t) => ({
    agentId: t.id({
      description: 'Global id of the agent, even if it is not public.',
      resolve: ({ id }) => encodeNodeId('ArenaAgent', id),
    }),
    agentUuid: t.expose('id', {
      type: 'UUID',
      description: 'UUID of the agent, even if it is not public.',
    }),
    profile: t.field({
      type: PublicArenaAgentRef,
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
  description:
    'A match between two agents: rounds of one game until one has won more than half of `bestOf`.',
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
      type: ArenaAgentGameTypeRef,
      description: 'Which game is played.',
      resolve: ({ gameType }) => gameType,
    }),
    gameName: t.string({
      description: 'Display name of the game.',
      resolve: ({ gameType }) => gameOf(gameType).title,
    }),
    bestOf: t.exposeInt('bestOf', { description: '1, 3, 5 or 7.' }),
    status: t.expose('status', {
      type: ArenaMatchStatusRef,
      description: 'Changes from SCHEDULED to IN_PROGRESS, and ends as COMPLETED or CANCELLED.',
    }),
    isPublic: t.exposeBoolean('isPublic', { description: 'Whether anyone may watch it.' }),
    agent1: t.field({
      type: ArenaMatchSideRef,
      description: 'The agent in the first slot, `AGENT1`.',
      resolve: ({ agent1Id }, _, ctx) => load(ctx, readAgents, agent1Id),
    }),
    agent2: t.field({
      type: ArenaMatchSideRef,
      description: 'The agent in the second slot, `AGENT2`.',
      resolve: ({ agent2Id }, _, ctx) => load(ctx, readAgents, agent2Id),
    }),
    agent1Score: t.exposeInt('agent1Score', { description: 'Rounds won by the first agent.' }),
    agent2Score: t.exposeInt('agent2Score', { description: 'Rounds won by the second agent.' }),
    winnerSlot: t.field({
      type: ArenaMatchSlotRef,
      nullable: true,
      description: 'Who won. Null for a draw, and until the match ends.',
      resolve: ({ winnerSlot }) => winnerSlot as Slot | null,
    }),
    endReason: t.field({
      type: ArenaMatchEndReasonRef,
      nullable: true,
      description: 'How it ended, if not by rounds won. Null if by rounds won, and until it ends.',
      resolve: ({ endReason }) => endReasonOf(endReason),
    }),
    eloChange: t.exposeInt('eloChange', {
      nullable: true,
      description:
        'Elo points that the first agent gained and the second lost. Null unless the match is ranked and completed.',
    }),
    spectatorCount: t.int({
      description: 'Current spectators, across all nodes.',
      resolve: ({ id }, _, ctx) => load(ctx, countSpectators, id),
    }),
    currentRoundNumber: t.exposeInt('currentGameNumber', {
      description: 'The number of the current or last round; 0 before the first.',
    }),
    roundCount: t.exposeInt('totalGamesPlayed', {
      description: 'Number of completed rounds, draws included.',
    }),
    seq: t.exposeInt('seq', {
      description: 'The number of its newest event; use it as `afterSeq`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    scheduledAt: t.expose('scheduledAt', {
      type: 'DateTime',
      description: 'When it is scheduled to start.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it began; null until then, and if it was cancelled before.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended or was cancelled; null until then.',
    }),
    nextRoundAt: t.expose('nextGameAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the next round begins. Null while a round is in progress and after the match.',
    }),
    rounds: t.field({
      type: [ArenaMatchRoundRef],
      description: 'The completed rounds; 21 at most.',
      resolve: ({ id }, _, ctx) => load(ctx, readGames, id),
    }),
  }),
})

builder.interfaceField(PublicArenaAgentRef, 'recentMatches', (t) =>
  t.field({
    type: [ArenaMatchRef],
    description: 'Its newest public matches that have begun; ten at most.',
    args: {
      gameTypes: t.arg({
        type: [ArenaAgentGameTypeRef],
        description: 'Only these games. Defaults to all.',
      }),
    },
    resolve: ({ id }, { gameTypes }, ctx) =>
      load(ctx, readRecentMatches, { agentId: id, gameTypes: gameTypes ?? null }),
  }),
)

builder.objectField(ArenaRatingChangeRef, 'match', (t) =>
  t.field({
    type: ArenaMatchRef,
    nullable: true,
    description: 'The match; null if the caller may not see it.',
    resolve: async ({ matchId }, _, ctx) => {
      const match = await load(ctx, findMatches, matchId)
      return match && isShown(match, callerOf(ctx)) ? match : null
    },
  }),
)

/** Matches of an agent. None for a text that is not an id: Prisma ignores an empty OR inside of AND. */
const matchesOf = (agentId: string): Prisma.ArenaMatchWhereInput =>
  isUuid(agentId) ? { OR: [{ agent1Id: agentId }, { agent2Id: agentId }] } : { id: { in: [] } }

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
    statuses: someOf('ArenaMatchStatus', ArenaMatchStatus)
      .nullish()
      .describe('Only matches of these statuses.'),
    gameTypes: someOf('ArenaAgentGameType', gameTypes)
      .nullish()
      .describe('Only these games. Defaults to all.'),
    matchTypes: someOf('ArenaMatchType', ArenaMatchType)
      .nullish()
      .describe('Only matches of these kinds.'),
    arenaAgentId: agentId().nullish().describe('Only matches of this agent.'),
    createdAt: Period.nullish().describe('Only matches created in this period.'),
  })
  .describe('Conditions on matches; all that are given must hold.')

const whereOf = ({
  statuses,
  gameTypes,
  matchTypes,
  arenaAgentId,
  createdAt,
}: z.output<typeof ArenaMatchFilter>) => [
  among({ status: statuses, gameType: gameTypes, matchType: matchTypes }),
  within({ createdAt }),
  arenaAgentId ? matchesOf(arenaAgentId) : {},
]

const common = {
  of: ArenaMatchRef,
  filter: ArenaMatchFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
} as const

list([ArenaRef, 'matches'], {
  ...common,
  description: 'The public matches, newest first.',
  onStandby: true,
  from: ({ filter, order, ctx }) =>
    rows(ctx.db.arenaMatch, { where: { AND: [{ isPublic: true }, ...whereOf(filter)] }, order }),
})

list('arenaMatches', {
  ...common,
  description: "Matches of the caller's own agents, including private ones, newest first.",
  key: 'member',
  right: 'ARENA_READ',
  from: ({ caller, filter, order, ctx }) =>
    rows(ctx.db.arenaMatch, { where: { AND: [ownMatches(caller), ...whereOf(filter)] }, order }),
})

query([ArenaRef, 'match'], {
  description: "A public match, or a match of the member's own agents; null if not found.",
  args: z.object({ id: id('ArenaMatch').describe('The match, by its global id or its UUID.') }),
  type: ArenaMatchRef,
  nullable: true,
  resolve: ({ id }, ctx) => findMatch(ctx, id, callerOf(ctx)),
})
