import { eventType } from '../core/graphql/event-data.ts'
import { userOfEvent } from '../users/user-of-event.graphql.ts'
import { findEntriesById, LedgerEntryRef } from './ledger.graphql.ts'
import { pointsAwarded } from './points.events.ts'

eventType(pointsAwarded, 'PointsAwardedEvent', (t) => ({
  externalId: t.exposeString('userId'),
  user: t.field(userOfEvent('The user who was awarded points.', ({ userId }) => userId)),
  ledgerEntry: t.field({
    type: LedgerEntryRef,
    nullable: true,
    description: 'The entry of the award.',
    resolve: ({ ledgerId }, _, ctx) => ctx.read(findEntriesById, ledgerId),
  }),
  eventType: t.exposeString('eventType', { description: 'The event type of the reward rule.' }),
  points: t.exposeInt('pointsAwarded'),
  balance: t.expose('userBalance', {
    type: 'SafeInt',
    description: 'The balance after the award.',
  }),
  reference: t.exposeString('reference', { nullable: true }),
}))
