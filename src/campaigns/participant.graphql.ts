import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { list } from '../core/graphql/list.ts'
import { ranked } from '../core/graphql/ranked.ts'
import { rows } from '../core/graphql/rows.ts'
import { tenantOf } from '../core/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { CampaignRef } from './campaign.graphql.ts'
import {
  byPoints,
  countParticipants,
  getParticipant,
  type RankedParticipant,
  rankParticipants,
} from './participant.ts'

const ParticipantRef = builder.prismaNode('CampaignParticipant', {
  id: { field: 'id' },
  nullable: true,
  include: { campaign: true, user: true },
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    userId: t.exposeString('externalId', { description: "The partner's id of the user." }),
    displayName: t.string({
      nullable: true,
      description: 'Name to show, if set.',
      resolve: ({ user }) => user.displayName,
    }),
    totalPoints: t.expose('totalPoints', { type: 'SafeInt' }),
    rank: t.int({
      description: 'Place on the leaderboard of the campaign; 1 is the top.',
      resolve: (participant, _, ctx) => ctx.read(rankParticipants, participant),
    }),
    plays: t.exposeInt('plays', { description: 'Events so far.' }),
    playsLeft: t.int({
      nullable: true,
      description: 'Events that are left; null for no limit.',
      resolve: ({ plays, campaign: { maxPlaysPerUser } }) =>
        maxPlaysPerUser === null ? null : Math.max(0, maxPlaysPerUser - plays),
    }),
    wins: t.exposeInt('wins'),
    referralCount: t.exposeInt('referralCount'),
    referralRewards: t.expose('referralRewards', { type: 'SafeInt' }),
    joinedAt: t.expose('joinedAt', {
      type: 'DateTime',
      description: 'When they became a participant.',
    }),
    user: t.field({ type: UserRef, description: 'The user.', resolve: ({ user }) => user }),
  }),
})

builder.prismaObjectField('Campaign', 'participant', (t) =>
  t.field({
    type: ParticipantRef,
    description: 'A user in this campaign. Error CAMPAIGN_OR_USER_NOT_FOUND.',
    args: {
      userId: t.arg.string({ required: true, description: "The partner's id of the user." }),
    },
    resolve: (campaign, { userId }, ctx) => getParticipant(ctx, campaign as never, userId) as never,
  }),
)

const EntryRef = builder.objectRef<RankedParticipant>('CampaignLeaderboardEntry').implement({
  description: 'A participant and where they stand.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Position; 1 is the top.' }),
    userId: t.exposeString('externalId', { description: "The partner's id of the user." }),
    displayName: t.string({
      nullable: true,
      description: 'Name to show, if set.',
      resolve: ({ user }) => user.displayName,
    }),
    totalPoints: t.expose('totalPoints', {
      type: 'SafeInt',
      description: 'Points earned in this campaign.',
    }),
    plays: t.exposeInt('plays', { description: 'Events so far.' }),
    user: t.field({ type: UserRef, description: 'The user.', resolve: ({ user }) => user }),
  }),
})

list([CampaignRef, 'leaderboard'], {
  description: 'The participants by points, then by who reached them first, then by userId.',
  of: EntryRef,
  from: ({ parent: campaign, ctx }) => {
    const where = { campaignId: campaign.id }
    const participants = rows(ctx.db.campaignParticipant, {
      where,
      order: byPoints,
      include: { user: true },
    })
    return ranked(participants, {
      total: () => countParticipants(ctx, campaign),
      entry: (participant, rank): RankedParticipant => ({ ...participant, rank }) as never,
      rowOf: (participant) => participant,
    })
  },
})
