import { z } from 'zod'
import type { CampaignParticipant } from '../generated/prisma/client.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { exactly, ranked, type Source } from '../kit/schema/connection.ts'
import { load } from '../kit/schema/edge.ts'
import { isEmpty, Period, within } from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { query } from '../kit/schema/query.ts'
import { mapped, rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { byScore } from '../leaderboard/marks.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { findUserOf, rowsOfUser, UserBy, userOf } from '../users/end-user.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { campaignOf } from './campaign.ts'
import {
  countParticipants,
  countRankedParticipants,
  findParticipants,
  listParticipants,
  type Participant,
  type RankedParticipant,
  rankParticipants,
} from './participant.ts'

export const ParticipantRef = builder.prismaNode('CampaignParticipant', {
  name: 'Participant',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret'),
  fields: (t) => ({
    campaign: t.field({
      type: CampaignRef,
      description: 'The campaign that the user takes part in.',
      resolve: (participant, _, ctx) => campaignOf(ctx, participant),
    }),
    // A participant who was just written comes with their user.
    user: t.field({
      type: UserRef,
      description: 'The user who takes part.',
      resolve: (participant, _, ctx) =>
        (participant as Partial<Participant>).user ?? userOf(ctx, participant),
    }),
    campaignPoints: t.expose('totalPoints', { type: 'SafeInt' }),
    rank: t.int({
      nullable: true,
      description:
        'Position on the leaderboard of the campaign; 1 is the top. Null while the user is blocked for fraud. Exact up to 5,000. Behind that, changes further ahead count within minutes.',
      complexity: 10,
      resolve: (participant, _, ctx) => load(ctx, rankParticipants, participant),
    }),
    eventCount: t.exposeInt('plays', { description: 'Number of events so far.' }),
    eventsLeft: t.int({
      nullable: true,
      description: 'Events that the user has left; null for no limit.',
      resolve: async (participant, _, ctx) => {
        const { maxPlaysPerUser } = await campaignOf(ctx, participant)
        return maxPlaysPerUser === null ? null : Math.max(0, maxPlaysPerUser - participant.plays)
      },
    }),
    winCount: t.exposeInt('wins'),
    referralCode: t.exposeString('referralCode', { nullable: true }),
    referralCount: t.exposeInt('referralCount'),
    referralPoints: t.expose('referralRewards', { type: 'SafeInt' }),
    joinedAt: t.expose('joinedAt', {
      type: 'DateTime',
      description: 'When they became a participant.',
    }),
  }),
})

/** The participant in the payload of a mutation. */
export const changedParticipant = {
  participant: { type: ParticipantRef, description: 'The participant, in the new state.' },
  user: UserRef,
} as const

query([CampaignRef, 'participant'], {
  description: 'A user as a participant; null if they do not take part.',
  args: z.object({ by: UserBy }),
  type: ParticipantRef,
  needsRead: true,
  nullable: true,
  resolve: async ({ by }, ctx, _, campaign) => {
    const user = await findUserOf(ctx, campaign, by)
    if (!user) return null
    const key = { ...tenantOf(campaign), campaignId: campaign.id, userId: user.id }
    return load(ctx, findParticipants, key)
  },
})

const EntryRef = builder.objectRef<RankedParticipant>('CampaignLeaderboardEntry').implement({
  description: 'A participant and their rank.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Position; 1 is the top.' }),
    participant: t.expose('participant', {
      type: ParticipantRef,
      description: 'The participant at this position.',
    }),
  }),
})

list([CampaignRef, 'leaderboard'], {
  description:
    'The participants by points. Ties are broken by who reached them first, then by externalId.',
  of: EntryRef,
  needsRead: true,
  onStandby: true,
  from: ({ parent: campaign, ctx }) => {
    const total = () => countRankedParticipants(ctx, campaign)
    const participants: Source<CampaignParticipant> = {
      order: byScore,
      placeOf: (item) => [item.totalPoints, item.pointsReachedAt, item.externalId],
      count: async () => exactly(await total()),
      fetch: (part) => load(ctx, listParticipants, { ...part, campaignId: campaign.id }),
    }
    return ranked(participants, {
      total,
      entry: (participant, rank): RankedParticipant => ({ rank, participant }),
      rowOf: ({ participant }) => participant,
    })
  },
})

const byJoining = { JOINED_AT: { by: ['joinedAt', 'id'], description: 'By time of joining.' } }

const byTime = { joined_at: 'timestamptz', id: 'uuid' } as const

const findParticipantParts = (work: Work, requested: PartOf[]) =>
  findRowParts(work, { model: 'CampaignParticipant', parent: 'campaign_id', by: byTime }, requested)

const ParticipantFilter = z
  .object({
    user: UserBy.nullish().describe('Only this user. None if they do not take part.'),
    joinedAt: Period.nullish().describe('Only participants who joined in this period.'),
  })
  .describe('Conditions on participants; all that are given must hold.')

list([CampaignRef, 'participants'], {
  description: 'The participants, newest first.',
  of: ParticipantRef,
  filter: ParticipantFilter,
  orders: byJoining,
  order: ['JOINED_AT', 'DESC'],
  needsRead: true,
  from: async ({ parent: campaign, filter: { user, joinedAt }, order, ctx }) => {
    const chosen = { ...(await rowsOfUser(ctx, campaign, user)), ...within({ joinedAt }) }
    const isAll = isEmpty(chosen)
    const source = rows(ofTenant(ctx.db, campaign).campaignParticipant, {
      where: { campaignId: campaign.id, ...chosen },
      order,
      counting: isAll ? () => countParticipants(ctx, campaign) : 'AT_LEAST',
    })
    if (!isAll) return source
    return batched(source, { parentId: campaign.id, order }, (part) =>
      load(ctx, findParticipantParts, part),
    )
  },
})

const findParticipationParts = (work: Work, requested: PartOf[]) =>
  findRowParts(work, { model: 'CampaignParticipant', parent: 'user_id', by: byTime }, requested)

list([UserRef, 'participants'], {
  description: 'The user as a participant of campaigns, newest first.',
  key: 'secret',
  of: ParticipantRef,
  orders: byJoining,
  order: ['JOINED_AT', 'DESC'],
  from: ({ parent: user, order, ctx }) => {
    const source = rows(ofTenant(ctx.db, user).campaignParticipant, {
      where: { userId: user.id },
      order,
    })
    const all = batched(source, { parentId: user.id, order }, (part) =>
      load(ctx, findParticipationParts, part),
    )
    return mapped(all, (found) => found.map((participant) => ({ ...participant, user })))
  },
})

builder.prismaObjectField('LedgerEntry', 'campaign', (t) =>
  t.field({
    type: CampaignRef,
    nullable: true,
    description: 'The campaign whose points it credits; null for other entries.',
    resolve: ({ account, ...entry }, _, ctx) => {
      const [, campaignId] = /^campaign:(.+)$/.exec(account) ?? []
      return campaignId === undefined ? null : campaignOf(ctx, { ...tenantOf(entry), campaignId })
    },
  }),
)
