/** Amounts of money. */
import type { Money } from '../money.ts'
import { money } from '../validation.ts'
import { builder } from './builder.ts'
import { inputType } from './input.ts'

inputType('MoneyInput', money(0, Number.MAX_SAFE_INTEGER))

export const MoneyRef = builder.objectRef<Money>('Money').implement({
  description: 'An amount of money.',
  fields: (t) => ({
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description: 'In hundredths of the currency unit.',
    }),
    currency: t.exposeString('currency', {
      description: 'ISO 4217 code of the currency: always `USD`.',
    }),
  }),
})
