import { builder } from '../core/graphql/builder.ts'
import { ErrorCodeRef } from '../core/graphql/error-types.ts'
import { enumType } from '../core/graphql/input.ts'
import { isOwn } from '../core/graphql/owner.ts'
import { query } from '../core/graphql/query.ts'
import { CampaignRef } from './campaign.graphql.ts'
import type { FullCampaign } from './campaign.ts'
import { PrizeTierRef } from './campaign-mechanics.graphql.ts'
import {
  type SimulatedEvent,
  SimulatedEventKey,
  type SimulatedMechanic,
  type SimulatedPrize,
  simulateEvent,
} from './simulation.ts'

const MechanicRef = enumType('CampaignMechanic', 'A mechanic of a campaign.', {
  POINTS: 'Points by event type.',
  WALLET: 'Points of the campaign go to the wallet, too.',
  INSTANT_WIN: 'A prize by chance.',
  REFERRAL: 'Referral rewards.',
  CODE: 'Points for codes.',
})

const FiringRef = enumType('MechanicFiring', 'Whether a mechanic would fire.', {
  FIRES: 'It would.',
  MAY_FIRE: 'Chance would decide.',
  DOES_NOT_FIRE: 'It would not.',
})

const SimulatedMechanicRef = builder.objectRef<SimulatedMechanic>('SimulatedMechanic').implement({
  description: 'What a mechanic would do, and why.',
  fields: (t) => ({
    mechanic: t.expose('mechanic', { type: MechanicRef, description: 'Which one.' }),
    firing: t.expose('firing', { type: FiringRef, description: 'Whether it would fire.' }),
    reason: t.exposeString('reason', { description: 'Why, in words.' }),
  }),
})

const SimulatedPrizeRef = builder.objectRef<SimulatedPrize>('SimulatedPrize').implement({
  description: 'A prize, and the chance of the event to win it.',
  fields: (t) => ({
    prizeTier: t.expose('tier', { type: PrizeTierRef, description: 'The prize.' }),
    winRate: t.exposeFloat('winRate', { description: '0 to 1, with the stock of now.' }),
  }),
})

const SimulatedEventRef = builder.objectRef<SimulatedEvent>('SimulatedCampaignEvent').implement({
  description: 'What an event would do.',
  fields: (t) => ({
    occursAt: t.expose('occursAt', { type: 'DateTime', description: 'When it would happen.' }),
    refusal: t.expose('refusal', {
      type: ErrorCodeRef,
      nullable: true,
      description: 'The error that it would be answered with; null where it would be recorded.',
    }),
    points: t.exposeInt('points', { description: 'What the event would be worth.' }),
    campaignPoints: t.expose('campaignPoints', {
      type: 'SafeInt',
      description: 'Points of the user in the campaign right after.',
    }),
    eventCount: t.exposeInt('eventCount', { description: 'Events of this user so far.' }),
    eventsLeft: t.exposeInt('eventsLeft', {
      nullable: true,
      description: 'Events this user had left before this one; null for no limit.',
    }),
    mechanics: t.expose('mechanics', {
      type: [SimulatedMechanicRef],
      description: 'Each mechanic, and why it would fire or not.',
    }),
    prizes: t.expose('prizes', {
      type: [SimulatedPrizeRef],
      description: 'Each prize of the instant win; empty where there is none.',
    }),
  }),
})

query([CampaignRef, 'simulatedEvent'], {
  description:
    'What an event would do at a time, with the reason for each mechanic that would not fire. Writes nothing. Null to others than the owner.',
  args: SimulatedEventKey,
  type: SimulatedEventRef,
  nullable: true,
  resolve: (args, ctx, _, campaign) =>
    isOwn(ctx, campaign) ? simulateEvent(ctx, campaign as FullCampaign, args) : null,
})
