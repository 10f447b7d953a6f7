import type { Context } from '../kit/access/context.ts'
import { load } from '../kit/schema/edge.ts'
import { eventType } from '../kit/schema/event-data.ts'
import { LedgerEntryRef } from '../points/ledger.graphql.ts'
import { findEntriesById } from '../points/ledger-search.ts'
import { idOfEventUser, userOfEvent } from '../users/end-user.graphql.ts'
import {
  grantCancelled,
  grantExpired,
  grantFailed,
  grantFulfilled,
  grantIssued,
  grantReady,
  grantRevoked,
} from './grant.events.ts'
import { GrantFailureRef, GrantRef, GrantSourceRef } from './grant.graphql.ts'
import { findGrants } from './grant.ts'
import { RewardKindRef } from './reward.graphql.ts'

const grant = {
  type: GrantRef,
  nullable: true as const,
  description: 'The grant, which leads to the reward.',
  resolve: ({ grantId }: { grantId: string }, _: unknown, ctx: Context) =>
    load(ctx, findGrants, grantId),
}

const rewardKind = { type: RewardKindRef, description: 'What the reward gives.' } as const
const source = { type: GrantSourceRef, description: 'Why the user gets it.' } as const
const points = { description: 'Points of the grant; 0 unless it gives points.' }
const rewardName = { description: 'The name of the reward.' }

eventType(grantReady, 'GrantReadyEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user who can claim it.', ({ userId }) => userId)),
  grant: t.field(grant),
  rewardName: t.exposeString('rewardName', rewardName),
  rewardKind: t.expose('rewardKind', rewardKind),
  points: t.exposeInt('points', points),
  source: t.expose('source', source),
  reference: t.exposeString('reference', { nullable: true }),
  claimExpiresAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Until when it can be claimed; null for no limit.',
    resolve: ({ claimExpiresAt }) =>
      claimExpiresAt === undefined ? null : new Date(claimExpiresAt),
  }),
}))

eventType(grantIssued, 'GrantIssuedEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user who got it.', ({ userId }) => userId)),
  grant: t.field(grant),
  rewardName: t.exposeString('rewardName', rewardName),
  rewardKind: t.expose('rewardKind', rewardKind),
  points: t.exposeInt('points', points),
  source: t.expose('source', source),
  reference: t.exposeString('reference', { nullable: true }),
  ledgerEntry: t.field({
    type: LedgerEntryRef,
    nullable: true,
    description: 'The entry that paid it; null for a badge.',
    resolve: ({ ledgerId }, _, ctx) =>
      ledgerId === undefined ? null : load(ctx, findEntriesById, ledgerId),
  }),
  balance: t.expose('userBalance', {
    type: 'SafeInt',
    description: 'The balance of the user afterwards.',
  }),
}))

eventType(grantRevoked, 'GrantRevokedEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user whose reward it was.', ({ userId }) => userId)),
  grant: t.field(grant),
  rewardName: t.exposeString('rewardName', rewardName),
  rewardKind: t.expose('rewardKind', rewardKind),
  points: t.exposeInt('points', points),
  source: t.expose('source', source),
  reference: t.exposeString('reference', { nullable: true }),
  wasIssued: t.exposeBoolean('wasIssued', { description: 'Whether the user had got it.' }),
}))

eventType(grantExpired, 'GrantExpiredEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user who did not claim it.', ({ userId }) => userId)),
  grant: t.field(grant),
  rewardName: t.exposeString('rewardName', rewardName),
  rewardKind: t.expose('rewardKind', rewardKind),
  points: t.exposeInt('points', points),
  source: t.expose('source', source),
  reference: t.exposeString('reference', { nullable: true }),
}))

eventType(grantFulfilled, 'GrantFulfilledEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user who got it.', ({ userId }) => userId)),
  grant: t.field(grant),
  rewardName: t.exposeString('rewardName', rewardName),
  rewardKind: t.expose('rewardKind', rewardKind),
  points: t.exposeInt('points', points),
  source: t.expose('source', source),
  reference: t.exposeString('reference', { nullable: true }),
}))

eventType(grantFailed, 'GrantFailedEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user whose reward it is.', ({ userId }) => userId)),
  grant: t.field(grant),
  rewardName: t.exposeString('rewardName', rewardName),
  rewardKind: t.expose('rewardKind', rewardKind),
  points: t.exposeInt('points', points),
  source: t.expose('source', source),
  reference: t.exposeString('reference', { nullable: true }),
  failure: t.expose('failure', {
    type: GrantFailureRef,
    description: 'Why the user does not get it.',
  }),
}))

eventType(grantCancelled, 'GrantCancelledEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user whose reward it was.', ({ userId }) => userId)),
  grant: t.field(grant),
  rewardName: t.exposeString('rewardName', rewardName),
  rewardKind: t.expose('rewardKind', rewardKind),
  points: t.exposeInt('points', points),
  source: t.expose('source', source),
  reference: t.exposeString('reference', { nullable: true }),
  ledgerEntry: t.field({
    type: LedgerEntryRef,
    nullable: true,
    description: 'The entry that gave the price back; null unless it was bought.',
    resolve: ({ ledgerId }, _, ctx) =>
      ledgerId === undefined ? null : load(ctx, findEntriesById, ledgerId),
  }),
  balance: t.expose('userBalance', {
    type: 'SafeInt',
    description: 'The balance of the user afterwards.',
  }),
}))
