/** Amounts of money. */
import { builder } from './builder.ts'

type Money = { amountCents: number | bigint; currency: string }

export const MoneyRef = builder.objectRef<Money>('Money').implement({
  description: 'An amount of money.',
  fields: (t) => ({
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description: 'In hundredths of the currency unit.',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
  }),
})

/** An amount in cents of the only currency. */
export const usd = (amountCents: number | bigint): Money => ({ amountCents, currency: 'USD' })
