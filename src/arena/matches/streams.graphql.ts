/**
 * Streams for spectators: a match (its snapshot, then one type for each kind of event), the live matches, and the leaderboard.
 * The lists are `arena.matches` in match.graphql.ts and `arena.leaderboard` in agents/agent.graphql.ts.
 */

import { z } from 'zod'
import { decodeNodeId } from '../../kit/node-id.ts'
import { builder } from '../../kit/schema/builder.ts'
import { load } from '../../kit/schema/edge.ts'
import { enumType } from '../../kit/schema/input.ts'
import { query } from '../../kit/schema/query.ts'
import { cells } from '../agent-games/all-games.rules.ts'
import { ArenaLeaderboardEntryRef } from '../agents/agent.graphql.ts'
import type { RankedAgent } from '../agents/agent-read.ts'
import type { LoggedMove } from '../agents/move.ts'
import { ArenaRef } from '../arena.graphql.ts'
import { id } from '../arena-input.ts'
import { endReasonOf } from './end-reason.rules.ts'
import { type MatchEventData, readSnapshot, type Snapshot } from './event.ts'
import { type ShownEvent, watchMatch } from './feed.ts'
import { type LiveChange, liveMatches, rankedAgents } from './live-list.ts'
import {
  ArenaMatchEndReasonRef,
  ArenaMatchRef,
  ArenaMatchRoundRef,
  ArenaMatchSlotRef,
  ArenaMoveFaultRef,
  callerOf,
} from './match.graphql.ts'
import { findMatch, findMatches } from './read.ts'

const typeNames = {
  SNAPSHOT: 'ArenaMatchSnapshot',
  MATCH_SCHEDULED: 'ArenaMatchScheduled',
  MATCH_STARTED: 'ArenaMatchStarted',
  GAME_STARTED: 'ArenaMatchRoundStarted',
  MOVES_MADE: 'ArenaMatchMovesMade',
  GAME_COMPLETED: 'ArenaMatchRoundCompleted',
  MATCH_COMPLETED: 'ArenaMatchCompleted',
  MATCH_CANCELLED: 'ArenaMatchCancelled',
} as const satisfies Record<ShownEvent['kind'], string>

const ArenaMatchEventRef = builder.interfaceRef<ShownEvent>('ArenaMatchEvent').implement({
  description: 'Something that happened in a match. Each kind of event has a type of its own.',
  resolveType: ({ kind }) => typeNames[kind],
  fields: (t) => ({
    seq: t.exposeInt('seq', {
      description:
        'Increases by one with each event of a match. In a snapshot, the number of the last event that it includes.',
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      description: 'When it happened; for a snapshot, when its last event did.',
    }),
    match: t.field({
      type: ArenaMatchRef,
      description: 'The match at the time the event is sent; in a snapshot, as of `seq`.',
      resolve: async ({ match, matchId }, _, ctx) =>
        match ?? ((await load(ctx, findMatches, matchId)) as NonNullable<typeof match>),
    }),
  }),
})

/** An event whose `data` has all fields of its type. */
type Told = ShownEvent & { gameNumber: number; data: Required<MatchEventData> }

const ArenaCellRef = enumType('ArenaCell', 'What a cell of a board holds.', cells, {
  nameOf: (cell) => (cell === '1' || cell === '2' ? `AGENT${cell}` : cell),
})

const ArenaMatchPositionRef = builder.interfaceRef<Told>('ArenaMatchPosition').implement({
  description: 'The position in a round of a match.',
  fields: (t) => ({
    roundNumber: t.exposeInt('gameNumber', { description: 'Numbered from 1 within the match.' }),
    board: t.field({
      type: t.listRef(t.listRef(ArenaCellRef, { nullable: true })),
      description:
        'Rows of cells; null for a free one. In rock paper scissors, one row with both hands.',
      resolve: ({ data }) => data.board.map((row) => row.map((cell) => cell || null)),
    }),
    turn: t.field({
      type: [ArenaMatchSlotRef],
      description: 'The agents that move next: one, both or none.',
      resolve: ({ data }) => data.turn,
    }),
  }),
})

