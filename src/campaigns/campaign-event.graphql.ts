import { z } from 'zod'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { among, isEmpty, Period, someEventTypes, within } from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { rows } from '../kit/schema/rows.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf, rowsOfUser, UserBy, userOf } from '../users/end-user.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { campaignOf, slugOf } from './campaign.ts'
import { type InstantWinDraw, RecordCampaignEvent, recordCampaignEvents } from './campaign-event.ts'
import { InstantWinRef } from './instant-win.graphql.ts'
import { findInstantWins } from './instant-win.ts'
import { changedParticipant } from './participant.graphql.ts'

const CampaignEventRef = builder.prismaNode('CampaignEvent', {
  description: 'An action of a user in a campaign.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret'),
  fields: (t) => ({
    campaign: t.field({
      type: CampaignRef,
      description: 'The campaign in which it was recorded.',
      resolve: (event, _, ctx) => campaignOf(ctx, event),
    }),
    user: t.field({
      type: UserRef,
      description: 'The user who did it.',
      resolve: (event, _, ctx) => userOf(ctx, event),
    }),
    number: t.exposeInt('playNo'),
    eventType: t.exposeString('eventType', { description: 'What the user did.' }),
    points: t.exposeInt('points', { description: 'Points for this event.' }),
    isDrawn: t.exposeBoolean('drawn'),
    instantWin: t.field({
      type: InstantWinRef,
      nullable: true,
      description: 'The prize that it won; null if none.',
      resolve: ({ id, drawn }, _, ctx) => (drawn ? load(ctx, findInstantWins, id) : null),
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it was recorded.' }),
  }),
})

const findEventParts = (work: Work, requested: PartOf[]) =>
  findRowParts(
    work,
    { model: 'CampaignEvent', parent: 'campaign_id', by: { id: 'uuid' } },
    requested,
  )

const CampaignEventFilter = z
  .object({
    user: UserBy.nullish().describe('Only events of this user. None if there is no such user.'),
    eventTypes: someEventTypes().nullish().describe('Only events of these types. Requires `user`.'),
    occurredAt: Period.nullish().describe('Only events in this period. Requires `user`.'),
  })
  .superRefine(({ user, ...others }, ctx) => {
    // Only the events of one user have an index that bounds what these read.
    const other = Object.entries(others).find(([, value]) => value != null)
    if (user == null && other)
      ctx.addIssue({ code: 'custom', path: [other[0]], message: 'needs filter.user' })
  })
  .describe('Filters the events of a campaign.')

list([CampaignRef, 'events'], {
  description: 'What users did in this campaign, newest first.',
  of: CampaignEventRef,
  filter: CampaignEventFilter,
  orders: { OCCURRED_AT: { by: ['id'], description: 'By time of occurrence.' } },
  order: ['OCCURRED_AT', 'DESC'],
  needsRead: true,
  from: async ({ parent: campaign, filter, order, ctx }) => {
    const chosen = {
      ...(await rowsOfUser(ctx, campaign, filter.user)),
      ...among({ eventType: filter.eventTypes }),
      ...within({ occurredAt: filter.occurredAt }),
    }
    const source = rows(ofTenant(ctx.db, campaign).campaignEvent, {
      where: { campaignId: campaign.id, ...chosen },
      order,
      counting: 'AT_LEAST',
    })
    if (!isEmpty(chosen)) return source
    return batched(source, { parentId: campaign.id, order }, (part) =>
      load(ctx, findEventParts, part),
    )
  },
})

const DrawRef = builder.objectRef<InstantWinDraw>('InstantWinDraw').implement({
  description: 'The outcome of an instant win.',
  fields: (t) => ({
    isWon: t.boolean({
      description: 'Whether it won a prize.',
      resolve: ({ instantWin }) => instantWin !== null,
    }),
    instantWin: t.expose('instantWin', {
      type: InstantWinRef,
      nullable: true,
      description: 'The prize; null if it won nothing.',
    }),
    winCode: t.exposeString('winCode', {
      nullable: true,
      description: 'The code to redeem, if it won. Shown only here.',
    }),
  }),
})

mutation('recordCampaignEvent', {
  description:
    'Records an action of a user in a campaign. It earns the points of its event type, and may win a prize. A win emits `campaign.instant_win_won`.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: RecordCampaignEvent,
  payload: {
    campaignEvent: { type: CampaignEventRef, description: 'The event as it was recorded.' },
    ...changedParticipant,
    instantWinDraw: {
      type: DrawRef,
      nullable: true,
      description: 'The outcome of the instant win; null if the campaign has none.',
    },
  },
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_NOT_ACTIVE',
    'MAX_PLAYS_EXCEEDED',
    'USER_NOT_FOUND',
    'USER_BLOCKED',
  ],
  resolve: async ({ campaign, user, ...event }, ctx, caller) =>
    ctx.write(recordCampaignEvents, {
      ...event,
      slug: await slugOf(ctx, caller, campaign),
      externalId: await externalIdOf(ctx, caller, user),
    }),
})
