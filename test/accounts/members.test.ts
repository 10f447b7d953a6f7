import { randomUUID } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureAdmin } from '../../src/accounts/operator.ts'
import { type Answer, createDatabase, createWorld, type World } from '../world.ts'

let world: World
let developer: string
let admin: string
let otherPartnerId: string
beforeAll(async () => {
  world = await createWorld()
  developer = await world.signInAs('OWNER')
  admin = await world.signInAs('OPERATOR')
  otherPartnerId = (await world.createPartner()).partnerId
})
afterAll(() => world.end())

const password = 'correct horse battery'
const send = (method: string, path: string, key: string, body?: unknown) =>
  world.call(method, path, { key, ...(body !== undefined && { body }) })

const create = (by: string, body: object = {}) =>
  send('POST', '/dashboard/members', by, {
    email: `${randomUUID()}@example.com`,
    password,
    ...body,
  })

const change = (by: string, id: string, body: object) =>
  send('PATCH', `/dashboard/members/${id}`, by, body)

const remove = (by: string, id: string) => send('DELETE', `/dashboard/members/${id}`, by)

const logIn = (email: string, withPassword = password) =>
  world.post('/dashboard/auth/login', undefined, { email, password: withPassword })

const me = (token: string) => world.get('/dashboard/auth/me', token)
const idOf = async (token: string) => (await me(token)).body.data.id
const code = async (answer: Promise<Answer>) => (await answer).body.errorCode

describe('a developer', () => {
  test('creates a member of their partner, who signs in', async () => {
    const email = `${randomUUID()}@Example.com`
    const made = (await create(developer, { email })).body.data
    expect(made).toEqual({
      id: expect.any(String),
      email: email.toLowerCase(),
      role: 'DEVELOPER',
      partnerId: world.partner.partnerId,
      partnerName: expect.any(String),
      createdAt: expect.any(String),
    })
    expect((await logIn(email)).status).toBe(200)
    const { body } = await world.get('/dashboard/members?limit=100', developer)
    expect(body.data.map(({ id }: { id: string }) => id)).toContain(made.id)
    expect(body.meta.total).toBe(body.data.length)
    expect(JSON.stringify(body)).not.toMatch(/argon2|password/i)
  })

  test('can create neither an ADMIN nor a member of another partner, nor become ADMIN', async () => {
    for (const body of [{ role: 'ADMIN' }, { partnerId: otherPartnerId }])
      expect(await create(developer, body)).toMatchObject({
        status: 403,
        body: { message: 'Administrator role required' },
      })
    const own = await idOf(developer)
    expect(await code(change(developer, own, { role: 'ADMIN' }))).toBe('ADMIN_REQUIRED')
    const peer = (await create(developer)).body.data
    expect(await code(change(developer, peer.id, { role: 'ADMIN' }))).toBe('ADMIN_REQUIRED')
  })

  test('cannot change an ADMIN of the same partner', async () => {
    const id = await idOf(admin)
    expect(await code(change(developer, id, { password }))).toBe('ADMIN_REQUIRED')
    expect(await code(remove(developer, id))).toBe('ADMIN_REQUIRED')
    expect((await me(admin)).status).toBe(200)
  })

  test("gets the same error for another partner's member as for an unknown one", async () => {
    const stranger = (await create(admin, { partnerId: otherPartnerId })).body.data
    for (const id of [stranger.id, randomUUID(), 'x', '%E2%80%AE']) {
      expect(await code(change(developer, id, { password }))).toBe('MEMBER_NOT_FOUND')
      expect(await code(remove(developer, id))).toBe('MEMBER_NOT_FOUND')
    }
    const { body } = await world.get('/dashboard/members?limit=100', developer)
    expect(JSON.stringify(body)).not.toContain(stranger.email)
  })

  test('sets a new password for a peer, which ends their sign-ins', async () => {
    const peer = (await create(developer)).body.data
    const { accessToken, refreshToken } = (await logIn(peer.email)).body.data
    expect((await me(accessToken)).status).toBe(200)
    expect((await change(developer, peer.id, { password: 'another password' })).status).toBe(200)
    expect((await me(accessToken)).status).toBe(401)
    const refreshed = await world.post('/dashboard/auth/refresh', undefined, { refreshToken })
    expect(refreshed.status).toBe(401)
    expect((await logIn(peer.email)).status).toBe(401)
    expect((await logIn(peer.email, 'another password')).status).toBe(200)
  })

  test('removes a peer, whose sign-in ends at once, but not themselves', async () => {
    const peer = (await create(developer)).body.data
    const { accessToken } = (await logIn(peer.email)).body.data
    expect((await me(accessToken)).status).toBe(200)
    expect((await remove(developer, peer.id)).body.data.id).toBe(peer.id)
    expect((await me(accessToken)).status).toBe(401)
    expect((await logIn(peer.email)).status).toBe(401)
    expect(await remove(developer, await idOf(developer))).toMatchObject({
      status: 409,
      body: { errorCode: 'OWN_MEMBER' },
    })
  })

  test('changes their own password with the old one; other sign-ins end', async () => {
    const peer = (await create(developer)).body.data
    const [current, there] = [await logIn(peer.email), await logIn(peer.email)].map(
      ({ body }) => body.data.accessToken as string,
    ) as [string, string]
    const path = '/dashboard/auth/password'
    const newPassword = 'a brand new password'
    const wrong = { currentPassword: 'wrong', newPassword }
    expect((await send('POST', path, current, wrong)).body).toMatchObject({
      code: 400,
      errors: [{ field: 'currentPassword', message: 'currentPassword is wrong' }],
    })
    const right = { currentPassword: password, newPassword }
    expect((await send('POST', path, current, right)).status).toBe(200)
    expect((await me(current)).status).toBe(200)
    expect((await me(there)).status).toBe(401)
    expect((await logIn(peer.email, newPassword)).status).toBe(200)
  })

  test('a stolen token is not enough to take over an account or to guess its password', async () => {
    const peer = (await create(developer)).body.data
    const token = (await logIn(peer.email)).body.data.accessToken
    for (const id of [peer.id, peer.id.toUpperCase()])
      expect(await code(change(token, id, { password: 'taken over now' }))).toBe('OWN_PASSWORD')
    const guess = () =>
      send('POST', '/dashboard/auth/password', token, {
        currentPassword: 'guess',
        newPassword: 'taken over now',
      })
    for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(400)
    expect(await code(guess())).toBe('ACCOUNT_LOCKED')
    // The owner of the account signs in as before.
    expect((await logIn(peer.email)).status).toBe(200)
    for (let i = 0; i < 5; i++) await logIn(peer.email, 'wrong')
    expect(await code(logIn(peer.email))).toBe('ACCOUNT_LOCKED')
    // A new password resets nothing: otherwise whoever has set it could continue guessing elsewhere.
    expect((await change(developer, peer.id, { password: 'set by a peer' })).status).toBe(200)
    expect(await code(logIn(peer.email, 'set by a peer'))).toBe('ACCOUNT_LOCKED')
  })
})