const eventType = (
  kind: ShownEvent['kind'],
  description: string,
  ...more: (typeof ArenaMatchPositionRef)[]
) =>
  builder
    .objectRef<Told>(typeNames[kind])
    .implement({ description, interfaces: [ArenaMatchEventRef, ...more] })

eventType('MATCH_SCHEDULED', 'The match was scheduled.')
eventType('MATCH_STARTED', 'The match has begun.')

builder.objectFields(
  eventType('GAME_STARTED', 'A round of the match has begun.', ArenaMatchPositionRef),
  (t) => ({
    firstSlot: t.field({
      type: ArenaMatchSlotRef,
      nullable: true,
      description: 'The agent that moves first; null if both move at the same time.',
      resolve: ({ data }) => data.firstSlot,
    }),
  }),
)

const ArenaMoveRef = builder.objectRef<LoggedMove>('ArenaMove').implement({
  description: 'A move of an agent, or why there was none.',
  fields: (t) => ({
    slot: t.expose('slot', { type: ArenaMatchSlotRef, description: 'Whose move it is.' }),
    action: t.expose('action', {
      type: 'ArenaAction',
      nullable: true,
      description: 'The move; null if there was none.',
    }),
    fault: t.field({
      type: ArenaMoveFaultRef,
      nullable: true,
      description: 'Why it did not count; null for a legal move.',
      resolve: ({ fault }) => fault,
    }),
  }),
})

builder.objectFields(
  eventType('MOVES_MADE', 'One or both sides have moved.', ArenaMatchPositionRef),
  (t) => ({
    moves: t.field({
      type: [ArenaMoveRef],
      description: 'One move, or two if both sides move at the same time.',
      resolve: ({ data }) => data.moves,
    }),
  }),
)

const ArenaMatchScoreRef = builder.interfaceRef<Told>('ArenaMatchScore').implement({
  description: 'The score of a match after a round.',
  interfaces: [ArenaMatchEventRef],
  fields: (t) => ({
    winnerSlot: t.field({
      type: ArenaMatchSlotRef,
      nullable: true,
      description: 'The winner of the round or match; null for a draw.',
      resolve: ({ data }) => data.winnerSlot,
    }),
    agent1Score: t.int({
      description: 'Rounds won by the first agent.',
      resolve: ({ data }) => data.agent1Score,
    }),
    agent2Score: t.int({
      description: 'Rounds won by the second agent.',
      resolve: ({ data }) => data.agent2Score,
    }),
  }),
})

builder.objectFields(
  eventType('GAME_COMPLETED', 'A round of the match is over.', ArenaMatchScoreRef),
  (t) => ({
    roundNumber: t.exposeInt('gameNumber', { description: 'Numbered from 1 within the match.' }),
    nextRoundAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the next round begins; null after the last one.',
      resolve: ({ data }) => (data.nextGameAt ? new Date(data.nextGameAt) : null),
    }),
  }),
)

builder.objectFields(
  eventType('MATCH_COMPLETED', 'The match is over. No event follows.', ArenaMatchScoreRef),
  (t) => ({
    endReason: t.field({
      type: ArenaMatchEndReasonRef,
      nullable: true,
      description: 'How the match ended; null if by rounds won.',
      resolve: ({ data }) => endReasonOf(data.reason),
    }),
    eloChange: t.int({
      nullable: true,
      description:
        'Elo points that the first agent gained and the second lost. Null unless the match is ranked.',
      resolve: ({ data }) => data.eloChange,
    }),
  }),
)

builder.objectFields(
  eventType('MATCH_CANCELLED', 'The match was cancelled. No event follows.'),
  (t) => ({
    endReason: t.field({
      type: ArenaMatchEndReasonRef,
      nullable: true,
      description: 'Why it was cancelled. Null only for a reason that this version does not know.',
      resolve: ({ data }) => endReasonOf(data.reason),
    }),
  }),
)

const ArenaMatchCurrentRoundRef = builder.objectRef<Told>('ArenaMatchCurrentRound').implement({
  description: 'The round that is being played, or was played last.',
  interfaces: [ArenaMatchPositionRef],
  fields: (t) => ({
    moves: t.field({
      type: [ArenaMoveRef],
      description: 'All moves so far, in order.',
      resolve: ({ data }) => data.moves,
    }),
  }),
})

