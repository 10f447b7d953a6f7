import { randomBytes, randomInt } from 'node:crypto'

/** The only source of randomness. Tests pass in a seeded one. */
export type Random = {
  /** A whole number from 0 to `bound` − 1, each equally likely; `bound` up to 2^48 − 1. */
  int(bound: number): number
}

export const cryptoRandom: Random = { int: (bound) => (bound === 1 ? 0 : randomInt(bound)) }

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 32 random bytes as 43 characters of base62. */
export const randomSecret = (): string => {
  let number = BigInt(`0x${randomBytes(32).toString('hex')}`)
  let text = ''
  for (let i = 0; i < 43; i++) {
    text += base62[Number(number % 62n)]
    number /= 62n
  }
  return text
}
