import { eventType } from '../core/graphql/event-data.ts'
import { gameReviewed, sessionCompleted } from './arena.events.ts'
import { ArenaSessionRef, shownGame } from './arena-session.graphql.ts'
import { findSessions } from './arena-session-read.ts'
import { ArenaVerdictRef } from './arena-words.graphql.ts'

eventType(gameReviewed, 'ArenaGameReviewedEvent', (t) => ({
  game: t.field(shownGame),
  verdict: t.expose('status', {
    type: ArenaVerdictRef,
    description: 'The decision of the review.',
  }),
  reviewNotes: t.exposeString('reviewNotes', { nullable: true }),
  buildUrl: t.exposeString('buildUrl', { description: 'Of the build.' }),
  version: t.exposeString('version', { nullable: true, description: 'Of the build.' }),
}))

eventType(sessionCompleted, 'ArenaSessionCompletedEvent', (t) => ({
  session: t.field({
    type: ArenaSessionRef,
    nullable: true,
    description: 'The session, with its players.',
    resolve: ({ sessionId }, _, ctx) => ctx.read(findSessions, sessionId),
  }),
  game: t.field(shownGame),
  prizePool: t.exposeInt('prizePool', { description: 'Points.' }),
  developerShare: t.exposeInt('developerShare', {
    nullable: true,
    description: 'Points paid to the developer.',
  }),
  winnerPrize: t.exposeInt('winnerPrize', {
    nullable: true,
    description: 'Points paid to the winner; null when nobody won.',
  }),
}))
