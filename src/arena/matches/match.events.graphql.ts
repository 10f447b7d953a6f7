import type { ObjectFieldBuilder } from '@pothos/core'
import type { Types } from '../../kit/schema/builder.ts'
import { type Announced, eventType } from '../../kit/schema/event-data.ts'
import { gameCompleted, matchCancelled, matchCompleted, matchStarted } from './match.events.ts'
import { ArenaMatchRef, ArenaMatchStatusRef, callerOf } from './match.graphql.ts'
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
      const match = await ctx.read(findMatches, matchId)
      return match && isShown(match, callerOf(ctx)) ? match : null
    },
  }),
  status: t.expose('status', {
    type: ArenaMatchStatusRef,
    description: 'Status at the time of the event.',
  }),
  agent1Score: t.exposeInt('agent1Score', { description: 'Games won by the first agent.' }),
  agent2Score: t.exposeInt('agent2Score', { description: 'Games won by the second agent.' }),
})

eventType(matchStarted, 'MatchStartedEvent', summaryFields)

eventType(matchCompleted, 'MatchCompletedEvent', (t) => ({
  ...summaryFields(t),
  winnerSlot: t.exposeInt('winnerSlot', {
    nullable: true,
    description: '1, 2, or null for a draw.',
  }),
  endReason: t.exposeString('reason', {
    nullable: true,
    description: 'How it ended, if not by games won.',
  }),
  eloChange: t.exposeInt('eloChange', {
    nullable: true,
    description:
      'Elo points that the first agent gained and the second lost. Null unless the match is ranked.',
  }),
}))

eventType(matchCancelled, 'MatchCancelledEvent', (t) => ({
  ...summaryFields(t),
  reason: t.exposeString('reason', { description: 'Why it was cancelled.' }),
}))

eventType(gameCompleted, 'GameCompletedEvent', (t) => ({
  ...summaryFields(t),
  gameNumber: t.int({
    description: 'Number of the game in the match. `match.games` has its moves.',
    resolve: ({ game }) => game.gameNumber,
  }),
  winnerSlot: t.int({
    nullable: true,
    description: '1, 2, or null for a draw.',
    resolve: ({ game }) => game.winnerSlot,
  }),
}))
