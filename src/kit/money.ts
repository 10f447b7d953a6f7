/** The only currency. */
export const currency = 'USD'

export type Money<N extends number | bigint = number | bigint> = {
  amountCents: N
  currency: typeof currency
}

/** An amount in cents. */
export const usd = <N extends number | bigint>(amountCents: N): Money<N> => ({
  amountCents,
  currency,
})
