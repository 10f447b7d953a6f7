import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { TesseraError } from '../kit/errors.ts'

const derive = promisify(argon2)
const cost = { parallelism: 1, memory: 19_456, passes: 2, tagLength: 32 }

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** The number of passwords hashed at the same time. Each takes 19 MB and one of four threads. */
const atOnce = 2
const maxWaiting = 100
const waiting: (() => void)[] = []
let underWay = 0

/**
 * Waits for a turn to hash a password, so that a burst of sign-ins does not take the memory and the threads of other
 * requests.
 * @throws TesseraError OVERLOADED if too many are waiting
 */
export const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (underWay < atOnce) underWay++
  else {
    if (waiting.length >= maxWaiting) throw new TesseraError('OVERLOADED')
    // A finished caller hands over its place.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else underWay--
  }
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

/** Hashes a password with argon2id in PHC form, with a new salt or the salt of another hash. */
export const hashPassword = async (password: string, like?: string): Promise<string> => {
  const [, , , , known] = like ? (phc.exec(like) ?? []) : []
  const salt = known ? Buffer.from(known, 'base64') : randomBytes(16)
  const message = Buffer.from(password)
  const tag = await inTurn(() => derive('argon2id', { message, nonce: salt, ...cost }))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`
}

/**
 * Returns for each hash whether it matches a password. Hashes with the same salt share one derivation. Must run within
 * `inTurn`.
 */
export const matchPassword = (password: string, hashes: string[]): Promise<boolean[]> => {
  const derived = new Map<string, Promise<Buffer>>()
  return Promise.all(
    hashes.map(async (hash) => {
      const [, memory, passes, parallelism, salt = '', tag = ''] = phc.exec(hash) ?? []
      const expected = Buffer.from(tag, 'base64')
      if (expected.length === 0) return false
      const way = hash.slice(0, hash.lastIndexOf('$'))
      const found =
        derived.get(way) ??
        derive('argon2id', {
          message: Buffer.from(password),
          nonce: Buffer.from(salt, 'base64'),
          memory: Number(memory),
          passes: Number(passes),
          parallelism: Number(parallelism),
          tagLength: expected.length,
        })
      derived.set(way, found)
      return timingSafeEqual(await found, expected)
    }),
  )
}
