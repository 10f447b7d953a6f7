import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { tenantOf } from '../core/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf, userOf } from '../users/end-user.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { campaignOf, slugOf } from './campaign.ts'
import { type InstantWinDraw, RecordCampaignEvent, recordCampaignEvents } from './campaign-event.ts'
import { InstantWinRef } from './instant-win.graphql.ts'
import { findInstantWins } from './instant-win.ts'
import { ParticipantRef } from './participant.graphql.ts'

const CampaignEventRef = builder.prismaNode('CampaignEvent', {
  description: 'Something that a user did in a campaign.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    campaign: t.field({
      type: CampaignRef,
      description: 'In which campaign.',
      resolve: (event, _, ctx) => campaignOf(ctx, event),
    }),
    user: t.field({
      type: UserRef,
      description: 'Who did it.',
      resolve: (event, _, ctx) => userOf(ctx, event),
    }),
    number: t.exposeInt('playNo'),
    eventType: t.exposeString('eventType', { description: 'What they did.' }),
    points: t.exposeInt('points', { description: 'What it was worth by itself.' }),
    isDrawn: t.exposeBoolean('drawn'),
    instantWin: t.field({
      type: InstantWinRef,
      nullable: true,
      description: 'The prize that it won.',
      resolve: ({ id, drawn }, _, ctx) => (drawn ? ctx.read(findInstantWins, id) : null),
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it was recorded.' }),
  }),
})

const DrawRef = builder.objectRef<InstantWinDraw>('InstantWinDraw').implement({
  description: 'What chance made of an event.',
  fields: (t) => ({
    isWon: t.boolean({
      description: 'Whether it won a prize.',
      resolve: ({ instantWin }) => instantWin !== null,
    }),
    instantWin: t.expose('instantWin', {
      type: InstantWinRef,
      nullable: true,
      description: 'The prize, if won.',
    }),
    winCode: t.exposeString('winCode', {
      nullable: true,
      description: 'The code to redeem, if won. It is shown only here.',
    }),
    message: t.exposeString('message', { description: 'The same in words.' }),
  }),
})

mutation('recordCampaignEvent', {
  description:
    'Records what a user did in a campaign: points by the rule of its type, and perhaps a prize. A win is announced as `campaign.instant_win_won`.',
  key: 'secret',
  input: RecordCampaignEvent,
  payload: {
    campaignEvent: { type: CampaignEventRef, description: 'The event.' },
    participant: { type: ParticipantRef, description: 'The participant, right after it.' },
    user: UserRef,
    draw: {
      type: DrawRef,
      nullable: true,
      description: 'What chance made of it; null where the campaign has no instant win.',
    },
    message: { type: 'String', description: 'The same in words.' },
  },
  errors: ['CAMPAIGN_NOT_ACTIVE', 'MAX_PLAYS_EXCEEDED', 'USER_NOT_FOUND'],
  resolve: async ({ campaign, user, ...event }, ctx, caller) =>
    ctx.write(recordCampaignEvents, {
      ...tenantOf(caller),
      ...event,
      slug: await slugOf(ctx, caller, campaign),
      userId: await externalIdOf(ctx, caller, user),
      pepper: ctx.pepper,
    }),
})
