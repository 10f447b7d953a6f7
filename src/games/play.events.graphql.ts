import { eventType } from '../kit/schema/event-data.ts'
import { userOfEvent } from '../users/user-of-event.graphql.ts'
import { GameTypeRef } from './mechanic.graphql.ts'
import { gamePlayed } from './play.events.ts'
import { findPlaysById, PlayOutcomeRef, PlayRef, RewardRef } from './play.graphql.ts'

eventType(gamePlayed, 'GamePlayedEvent', (t) => ({
  externalId: t.exposeString('userId'),
  user: t.field(userOfEvent('The user who played.', ({ userId }) => userId)),
  play: t.field({
    type: PlayRef,
    nullable: true,
    description: 'The play.',
    resolve: ({ playId }, _, ctx) => ctx.read(findPlaysById, playId),
  }),
  gameType: t.expose('gameType', { type: GameTypeRef, description: 'The type of game.' }),
  pointsSpent: t.exposeInt('pointsSpent'),
  balance: t.expose('userBalance', {
    type: 'SafeInt',
    description:
      'The balance after the price is deducted, before a reward of type POINTS is credited.',
  }),
  outcome: t.expose('outcome', { type: PlayOutcomeRef, description: 'What the game shows.' }),
  reward: t.expose('reward', { type: RewardRef, description: 'The reward.' }),
}))
