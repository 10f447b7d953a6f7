import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
const now = Date.now()
let admin: string
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
  admin = await world.signInAs('OPERATOR')
})
afterAll(() => world.end())

const password = 'correct horse battery'
const create = (by: string, body: object) => world.post('/admin/partners', by, body)

/** A member makes a key with an operation of the dashboard. */
const makeKey = async (bearer: string, kind: 'PUBLIC' | 'SECRET'): Promise<string> => {
  const { body } = await world.graphql(
    `mutation { createApiKey(input: {kind: ${kind}}) { ... on CreateApiKeyPayload { key } } }`,
    {},
    { bearer },
  )
  return body.data.createApiKey.key
}

const balance = (key: string) => world.get('/v1/users/nobody/sdk-balance', key)

test('a partner is created, its first member signs in and creates keys, which work until it is closed', async () => {
  const slug = `acme-${randomUUID()}`
  const made = await create(admin, { name: 'Acme', slug })
  expect(made.body.data).toEqual({
    id: expect.any(String),
    slug,
    name: 'Acme',
    createdAt: expect.any(String),
    closedAt: null,
  })
  const { id } = made.body.data
  const email = `${slug}@example.com`
  await world.post('/dashboard/members', admin, { email, password, partnerId: id })
  const login = await world.post('/dashboard/auth/login', undefined, { email, password })
  const token = login.body.data.accessToken
  const key = await makeKey(token, 'PUBLIC')
  expect((await balance(key)).body.message).toBe('User not found')

  const close = (closed: boolean) =>
    world.call('PATCH', `/admin/partners/${id}`, { key: admin, body: { closed } })
  expect((await close(true)).body.data.closedAt).toBe(new Date(now).toISOString())
  const until = async (isTrue: () => Promise<boolean>) => {
    const end = Date.now() + 6_000
    while (!(await isTrue()) && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await until(async () => (await balance(key)).status === 403)
  expect((await balance(key)).body.message).toBe('Partner account not found')
  await until(async () => (await world.get('/dashboard/auth/me', token)).status === 403)
  expect((await close(false)).body.data.closedAt).toBeNull()
  await until(async () => (await balance(key)).status === 404)
  expect((await balance(key)).body.message).toBe('User not found')

  const { body } = await world.get('/admin/partners?limit=100', admin)
  expect(body.data.map(({ id }: { id: string }) => id)).toContain(id)
  expect(body.meta.total).toBe(body.data.length)
}, 30_000)

test('an operator renames a partner, and nobody else does', async () => {
  const slug = `rename-${randomUUID()}`
  const { partnerId } = await world.createPartner(slug)
  const rename = async (bearer: string, input: object) =>
    (
      await world.graphql(
        `mutation ($input: UpdatePartnerInput!) { result: updatePartner(input: $input) {
          ... on UpdatePartnerPayload { partner { name slug } }
          ... on Error { code }
        } }`,
        { input: { partner: { slug }, ...input } },
        { bearer },
      )
    ).body
  expect((await rename(admin, { name: 'Blue Shop' })).data.result).toEqual({
    partner: { name: 'Blue Shop', slug },
  })
  expect((await rename(admin, {})).data.result.partner.name).toBe('Blue Shop')
  expect((await rename(admin, { name: ' ' })).data.result.code).toBe('VALIDATION_FAILED')
  for (const partner of [{ id: randomUUID() }, { slug: `no-${slug}` }])
    expect((await rename(admin, { partner })).data.result.code).toBe('PARTNER_UNKNOWN')
  const byId = await rename(admin, { partner: { id: partnerId }, name: 'Green Shop' })
  expect(byId.data.result).toEqual({ partner: { name: 'Green Shop', slug } })
  const owner = await world.signInAs('OWNER', partnerId)
  expect((await rename(owner, { name: 'Mine' })).errors[0].extensions.code).toBe('ADMIN_REQUIRED')
})

test('the keys of an inactive application are refused, and only its partner can change it', async () => {
  const member = await world.signInAs('OWNER')
  const mutate = async (bearer: string, operation: string, payload: string) =>
    (
      await world.graphql(
        `mutation { result: ${operation} {
          ... on ${payload} { application { id name status } } ... on Error { code } } }`,
        {},
        { bearer },
      )
    ).body.data.result
  const made = 'CreateApplicationPayload'
  const { application } = await mutate(member, 'createApplication(input: {name: "Shop"})', made)
  const key = await world.graphql(
    `mutation ($id: ID!) { createApiKey(input: {kind: PUBLIC, applicationId: $id}) { ... on CreateApiKeyPayload { key } } }`,
    { id: application.id },
    { bearer: member },
  )
  const [off, on] = ['deactivate', 'activate'].map(
    (verb) => `${verb}Application(input: {applicationId: "${application.id}"})`,
  ) as [string, string]
  const changed = 'DeactivateApplicationPayload'
  const stranger = await world.signInAs('OWNER', (await world.createPartner()).partnerId)
  expect(await mutate(stranger, off, changed)).toMatchObject({ code: 'APPLICATION_NOT_FOUND' })
  expect(await mutate(member, off, changed)).toMatchObject({
    application: { name: 'Shop', status: 'INACTIVE' },
  })
  expect((await balance(key.body.data.createApiKey.key)).body.message).toBe(
    'Application is not active',
  )
  expect(await mutate(stranger, on, 'ActivateApplicationPayload')).toMatchObject({
    code: 'APPLICATION_NOT_FOUND',
  })
  expect(await mutate(member, on, 'ActivateApplicationPayload')).toMatchObject({
    application: { status: 'ACTIVE' },
  })
  // A node knows the status of a key for up to five seconds.
  await vi.waitFor(
    async () => expect((await balance(key.body.data.createApiKey.key)).status).not.toBe(403),
    { timeout: 10_000, interval: 200 },
  )
  const { body } = await world.graphql(
    '{ applications { nodes { name } } }',
    {},
    { bearer: member },
  )
  expect(body.data.applications.nodes).toEqual([{ name: 'app' }, { name: 'Shop' }])
})

test('invalid partners are refused, and developers may not create any', async () => {
  const developer = await world.signInAs('OWNER')
  expect((await create(developer, { name: 'A', slug: 'a' })).status).toBe(403)
  const wrong = await create(admin, { name: ' ', slug: 'No Slug' })
  expect(wrong.body.errors.map(({ field }: { field: string }) => field)).toEqual(['name', 'slug'])
  const slug = `twice-${randomUUID()}`
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => create(admin, { name: 'B', slug })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  const patch = (id: string, closed: unknown) =>
    world.call('PATCH', `/admin/partners/${id}`, { key: admin, body: { closed } })
  expect((await patch(world.partner.partnerId, true)).body.errorCode).toBe('OWN_PARTNER')
  for (const id of ['x', '%00', randomUUID(), 'x'.repeat(300)])
    expect((await patch(id, true)).body.errorCode).toBe('PARTNER_UNKNOWN')
  expect((await patch(world.partner.partnerId, 'yes')).body.errors).toMatchObject([
    { field: 'closed' },
  ])
})

test('an operator finds partners by a part of their name or slug, and one by its key', async () => {
  const slug = `quokka-${randomUUID()}`
  const { id } = (await create(admin, { name: 'Wombat 50%', slug })).body.data
  const ask = async (document: string, bearer = admin) =>
    (await world.graphql(`{ platform { ${document} } }`, {}, { bearer })).body
  const slugs = async (filter: string) => {
    const { data } = await ask(`partners(first: 100, filter: { ${filter} }) { nodes { slug } }`)
    return data.platform.partners.nodes.map((node: { slug: string }) => node.slug)
  }
  for (const text of ['WOMBAT', 'bat 50%', slug.toUpperCase()])
    expect(await slugs(`search: "${text}"`)).toEqual([slug])
  expect(await slugs('search: "wombat", isClosed: true')).toEqual([])
  expect(await slugs('search: "wombat_50"')).toEqual([])

  const nodeId = Buffer.from(`Partner:${id}`).toString('base64url')
  for (const by of [`slug: "${slug}"`, `id: "${id}"`, `id: "${nodeId}"`])
    expect((await ask(`partner(by: { ${by} }) { uuid name }`)).data.platform.partner).toEqual({
      uuid: id,
      name: 'Wombat 50%',
    })
  for (const by of ['slug: "nobody"', `id: "${randomUUID()}"`])
    expect((await ask(`partner(by: { ${by} }) { uuid }`)).data.platform.partner).toBeNull()
  const refused = await ask(
    `partner(by: { slug: "${slug}" }) { uuid }`,
    await world.signInAs('OWNER'),
  )
  expect(refused.errors[0].extensions.code).toBe('ADMIN_REQUIRED')
})

test('an owner sets the time zone of the partner, and no editor, key or unknown name does', async () => {
  const set = async (timeZone: string, by: object) =>
    (
      await world.graphql(
        `mutation ($timeZone: TimeZone!) { result: updatePartnerSettings(input: { timeZone: $timeZone }) {
          ... on UpdatePartnerSettingsPayload { partner { timeZone } }
          ... on ValidationError { errors { path message } }
          ... on Error { code }
        } }`,
        { timeZone },
        by,
      )
    ).body
  const read = async () =>
    (await world.graphql('{ viewer { partner { timeZone } } }')).body.data.viewer.partner.timeZone
  const owner = { bearer: await world.signInAs('OWNER') }
  expect(await read()).toBe('UTC')
  expect((await set('Europe/Prague', owner)).data.result).toEqual({
    partner: { timeZone: 'Europe/Prague' },
  })
  const refused = await set('Europe/Atlantis', owner)
  expect(refused.data.result).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ path: ['timeZone'] }],
  })
  const editor = { bearer: await world.signInAs('EDITOR') }
  expect((await set('Asia/Tokyo', editor)).errors[0].extensions.code).toBe('RIGHT_REQUIRED')
  expect((await set('Asia/Tokyo', world.keys)).errors[0].extensions.code).not.toBeUndefined()
  expect(await read()).toBe('Europe/Prague')
  // The days of users have a zone of their own.
  const { body } = await world.graphql('{ defaultTimeZone { timeZone change { timeZone } } }')
  expect(body.data.defaultTimeZone).toEqual({ timeZone: 'UTC', change: null })
  const { body: log } = await world.graphql(
    `{ auditLog(first: 10) { nodes { action refusal changes { field from to } } } }`,
    {},
    owner,
  )
  expect(log.data.auditLog.nodes).toContainEqual({
    action: 'updatePartnerSettings',
    refusal: null,
    changes: [{ field: 'timeZone', from: 'UTC', to: 'Europe/Prague' }],
  })
})
