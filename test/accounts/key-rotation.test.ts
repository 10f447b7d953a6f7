import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/accounts/api-key.ts'
import { writeUses } from '../../src/accounts/last-use.ts'
import { createDatabase, createWorld, type TestDatabase, type World } from '../world.ts'

const start = new Date('2026-05-01T12:00:00.000Z')
const daySeconds = 86_400
let now = start
let database: TestDatabase
let world: World
/** Access token of a member of the partner. */
let member: string

beforeAll(async () => {
  database = await createDatabase()
  world = await createWorld({ database, clock: () => now })
  member = await world.signInAs('ADMIN')
})
afterAll(async () => {
  await world.end()
  await database.drop()
})

const after = (seconds: number) => new Date(start.getTime() + 1000 * seconds)

const at = async <T>(seconds: number, act: () => Promise<T>): Promise<T> => {
  now = after(seconds)
  try {
    return await act()
  } finally {
    now = start
  }
}

const newKey = (more: object = {}) =>
  createApiKey(world.runtime, {
    ...world.tenant,
    applicationId: world.partner.applicationId,
    kind: 'SECRET',
    ...more,
  })

const rotate = async (apiKeyId: string, more: object = {}, bearer = member) =>
  (
    await world.graphql(
      `mutation ($input: RotateApiKeyInput!) { result: rotateApiKey(input: $input) {
        __typename
        ... on RotateApiKeyPayload { key
          apiKey { uuid kind label expiresAt allowedNetworks createdBy { email } application { uuid } }
          replacedKey { uuid expiresAt replacedBy { uuid } } }
        ... on Error { code } ... on NotActiveError { status since }
        ... on ValidationError { errors { path } } } }`,
      { input: { apiKeyId, ...more } },
      { bearer },
    )
  ).body.data.result

const statusOf = async (key: string) => (await world.get('/v1/users/x/balance', key)).status

describe('a rotated key', () => {
  test('has a successor with the same settings, and works until the grace period ends', async () => {
    const old = await newKey({ label: 'backend', allowedNetworks: ['127.0.0.0/8'] })
    const { key, apiKey, replacedKey } = await rotate(old.apiKey.id)
    expect(apiKey).toEqual({
      uuid: expect.any(String),
      kind: 'SECRET',
      label: 'backend',
      expiresAt: null,
      allowedNetworks: ['127.0.0.0/8'],
      createdBy: { email: expect.stringContaining('@') },
      application: { uuid: world.partner.applicationId },
    })
    expect(replacedKey).toEqual({
      uuid: old.apiKey.id,
      replacedBy: { uuid: apiKey.uuid },
      expiresAt: after(daySeconds).toISOString(),
    })
    expect([await statusOf(old.key), await statusOf(key)]).toEqual([404, 404])
    await at(daySeconds - 1, async () => expect(await statusOf(old.key)).toBe(404))
    await at(daySeconds, async () =>
      expect([await statusOf(old.key), await statusOf(key)]).toEqual([403, 404]),
    )
  })

  test('without a grace period is refused at once on this node', async () => {
    const old = await newKey()
    expect(await statusOf(old.key)).toBe(404)
    await rotate(old.apiKey.id, { graceSeconds: 0 })
    expect(await statusOf(old.key)).toBe(403)
  })

  test('expires no later than it would have', async () => {
    const expiresAt = after(60)
    const old = await newKey({ expiresAt })
    const { apiKey, replacedKey } = await rotate(old.apiKey.id, {
      expiresAt: after(1_000_000).toISOString(),
    })
    expect(replacedKey.expiresAt).toBe(expiresAt.toISOString())
    expect(apiKey.expiresAt).toBe(after(1_000_000).toISOString())
  })

  test('cannot be rotated again, and neither can a revoked or expired key', async () => {
    const old = await newKey()
    const answers = await Promise.all([1, 2, 3].map(() => rotate(old.apiKey.id)))
    const refused = { __typename: 'NotActiveError', code: 'API_KEY_NOT_ACTIVE' }
    const replaced = { ...refused, status: 'REPLACED', since: null }
    expect(answers.filter(({ code }) => code)).toEqual([replaced, replaced])
    const revoked = await newKey()
    await world.runtime.db.apiKey.update({
      where: { id: revoked.apiKey.id },
      data: { revokedAt: start },
    })
    const since = start.toISOString()
    expect(await rotate(revoked.apiKey.id)).toEqual({ ...refused, status: 'REVOKED', since })
    const expired = await newKey({ expiresAt: after(60) })
    await at(60, async () =>
      expect(await rotate(expired.apiKey.id)).toEqual({
        ...refused,
        status: 'EXPIRED',
        since: after(60).toISOString(),
      }),
    )
  })

  test("belongs to the caller's environment and partner", async () => {
    const { partnerId } = await world.createPartner()
    const stranger = await world.signInAs('ADMIN', partnerId)
    const live = await newKey({ environment: 'LIVE' })
    const own = await newKey()
    for (const answer of [await rotate(live.apiKey.id), await rotate(own.apiKey.id, {}, stranger)])
      expect(answer).toEqual({ __typename: 'NotFoundError', code: 'API_KEY_NOT_FOUND' })
    expect(await statusOf(own.key)).toBe(404)
  })

  test.each([
    { graceSeconds: -1 },
    { graceSeconds: 30 * daySeconds + 1 },
    { expiresAt: '2020-01-01T00:00:00Z' },
  ])('is not rotated with %j', async (more) => {
    const { apiKey } = await newKey()
    expect(await rotate(apiKey.id, more)).toMatchObject({ errors: [{ path: Object.keys(more) }] })
  })

  test('is shown without its successor and its creator to a public key', async () => {
    const old = await newKey({ kind: 'PUBLIC' })
    await rotate(old.apiKey.id)
    const shown = '{ viewer { apiKey { createdBy { email } lastUsedAt replacedBy { uuid } } } }'
    const { body } = await world.graphql(shown, {}, { public: old.key })
    expect(body.data.viewer.apiKey).toEqual({ createdBy: null, lastUsedAt: null, replacedBy: null })
  })
})

