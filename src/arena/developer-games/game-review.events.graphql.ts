import { eventType } from '../../kit/schema/event-data.ts'
import { shownGame } from './arena-game.graphql.ts'
import { ArenaVerdictRef } from './arena-game-words.graphql.ts'
import { gameReviewed } from './game-review.events.ts'

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
