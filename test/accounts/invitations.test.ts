/**
 * Invitations of members by link. Neighbours that were looked for: replacing and revoking an invitation, and the role,
 * password, second factor and deletion of an OWNER.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let now = Date.now()
let world: World
let owner: string
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
  owner = await world.signInAs('OWNER')
})
afterAll(() => world.end())

const password = 'a password of my own'
const anyone = {}

const send = async (name: string, fields: string, input: object, by: object) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const document = `mutation ($input: ${Name}Input!) { ${name}(input: $input) {
    ... on ${Name}Payload { ${fields} } ... on Error { code } } }`
  const { body } = await world.graphql(document, { input }, by)
  return body.data?.[name] ?? { code: body.errors[0].extensions.code }
}

const address = () => `${randomUUID()}@example.com`

const invite = (email: string, role = 'EDITOR', bearer = owner) =>
  send(
    'inviteMember',
    'link invitation { uuid email role acceptedAt }',
    { email, role },
    { bearer },
  )

const revoke = (invitationId: string, bearer = owner) =>
  send('revokeInvitation', 'invitation { revokedAt }', { invitationId }, { bearer })

const tokenOf = ({ link }: { link: string }) => link.split('#token=')[1] as string

const accept = (token: string) =>
  send('acceptInvitation', 'member { email role partner { uuid } }', { token, password }, anyone)

const logIn = (email: string) => world.post('/dashboard/auth/login', undefined, { email, password })

test('an invited person sets a password and signs in with the role of the invitation', async () => {
  const email = address()
  const made = await invite(email.toUpperCase(), 'ANALYST')
  expect(made.link).toMatch(/\/console\/invitation#token=[0-9A-Za-z]{43}$/)
  expect((await logIn(email)).status).toBe(401)
  const { partnerId } = world.partner
  expect(await accept(tokenOf(made))).toEqual({
    member: { email, role: 'ANALYST', partner: { uuid: partnerId } },
  })
  expect((await logIn(email)).status).toBe(200)
  expect(await invite(email)).toEqual({ code: 'EMAIL_TAKEN' })
  const rows = await world.runtime.db.invitation.findMany({ where: { email } })
  expect(JSON.stringify(rows)).not.toContain(tokenOf(made))
})

const look = async (token: string) => {
  const document = `query ($token: String!) { publicInvitation(token: $token) {
    partnerName invitedBy email role expiresAt } }`
  const { body } = await world.graphql(document, { token }, anyone)
  return body.data.publicInvitation
}

test('the holder of a link sees the partner, the inviter, the role and the address, until it is accepted', async () => {
  const { partnerId } = world.partner
  const { name } = await world.runtime.db.partner.findUniqueOrThrow({ where: { id: partnerId } })
  const email = address()
  const made = await invite(email, 'ANALYST')
  const { body } = await world.get('/dashboard/auth/me', owner)
  expect(await look(tokenOf(made))).toEqual({
    partnerName: name,
    invitedBy: body.data.email,
    email,
    role: 'ANALYST',
    expiresAt: new Date(now + 7 * 24 * 3600 * 1000).toISOString(),
  })
  await accept(tokenOf(made))
  expect(await look(tokenOf(made))).toBeNull()
})

test('a link that is unknown, revoked, replaced or expired, or of a closed partner, shows nothing', async () => {
  expect(await look('x'.repeat(43))).toBeNull()
  const revoked = await invite(address())
  await revoke(revoked.invitation.uuid)
  expect(await look(tokenOf(revoked))).toBeNull()
  const email = address()
  const replaced = await invite(email)
  const renewed = await invite(email)
  expect(await look(tokenOf(replaced))).toBeNull()
  expect(await look(tokenOf(renewed))).toMatchObject({ email })
  const { partnerId } = await world.createPartner()
  const closed = await invite(address(), 'EDITOR', await world.signInAs('OWNER', partnerId))
  const close = (closedAt: Date | null) =>
    world.runtime.db.partner.update({ where: { id: partnerId }, data: { closedAt } })
  await close(new Date(now))
  expect(await look(tokenOf(closed))).toBeNull()
  await close(null)
  const gone = await world.signInAs('OWNER', partnerId)
  const orphan = await invite(address(), 'EDITOR', gone)
  await world.runtime.db.invitation.updateMany({ data: { invitedById: randomUUID() } })
  expect(await look(tokenOf(orphan))).toMatchObject({ invitedBy: null, role: 'EDITOR' })
  const before = now
  now += 7 * 24 * 3600 * 1000
  expect(await look(tokenOf(renewed))).toBeNull()
  now = before
})

test('only an operator invites to another partner, which must be open', async () => {
  const { partnerId } = await world.createPartner()
  const to = (bearer: string, partner: object) =>
    send(
      'inviteMember',
      'link invitation { role }',
      { email: address(), role: 'OWNER', partner },
      { bearer },
    )
  expect(await to(owner, { id: partnerId })).toEqual({ code: 'ADMIN_REQUIRED' })
  expect(await to(owner, { slug: 'no-such-partner' })).toEqual({ code: 'ADMIN_REQUIRED' })
  const operator = await world.signInAs('OPERATOR')
  expect(await to(operator, { slug: 'no-such-partner' })).toEqual({ code: 'PARTNER_UNKNOWN' })
  const made = await to(operator, { id: partnerId })
  expect((await accept(tokenOf(made))).member).toMatchObject({
    role: 'OWNER',
    partner: { uuid: partnerId },
  })
  const closedAt = new Date(now)
  await world.runtime.db.partner.update({ where: { id: partnerId }, data: { closedAt } })
  expect(await to(operator, { id: partnerId })).toEqual({ code: 'PARTNER_UNKNOWN' })
})

test('an invitation is accepted once, even by ten simultaneous calls', async () => {
  const made = await invite(address())
  const answers = await Promise.all(Array.from({ length: 10 }, () => accept(tokenOf(made))))
  expect(answers.filter(({ member }) => member)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'INVITATION_ACCEPTED')).toHaveLength(9)
  expect(await accept(tokenOf(made))).toEqual({ code: 'INVITATION_ACCEPTED' })
  expect(await revoke(made.invitation.uuid)).toEqual({ code: 'INVITATION_ACCEPTED' })
})

test('an unknown, a revoked, a replaced and an expired link are refused', async () => {
  const refused = { code: 'INVALID_INVITATION' }
  expect(await accept('x'.repeat(43))).toEqual(refused)
  const revoked = await invite(address())
  expect((await revoke(revoked.invitation.uuid)).invitation.revokedAt).not.toBeNull()
  expect(await accept(tokenOf(revoked))).toEqual(refused)
  const email = address()
  const first = await invite(email)
  const second = await invite(email, 'ADMIN')
  expect(second.invitation.uuid).toBe(first.invitation.uuid)
  expect(await accept(tokenOf(first))).toEqual(refused)
  expect((await accept(tokenOf(second))).member.role).toBe('ADMIN')
  const late = await invite(address())
  now += 7 * 24 * 3600 * 1000
  expect(await accept(tokenOf(late))).toEqual(refused)
  owner = await world.signInAs('OWNER')
})

test('a password that is too short does not use up the link', async () => {
  const made = await invite(address())
  const input = { token: tokenOf(made), password: 'short' }
  expect(await send('acceptInvitation', 'member { role }', input, anyone)).toEqual({
    code: 'VALIDATION_FAILED',
  })
  expect((await accept(tokenOf(made))).member.role).toBe('EDITOR')
})

test('inviting requires the right to change members, and only an OWNER can invite an OWNER', async () => {
  for (const role of ['EDITOR', 'ANALYST', 'DEVELOPER'] as const)
    expect(await invite(address(), 'ANALYST', await world.signInAs(role))).toEqual({
      code: 'RIGHT_REQUIRED',
    })
  const admin = await world.signInAs('ADMIN')
  expect(await invite(address(), 'OWNER', admin)).toEqual({ code: 'RIGHT_REQUIRED' })
  expect((await invite(address(), 'ADMIN', admin)).invitation.role).toBe('ADMIN')
  expect((await invite(address(), 'OWNER')).invitation.role).toBe('OWNER')
})

test('only an OWNER can replace or revoke the open invitation of an OWNER', async () => {
  const admin = await world.signInAs('ADMIN')
  const refused = { code: 'RIGHT_REQUIRED' }
  const email = address()
  const made = await invite(email, 'OWNER')
  expect(await invite(email, 'EDITOR', admin)).toEqual(refused)
  expect(await invite(email, 'OWNER', admin)).toEqual(refused)
  expect(await revoke(made.invitation.uuid, admin)).toEqual(refused)
  const renewed = await invite(email, 'OWNER')
  expect((await accept(tokenOf(renewed))).member.role).toBe('OWNER')
  // An admin still replaces and revokes others, and those of owners that no longer work.
  const other = await invite(address(), 'ADMIN')
  expect((await revoke(other.invitation.uuid, admin)).invitation.revokedAt).not.toBeNull()
  const late = address()
  const revoked = await invite(late, 'OWNER')
  expect((await revoke(revoked.invitation.uuid)).invitation.revokedAt).not.toBeNull()
  expect((await revoke(revoked.invitation.uuid, admin)).invitation.revokedAt).not.toBeNull()
  expect((await invite(late, 'EDITOR', admin)).invitation.role).toBe('EDITOR')
})

test('an ADMIN changes an OWNER in no other way either: role, password, second factor, deletion', async () => {
  const admin = await world.signInAs('ADMIN')
  const { body } = await world.get('/dashboard/auth/me', owner)
  const memberId = body.data.id
  const ask = (name: string, input: object) =>
    send(name, '__typename', { memberId, ...input }, { bearer: admin })
  for (const [name, input] of [
    ['updateMember', { role: 'EDITOR' }],
    ['updateMember', { password: 'a password of my own' }],
    ['updateMember', { removeSecondFactor: true }],
    ['createPasswordResetLink', {}],
    ['deleteMember', {}],
  ] as const)
    expect(await ask(name, input), name).toEqual({ code: 'RIGHT_REQUIRED' })
})

test('invitations of another partner are not listed and cannot be revoked', async () => {
  const made = await invite(address())
  const { partnerId } = await world.createPartner()
  const stranger = await world.signInAs('OWNER', partnerId)
  expect(await revoke(made.invitation.uuid, stranger)).toEqual({ code: 'INVITATION_NOT_FOUND' })
  const list = async (bearer: string) => {
    const document = '{ invitations(first: 100, filter: { isOpen: true }) { nodes { uuid } } }'
    const { body } = await world.graphql(document, {}, { bearer })
    return body.data.invitations.nodes.map(({ uuid }: { uuid: string }) => uuid)
  }
  expect(await list(owner)).toContain(made.invitation.uuid)
  expect(await list(stranger)).toEqual([])
})

test('while the partner is closed, an invitation waits', async () => {
  const { partnerId } = await world.createPartner()
  const made = await invite(address(), 'EDITOR', await world.signInAs('OWNER', partnerId))
  const set = (closedAt: Date | null) =>
    world.runtime.db.partner.update({ where: { id: partnerId }, data: { closedAt } })
  await set(new Date(now))
  expect(await accept(tokenOf(made))).toEqual({ code: 'PARTNER_NOT_FOUND' })
  await set(null)
  expect((await accept(tokenOf(made))).member.partner.uuid).toBe(partnerId)
})