describe('an e-mail address', () => {
  test('is given to one of twenty requests at once', async () => {
    const email = `${randomUUID()}@example.com`
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => create(i % 2 ? developer : admin, { email })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers.filter(({ status }) => status !== 200))
      expect([status, body.errorCode]).toEqual([409, 'EMAIL_TAKEN'])
  })

  test('of a member of another partner is taken like any other', async () => {
    const email = `${randomUUID()}@example.com`
    const stranger = await world.signInAs('OWNER', otherPartnerId)
    const passwords = ['the password here', 'the password there']
    const made = [
      await create(developer, { email, password: passwords[0] }),
      await create(stranger, { email, password: passwords[1] }),
    ]
    expect(made.map(({ status }) => status)).toEqual([200, 200])
    for (const [i, { body }] of made.entries()) {
      const { accessToken } = (await logIn(email, passwords[i])).body.data
      expect((await me(accessToken)).body.data).toEqual(body.data)
    }
    // If the passwords are equal, the older membership signs in.
    const second = made[1]?.body.data.id
    expect((await change(stranger, second, { password: passwords[0] })).status).toBe(200)
    expect(await idOf((await logIn(email, passwords[0])).body.data.accessToken)).toBe(
      made[0]?.body.data.id,
    )
    expect(await code(create(stranger, { email }))).toBe('EMAIL_TAKEN')
    // One salt, so that the time of a sign-in does not reveal how many there are.
    const members = await world.runtime.db.member.findMany({ where: { email } })
    expect(new Set(members.map(({ passwordHash }) => passwordHash.split('$')[4])).size).toBe(1)
  })

  test('of members of two partners allows no more guesses at either password', async () => {
    const email = `${randomUUID()}@example.com`
    const stranger = await world.signInAs('OWNER', otherPartnerId)
    await create(developer, { email, password: 'what is to be guessed' })
    const { id } = (await create(stranger, { email, password: 'known to the stranger' })).body.data
    for (let i = 0; i < 5; i++) {
      expect(await code(logIn(email, `guess number ${i}`))).toBe('INVALID_CREDENTIALS')
      if (i < 4) expect((await logIn(email, 'known to the stranger')).status).toBe(200)
    }
    expect(await code(logIn(email, 'one guess more'))).toBe('ACCOUNT_LOCKED')
    await change(stranger, id, { password: 'another one of mine' })
    expect(await code(logIn(email, 'one guess more'))).toBe('ACCOUNT_LOCKED')
    await remove(stranger, id)
    await create(stranger, { email, password: 'known to the stranger' })
    expect(await code(logIn(email, 'one guess more'))).toBe('ACCOUNT_LOCKED')
  })

  test.each([
    [{ email: 'x' }, 'email'],
    [{ email: null }, 'email'],
    [{ email: `${'x'.repeat(250)}@example.com` }, 'email'],
    [{ password: 'short' }, 'password'],
    [{ password: 'x'.repeat(1025) }, 'password'],
    [{ password: 'a\0bcdefghijklmnop' }, 'password'],
    [{ role: 'ROOT' }, 'role'],
    [{ partnerId: 'x' }, 'partnerId'],
  ])('or the like with %j is 400', async (body, field) => {
    const answer = await create(admin, body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].field).toBe(field)
  })
})

