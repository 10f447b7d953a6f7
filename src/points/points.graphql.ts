import { builder } from '../core/builder.ts'
import { mutation } from '../core/mutation.ts'
import { tenantOf } from '../core/tenant.ts'
import { AwardPoints, awardPoints, type PointsAward } from './points.ts'

const AwardPointsPayload = builder.objectRef<PointsAward>('AwardPointsPayload').implement({
  description: 'Points that were awarded.',
  fields: (t) => ({
    ledgerId: t.exposeString('ledgerId', { description: 'UUID of the ledger entry.' }),
    userId: t.exposeString('userId', { description: "The partner's id of the user." }),
    eventType: t.exposeString('eventType', { description: 'The reward rule that was applied.' }),
    pointsAwarded: t.exposeInt('pointsAwarded', { description: 'As many as the rule says.' }),
    userBalance: t.expose('userBalance', {
      type: 'SafeInt',
      description: "The user's balance right after this award.",
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'The idempotency reference, if given.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was awarded.' }),
  }),
})

mutation('awardPoints', {
  description:
    'Awards a user the points of a reward rule, and makes the user if absent. Announced as `points.awarded`.',
  key: 'secret',
  input: AwardPoints,
  payload: AwardPointsPayload,
  errors: ['REWARD_RULE_NOT_FOUND', 'DUPLICATE_REFERENCE'],
  resolve: (input, ctx, caller) => ctx.write(awardPoints, { ...tenantOf(caller), ...input }),
})
