import type { Context } from '../kit/access/context.ts'
import { eventType } from '../kit/schema/event-data.ts'
import { userOfEvent } from '../users/user-of-event.graphql.ts'
import { LedgerEntryRef } from './ledger.graphql.ts'
import { findEntriesById } from './ledger-search.ts'
import { pointsAdjusted, pointsAwarded, pointsReversed } from './points.events.ts'

/** A field of an event that returns a ledger entry by an id in its data. */
const entryOfEvent = <P>(description: string, idOf: (event: P) => string) => ({
  type: LedgerEntryRef,
  nullable: true as const,
  description,
  resolve: (event: P, _: unknown, ctx: Context) => ctx.read(findEntriesById, idOf(event)),
})

const signed = { description: 'Added to the wallet, or taken from it if negative.' }
const afterwards = { type: 'SafeInt', description: 'The balance afterwards.' } as const

eventType(pointsAwarded, 'PointsAwardedEvent', (t) => ({
  externalId: t.exposeString('userId'),
  user: t.field(userOfEvent('The user who was awarded points.', ({ userId }) => userId)),
  ledgerEntry: t.field(entryOfEvent('The entry of the award.', ({ ledgerId }) => ledgerId)),
  eventType: t.exposeString('eventType', { description: 'The event type of the reward rule.' }),
  points: t.exposeInt('pointsAwarded'),
  balance: t.expose('userBalance', {
    type: 'SafeInt',
    description: 'The balance after the award.',
  }),
  reference: t.exposeString('reference', { nullable: true }),
}))

eventType(pointsAdjusted, 'PointsAdjustedEvent', (t) => ({
  externalId: t.exposeString('userId'),
  user: t.field(userOfEvent('The user.', ({ userId }) => userId)),
  ledgerEntry: t.field(entryOfEvent('The entry of the adjustment.', ({ ledgerId }) => ledgerId)),
  points: t.exposeInt('points', signed),
  balance: t.expose('userBalance', afterwards),
  reference: t.exposeString('reference', { nullable: true }),
}))

eventType(pointsReversed, 'PointsReversedEvent', (t) => ({
  externalId: t.exposeString('userId'),
  user: t.field(userOfEvent('The user.', ({ userId }) => userId)),
  ledgerEntry: t.field(entryOfEvent('The entry of the reversal.', ({ ledgerId }) => ledgerId)),
  reversedEntry: t.field(
    entryOfEvent('The entry that was taken back.', ({ reversedLedgerId }) => reversedLedgerId),
  ),
  points: t.exposeInt('points', signed),
  balance: t.expose('userBalance', afterwards),
}))
