import { decodeNodeId } from '../../kit/node-id.ts'
import { builder } from '../../kit/schema/builder.ts'
import { enumType } from '../../kit/schema/input.ts'
import { ArenaLeaderboardEntryRef } from '../agents/agent.graphql.ts'
import type { RankedAgent } from '../agents/agent-read.ts'
import { type LiveChange, liveMatches, rankedAgents } from './live-list.ts'
import { ArenaMatchRef, callerOf } from './match.graphql.ts'
import { ArenaMatchEventRef } from './match-event.graphql.ts'
import { watchMatch } from './match-feed.ts'

const LiveChangeKindRef = enumType('ArenaLiveChangeKind', 'What changed in the list.', {
  SNAPSHOT:
    'The whole list. Sent at the start of a stream, and to a reader that has fallen behind.',
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

/** A match by its global id or its UUID. Any other text matches nothing. */
const matchIdOf = (text: string): string => {
  const named = decodeNodeId(text)
  return named?.typename === 'ArenaMatch' ? named.id : text
}

builder.subscriptionFields((t) => ({
  matchEvents: t.field({
    extensions: { shared: true },
    type: ArenaMatchEventRef,
    description:
      'The events of a match: a snapshot first, then each event as it happens. The stream completes when the match ends. With `sinceSeq`, it begins with the events after that number instead of a snapshot, so that a client misses nothing after a broken connection. With `speed`, it replays the match from `sinceSeq`, or from the beginning, with its pauses. Errors: MATCH_NOT_FOUND; INVALID_PARAMETERS if `sinceSeq` is above the number of the newest event.',
    args: {
      matchId: t.arg.id({ required: true, description: 'The match.' }),
      sinceSeq: t.arg.int({ description: 'The last event that the client has; 0 for all events.' }),
      speed: t.arg.float({
        description:
          'Speed of the replay, 0.1 to 1000. 1 is the original speed, 2 is twice as fast.',
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
    description: 'The top ten agents: now, and again after each change.',
    subscribe: (_, __, ctx) => rankedAgents(ctx),
    resolve: (entries: RankedAgent[]) => entries,
  }),
}))
