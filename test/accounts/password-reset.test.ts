/** New passwords by link: requested by mail, or created by somebody who may change the member. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sendMail } from '../../src/accounts/mail.jobs.ts'
import { hashPassword } from '../../src/accounts/password.ts'
import { codeAt, stepAt } from '../../src/accounts/totp.ts'
import type { MemberRole } from '../../src/generated/prisma/enums.ts'
import { createWorld, type World } from '../world.ts'
import { openMailbox, tokensOf } from './mailbox.ts'

let now = Date.now()
let world: World
let mailbox: Awaited<ReturnType<typeof openMailbox>>
const mail = { smtpUrl: '', from: 'no-reply@example.com' }

beforeAll(async () => {
  mailbox = await openMailbox()
  mail.smtpUrl = mailbox.url
  world = await createWorld({ clock: () => new Date(now), config: { mail } })
})
beforeEach(() => {
  mailbox.mails.length = 0
})
afterAll(async () => {
  await world.end()
  await mailbox.close()
})

const password = 'correct horse battery staple'
const newPassword = 'another horse in the stable'

const send = async (name: string, fields: string, input: object, by: object = {}) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const document = `mutation ($input: ${Name}Input!) { ${name}(input: $input) {
    ... on ${Name}Payload { ${fields} } ... on Error { code } } }`
  const { body } = await world.graphql(document, { input }, by)
  return body.data?.[name] ?? { code: body.errors[0].extensions.code }
}

const logIn = async (email: string, secret: string, code?: string) => {
  const input = { email, password: secret, ...(code && { code }) }
  return (await world.post('/dashboard/auth/login', undefined, input)).body
}

const createMember = async (
  role: MemberRole = 'EDITOR',
  { partnerId = world.partner.partnerId, email = `${randomUUID()}@example.com` } = {},
) => {
  const id = randomUUID()
  const passwordHash = await hashPassword(password)
  await world.runtime.db.member.create({ data: { id, partnerId, email, passwordHash, role } })
  return { id, email }
}

const request = (email: string) => send('requestPasswordReset', 'email', { email })
const reset = (token = '', more = {}) =>
  send('resetPassword', 'member { email }', { token, newPassword, ...more })

/** The tokens that are sent to an address. */
const ask = async (email: string) => {
  await request(email)
  mailbox.mails.length = 0
  await sendMail(world.runtime)
  return tokensOf(mailbox.mails)
}

const entriesOf = async (id: string) =>
  (
    await world.runtime.db.auditEntry.findMany({ where: { targetId: id }, orderBy: { id: 'asc' } })
  ).map(({ action, actorKind, refusal }) => [action, actorKind, refusal])

test('a forgotten password is replaced through a link, once, and all sign-ins end', async () => {
  const { id, email } = await createMember()
  const { accessToken: bearer } = (await logIn(email, password)).data
  const me = () => world.graphql('{ viewer { member { email } } }', {}, { bearer })
  expect((await me()).body.data.viewer.member.email).toBe(email)
  expect(await request(` ${email.toUpperCase()}`)).toEqual({ email })
  await sendMail(world.runtime)
  expect(mailbox.mails.map(({ to }) => to)).toEqual([[email]])
  expect(mailbox.mails[0]?.text).toContain(`${world.runtime.config.publicUrl}/console/reset#token=`)
  const [token = ''] = tokensOf(mailbox.mails)
  const rows = await world.runtime.db.passwordReset.findMany()
  expect(JSON.stringify(rows)).not.toContain(token)
  expect((await logIn(email, password)).data.accessToken).toBeDefined()
  expect(await reset(token)).toEqual({ member: { email } })
  expect((await me()).body.errors[0].extensions.code).toBe('INVALID_BEARER_TOKEN')
  expect((await logIn(email, password)).errorCode).toBe('INVALID_CREDENTIALS')
  expect((await logIn(email, newPassword)).data.accessToken).toBeDefined()
  expect(await reset(token)).toEqual({ code: 'INVALID_PASSWORD_RESET' })
  const entries = (await entriesOf(id)).filter(([action]) => String(action).includes('Password'))
  expect(entries).toEqual([
    ['requestPasswordReset', 'UNKNOWN', null],
    ['resetPassword', 'MEMBER', null],
  ])
})