const ArenaMatchSnapshotRef = builder.objectRef<Snapshot>(typeNames.SNAPSHOT).implement({
  description:
    'The state of a match. A stream begins with it, and sends another to a reader that has fallen behind.',
  interfaces: [ArenaMatchEventRef],
  fields: (t) => ({
    rounds: t.field({
      type: [ArenaMatchRoundRef],
      description: 'The completed rounds, in the order they were played.',
      resolve: ({ games }) => games,
    }),
    currentRound: t.field({
      type: ArenaMatchCurrentRoundRef,
      nullable: true,
      description:
        'The current or last round. Null before the first round, and once its moves are no longer kept.',
      resolve: (event) => (event.data.board ? (event as Told) : null),
    }),
  }),
})

query([ArenaRef, 'matchSnapshot'], {
  description:
    'The snapshot with which `arenaMatchEvents` begins; null where `match` is null. To continue from it, subscribe with its `seq` as `afterSeq`.',
  args: z.object({ id: id('ArenaMatch').describe('The match, by its global id or its UUID.') }),
  type: ArenaMatchSnapshotRef,
  nullable: true,
  resolve: async ({ id }, ctx) =>
    (await findMatch(ctx, id, callerOf(ctx))) && readSnapshot(ctx.db, id),
})

const LiveChangeKindRef = enumType('ArenaLiveMatchesChangeKind', 'What changed in the list.', {
  SNAPSHOT:
    'The whole list. Sent at the start of a stream, and to a reader that has fallen behind.',
  STARTED: 'These matches have begun.',
  CHANGED: 'A round of these matches has ended.',
  ENDED: 'These matches are over.',
})

const LiveChangeRef = builder.objectRef<LiveChange>('ArenaLiveMatchesChange').implement({
  description: 'A change of the list of live matches.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: LiveChangeKindRef,
      description: 'What the change is, or that it is the whole list.',
    }),
    matches: t.field({
      type: [ArenaMatchRef],
      description: 'The matches, newest first; a hundred at most.',
      resolve: ({ matches }) => matches,
    }),
  }),
})

/** A match by its global id or its UUID. Any other text matches nothing. */
const matchIdOf = (text: string): string => {
  const named = decodeNodeId(text)
  return named?.typename === 'ArenaMatch' ? named.id : text
}

builder.subscriptionFields((t) => ({
  arenaMatchEvents: t.field({
    extensions: { shared: true },
    type: ArenaMatchEventRef,
    description:
      'The events of a match: a snapshot first, then each event as it happens. The stream completes when the match ends. With `afterSeq`, it begins with the events after that number instead of a snapshot, so that a client misses nothing after a broken connection. With `speed`, it replays the match from `afterSeq`, or from the beginning, with its pauses. Errors: MATCH_NOT_FOUND; INVALID_PARAMETERS if `afterSeq` is above the number of the newest event.',
    args: {
      arenaMatchId: t.arg.id({
        required: true,
        description: 'The match, by its global id or its UUID.',
      }),
      afterSeq: t.arg.int({ description: 'The last event that the client has; 0 for all events.' }),
      speed: t.arg.float({
        description:
          'Speed of the replay, 0.1 to 1000. 1 is the original speed, 2 is twice as fast.',
      }),
    },
    subscribe: (_, { arenaMatchId, ...args }, ctx) =>
      watchMatch(ctx, { ...args, matchId: matchIdOf(arenaMatchId), caller: callerOf(ctx) }),
    resolve: (event) => event,
  }),
  arenaLiveMatchesChanged: t.field({
    extensions: { shared: true },
    type: LiveChangeRef,
    description: 'The list of live public matches, and its changes.',
    subscribe: (_, __, ctx) => liveMatches(ctx),
    resolve: (change) => change,
  }),
  arenaLeaderboardChanged: t.field({
    extensions: { shared: true },
    type: [ArenaLeaderboardEntryRef],
    description: 'The top ten agents: now, and again after each change.',
    subscribe: (_, __, ctx) => rankedAgents(ctx),
    resolve: (entries: RankedAgent[]) => entries,
  }),
}))
