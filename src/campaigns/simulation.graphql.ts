import { builder } from '../kit/schema/builder.ts'
import { ErrorCodeRef } from '../kit/schema/error-types.ts'
import { enumType } from '../kit/schema/input.ts'
import { query } from '../kit/schema/query.ts'
import { CampaignRef, PrizeTierRef } from './campaign.graphql.ts'
import type { FullCampaign } from './campaign.ts'
import {
  type SimulatedEvent,
  SimulatedEventKey,
  type SimulatedMechanic,
  type SimulatedPrize,
  simulateEvent,
} from './simulation.ts'

const MechanicRef = enumType('CampaignMechanic', 'A mechanic of a campaign.', {
  POINTS: 'Points by event type.',
  WALLET: 'Points of the campaign are also credited to the wallet.',
  INSTANT_WIN: 'A prize by chance.',
  REFERRAL: 'Points for both users of a referral.',
  CODE: 'Points for codes that users redeem.',
})

const FiringRef = enumType('MechanicFiring', 'Whether a mechanic would fire.', {
  FIRES: 'It would certainly fire.',
  MAY_FIRE: 'It depends on chance.',
  DOES_NOT_FIRE: 'It would not fire.',
})

const SimulatedMechanicRef = builder.objectRef<SimulatedMechanic>('SimulatedMechanic').implement({
  description: 'What a mechanic would do, and why.',
  fields: (t) => ({
    mechanic: t.expose('mechanic', {
      type: MechanicRef,
      description: 'The mechanic that `firing` is about.',
    }),
    firing: t.expose('firing', { type: FiringRef, description: 'Whether it would fire.' }),
    reason: t.exposeString('reason', { description: 'Why it would fire or not, in English.' }),
  }),
})

const SimulatedPrizeRef = builder.objectRef<SimulatedPrize>('SimulatedPrize').implement({
  description: 'A prize, and the chance that the event wins it.',
  fields: (t) => ({
    prizeTier: t.expose('tier', { type: PrizeTierRef, description: 'The prize that may be won.' }),
    winRate: t.exposeFloat('winRate', {
      description: 'The chance, 0 to 1, with the current stock.',
    }),
  }),
})

const SimulatedEventRef = builder.objectRef<SimulatedEvent>('SimulatedCampaignEvent').implement({
  description: 'What an event would do.',
  fields: (t) => ({
    asIfActive: t.exposeBoolean('asIfActive', {
      description: 'Whether the campaign is a draft and was looked at as if it was started.',
    }),
    occursAt: t.expose('occursAt', { type: 'DateTime', description: 'When it would happen.' }),
    refusal: t.expose('refusal', {
      type: ErrorCodeRef,
      nullable: true,
      description: 'The error that the event would get; null if it would be recorded.',
    }),
    points: t.exposeInt('points', { description: 'Points that the event would earn.' }),
    campaignPoints: t.expose('campaignPoints', {
      type: 'SafeInt',
      description: "The user's points in the campaign after the event.",
    }),
    eventCount: t.exposeInt('eventCount', {
      description: "The user's number of events before this one.",
    }),
    eventsLeft: t.exposeInt('eventsLeft', {
      nullable: true,
      description: "The user's events left before this one; null for no limit.",
    }),
    mechanics: t.expose('mechanics', {
      type: [SimulatedMechanicRef],
      description: 'Each mechanic, and why it would or would not fire.',
    }),
    prizes: t.expose('prizes', {
      type: [SimulatedPrizeRef],
      description: 'The prizes of the instant win; empty if there is none.',
    }),
  }),
})

query([CampaignRef, 'simulatedEvent'], {
  description:
    'Simulates an event: what it would do, and why each mechanic would or would not fire. A draft is looked at as if it was started. Writes nothing.',
  args: SimulatedEventKey,
  type: SimulatedEventRef,
  needsRead: true,
  resolve: (args, ctx, _, campaign) => simulateEvent(ctx, campaign as FullCampaign, args),
})
