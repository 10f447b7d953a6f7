import { eventType } from '../core/graphql/event-data.ts'
import { userOfEvent } from '../users/user-of-event.graphql.ts'
import { offerClaimed, stageChanged } from './journey.events.ts'
import { LifecycleStageRef, OfferTypeRef } from './journey-words.graphql.ts'
import { findOffers, OfferRef } from './offer.graphql.ts'

eventType(stageChanged, 'JourneyStageChangedEvent', (t) => ({
  externalId: t.exposeString('userId'),
  user: t.field(userOfEvent('Whose stage.', ({ userId }) => userId)),
  previousStage: t.expose('previousStage', { type: LifecycleStageRef, description: 'Before.' }),
  stage: t.expose('stage', { type: LifecycleStageRef, description: 'From then on.' }),
  reason: t.exposeString('reason', { description: 'What led to it, in words.' }),
}))

eventType(offerClaimed, 'JourneyOfferClaimedEvent', (t) => ({
  externalId: t.exposeString('userId'),
  user: t.field(userOfEvent('Who claimed it.', ({ userId }) => userId)),
  offer: t.field({
    type: OfferRef,
    nullable: true,
    description: 'The offer.',
    resolve: ({ offerId }, _, ctx) => ctx.read(findOffers, offerId),
  }),
  offerType: t.expose('offerType', { type: OfferTypeRef, description: 'What was offered.' }),
  title: t.exposeString('title'),
  points: t.exposeInt('pointsValue'),
  creditsPoints: t.exposeBoolean('creditsPoints', {
    description: 'Whether the points went to the wallet.',
  }),
}))
