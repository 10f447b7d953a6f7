import { randomBytes, randomFillSync, randomInt } from 'node:crypto'
import { v7 } from 'uuid'

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

/** The random bytes of an id. */
const bytesOfId = 16
/** Random bytes for many ids, because drawing them costs more than the rest of an id. */
const drawn = new Uint8Array(256 * bytesOfId)
let used = drawn.length

const nextRandom = (): Uint8Array => {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += bytesOfId
  return drawn.subarray(used - bytesOfId, used)
}

let msecs = 0
let seq = 0

/** A UUID of version 7 for a row that is written often. Later ids of this process sort after earlier ones. */
export const newId = (): string => {
  const random = nextRandom()
  const now = Date.now()
  if (now > msecs) {
    msecs = now
    // 31 random bits, so that the counter does not overflow within a millisecond.
    seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
  } else seq++
  return v7({ msecs, seq, random })
}
