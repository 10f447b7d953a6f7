import { builder } from '../kit/schema/builder.ts'
import { enumType } from '../kit/schema/input.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { query } from '../kit/schema/query.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { readPointPolicy, UpdatePointPolicy, updatePointPolicy } from './point-policy.ts'

const ShortfallPolicyRef = enumType(
  'ShortfallPolicy',
  'What a reversal does if the user has spent the points.',
  {
    REFUSE: 'It is refused: `INSUFFICIENT_POINTS`.',
    REPAY:
      'It takes what is there. The user owes the rest, which is taken once there are points again, by entries `shortfall_repaid`.',
  },
)

type Policy = Awaited<ReturnType<typeof readPointPolicy>>

const PointPolicyRef = builder.objectRef<Policy>('PointPolicy').implement({
  description: "How a partner's points behave in an environment.",
  fields: (t) => ({
    onShortfall: t.expose('onShortfall', {
      type: ShortfallPolicyRef,
      description: 'What a reversal does if the user has spent the points.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was set; null if it is the default.',
    }),
  }),
})

query('pointPolicy', {
  description: 'How your points behave.',
  key: 'secret',
  type: PointPolicyRef,
  resolve: (_, ctx, caller) => readPointPolicy({ tx: ctx.db }, caller),
})

mutation('updatePointPolicy', {
  description: 'Sets how your points behave from now on.',
  key: 'secret',
  right: 'POINTS_ADJUST',
  input: UpdatePointPolicy,
  payload: { pointPolicy: PointPolicyRef },
  errors: [],
  resolve: async (input, ctx) => ({ pointPolicy: await updatePointPolicy(ctx, input) }),
})

builder.prismaObjectField(UserRef, 'shortfall', (t) =>
  t.expose('shortfall', {
    type: 'SafeInt',
    description:
      'Points that reversals could not take, because they were spent. They are taken once there are points again.',
  }),
)
