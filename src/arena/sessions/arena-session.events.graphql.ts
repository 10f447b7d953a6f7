import { eventType } from '../../kit/schema/event-data.ts'
import { shownGame } from '../developer-games/arena-game.graphql.ts'
import { sessionCompleted } from './arena-session.events.ts'
import { ArenaSessionRef } from './arena-session.graphql.ts'
import { findSessions } from './arena-session-read.ts'

eventType(sessionCompleted, 'ArenaSessionCompletedEvent', (t) => ({
  session: t.field({
    type: ArenaSessionRef,
    nullable: true,
    description: 'The session, with its players.',
    resolve: ({ sessionId }, _, ctx) => ctx.read(findSessions, sessionId),
  }),
  game: t.field(shownGame),
  prizePool: t.exposeInt('prizePool', { description: 'Points in the prize pool.' }),
  developerShare: t.exposeInt('developerShare', {
    nullable: true,
    description: 'Points paid to the developer.',
  }),
  winnerPrize: t.exposeInt('winnerPrize', {
    nullable: true,
    description: 'Points paid to the winner; null if nobody won.',
  }),
}))
