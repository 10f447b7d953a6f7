import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)
const cost = { parallelism: 1, memory: 19_456, passes: 2, tagLength: 32 }

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** A password as argon2id in PHC form, with a fresh salt. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  const tag = await derive('argon2id', { message: Buffer.from(password), nonce: salt, ...cost })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

/** Whether a password is the one that was hashed. */
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
