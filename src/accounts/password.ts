import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { TesseraError } from '../core/errors.ts'

const derive = promisify(argon2)
const cost = { parallelism: 1, memory: 19_456, passes: 2, tagLength: 32 }

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** Passwords that are worked on at the same time: each takes 19 MB and one of four threads. */
const atOnce = 2
const maxWaiting = 100
const waiting: (() => void)[] = []
let underWay = 0

/**
 * Works on a password when it is its turn, so that a burst of sign-ins takes neither the memory nor the
 * threads of other requests.
 * @throws TesseraError OVERLOADED when too many wait
 */
export const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (underWay < atOnce) underWay++
  else {
    if (waiting.length >= maxWaiting) throw new TesseraError('OVERLOADED')
    // Whoever is done hands over its place.
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

/** A password as argon2id in PHC form, with a fresh salt. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  const message = Buffer.from(password)
  const tag = await inTurn(() => derive('argon2id', { message, nonce: salt, ...cost }))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

/** Whether a password is the one that was hashed. To be called `inTurn`. */
export const verifyPassword = async (password: string, hash: string): Promise<boolean> => {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phc.exec(hash) ?? []
  const expected = Buffer.from(tag, 'base64')
  if (expected.length === 0) return false
  const found = await derive('argon2id', {
    message: Buffer.from(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  })
  return timingSafeEqual(found, expected)
}
