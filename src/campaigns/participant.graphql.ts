import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { exactly, type Source } from '../core/graphql/connection.ts'
import { list } from '../core/graphql/list.ts'
import { isOwn } from '../core/graphql/owner.ts'
import { query } from '../core/graphql/query.ts'
import { ranked } from '../core/graphql/ranked.ts'
import { tenantOf } from '../core/tenant.ts'
import type { CampaignParticipant } from '../generated/prisma/client.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { findUserBy, UserBy, userOf } from '../users/end-user.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { campaignOf } from './campaign.ts'
import {
  countParticipants,
  findParticipants,
  type Participant,
  type RankedParticipant,
  rankParticipants,
} from './participant.ts'
import { byPoints, listParticipants } from './participant-list.ts'

export const ParticipantRef = builder.prismaNode('CampaignParticipant', {
  name: 'Participant',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    campaign: t.field({
      type: CampaignRef,
      description: 'In which campaign.',
      resolve: (participant, _, ctx) => campaignOf(ctx, participant),
    }),
    // What has just been written comes with its user.
    user: t.field({
      type: UserRef,
      description: 'Who it is.',
      resolve: (participant, _, ctx) =>
        (participant as Partial<Participant>).user ?? userOf(ctx, participant),
    }),
    campaignPoints: t.expose('totalPoints', { type: 'SafeInt' }),
    rank: t.int({
      description: 'Place on the leaderboard of the campaign; 1 is the top.',
      complexity: 10,
      resolve: (participant, _, ctx) => ctx.read(rankParticipants, participant),
    }),
    eventCount: t.exposeInt('plays', { description: 'Events so far.' }),
    eventsLeft: t.int({
      nullable: true,
      description: 'Events that the campaign still takes of this user; null for no limit.',
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

query([CampaignRef, 'participant'], {
  description: 'A user in this campaign; null for who is none, and to others than the owner.',
  args: z.object({ by: UserBy }),
  type: ParticipantRef,
  nullable: true,
  resolve: async ({ by }, ctx, _, campaign) => {
    const user = isOwn(ctx, campaign) ? await findUserBy(ctx, campaign, by) : null
    return user && ctx.read(findParticipants, { campaignId: campaign.id, userId: user.id })
  },
})

const EntryRef = builder.objectRef<RankedParticipant>('CampaignLeaderboardEntry').implement({
  description: 'A participant and where they stand.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Position; 1 is the top.' }),
    participant: t.expose('participant', { type: ParticipantRef, description: 'The participant.' }),
  }),
})

list([CampaignRef, 'leaderboard'], {
  description: 'The participants by points, then by who reached them first, then by externalId.',
  of: EntryRef,
  isFor: isOwn,
  from: ({ parent: campaign, ctx }) => {
    const total = () => countParticipants(ctx, campaign)
    const participants: Source<CampaignParticipant> = {
      order: byPoints,
      placeOf: (one) => [one.totalPoints, one.pointsReachedAt, one.externalId],
      count: async () => exactly(await total()),
      fetch: (part) => ctx.read(listParticipants, { ...part, campaignId: campaign.id }),
    }
    return ranked(participants, {
      total,
      entry: (participant, rank): RankedParticipant => ({ rank, participant }),
      rowOf: ({ participant }) => participant,
    })
  },
})
