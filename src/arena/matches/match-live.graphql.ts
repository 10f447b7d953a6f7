import { builder } from '../../core/graphql/builder.ts'
import { enumType } from '../../core/graphql/input.ts'
import { decodeNodeId } from '../../core/node-id.ts'
import { ArenaLeaderboardEntryRef } from '../agents/agent.graphql.ts'
import type { RankedAgent } from '../agents/agent-read.ts'
import { type LiveChange, liveMatches, rankedAgents } from './live-list.ts'
import { ArenaMatchGameRef, ArenaMatchRef, ArenaMoveFaultRef, callerOf } from './match.graphql.ts'
import { type LoggedMove, matchEventKinds } from './match-event.ts'
import { type ShownEvent, watchMatch } from './match-feed.ts'

const ArenaMatchEventKindRef = enumType(
  'ArenaMatchEventKind',
  'What happened in a match.',
  matchEventKinds,
)

const ArenaMoveRef = builder.objectRef<LoggedMove>('ArenaMove').implement({
  description: 'A move of an agent, or why there was none.',
  fields: (t) => ({
    slot: t.exposeInt('slot', { description: '1 for the first agent, 2 for the second.' }),
    action: t.exposeString('action', { nullable: true, description: 'The move.' }),
    fault: t.field({
      type: ArenaMoveFaultRef,
      nullable: true,
      description: 'Why it did not count.',
      resolve: ({ fault }) => fault,
    }),
  }),
})

export const ArenaMatchEventRef = builder.objectRef<ShownEvent>('ArenaMatchEvent').implement({
  description:
    'What happened in a match, or where it stands (SNAPSHOT). `seq` rises by one with each event.',
  fields: (t) => ({
    matchId: t.exposeString('matchId', { description: 'UUID of the match.' }),
    seq: t.exposeInt('seq', {
      description: 'Number of the event; of a snapshot, of the last event that it contains.',
    }),
    kind: t.expose('kind', { type: ArenaMatchEventKindRef, description: 'What happened.' }),
    at: t.expose('occurredAt', { type: 'DateTime', description: 'When.' }),
    gameNumber: t.exposeInt('gameNumber', { nullable: true, description: 'In which game.' }),
    firstSlot: t.int({
      nullable: true,
      description: 'GAME_STARTED: who moves first; of simultaneous moves, null.',
      resolve: ({ data }) => data.firstSlot,
    }),
    moves: t.field({
      type: [ArenaMoveRef],
      description:
        'MOVES_MADE: the moves. SNAPSHOT: all moves of the game that is played now, or was played last.',
      resolve: ({ data }) => data.moves ?? [],
    }),
    board: t.field({
      type: t.listRef(t.listRef('String')) as never,
      nullable: true,
      description:
        'The board after it, as rows of cells: `1`, `2` or nothing for whose a cell is; in rock paper scissors one row of two hands.',
      resolve: ({ data }) => data.board as never,
    }),
    turn: t.intList({
      description: 'Which sides move next: 1, 2, both, or none.',
      resolve: ({ data }) => data.turn ?? [],
    }),
    outcome: t.string({
      nullable: true,
      description: 'GAME_COMPLETED: AGENT1_WIN, AGENT2_WIN or DRAW.',
      resolve: ({ data }) => data.outcome,
    }),
    winnerSlot: t.int({
      nullable: true,
      description: 'GAME_COMPLETED, MATCH_COMPLETED: 1, 2, or null for a draw.',
      resolve: ({ data }) => data.winnerSlot,
    }),
    agent1Score: t.int({
      nullable: true,
      description: 'GAME_COMPLETED, MATCH_COMPLETED, SNAPSHOT: games won by the first agent.',
      resolve: ({ data }) => data.agent1Score,
    }),
    agent2Score: t.int({
      nullable: true,
      description: 'GAME_COMPLETED, MATCH_COMPLETED, SNAPSHOT: games won by the second agent.',
      resolve: ({ data }) => data.agent2Score,
    }),
    nextGameAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'GAME_COMPLETED, SNAPSHOT: when the next game begins, if there is one.',
      resolve: ({ data }) => (data.nextGameAt ? new Date(data.nextGameAt) : null),
    }),
    reason: t.string({
      nullable: true,
      description: 'MATCH_COMPLETED, MATCH_CANCELLED: why, when not by games won.',
      resolve: ({ data }) => data.reason,
    }),
    eloChange: t.int({
      nullable: true,
      description: 'MATCH_COMPLETED, if ranked: what the first agent gained and the second lost.',
      resolve: ({ data }) => data.eloChange,
    }),
    match: t.field({
      type: ArenaMatchRef,
      nullable: true,
      description: 'SNAPSHOT: the match.',
      resolve: ({ match }) => match,
    }),
    games: t.field({
      type: [ArenaMatchGameRef],
      description: 'SNAPSHOT: the games that are over.',
      resolve: ({ games }) => games ?? [],
    }),
  }),
})

const LiveChangeKindRef = enumType('ArenaLiveChangeKind', 'What changed in the list.', {
  SNAPSHOT: 'The whole list: the first of a stream, and after a reader fell behind.',
  STARTED: 'These matches have begun.',
  CHANGED: 'A game of these matches has ended.',
  ENDED: 'These matches are over.',
})

const LiveChangeRef = builder.objectRef<LiveChange>('ArenaLiveChange').implement({
  description: 'A change of the list of live matches.',
  fields: (t) => ({
    kind: t.expose('kind', { type: LiveChangeKindRef, description: 'What changed.' }),
    matches: t.field({
      type: [ArenaMatchRef],
      description: 'The matches, newest first; a hundred at most.',
      resolve: ({ matches }) => matches,
    }),
  }),
})

/** A match by its global id or its UUID; another text is that of no match. */
const matchIdOf = (text: string): string => {
  const named = decodeNodeId(text)
  return named?.typename === 'ArenaMatch' ? named.id : text
}

builder.subscriptionFields((t) => ({
  matchEvents: t.field({
    extensions: { shared: true },
    type: ArenaMatchEventRef,
    description:
      'A match, event by event: first a snapshot, then everything that happens, and the stream completes with the match. With `sinceSeq`, instead of the snapshot all events after that number, so that nothing is missed after a broken connection. With `speed`, what has happened is played again from `sinceSeq` (or the beginning) with its pauses. Error MATCH_NOT_FOUND.',
    args: {
      matchId: t.arg.id({ required: true, description: 'The match.' }),
      sinceSeq: t.arg.int({ description: 'The last event that was seen; 0 for all.' }),
      speed: t.arg.float({
        description: 'How fast to play it again: 1 as it was, 2 twice as fast; 0.1 to 1000.',
      }),
    },
    subscribe: (_, { matchId, ...args }, ctx) =>
      watchMatch(ctx, { ...args, matchId: matchIdOf(matchId), caller: callerOf(ctx) }),
    resolve: (event) => event,
  }),
  liveMatches: t.field({
    extensions: { shared: true },
    type: LiveChangeRef,
    description: 'The list of live public matches, and its changes.',
    subscribe: (_, __, ctx) => liveMatches(ctx),
    resolve: (change) => change,
  }),
  agentLeaderboardChanged: t.field({
    extensions: { shared: true },
    type: [ArenaLeaderboardEntryRef],
    description: 'The ten best agents: first as they stand, then again after each change.',
    subscribe: (_, __, ctx) => rankedAgents(ctx),
    resolve: (entries: RankedAgent[]) => entries,
  }),
}))
