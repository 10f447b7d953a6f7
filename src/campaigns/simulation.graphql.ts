import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { enumType, inputType } from '../core/graphql/input.ts'
import { tenantOf } from '../core/tenant.ts'
import { check } from '../core/validation.ts'
import {
  SimulateCampaignEvent,
  type SimulatedEvent,
  type SimulatedMechanic,
  type SimulatedPrize,
  simulateCampaignEvent,
} from './simulation.ts'

const MechanicRef = enumType('CampaignMechanic', 'Something that a campaign does.', {
  POINTS: 'Points by event type.',
  WALLET: 'Points of the campaign go to the wallet, too.',
  INSTANT_WIN: 'A prize by chance.',
  REFERRAL: 'Rewards for bringing users.',
  CODE: 'Points for codes.',
})

const FiringRef = enumType('MechanicFiring', 'Whether a mechanic would do something.', {
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
    name: t.exposeString('name', { description: 'The prize in words.' }),
    points: t.exposeInt('points', { description: 'What redeeming it would pay.' }),
    remaining: t.exposeInt('remaining', { description: 'How often it can still be won.' }),
    chance: t.exposeFloat('chance', { description: 'From 0 to 1, with the stock of now.' }),
  }),
})

const SimulatedEventRef = builder.objectRef<SimulatedEvent>('SimulatedCampaignEvent').implement({
  description: 'What an event would do.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
    accepted: t.exposeBoolean('accepted', { description: 'Whether it would be recorded.' }),
    refusal: t.exposeString('refusal', {
      nullable: true,
      description: 'Code of the error that it would be answered with, if any.',
    }),
    pointsEarned: t.exposeInt('pointsEarned', { description: 'What the event would be worth.' }),
    totalPoints: t.expose('totalPoints', {
      type: 'SafeInt',
      description: "The participant's total right after.",
    }),
    plays: t.exposeInt('plays', { description: 'Events of this user so far.' }),
    playsLeft: t.exposeInt('playsLeft', {
      nullable: true,
      description: 'Events left to this user before this one; null for no limit.',
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

builder.queryField('simulateCampaignEvent', (t) =>
  t.field({
    type: SimulatedEventRef,
    description:
      'What an event would do at a time, with the reason for each mechanic that would not fire. Writes nothing. Errors VALIDATION_FAILED, CAMPAIGN_NOT_FOUND.',
    authScopes: { key: 'secret' },
    args: {
      input: t.arg({
        type: inputType('SimulateCampaignEventInput', SimulateCampaignEvent),
        required: true,
        description: 'The event.',
      }),
    },
    resolve: (_, { input }, ctx) =>
      simulateCampaignEvent(ctx, {
        ...tenantOf(requireCaller(ctx, 'secret')),
        ...check(SimulateCampaignEvent, input),
      }),
  }),
)
