import type { Context } from '../kit/access/context.ts'
import { decidedOnce, load, selectionsAt, selectsOnly } from '../kit/schema/edge.ts'
import { eventType } from '../kit/schema/event-data.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { UserRef, userOfEvent } from '../users/end-user.graphql.ts'
import { externalIdOf } from '../users/end-user.ts'
import { checkTimeZone } from '../users/time-zone-names.ts'
import { LedgerEntryRef } from './ledger.graphql.ts'
import { findEntriesById } from './ledger-search.ts'
import { pointsAdjusted, pointsAwarded, pointsReversed, pointsSpent } from './points.events.ts'
import { AwardPoints, AwardPointsBatch, awardPoints, awardSeparately } from './points.ts'

/** Whether the query selects more of the user of an award, which is at a path, than the award returns. */
const showsUserAt = (...path: string[]) =>
  decidedOnce((requested) =>
    [
      selectionsAt(requested, ...path, 'user'),
      selectionsAt(requested, ...path, 'ledgerEntry', 'user'),
    ].some((user) => !selectsOnly(user, 'externalId')),
  )

const showsUser = showsUserAt()
const showsUsers = showsUserAt('results')

const award = mutation('awardPoints', {
  description:
    'Awards a user the points of a reward rule. Creates the user if necessary. `USER_BLOCKED` for a user who is blocked for fraud; the reference stays unused. Emits `points.awarded`.',
  key: 'secret',
  right: 'POINTS_AWARD',
  isAudited: false,
  input: AwardPoints,
  payload: { ledgerEntry: LedgerEntryRef, user: UserRef },
  errors: ['REWARD_RULE_NOT_FOUND', 'DUPLICATE_REFERENCE', 'USER_NOT_FOUND', 'USER_BLOCKED'],
  resolve: async ({ user, ...award }, ctx, caller, info) => {
    if (award.timeZone) await checkTimeZone(ctx, award)
    return ctx.write(awardPoints, {
      ...award,
      externalId: await externalIdOf(ctx, caller, user),
      showsUser: showsUser(info),
    })
  },
})

mutation('awardPointsBatch', {
  description:
    'Awards points up to 500 times, in the order of the list. Each award succeeds or fails independently, as `awardPoints` does. A list can be sent again: what was written is a `DuplicateReferenceError`.',
  key: 'secret',
  right: 'POINTS_AWARD',
  isAudited: false,
  input: AwardPointsBatch,
  payload: {
    results: {
      type: [award.type],
      description: 'One result for each award, in the order of the list.',
    },
  },
  errors: [],
  price: { points: 50, per: 'award', count: ({ awards }) => awards.length },
  resolve: async (input, ctx, caller, info) => {
    const results = await awardSeparately(ctx, caller, input, showsUsers(info))
    return {
      results: results.map((result) =>
        result instanceof Error ? award.ofError(result, ctx) : result,
      ),
    }
  },
})

/** A field of an event that returns a ledger entry by an id in its data. */
const entryOfEvent = <P>(description: string, idOf: (event: P) => string) => ({
  type: LedgerEntryRef,
  nullable: true as const,
  description,
  resolve: (event: P, _: unknown, ctx: Context) => load(ctx, findEntriesById, idOf(event)),
})

const signed = { description: 'Added to the wallet, or taken from it if negative.' }
const afterwards = { type: 'SafeInt', description: 'The balance of the user afterwards.' } as const

eventType(pointsAwarded, 'PointsAwardedEventData', (t) => ({
  externalId: t.exposeString('userId', {
    description: "The partner's id of the user; a pseudonym once the user is erased.",
  }),
  user: t.field(userOfEvent('The user who was awarded points.', ({ userId }) => userId)),
  ledgerEntry: t.field(entryOfEvent('The entry of the award.', ({ ledgerId }) => ledgerId)),
  eventType: t.exposeString('eventType', { description: 'The event type of the reward rule.' }),
  points: t.exposeInt('pointsAwarded', { description: 'Points that were awarded.' }),
  balance: t.expose('userBalance', {
    type: 'SafeInt',
    description: 'The balance after the award.',
  }),
  reference: t.exposeString('reference', {
    nullable: true,
    description: "The caller's reference; null if none was given.",
  }),
}))

eventType(pointsAdjusted, 'PointsAdjustedEventData', (t) => ({
  externalId: t.exposeString('userId', {
    description: "The partner's id of the user; a pseudonym once the user is erased.",
  }),
  user: t.field(userOfEvent('The user.', ({ userId }) => userId)),
  ledgerEntry: t.field(entryOfEvent('The entry of the adjustment.', ({ ledgerId }) => ledgerId)),
  points: t.exposeInt('points', signed),
  balance: t.expose('userBalance', afterwards),
  reference: t.exposeString('reference', {
    nullable: true,
    description: "The caller's reference; null if none was given.",
  }),
}))

eventType(pointsReversed, 'PointsReversedEventData', (t) => ({
  externalId: t.exposeString('userId', {
    description: "The partner's id of the user; a pseudonym once the user is erased.",
  }),
  user: t.field(userOfEvent('The user.', ({ userId }) => userId)),
  ledgerEntry: t.field(entryOfEvent('The entry of the reversal.', ({ ledgerId }) => ledgerId)),
  reversedEntry: t.field(
    entryOfEvent('The entry that was taken back.', ({ reversedLedgerId }) => reversedLedgerId),
  ),
  points: t.exposeInt('points', signed),
  balance: t.expose('userBalance', afterwards),
}))

eventType(pointsSpent, 'PointsSpentEventData', (t) => ({
  externalId: t.exposeString('userId', {
    description: "The partner's id of the user; a pseudonym once the user is erased.",
  }),
  user: t.field(userOfEvent('The user.', ({ userId }) => userId)),
  ledgerEntry: t.field(entryOfEvent('The entry of the spending.', ({ ledgerId }) => ledgerId)),
  pointsSpent: t.exposeInt('pointsSpent', { description: 'Points that were taken.' }),
  balance: t.expose('userBalance', afterwards),
  reference: t.exposeString('reference', {
    nullable: true,
    description: "The caller's reference; null if none was given.",
  }),
}))
