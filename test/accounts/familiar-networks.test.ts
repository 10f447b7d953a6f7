/**
 * A network is familiar to the member who signed in from it, not to others with the same e-mail address. Neighbours
 * that were looked for: sign-ins by password and by code.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/password.ts'
import { codeAt, stepAt } from '../../src/accounts/totp.ts'
import { macOf } from '../../src/kit/security/seal.ts'
import { createWorld, type World } from '../world.ts'

let now = Date.now()
let world: World
beforeAll(async () => {
  world = await createWorld({
    clock: () => new Date(now),
    config: { trustProxy: ['127.0.0.0/8'] },
  })
})
afterAll(() => world.end())

const logIn = async (email: string, password: string, ip: string, code?: string) => {
  const { status, body } = await world.post(
    '/dashboard/auth/login',
    undefined,
    { email, password, ...(code && { code }) },
    { 'x-forwarded-for': ip },
  )
  return status === 200 ? (body.data.accessToken as string) : (body.errorCode as string)
}

const createMember = async (email: string, password: string, partnerId: string) => {
  const id = randomUUID()
  const passwordHash = await hashPassword(password)
  await world.runtime.db.member.create({
    data: { id, partnerId, email, passwordHash, role: 'EDITOR' },
  })
  return id
}

/** A member here and one at another partner with the same address, each with a network of their own. */
const createNamesakes = async () => {
  const email = `${randomUUID()}@example.com`
  const id = await createMember(email, 'the password here', world.partner.partnerId)
  const { partnerId } = await world.createPartner()
  await createMember(email, 'the password there', partnerId)
  const current = await logIn(email, 'the password here', '192.0.2.1')
  expect(await logIn(email, 'the password there', '198.51.100.1')).toMatch(/^ey/)
  return { email, id, here: current }
}

/** Counts as many guesses as strangers have in an hour. */
const useUpGuesses = (account: string) => {
  const counted = { tries: 100, since: new Date(now) }
  return world.runtime.db.throttle.upsert({
    where: { key: account },
    create: { key: account, ...counted },
    update: counted,
  })
}

const send = async (bearer: string, name: string, fields: string, input: object) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const document = `mutation ($input: ${Name}Input!) { ${name}(input: $input) {
    ... on ${Name}Payload { ${fields} } } }`
  return (await world.graphql(document, { input }, { bearer })).body.data[name]
}

test('a sign-in at another partner does not skip the limit of strangers for codes', async () => {
  const { email, id, here: current } = await createNamesakes()
  const currentPassword = 'the password here'
  const { secret } = await send(current, 'startTotp', 'secret', { currentPassword })
  const code = () => codeAt(secret, stepAt(new Date(now)))
  await send(current, 'confirmTotp', 'recoveryCodes', { code: code() })
  await useUpGuesses(`second factor ${id}`)
  now += 30_000
  expect(await logIn(email, 'the password here', '198.51.100.1', code())).toBe('ACCOUNT_LOCKED')
  expect(await logIn(email, 'the password here', '192.0.2.1', code())).toMatch(/^ey/)
})

test('a sign-in at another partner does not skip the limit of strangers for passwords', async () => {
  const { email } = await createNamesakes()
  const { pepper } = world.runtime.keys
  await useUpGuesses(`password ${macOf(pepper, 'password-lock', email).toString('base64url')}`)
  // Each network reaches its own member only, and an unknown one reaches nobody.
  expect(await logIn(email, 'the password here', '198.51.100.1')).toBe('INVALID_CREDENTIALS')
  expect(await logIn(email, 'the password there', '192.0.2.1')).toBe('INVALID_CREDENTIALS')
  expect(await logIn(email, 'the password here', '203.0.113.1')).toBe('ACCOUNT_LOCKED')
  expect(await logIn(email, 'the password here', '192.0.2.1')).toMatch(/^ey/)
  expect(await logIn(email, 'the password there', '198.51.100.1')).toMatch(/^ey/)
})
