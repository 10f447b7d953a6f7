import type { ObjectFieldBuilder } from '@pothos/core'
import type { Types } from '../../kit/schema/builder.ts'
import { load } from '../../kit/schema/edge.ts'
import { type Announced, eventPart, eventType } from '../../kit/schema/event-data.ts'
import type { Slot } from '../agent-games/agent-game.rules.ts'
import { endReasonOf } from './end-reason.rules.ts'
import { gameCompleted, matchCancelled, matchCompleted, matchStarted } from './match.events.ts'
import {
  ArenaMatchEndReasonRef,
  ArenaMatchRef,
  ArenaMatchSlotRef,
  ArenaMatchStatusRef,
  callerOf,
} from './match.graphql.ts'
import { findMatches, isShown } from './read.ts'

type Summary = Omit<Announced<typeof matchStarted>, 'startedAt'>

/** The fields of every event of a match. */
const summaryFields = (t: ObjectFieldBuilder<Types, Summary>) => ({
  match: t.field({
    type: ArenaMatchRef,
    nullable: true,
    description:
      'The match. A private match is null unless the caller is a member of one of its partners.',
    resolve: async ({ matchId }, _, ctx) => {
      const match = await load(ctx, findMatches, matchId)
      return match && isShown(match, callerOf(ctx)) ? match : null
    },
  }),
  status: t.expose('status', {
    type: ArenaMatchStatusRef,
    description: 'Status at the time of the event.',
  }),
  agent1Score: t.exposeInt('agent1Score', { description: 'Rounds won by the first agent.' }),
  agent2Score: t.exposeInt('agent2Score', { description: 'Rounds won by the second agent.' }),
})

eventPart(
  'ArenaMatchEventData',
  'The data of an event of a match between agents.',
  summaryFields as never,
)

eventType(matchStarted, 'ArenaMatchStartedEventData', summaryFields)

eventType(matchCompleted, 'ArenaMatchCompletedEventData', (t) => ({
  ...summaryFields(t),
  winnerSlot: t.field({
    type: ArenaMatchSlotRef,
    nullable: true,
    description: 'Who won; null for a draw.',
    resolve: ({ winnerSlot }) => winnerSlot as Slot | null,
  }),
  endReason: t.field({
    type: ArenaMatchEndReasonRef,
    nullable: true,
    description: 'How it ended; null if by rounds won.',
    resolve: ({ reason }) => endReasonOf(reason),
  }),
  eloChange: t.exposeInt('eloChange', {
    nullable: true,
    description:
      'Elo points that the first agent gained and the second lost. Null unless the match is ranked.',
  }),
}))

eventType(matchCancelled, 'ArenaMatchCancelledEventData', (t) => ({
  ...summaryFields(t),
  endReason: t.field({
    type: ArenaMatchEndReasonRef,
    nullable: true,
    description: 'Why it was cancelled. Null only for a reason that this version does not know.',
    resolve: ({ reason }) => endReasonOf(reason),
  }),
}))

eventType(gameCompleted, 'ArenaMatchRoundCompletedEventData', (t) => ({
  ...summaryFields(t),
  roundNumber: t.int({
    description: 'Number of the round in the match. `match.rounds` has its moves.',
    resolve: ({ game }) => game.gameNumber,
  }),
  winnerSlot: t.field({
    type: ArenaMatchSlotRef,
    nullable: true,
    description: 'Who won; null for a draw.',
    resolve: ({ game }) => game.winnerSlot as Slot | null,
  }),
}))