describe('an administrator', () => {
  test('creates members of any partner, and administrators', async () => {
    const made = await create(admin, { partnerId: otherPartnerId, role: 'ADMIN' })
    expect(made.body.data).toMatchObject({ partnerId: otherPartnerId, role: 'ADMIN' })
    expect((await create(admin, { partnerId: randomUUID() })).status).toBe(404)
    const all = await world.graphql(
      '{ platform { members(first: 100) { nodes { email } } } }',
      {},
      {
        bearer: admin,
      },
    )
    expect(JSON.stringify(all.body.data)).toContain(made.body.data.email)
  })

  test('promotes and demotes others, but not themselves', async () => {
    const peer = (await create(admin)).body.data
    const { accessToken } = (await logIn(peer.email)).body.data
    expect((await world.get('/admin/arena-games', accessToken)).status).toBe(403)
    await change(admin, peer.id, { role: 'ADMIN' })
    expect((await world.get('/admin/arena-games', accessToken)).status).toBe(200)
    await change(admin, peer.id, { role: 'DEVELOPER' })
    expect((await world.get('/admin/arena-games', accessToken)).status).toBe(403)
    const own = await idOf(admin)
    expect(await code(change(admin, own, { role: 'DEVELOPER' }))).toBe('OWN_MEMBER')
  })

  test('if two remove each other at once, one stays', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await world.signInAs('OPERATOR'), await world.signInAs('OPERATOR')]
      const [idA, idB] = [await idOf(a), await idOf(b)]
      const answers = await Promise.all([remove(a, idB), remove(b, idA)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const left = await world.runtime.db.member.count({ where: { id: { in: [idA, idB] } } })
      expect(left).toBe(1)
    }
  })
})

describe('ADMIN_EMAIL', () => {
  const first = { email: 'Root@Example.com', password: 'a long first password' }

  test('creates the first administrator of an empty database, who signs in', async () => {
    const database = await createDatabase()
    const fresh = await createWorld({ database, config: { admin: first } })
    const { email, password } = first
    const signedIn = await fresh.post('/dashboard/auth/login', undefined, { email, password })
    const { accessToken } = signedIn.body.data
    const { data } = (await fresh.get('/dashboard/auth/me', accessToken)).body
    expect(data).toMatchObject({
      email: 'root@example.com',
      role: 'ADMIN',
      partnerName: 'Operator',
    })
    expect((await fresh.get('/admin/arena-games', accessToken)).status).toBe(200)
    // Another start, with another password, changes nothing.
    const again = { admin: { ...first, password: 'another long password' } }
    expect(await ensureAdmin(fresh.runtime, again)).toBe(false)
    await fresh.end()
    await database.drop()
  })

  test('creates one when ten nodes start at once', async () => {
    const admin = { email: `${randomUUID()}@example.com`, password }
    const made = await Promise.all(
      Array.from({ length: 10 }, () => ensureAdmin(world.runtime, { admin })),
    )
    expect(made.filter(Boolean)).toHaveLength(1)
  })
})

test('members are found by a part of their e-mail address, and by roles', async () => {
  const name = `numbat_${randomUUID()}`
  const email = `${name}@example.com`
  const add = (partnerId: string, email: string) =>
    world.runtime.db.member.create({
      data: { id: uuid(), partnerId, email, passwordHash: 'x', role: 'ANALYST' },
    })
  await add(world.partner.partnerId, email)
  await add(otherPartnerId, `other-${email}`)
  const emails = async (list: string, bearer: string, open = '', close = '') => {
    const { body, text } = await world.graphql(
      `{ ${open} ${list} { totalCount { value } nodes { email } } ${close} }`,
      {},
      { bearer },
    )
    if (body.errors) throw new Error(text)
    const { nodes, totalCount } = (body.data.platform ?? body.data).members
    expect(totalCount.value).toBe(nodes.length)
    return nodes.map((node: { email: string }) => node.email)
  }
  const search = `search: "${name.toUpperCase()}@"`
  expect(await emails(`members(filter: { ${search} })`, developer)).toEqual([email])
  expect(await emails(`members(filter: { ${search} })`, admin, 'platform {', '}')).toEqual([
    email,
    `other-${email}`,
  ])
  const ofRoles = (roles: string) =>
    emails(`members(filter: { ${search}, roles: [${roles}] })`, developer)
  expect(await ofRoles('OWNER, ANALYST')).toEqual([email])
  expect(await ofRoles('OWNER')).toEqual([])
  expect(await ofRoles('')).toEqual([])
  expect(await emails('members(filter: { search: "numbatx" })', developer)).toEqual([])
})