test('for an unknown address the answer and the statements are the same, and nothing is sent', async () => {
  const { pool } = world.server.database
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  let texts: unknown[] = []
  pool.query = ((config: { text?: string }, ...more: unknown[]) => {
    texts.push(config.text ?? config)
    return query(config, ...more)
  }) as never
  /** The fewest statements of three tries, because background work adds some. */
  const statementsOf = async (email: string) => {
    const tries: unknown[][] = []
    for (let i = 0; i < 3; i++) {
      texts = []
      expect(await request(email)).toEqual({ email })
      tries.push(texts)
    }
    return tries.sort((a, b) => a.length - b.length)[0]
  }
  const { email } = await createMember()
  const ofMember = await statementsOf(email)
  expect(ofMember?.length).toBeGreaterThan(1)
  expect(await statementsOf(`${randomUUID()}@example.com`)).toEqual(ofMember)
  expect(await statementsOf('no address')).toEqual(ofMember)
  pool.query = query as never
  await sendMail(world.runtime)
  expect(mailbox.mails.map(({ to }) => to)).toEqual([[email], [email], [email]])
  expect(await world.runtime.db.mail.count()).toBe(0)
})

test('members of several partners with one address get a link each', async () => {
  const { email } = await createMember()
  const { partnerId } = await world.createPartner()
  await createMember('OWNER', { partnerId, email })
  const closed = await world.createPartner()
  await createMember('OWNER', { partnerId: closed.partnerId, email })
  await world.runtime.db.partner.update({
    where: { id: closed.partnerId },
    data: { closedAt: new Date(now) },
  })
  const tokens = await ask(email)
  expect(tokens).toHaveLength(2)
  for (const token of tokens) expect(await reset(token)).toEqual({ member: { email } })
})

test('of ten simultaneous uses of a link, one succeeds', async () => {
  const { email } = await createMember()
  const [token] = await ask(email)
  const answers = await Promise.all(Array.from({ length: 10 }, () => reset(token)))
  expect(answers.filter(({ member }) => member)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'INVALID_PASSWORD_RESET')).toHaveLength(9)
})

test('an unknown, a replaced and an expired link are refused, and so is one from before a new password', async () => {
  const refused = { code: 'INVALID_PASSWORD_RESET' }
  expect(await reset('x'.repeat(43))).toEqual(refused)
  const { email } = await createMember()
  const [first] = await ask(email)
  const [second] = await ask(email)
  expect(await reset(first)).toEqual(refused)
  const { accessToken: bearer } = (await logIn(email, password)).data
  const changed = { currentPassword: password, newPassword: 'one more horse for me' }
  expect(await send('changePassword', 'member { email }', changed, { bearer })).toEqual({
    member: { email },
  })
  expect(await reset(second)).toEqual(refused)
  const [third] = await ask(email)
  now += 3600_000
  expect(await reset(third)).toEqual(refused)
})

test('a link does not replace the second factor, and a wrong code does not use up the link', async () => {
  const { email, id } = await createMember()
  const { accessToken: bearer } = (await logIn(email, password)).data
  const { secret } = await send('startTotp', 'secret', { currentPassword: password }, { bearer })
  const codeOf = () => codeAt(secret, stepAt(new Date(now)))
  await send('confirmTotp', 'recoveryCodes', { code: codeOf() }, { bearer })
  now += 30_000
  const [token] = await ask(email)
  expect(await reset(token)).toEqual({ code: 'SECOND_FACTOR_REQUIRED' })
  expect(await reset(token, { code: '000000' })).toEqual({ code: 'INVALID_SECOND_FACTOR' })
  expect(await reset(token, { code: codeOf() })).toEqual({ member: { email } })
  expect((await logIn(email, newPassword)).errorCode).toBe('SECOND_FACTOR_REQUIRED')
  expect(await entriesOf(id)).toContainEqual(['resetPassword', 'UNKNOWN', 'INVALID_SECOND_FACTOR'])
})