describe('the last use of a key', () => {
  const lastUses = async () =>
    new Map(
      (await world.runtime.db.apiKey.findMany()).map(({ id, lastUsedAt }) => [id, lastUsedAt]),
    )

  test('is written for all keys in one statement, not by the requests', async () => {
    await writeUses(world.runtime)
    const [first, second] = [await newKey(), await newKey()]
    for (const { key } of [first, second, first]) await statusOf(key)
    expect((await lastUses()).get(first.apiKey.id)).toBeNull()
    let statements = 0
    const { db } = world.runtime
    const $executeRaw = (...args: [never]) => {
      statements++
      return db.$executeRaw(...args)
    }
    await writeUses({ ...world.runtime, db: { ...db, $executeRaw } as never })
    expect(statements).toBe(1)
    const uses = await lastUses()
    expect([uses.get(first.apiKey.id), uses.get(second.apiKey.id)]).toEqual([start, start])
    await writeUses({ ...world.runtime, db: null as never })
  })

  test('never moves back, and is not changed by a refused request', async () => {
    const used = await newKey()
    const refused = await newKey({ expiresAt: after(1) })
    await at(2, async () => {
      await statusOf(used.key)
      expect(await statusOf(refused.key)).toBe(403)
    })
    await writeUses(world.runtime)
    await statusOf(used.key)
    await writeUses(world.runtime)
    const uses = await lastUses()
    expect([uses.get(used.apiKey.id), uses.get(refused.apiKey.id)]).toEqual([after(2), null])
  })

  test('is written when the server stops', async () => {
    const { key, apiKey } = await newKey()
    await statusOf(key)
    await world.server.stop()
    world = await createWorld({ database, clock: () => now })
    expect((await lastUses()).get(apiKey.id)).toEqual(start)
  })
})

test('keys are listed by application', async () => {
  const { partnerId } = world.partner
  const bearer = await world.signInAs('ADMIN')
  const { body } = await world.graphql(
    'mutation { createApplication(input: { name: "app 2" }) { ... on CreateApplicationPayload { application { id uuid } } } }',
    {},
    { bearer },
  )
  const { application } = body.data.createApplication
  const { apiKey } = await newKey({ partnerId, applicationId: application.uuid })
  const list = async (applicationId: string) =>
    (
      await world.graphql(
        'query ($id: ID) { apiKeys(filter: { applicationId: $id }) { nodes { uuid } } }',
        { id: applicationId },
      )
    ).body.data.apiKeys.nodes
  expect(await list(application.id)).toEqual([{ uuid: apiKey.id }])
  expect(await list(partnerId)).toEqual([])
})
