import { eventType } from '../kit/schema/event-data.ts'
import { userOfEvent } from '../users/user-of-event.graphql.ts'
import { offerClaimed, stageChanged } from './journey.events.ts'
import { LifecycleStageRef, OfferTypeRef } from './journey-words.graphql.ts'
import { findOffers, OfferRef } from './offer.graphql.ts'

eventType(stageChanged, 'JourneyStageChangedEvent', (t) => ({
  externalId: t.exposeString('userId'),
  user: t.field(userOfEvent('The user whose stage it is.', ({ userId }) => userId)),
  previousStage: t.expose('previousStage', {
    type: LifecycleStageRef,
    description: 'The stage before.',
  }),
  stage: t.expose('stage', { type: LifecycleStageRef, description: 'The new stage.' }),
  reason: t.exposeString('reason', { description: 'A readable reason for the change.' }),
}))

eventType(offerClaimed, 'JourneyOfferClaimedEvent', (t) => ({
  externalId: t.exposeString('userId'),
  user: t.field(userOfEvent('The user who claimed it.', ({ userId }) => userId)),
  offer: t.field({
    type: OfferRef,
    nullable: true,
    description: 'The offer.',
    resolve: ({ offerId }, _, ctx) => ctx.read(findOffers, offerId),
  }),
  offerType: t.expose('offerType', { type: OfferTypeRef, description: 'The kind of offer.' }),
  title: t.exposeString('title'),
  points: t.exposeInt('pointsValue'),
  creditsPoints: t.exposeBoolean('creditsPoints', {
    description: 'Whether the points were credited to the wallet.',
  }),
}))