test('a password that is too short, and a closed partner, do not use up the link', async () => {
  const { partnerId } = await world.createPartner()
  const { email } = await createMember('OWNER', { partnerId })
  const [token] = await ask(email)
  expect(await reset(token, { newPassword: 'short' })).toEqual({ code: 'VALIDATION_FAILED' })
  const close = (closedAt: Date | null) =>
    world.runtime.db.partner.update({ where: { id: partnerId }, data: { closedAt } })
  await close(new Date(now))
  expect(await reset(token)).toEqual({ code: 'PARTNER_NOT_FOUND' })
  await close(null)
  expect(await reset(token)).toEqual({ member: { email } })
})

test('requests are limited by address, whether there is a member or not', async () => {
  const { email } = await createMember()
  for (const item of [email, `${randomUUID()}@example.com`]) {
    for (let i = 0; i < 5; i++) expect(await request(item)).toEqual({ email: item })
    expect(await request(item)).toEqual({ code: 'RATE_LIMITED' })
  }
  now += 3600_000
  expect(await request(email)).toEqual({ email })
})

test('requests and uses are limited by network', async () => {
  const { config } = world.runtime
  const before = config.signInLimit
  config.signInLimit = 3
  now += 3600_000
  const nobody = () => `${randomUUID()}@example.com`
  for (let i = 0; i < 3; i++) {
    const email = nobody()
    expect(await request(email)).toEqual({ email })
  }
  expect(await request(nobody())).toEqual({ code: 'RATE_LIMITED' })
  for (let i = 0; i < 3; i++) expect(await reset('x')).toEqual({ code: 'INVALID_PASSWORD_RESET' })
  expect(await reset('x')).toEqual({ code: 'RATE_LIMITED' })
  config.signInLimit = before
})

test('without a mail server a request is refused, and nothing is written', async () => {
  const { config } = world.runtime
  config.mail = undefined
  const { email } = await createMember()
  expect(await request(email)).toEqual({ code: 'NO_MAIL' })
  expect(await world.runtime.db.mail.count({ where: { recipient: email } })).toBe(0)
  config.mail = mail
})

test('a link for a member is created by those who may change the member', async () => {
  const make = (memberId: string, bearer: string) =>
    send('createPasswordResetLink', 'link member { email }', { memberId }, { bearer })
  const [owner, admin, editor, operator] = [
    await world.signInAs('OWNER'),
    await world.signInAs('ADMIN'),
    await world.signInAs('EDITOR'),
    await world.signInAs('OPERATOR'),
  ]
  const { id, email } = await createMember()
  const other = await createMember('OWNER')
  expect(await make(id, editor)).toEqual({ code: 'RIGHT_REQUIRED' })
  expect(await make(other.id, admin)).toEqual({ code: 'RIGHT_REQUIRED' })
  const stranger = await world.signInAs('OWNER', (await world.createPartner()).partnerId)
  expect(await make(id, stranger)).toEqual({ code: 'MEMBER_NOT_FOUND' })
  const me = await world.graphql('{ viewer { member { uuid } } }', {}, { bearer: owner })
  expect(await make(me.body.data.viewer.member.uuid, owner)).toEqual({ code: 'OWN_PASSWORD' })
  for (const [by, target] of [
    [owner, other],
    [operator, other],
    [admin, { id, email }],
  ] as const) {
    const { link, member } = await make(target.id, by)
    expect(member.email).toBe(target.email)
    expect(link).toMatch(/\/console\/reset#token=[0-9A-Za-z]{43}$/)
    expect(await reset(link.split('#token=')[1])).toEqual({ member: { email: target.email } })
  }
  expect(await entriesOf(id)).toEqual([
    ['createPasswordResetLink', 'MEMBER', null],
    ['resetPassword', 'MEMBER', null],
  ])
})
